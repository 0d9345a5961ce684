// Numbers as a page holds them: few bytes, and no digit less than the eye can see.
//
// Columns are cut to 2^32 - 2 levels between their smallest and their largest value, x = low + level*step, so that what is off is
// 1e-10 of the range. Motions are smooth: of the levels n_k only n_k - 2 n_{k-1} + n_{k-2} is kept (modulo 2^32). All first bytes
// come first, then all second ones, and so on: that is what deflate [RFC 1951] shortens best.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dalembert {

/// How levels become values again.
struct Levels {
  double low = 0, step = 0;
};

/// Appends one number after the other.
class Packing {
 public:
  /// Values that are not finite become the level 2^32 - 1.
  Levels add_levels(const std::vector<double>&);
  void add_doubles(const std::vector<double>&);
  void add_floats(const std::vector<double>&);  ///< rounded to single precision
  void add_text(const std::string&);            ///< with its length in four bytes before it
  void append(const Packing& other) { bytes_ += other.bytes_; }
  /// Everything, deflated and as base64.
  std::string text() const;

 private:
  template <class Word>
  void add_planes(const std::vector<Word>&);
  std::string bytes_;
};

/// The bytes as letters, three in four.
std::string base64(const std::string& bytes);

}  // namespace dalembert
