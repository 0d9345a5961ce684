#include "dalembert/observe/accuracy/trusted_motion.h"

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/observe/accuracy/deviation.h"

namespace dalembert {

namespace {

constexpr double tightest = 1e-12;

struct Vote {
  std::string family;
  Recording recording;
};

std::optional<Vote> vote(const std::shared_ptr<const Problem>& problem, const Family& family, RunOptions o,
                         double limit) {
  o.request = {family.pair.formulation->name, family.pair.method->name, Choice{family.pair, "as asked"}};
  o.tolerance = {tightest, tightest};
  try {
    Recording recording = record(problem, o, {}, limit);
    if (good(recording.summary.outcome)) return Vote{family.name, std::move(recording)};
  } catch (const Error&) {  // a pair that refuses has no vote
  }
  return {};
}

}  // namespace

TrustedMotion trusted_motion(const std::shared_ptr<const Problem>& problem, const RunOptions& options,
                             double enough, double most, double limit) {
  TrustedMotion best{.doubt = std::numeric_limits<double>::infinity()};
  std::vector<Vote> votes;
  for (const Family& family : families(*problem)) {
    if (options.interrupt != nullptr && options.interrupt->load()) break;
    std::optional<Vote> now = vote(problem, family, options, limit);
    if (!now) continue;
    for (const Vote& other : votes) {
      const double d =
          largest_differential(*problem, deviations(*problem, {1, 1}, now->recording, other.recording));
      if (!(d < best.doubt)) continue;
      best.doubt = d;
      best.recording = other.recording;
      best.families = {other.family, now->family};
    }
    if (best.doubt <= enough) return best;
    votes.push_back(std::move(*now));
  }
  if (best.doubt <= most) return best;
  best.recording.reset();
  best.why_not = votes.size() < 2 ? "fewer than two families came to the end"
                                  : "families are " + short_number(best.doubt) + " from each other";
  return best;
}

}  // namespace dalembert
