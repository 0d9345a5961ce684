// How long does it take to swing a chain of n links for a second, with positions right to 1e-5: ours, IDA, Simbody?
//
//   chain_runs [--error E] [N ...]
//
// Each contender is run with smaller and smaller tolerances until max |x - reference| over all link centres at the end is
// below the error asked for; its time is the processor time of that whole call, the model's construction left out, the
// smaller of two. The reference is our own run with a tolerance of 1e-12 by another pair, checked against a third one.
#include <fmt/core.h>

#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/chain_rivals.h"
#include "dalembert/control/run.h"
#include "dalembert/core/text.h"
#include "tests/support/large_mechanisms.h"

namespace dalembert::bench {
namespace {

using namespace testing;

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

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

struct Contender {
  std::string name;
  bool ours;
  std::function<RivalEnd(double tolerance)> solve;
};

struct Best {
  double seconds = 0;
  bool found = false;
};

/// The cheapest run that is right to `error`.
Best contest(const Contender& contender, const Vector& reference, double error) {
  constexpr double patience = 200;  // seconds of one run
  for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    const double begin = processor_time();
    const RivalEnd end = contender.solve(tolerance);
    double seconds = processor_time() - begin;
    const double reached = end.ok ? difference(end.q, reference) : not_a_number;
    if (reached <= error && seconds < 5) {
      const double again = processor_time();
      contender.solve(tolerance);
      seconds = std::min(seconds, processor_time() - again);
    }
    fmt::print("  {:28} tolerance {:.0e}  error {:9.2e}  steps {:7}  evaluations {:8}  {:9.4f} s{}\n",
               contender.name, tolerance, reached, end.steps, end.evaluations, seconds,
               reached <= error ? "  <-" : "");
    std::fflush(stdout);
    if (reached <= error) return {seconds, true};
    if (seconds > patience) break;
  }
  fmt::print("  {:28} did not get there\n", contender.name);
  return {};
}

void compare(const Chain& chain, double error) {
  const MechanismPtr mechanism = mechanism_of(chain);
  const auto pair = [&](const std::string& formulation, const std::string& method) {
    return [&, request = PairRequest{formulation, method}](double tolerance) {
      return ours(mechanism, chain.end, request, tolerance);
    };
  };
  fmt::print("chain of {} links, {} s\n", chain.n, chain.end);
  const RivalEnd reference = pair("index1", "dop853")(1e-11), check = pair("index1", "dopri5")(1e-9);
  fmt::print("  reference: two pairs agree to {:.1e}\n", difference(reference.q, check.q));
  std::vector<Contender> all{{"ours, chosen by default", true, pair("", "")},
                             {"ours, index1 dopri5", true, pair("index1", "dopri5")},
                             {"ours, index1 dop853", true, pair("index1", "dop853")},
                             {"ours, index2 hem5", true, pair("index2", "hem5")}};
#ifdef BENCH_WITH_IDA_KLU
  for (const auto& [form, name] :
       {std::pair{ChainForm::index1, "IDA, index 1, KLU"}, {ChainForm::ggl, "IDA, GGL, KLU"}}) {
    Chain small = chain;
    small.n = 3;
    if (const double wrong = chain_jacobian_error(small, form); !(wrong < 1e-6))
      throw std::runtime_error(fmt::format("{}: the Jacobian is wrong by {}", name, wrong));
    all.push_back(
        {name, false, [&chain, form](double tolerance) { return chain_by_ida(chain, form, tolerance); }});
  }
#endif
#ifdef BENCH_WITH_SIMBODY
  for (const auto& [method, name] :
       {std::pair{SimbodyMethod::runge_kutta_merson, "Simbody, Runge-Kutta-Merson"},
        {SimbodyMethod::runge_kutta_fehlberg, "Simbody, Runge-Kutta-Fehlberg"}})
    all.push_back({name, false,
                   [&chain, method](double accuracy) { return chain_by_simbody(chain, method, accuracy); }});
#endif
  std::vector<std::pair<std::string, double>> rivals;
  double best = not_a_number, chosen = not_a_number;
  for (const Contender& each : all) {
    const Best found = contest(each, reference.q, error);
    if (!found.found) continue;
    if (!each.ours) rivals.emplace_back(each.name, found.seconds);
    if (each.ours && !(found.seconds >= best)) best = found.seconds;
    if (&each == &all.front()) chosen = found.seconds;
  }
  for (const auto& [name, seconds] : rivals)
    fmt::print("  {:28} takes {:.1f} times as long as our default, {:.1f} times as long as our best\n", name,
               seconds / chosen, seconds / best);
}

}  // namespace
}  // namespace dalembert::bench

int main(int count, char** words) {
  double error = 1e-5;
  std::vector<int> sizes;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--error" && i + 1 < count)
      error = dalembert::number_in(words[++i]).value();
    else
      sizes.push_back(std::stoi(word));
  }
  if (sizes.empty()) sizes = {100, 1000};
  for (const int n : sizes) {
    dalembert::bench::Chain chain;
    chain.n = n;
    dalembert::bench::compare(chain, error);
  }
}
