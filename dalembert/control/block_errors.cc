// How far a state is from one that is known to be right, block by block.
#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

namespace {

/// Positions whose rates are not their velocities are compared in velocity space: rotations by angles.
std::optional<double> turn_error(const Problem& problem, const Block& block, In exact, In ours) {
  const auto* mechanical = as<Mechanical>(&problem);
  if (mechanical == nullptr || mechanical->plain() || block.name != "q") return {};
  const auto reference = exact.segment(block.offset, block.size);
  if (!reference.allFinite()) return {};
  Vector u(mechanical->sizes().v);
  mechanical->difference(reference, ours, u);
  return largest(u);
}

}  // namespace

Layout layout_of(const State& truth, const Problem& problem) {
  const Layout reported = problem.report(), own = problem.layout();
  if (truth.y.size() == reported.size()) return reported;
  if (truth.y.size() != own.size())
    throw Error("the solution that is known has " + std::to_string(truth.y.size()) + " entries for " +
                    std::to_string(own.size()) + " unknowns",
                "give all of them; NaN marks those that are not known");
  return own;
}

std::map<std::string, double> block_errors(const Problem& problem, const State& state, const Layout& layout,
                                           const State& truth) {
  std::map<std::string, double> all;
  const Layout known = layout_of(truth, problem);
  for (const auto& block : known.blocks()) {
    const Block* mine = layout.find(block.name);
    if (mine == nullptr || mine->size != block.size) continue;
    double worst = -1;
    if (const auto turned = turn_error(problem, block, truth.y, state.y.segment(mine->offset, mine->size))) {
      all[block.name] = *turned;
      continue;
    }
    for (Eigen::Index i = 0; i < block.size; ++i) {
      const double reference = truth.y[block.offset + i], ours = state.y[mine->offset + i];
      if (!std::isfinite(reference)) continue;
      const double e = std::abs(ours - reference) / (1 + std::abs(reference));
      worst = std::isfinite(e) ? std::max(worst, e) : e;
    }
    if (worst >= 0 || std::isnan(worst)) all[block.name] = worst;
  }
  return all;
}

std::vector<double> output_times(double begin, double end, int pieces) {
  if (pieces < 1 || !std::isfinite(begin) || !std::isfinite(end))
    throw Error("there are no " + std::to_string(pieces) + " pieces from " + short_number(begin) + " to " +
                    short_number(end),
                "give at least one piece of a finite length");
  std::vector<double> times;
  for (int k = 0; k <= pieces; ++k) times.push_back(k == pieces ? end : begin + (end - begin) * k / pieces);
  return times;
}

}  // namespace dalembert
