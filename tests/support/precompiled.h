// What the compiler reads once for all tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tools/cmake/precompiled.h"
