// Multipliers that alternate and grow: what a method without damping at infinity makes of equations of index 3.
//
//   d_n = lambda_n - lambda_{n-1},   a_n = |d_n - d_{n-1}|/2
//
// A root -1 of the method at infinity acts twice on multipliers of index 3: an error (-1)^n a with a growing at least
// like n appears in them (trapezoid, midpoint, Lobatto IIIA) [HairerWanner1996, VII]. Its mark is a period of two steps,
// which no resolved motion has: ten changes of direction in a row, the amplitude a_n at least doubling meanwhile and no
// longer small beside the multiplier itself.
#pragma once

#include <optional>
#include <vector>

#include "dalembert/method/method.h"

namespace dalembert {

class Alternation {
 public:
  /// Watches the algebraic entries of this and higher index (one-leg methods fail at index 2 already); without any
  /// there is never something to report.
  void bind(const Layout&, int least_index = 3);
  /// The state became the end of a step.
  void accept(In y);
  void accept(const State& to) { accept(to.y); }
  /// The history is over: the next accepted state is the first one known.
  void restart();

  /// Would the run be unstable with y as its next state? The entry that jumps most, and its jump. To be asked about a
  /// state that would be accepted, before it is.
  std::optional<Trouble> growing(In y) const;
  std::optional<Trouble> growing(const State& to) const { return growing(to.y); }
  /// The same of the accepted states alone, with less evidence: for a step whose equations could not be solved.
  std::optional<Trouble> breaking() const;

  void remember(Memory& memory) { memory(watched_, known_); }

 private:
  struct Watched {
    void remember(Memory& memory) { memory(entry, value, change, first, now, size, row); }
    Eigen::Index entry = 0;
    double value = 0, change = 0;  // lambda_n, d_n
    double first = 0, now = 0;     // amplitudes: where the row of alternations began, and the last one
    double size = 0;               // max |lambda| so far
    int row = 0;                   // changes of direction without a pause
  };
  Watched after(Watched, double value) const;
  static bool grows(const Watched&, int least);
  template <class Next>
  std::optional<Trouble> worst(int least, Next&&) const;

  std::vector<Watched> watched_;
  int known_ = 0;  // states accepted, counted up to 3
};

}  // namespace dalembert
