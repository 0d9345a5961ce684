// Counts every allocation of the executable that includes this header (once), by whatever library: Eigen and
// KLU call malloc without operator new. Only with glibc and without a sanitizer, which has its own malloc.
#pragma once

#include <cstddef>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define DALEMBERT_COUNTS_ALLOCATIONS 1

namespace dalembert::testing {
inline thread_local long allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++dalembert::testing::allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++dalembert::testing::allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  ++dalembert::testing::allocations;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++dalembert::testing::allocations;
  return __libc_memalign(alignment, size);
}
}
#else
#define DALEMBERT_COUNTS_ALLOCATIONS 0
namespace dalembert::testing {
inline thread_local long allocations = 0;
}
#endif
