// What happens when there is no memory left.
#pragma once

namespace dalembert::app {

/// From here on the program ends with a sentence, at once. Nothing is unwound: a matrix of Eigen that could not grow holds a
/// pointer to memory that it has given back already, and its destructor would give it back again.
void end_without_memory();

/// That sentence, and the end.
[[noreturn]] void out_of_memory();

}  // namespace dalembert::app
