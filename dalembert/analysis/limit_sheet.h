// Along the limit of a singularly perturbed problem (singular_perturbation.h): does the sheet that it is on attract, until when, and by how much does
// what is beside it grow from there on?
//
//   g(t)   largest real part of the fast eigenvalues at the limit's state at t
//   int g  what is beside the sheet grows by exp of it: errors of runs, too
#pragma once

#include <functional>
#include <optional>

#include "dalembert/analysis/modes.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// What is fast at a state of the limit: of (95) where the equations have the form (85), otherwise of the pencil at this eps.
class LimitSheet {
 public:
  /// `count` eigenvalues are fast. References have to outlive it.
  LimitSheet(const Problem& full, const Problem& limit, double eps, std::size_t count)
      : full_(full), limit_(limit), eps_(eps), count_(count) {}
  /// The largest real part; 0 if it is not known to be another number. `beside`: the same state in the layout of the full problem.
  double growth(const State& limit, const State& beside) const;

 private:
  const Problem &full_, &limit_;
  double eps_;
  std::size_t count_;
};

/// The first time at which a sheet does not attract any more, or repels where it never attracted (`at_start`: lasts). Between the times that are looked
/// at, the largest growth is sought where it is near.
std::optional<double> end_of_attraction(const std::function<double(double)>& growth, double from, double to,
                                        Mode::Fate at_start);
/// When the integral of the growth first comes to that, and how large it is at most.
struct Grown {
  double most = 0;
  std::optional<double> reached{};
};
Grown grown(const std::function<double(double)>& growth, double from, double to, double much);

}  // namespace dalembert
