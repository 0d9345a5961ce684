#include "app/memory.h"

#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string_view>

#include "app/commands.h"

namespace dalembert::app {

void out_of_memory() {
  constexpr std::string_view sentence =
      "dalembert: out of memory; take a smaller problem, or fewer outputs\n";
  const auto ignored = ::write(STDERR_FILENO, sentence.data(), sentence.size());
  static_cast<void>(ignored);
  std::_Exit(ended_early);
}

void end_without_memory() {
  std::set_new_handler(out_of_memory);
}

// Eigen asks malloc itself. The linker leads these calls here (--wrap), those of shared libraries excepted.
extern "C" {
void* __real_malloc(std::size_t);
void* __wrap_malloc(std::size_t size) {
  void* const found = __real_malloc(size);
  if (found == nullptr && size > 0) out_of_memory();
  return found;
}
void* __real_realloc(void*, std::size_t);
void* __wrap_realloc(void* old, std::size_t size) {
  void* const found = __real_realloc(old, size);
  if (found == nullptr && size > 0) out_of_memory();
  return found;
}
}

}  // namespace dalembert::app
