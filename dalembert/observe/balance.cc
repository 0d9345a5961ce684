#include "dalembert/observe/balance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/core/text.h"
#include "dalembert/formulation/formulation.h"

namespace dalembert {

namespace {

// In 1900 runs of catalogue and models, by nine pairs and at four tolerances, those that were right ended with energies off by
// at most 6 times, and rows by at most 4 times, what the tolerance allows in one step.
constexpr double noticed = 30, hopeless = 1e4;
// With fixed steps a tolerance means nothing: there errors are told by what of positions and velocities they amount to.
constexpr double visible = 0.01, everything = 1;
// Constraints that are left by a tenth of what they hold do not hold it, whatever the tolerance.
constexpr double apart = 0.1, infinity = std::numeric_limits<double>::infinity();

}  // namespace

void weigh(const Monitor& monitor, Summary& summary) {
  if (!good(summary.outcome)) return;
  const bool fixed = summary.testimony.steps == Testimony::Steps::fixed;
  const double unit = std::max(monitor.tolerance().relative, monitor.tolerance().absolute);
  const auto entries = find_formulation(summary.formulation);
  const bool approximate =
      std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e.approximate; });
  const auto judge = [&](double excess, double least, const std::string& what) {
    const double share = unit * excess;
    if (!(fixed ? share > visible : excess > noticed)) return;
    const std::string sentence =
        what + (fixed ? ", as if positions and velocities were off by " + short_number(100 * share) + " %"
                      : ", " + short_number(excess) + " times what the tolerance allows in a step");
    const std::string better = fixed ? "take a shorter step" : "take a tighter tolerance";
    if ((share > least || (!fixed && excess > hopeless)) && !approximate) {
      summary.outcome = Outcome::untrusted;
      summary.message = sentence + "; " + better + ", or another formulation or method";
    } else {
      summary.warnings.push_back(sentence + (fixed ? "; " + better : ""));
    }
  };
  if (const auto& drift = monitor.drift())
    judge(drift->excess, apart,
          "the constraint of " + drift->row + " is left by up to " + short_number(drift->position));
  if (const auto& energy = monitor.energy(); energy && std::isnan(energy->work))
    summary.warnings.push_back(
        "inside of a step the motion or a reaction is not a number: the work of the forces is not known, and "
        "the energies "
        "say nothing about this run");
  else if (energy && energy->allowed > 0)
    judge(std::abs(energy->error()) / energy->allowed, fixed ? everything : infinity,
          "the energy at the end differs from that at the start and the work by " +
              short_number(energy->error()));
}

}  // namespace dalembert
