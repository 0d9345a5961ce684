// What the compiler reads once per target instead of once per file: the standard library and Eigen. Files name what they use all
// the same, and tests compile every header without this. A list in CMake would do as well, but CMake keeps the date of the
// file it makes of such a list, so that a change of it would go unnoticed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/linear/decompositions.h"
