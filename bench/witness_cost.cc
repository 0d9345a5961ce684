// What does the witness cost? Whole runs of Andrews' mechanism and of a chain of 100 links, with it and without.
//
//   witness_cost [--rtol R] [--chain SECONDS] [METHOD ...]
//
// Every method with error control (or those named) solves both, on the formulation that is chosen for it. Runs with and
// without take turns; compared are the medians of their processor time. The steps are counted too: they tell how much of
// a difference is looking, and how much are other steps.
#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "bench/chain_rivals.h"
#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/problem/catalogue.h"
#include "tests/support/large_mechanisms.h"

namespace dalembert::bench {
namespace {

constexpr double enough = 1, too_much = 20;  // seconds of all runs of a method; none begins after the second
constexpr std::size_t fewest = 5, most = 201;

struct Runs {
  Scrutiny scrutiny;
  std::vector<double> seconds{};
  Summary last{};

  double median() const {
    std::vector<double> sorted = seconds;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }
};

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// With the witness, and without.
std::array<Runs, 2> measure(const std::shared_ptr<const Problem>& problem, RunOptions options) {
  std::array<Runs, 2> both = {Runs{Scrutiny::witness}, Runs{Scrutiny::method}};
  const double begin = processor_time();
  for (std::size_t turn = 0; turn < most; ++turn) {
    const double spent = processor_time() - begin;
    if (turn > 0 && (spent > too_much || (turn >= fewest && spent > enough))) break;
    for (std::size_t k = 0; k < both.size(); ++k) {
      Runs& runs = both[(turn + k) % 2];  // who comes second finds the memory warm
      options.scrutiny = runs.scrutiny;
      const double start = processor_time();
      runs.last = run(problem, options);
      runs.seconds.push_back(processor_time() - start);
    }
  }
  return both;
}

void print_row(const std::shared_ptr<const Problem>& problem, const RunOptions& options) {
  const auto [with, without] = measure(problem, options);
  const Summary &a = with.last, &b = without.last;
  const std::string pair = a.formulation + " " + a.method;
  if (a.outcome != Outcome::ok || b.outcome != Outcome::ok) {
    fmt::print("  {:26} {}, without {}\n", pair, name(a.outcome), name(b.outcome));
    return;
  }
  fmt::print("  {:26} {:10.3f} {:10.3f} {:7.3f}   {:7} {:7} {:7} {:9}\n", pair, 1e3 * with.median(),
             1e3 * without.median(), with.median() / without.median(), a.statistics.steps, b.statistics.steps,
             a.testimony.looks, a.testimony.rejected);
  std::fflush(stdout);
}

void print_table(const std::string& title, const std::shared_ptr<const Problem>& problem,
                 const RunOptions& given, const std::vector<std::string>& methods) {
  fmt::print("{}\n  {:26} {:>10} {:>10} {:>7}   {:>7} {:>7} {:>7} {:>9}\n", title, "", "with, ms", "without",
             "ratio", "steps", "without", "looks", "rejected");
  for (const MethodEntry& method : all_methods()) {
    const bool wanted =
        methods.empty() || std::find(methods.begin(), methods.end(), method.name) != methods.end();
    if (!method.adaptive || !wanted) continue;
    RunOptions options = given;
    options.request.method = method.name;
    try {
      options.request.answer = choose_pair(*problem, options.request, options.tolerance);
    } catch (const Error&) {
      continue;  // not for mechanical problems
    }
    if (adapts(options.request.answer->pair, *problem)) print_row(problem, options);
  }
}

}  // namespace
}  // namespace dalembert::bench

int main(int count, char** words) {
  using namespace dalembert;
  RunOptions options;
  bench::Chain chain;
  std::vector<std::string> methods;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--rtol" && i + 1 < count)
      options.tolerance.relative = options.tolerance.absolute = number_in(words[++i]).value();
    else if (word == "--chain" && i + 1 < count)
      chain.end = number_in(words[++i]).value();
    else
      methods.push_back(find_method(word).name);
  }
  bench::print_table("andrews", make_problem("andrews", {}), options, methods);
  options.end = chain.end;
  const auto links = testing::hanging_chain(chain.n, chain.link_length(), chain.link_mass(),
                                            [&](int) { return chain.lean; });
  bench::print_table(fmt::format("chain of {} links, {} s", chain.n, chain.end), links, options, methods);
}
