// What can be wrong with functions that a problem is made from, seen at its start.
#pragma once

#include <functional>

#include "dalembert/core/vector.h"

namespace dalembert {

/// What a function leaves as it was, or adds to, it does not write: then a result would depend on what stood there before. Throws Error.
void refuse_unwritten(const char* name, Eigen::Index size, const std::function<void(Out)>& write);

/// A matrix that a function was given to write. Throws Error if it has another size.
void refuse_resized(const Matrix& written, Eigen::Index rows, Eigen::Index columns, const char* name);

/// A derivative that was given, beside the one that was found by differentiating. Throws Error if they are far apart.
void refuse_wrong(const char* name, const Matrix& given, const Matrix& found);

}  // namespace dalembert
