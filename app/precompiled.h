// What the compiler reads once for all files of the program.
#pragma once

#include <fmt/format.h>

#include "tools/cmake/precompiled.h"
