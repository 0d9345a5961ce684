// Where the limit of a singularly perturbed problem begins (singular_perturbation.h): on the sheet to which the layer (95) leads the start, and with
// what is slow of it.
#pragma once

#include <optional>
#include <vector>

#include "dalembert/analysis/boundary_layer.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// Entries that the full problem and its limit both have, by their labels.
struct SharedEntries {
  std::vector<Eigen::Index> full, limit;
  SharedEntries(const Layout& full, const Layout& limit);
  /// A state of the limit as one of the full problem; entries that the limit has not as they are there.
  State beside(const State& of_limit, State there) const;
  State in_limit(const State& of_full, State there) const;
};

/// Throws Error if there is no consistent state near it.
State completed(const Problem&, State, const char* what);

class LimitStart {
 public:
  /// References have to outlive it.
  LimitStart(const Problem& limit, const SharedEntries& shared) : limit_(limit), shared_(shared) {}

  /// What (95) makes of it; none where the equations have not its form.
  std::optional<Led> led(const Problem&, const State& start, double eps) const;
  /// Does such a change of one entry lead elsewhere?
  bool beside_a_border(const Problem&, const State& start, double eps, const Led&, double change) const;
  /// On the sheet to which it is led. Where that is not known the limit's own start is the better one to set out from, if it is near: what is hidden in
  /// equations of a higher index is found by differences, which do not notice small violations.
  State start(const Problem&, const State& start, const std::optional<Led>&) const;

 private:
  State keep_slow(const Problem&, const State& start, State base) const;

  const Problem& limit_;
  const SharedEntries& shared_;
};

}  // namespace dalembert
