// What is fuzzed: each target takes any bytes and must come back without crash, hang or broken promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace dalembert::fuzz {

void expression(const std::uint8_t* data, std::size_t size);
void arguments(const std::uint8_t* data, std::size_t size);
void model(const std::uint8_t* data, std::size_t size);

/// A promise that holds whatever the input is. Unlike assert it is there in every build.
inline void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

}  // namespace dalembert::fuzz
