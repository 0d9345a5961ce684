// States as they are reported: in the layout that all modes of a problem share, with what a mode knows besides its own state.
#pragma once

#include <optional>

#include "dalembert/problem/problem.h"

namespace dalembert {

/// The entries of a complete state arranged for reporting; blocks the state does not have are NaN.
State reported(const State& original, const Layout& layout, const Layout& report);

/// From states of one mode. Looks at the mode, which has to outlive it.
class Reporter {
 public:
  /// To the layout of Problem::report().
  explicit Reporter(const Problem& mode) : mode_(&mode), layout_(mode.layout()), report_(mode.report()) {}
  /// To that of a mode before.
  Reporter(const Problem& mode, Layout first) : Reporter(mode) { first_ = std::move(first); }

  State operator()(const State& of_mode) const;
  const Layout& layout() const { return layout_; }  ///< of the mode

 private:
  const Problem* mode_;
  Layout layout_, report_;
  std::optional<Layout> first_;
};

}  // namespace dalembert
