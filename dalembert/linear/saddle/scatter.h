// Where each entry of a matrix goes in the array that an elimination works on.
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "dalembert/linear/entries.h"

namespace dalembert {

/// Copies entries to their places; those that meet are added.
class Scatter {
 public:
  void reserve(std::size_t entries) { slots_.reserve(entries); }
  void add(std::int32_t slot) { slots_.push_back(slot); }
  void add_to(std::int32_t slot, std::int32_t nowhere) {
    extra_.push_back({slots_.size(), slot});
    slots_.push_back(nowhere);
  }
  void run(const Entries& entries, double* values) const {
    assert(entries.size() == slots_.size() && "the pattern has changed since bind()");
    const double* v = entries.values();
    const std::int32_t* slot = slots_.data();
    const std::size_t size = slots_.size();
    std::size_t k = 0;
    for (; k + 4 <= size;
         k += 4) {  // read before they are written: the compiler cannot know that they are apart
      const double a = v[k], b = v[k + 1], c = v[k + 2], d = v[k + 3];
      values[slot[k]] = a;
      values[slot[k + 1]] = b;
      values[slot[k + 2]] = c;
      values[slot[k + 3]] = d;
    }
    for (; k < size; ++k) values[slot[k]] = v[k];
    for (const auto& [from, to] : extra_) values[to] += v[from];
  }

 private:
  std::vector<std::int32_t> slots_;
  std::vector<std::pair<std::size_t, std::int32_t>> extra_;
};

}  // namespace dalembert
