#include "bench/chain_case.h"

#include <fmt/core.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "dalembert/control/run.h"
#include "tests/support/large_mechanisms.h"

namespace dalembert::bench {
namespace {

using namespace testing;

MechanismPtr mechanism_of(const Chain& chain) {
  return hanging_chain(chain.n, chain.link_length(), chain.link_mass(), [&](int) { return chain.lean; });
}

RivalEnd ours(const MechanismPtr& mechanism, double end, const PairRequest& request, double tolerance) {
  RunOptions options;
  options.request = request;
  options.tolerance.relative = options.tolerance.absolute = tolerance;
  options.end = end;
  const Summary summary = run(mechanism, options);
  return {summary.outcome == Outcome::ok, summary.state.y.head(mechanism->sizes().q),
          static_cast<long>(summary.statistics.steps),
          static_cast<long>(summary.statistics.force_evaluations)};
}

/// Of the centres.
double difference(const Vector& a, const Vector& b) {
  double most = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i)
    if (i % 3 != 2) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace

Case chain_case(const Chain& chain, double& reference_spread) {
  const MechanismPtr mechanism = mechanism_of(chain);
  const auto pair = [=](const std::string& formulation, const std::string& method) {
    return [=, request = PairRequest{formulation, method}](double tolerance) {
      return ours(mechanism, chain.end, request, tolerance);
    };
  };
  const Vector reference = pair("index1", "dop853")(1e-11).q;
  reference_spread = difference(reference, pair("index1", "dopri5")(1e-9).q);
  Case c{fmt::format("chain of {} links", chain.n), chain.end, {}};
  const auto add = [&](const std::string& name, bool is_ours, const auto& solve) {
    c.contenders.push_back({name, is_ours,
                            [=](double tolerance) {
                              const RivalEnd end = solve(tolerance);
                              Result result{.ok = end.ok, .evaluations = end.evaluations, .steps = end.steps};
                              if (end.ok) result.error = difference(end.q, reference);
                              return result;
                            },
                            [] {}});
  };
  add("ours, chosen", true, pair("", ""));
  add("ours, index1 dopri5", true, pair("index1", "dopri5"));
  add("ours, index1 dop853", true, pair("index1", "dop853"));
  add("ours, index1 rodas5p", true, pair("index1", "rodas5p"));
  add("ours, index1 rodas853", true, pair("index1", "rodas853"));
  add("ours, index2 hem5", true, pair("index2", "hem5"));
#ifdef BENCH_WITH_IDA_KLU
  for (const auto& [form, name] :
       {std::pair{ChainForm::index1, "IDA, index 1, KLU"}, {ChainForm::ggl, "IDA, GGL, KLU"}}) {
    Chain small = chain;
    small.n = 3;
    if (const double wrong = chain_jacobian_error(small, form); !(wrong < 1e-6))
      throw std::runtime_error(fmt::format("{}: the Jacobian is wrong by {}", name, wrong));
    add(name, false, [=, form = form](double tolerance) { return chain_by_ida(chain, form, tolerance); });
  }
#endif
#ifdef BENCH_WITH_SIMBODY
  for (const auto& [method, name] :
       {std::pair{SimbodyMethod::runge_kutta_merson, "Simbody, Runge-Kutta-Merson"},
        {SimbodyMethod::runge_kutta_fehlberg, "Simbody, Runge-Kutta-Fehlberg"}})
    add(name, false,
        [=, method = method](double accuracy) { return chain_by_simbody(chain, method, accuracy); });
#endif
  return c;
}

}  // namespace dalembert::bench
