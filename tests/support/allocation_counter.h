// Counts every allocation of a test program, by whatever library: Eigen and KLU call malloc without operator new. Only
// with glibc and without a sanitizer, which has its own malloc.
#pragma once

#include <cstddef>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define DALEMBERT_COUNTS_ALLOCATIONS 1
#else
#define DALEMBERT_COUNTS_ALLOCATIONS 0
#endif

namespace dalembert::testing {
inline thread_local long allocations = 0;
}
