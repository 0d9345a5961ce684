// Loops over arrays with four numbers at a time where the processor can. Each is written once and compiled for both; the operations and
// their order are the same, and nothing is contracted, so that results do not depend on the processor.
#pragma once

namespace dalembert {

#if defined(__GNUC__) && defined(__x86_64__)
#define DALEMBERT_FOUR_LANES [[gnu::target("avx2")]]
/// May what is marked so be called?
inline bool has_four_lanes() {
  return __builtin_cpu_supports("avx2");
}
#else
#define DALEMBERT_FOUR_LANES
constexpr bool has_four_lanes() {
  return false;
}
#endif

}  // namespace dalembert
