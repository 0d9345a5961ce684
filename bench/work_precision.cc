// Work against precision: our pairs and, where SUNDIALS is installed, IDA, side by side on the same problems.
//
//   work_precision [--json]
//
// Time is processor time of the whole call, set-up included: the smallest of several repetitions, in which
// all contenders take turns. Error is max |q - reference|/(1 + |reference|) at the end.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "dalembert/control/run.h"
#include "dalembert/nonlinear/mechanics.h"
#include "dalembert/problem/catalogue.h"
#ifdef BENCH_WITH_IDA
#include "bench/ida_runner.h"
#endif

namespace dalembert::bench {
namespace {

double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Result {
  bool ok = false;
  double error = 0;
  std::int64_t evaluations = 0;  ///< of the force (ours), of the residual (IDA)
  std::int64_t jacobians = 0, steps = 0;
  double seconds = 0;
};

struct Contender {
  std::string name;
  bool ours;
  std::function<Result(double tolerance)> solve;
  std::function<void()> set_up;  ///< what solve does before its first step
  double set_up_seconds = 0;
  std::vector<Result> results{};  ///< one per tolerance
};

struct Case {
  std::string problem;
  double end;
  std::vector<Contender> contenders;
};

Contender our_pair(const std::string& problem_name, double end, const std::string& formulation,
                   const std::string& method) {
  const auto problem = make_problem(problem_name);
  RunOptions options;
  options.wish = {formulation, method};
  options.end = end;
  const auto solve = [problem, options](double tolerance) mutable {
    options.tolerance = {tolerance, tolerance};
    const Summary summary = run(problem, options);
    return Result{.ok = summary.outcome == Outcome::ok,
                  .error = summary.error.at("q"),
                  .evaluations = summary.statistics.force_evaluations,
                  .jacobians = summary.statistics.jacobians,
                  .steps = summary.statistics.steps};
  };
  RunOptions nothing = options;
  nothing.most_steps = 0;
  nothing.step = 1e-6 * end;  // otherwise a first step would be searched
  return {formulation + "+" + method, true, solve, [problem, nothing] { run(problem, nothing); }};
}

#ifdef BENCH_WITH_IDA
IdaStart consistent(const Mechanical& problem, const State& at) {
  const MechanicalState part(problem.sizes());
  Statistics statistics;
  Mechanics mechanics(problem, Symmetry::symmetric, statistics);
  IdaStart start{part.q(at.y), part.v(at.y), Vector(problem.sizes().v), Vector(problem.sizes().rows())};
  mechanics.accelerate(at.t, start.q, start.v, Vector(), {}, start.a, start.l);
  return start;
}

/// Is the model that IDA sees the one in the catalogue?
void check_model(const std::string& name, const Mechanical& problem, IdaForm form) {
  const IdaStart end = consistent(problem, *problem.exact(problem.end()));
  const double residual = ida_residual(name, form, end) / (1 + largest(end.l));
  const double jacobian = ida_jacobian_error(name, form, end);
  if (!(residual < 1e-8) || !(jacobian < 1e-6))
    throw std::runtime_error(fmt::format(
        "{}: the model for IDA differs from the catalogue by {:.1e}, its Jacobian from differences by {:.1e}",
        name, residual, jacobian));
}

Contender ida(const std::string& name, double end, const char* form_name, IdaForm form) {
  const auto problem = std::dynamic_pointer_cast<const Mechanical>(make_problem(name));
  check_model(name, *problem, form);
  const IdaStart start = consistent(*problem, problem->start());
  const Vector reference = problem->exact(end)->y.head(problem->sizes().q);
  const auto solve = [=](double tolerance) {
    const IdaEnd at = ida_run(name, form, start, end, tolerance);
    Result result{.ok = at.ok, .evaluations = at.residuals, .jacobians = at.jacobians, .steps = at.steps};
    result.error = ((at.q - reference).array().abs() / (1 + reference.array().abs())).maxCoeff();
    return result;
  };
  return {fmt::format("IDA {}", form_name), false, solve,
          [=] { ida_run(name, form, start, end, 1e-6, IdaWork::only_set_up); }};
}
#endif

Case make_case(const std::string& problem, double end) {
  Case c{problem, end, {}};
  for (const char* method : {"dopri5", "dop853"})
    c.contenders.push_back(our_pair(problem, end, "index1", method));
  for (const char* method : {"hem4", "hem5", "phem56", "hedop5", "mexx"})
    c.contenders.push_back(our_pair(problem, end, "index2", method));
#ifdef BENCH_WITH_IDA
  c.contenders.push_back(ida(problem, end, "index1", IdaForm::index1));
  c.contenders.push_back(ida(problem, end, "index1 q,v,a,l", IdaForm::index1_full));
  c.contenders.push_back(ida(problem, end, "index2", IdaForm::index2));
#endif
  return c;
}

constexpr double enough = .12;  ///< seconds of repetitions per contender and tolerance
constexpr int fewest = 3, most = 200;

/// Smallest time of several. The contenders take turns, and sweep after sweep goes over all tolerances, so
/// that a disturbance of the machine does not meet all repetitions of one of them.
void measure(Case& c, const std::vector<double>& tolerances) {
  for (Contender& each : c.contenders) {
    each.set_up_seconds = INFINITY;
    each.results.assign(tolerances.size(), {.seconds = INFINITY});
  }
  std::vector<std::vector<double>> spent(c.contenders.size(), std::vector<double>(tolerances.size(), 0));
  for (int sweep = 0; sweep < most; ++sweep) {
    for (Contender& each : c.contenders) {
      const double begin = now();
      each.set_up();
      each.set_up_seconds = std::min(each.set_up_seconds, now() - begin);
    }
    for (std::size_t i = 0; i < tolerances.size(); ++i)
      for (std::size_t k = 0; k < c.contenders.size(); ++k) {
        if (sweep >= fewest && spent[k][i] > enough) continue;
        const double begin = now();
        Result result = c.contenders[k].solve(tolerances[i]);
        const double seconds = now() - begin;
        spent[k][i] += seconds;
        result.seconds = std::min(seconds, c.contenders[k].results[i].seconds);
        c.contenders[k].results[i] = result;
      }
  }
}

/// Time to reach this error: straight lines between tolerances in the double logarithmic picture, at the
/// tolerance from which on the error stays below. With the loosest one already below, its time.
std::optional<double> time_to_reach(const Contender& c, double error, double without = 0) {
  const auto good = [&](const Result& r) { return r.ok && r.error <= error; };
  if (c.results.empty()) return {};
  const auto seconds = [&](const Result& r) { return std::max(r.seconds - without, 1e-9); };
  for (std::size_t k = c.results.size(); k-- > 1;) {
    const Result &tight = c.results[k], &loose = c.results[k - 1];
    if (!good(tight) || good(loose)) continue;
    if (!loose.ok) return seconds(tight);
    const double share = std::log(loose.error / error) / std::log(loose.error / tight.error);
    return seconds(loose) * std::pow(seconds(tight) / seconds(loose), share);
  }
  if (good(c.results.front())) return seconds(c.results.front());
  return {};
}

struct Best {
  const Contender* who = nullptr;
  double seconds = INFINITY;
};
enum class SetUp { counted, left_out };
Best best(const Case& c, bool ours, double error, SetUp set_up) {
  Best found;
  for (const Contender& each : c.contenders) {
    if (each.ours != ours) continue;
    const auto seconds = time_to_reach(each, error, set_up == SetUp::counted ? 0 : each.set_up_seconds);
    if (seconds && *seconds < found.seconds) found = {&each, *seconds};
  }
  return found;
}

constexpr double targets[] = {1e-4, 1e-6, 1e-8};

void print_table(const Case& c, const std::vector<double>& tolerances) {
  fmt::print("\n{} to t = {:g}\n", c.problem, c.end);
  fmt::print("{:22} {:>8} {:>10} {:>12} {:>10} {:>9} {:>10}\n", "", "tol", "error in q", "evaluations",
             "jacobians", "steps", "ms");
  for (const Contender& each : c.contenders) {
    for (std::size_t k = 0; k < tolerances.size(); ++k) {
      const Result& r = each.results[k];
      fmt::print("{:22} {:8.0e} {:>10} {:12} {:10} {:9} {:10.4f}\n", k == 0 ? each.name : "", tolerances[k],
                 r.ok ? fmt::format("{:.2e}", r.error) : "failed", r.evaluations, r.jacobians, r.steps,
                 1e3 * r.seconds);
    }
    fmt::print("{:22} {:8} {:>54.4f}\n", "", "set-up", 1e3 * each.set_up_seconds);
  }
}

void print_targets(const Case& c) {
  fmt::print("\n{}: time to reach an error in q, best of ours and best of IDA\n", c.problem);
  fmt::print("{:>8}  {:22} {:>10}   {:22} {:>10} {:>10}\n", "error", "ours", "ms", "IDA", "ms", "IDA/ours");
  const bool alone =
      std::all_of(c.contenders.begin(), c.contenders.end(), [](const Contender& each) { return each.ours; });
  for (const SetUp set_up : {SetUp::counted, SetUp::left_out}) {
    if (set_up == SetUp::left_out) fmt::print("without set-up on either side\n");
    for (const double error : targets) {
      const Best ours = best(c, true, error, set_up), theirs = best(c, false, error, set_up);
      const auto name = [&](const Best& b) {
        return b.who != nullptr ? b.who->name
                                : std::string(alone && &b == &theirs ? "not installed" : "not reached");
      };
      fmt::print("{:8.0e}  {:22} {:10.4f}   {:22} {:10.4f} {:10.1f}\n", error, name(ours), 1e3 * ours.seconds,
                 name(theirs), 1e3 * theirs.seconds, theirs.seconds / ours.seconds);
    }
  }
}

void print_json(const std::vector<Case>& cases, const std::vector<double>& tolerances) {
  const auto number = [](double x) {
    return std::isfinite(x) ? fmt::format("{:.6g}", x) : std::string("null");
  };
  fmt::print("{{\"cases\": [");
  for (const Case& c : cases) {
    fmt::print("{}\n {{\"problem\": \"{}\", \"end\": {}, \"contenders\": [", &c == &cases.front() ? "" : ",",
               c.problem, number(c.end));
    for (const Contender& each : c.contenders) {
      fmt::print("{}\n  {{\"name\": \"{}\", \"ours\": {}, \"set_up_seconds\": {}, \"results\": [",
                 &each == &c.contenders.front() ? "" : ",", each.name, each.ours,
                 number(each.set_up_seconds));
      for (std::size_t k = 0; k < tolerances.size(); ++k) {
        const Result& r = each.results[k];
        fmt::print(
            "{}\n   {{\"tolerance\": {}, \"ok\": {}, \"error\": {}, \"evaluations\": {}, \"jacobians\": {}, "
            "\"steps\": {}, \"seconds\": {}}}",
            k == 0 ? "" : ",", number(tolerances[k]), r.ok, number(r.error), r.evaluations, r.jacobians,
            r.steps, number(r.seconds));
      }
      fmt::print("]}}");
    }
    fmt::print("],\n  \"targets\": [");
    for (const double error : targets) {
      const Best ours = best(c, true, error, SetUp::counted), theirs = best(c, false, error, SetUp::counted);
      fmt::print("{}{{\"error\": {}, \"ours_seconds\": {}, \"ida_seconds\": {}}}",
                 error == targets[0] ? "" : ", ", number(error), number(ours.seconds),
                 number(theirs.seconds));
    }
    fmt::print("]}}");
  }
  fmt::print("]}}\n");
}

int main(const std::vector<std::string>& arguments) {
  const bool json = arguments == std::vector<std::string>{"--json"};
  if (!json && !arguments.empty()) {
    fmt::print(stderr, "usage: work_precision [--json]\n");
    return 2;
  }
  std::vector<double> tolerances;
  for (int digits = 2; digits <= 12; ++digits) tolerances.push_back(std::pow(10, -digits));
#ifdef BENCH_WITH_IDA
  if (const double times = sundials_slowness(); times > 2.5)
    fmt::print(stderr,
               "work_precision: this SUNDIALS was built without optimisation (a vector sum takes {:.1f} "
               "times ours);\n"
               "  do not compare times with it: bench/README.md says how to build one that counts\n",
               times);
#endif
  std::vector<Case> cases = {make_case("andrews", .03), make_case("pendulum", 10)};
  for (Case& c : cases) measure(c, tolerances);
  if (json) {
    print_json(cases, tolerances);
    return 0;
  }
  for (const Case& c : cases) print_table(c, tolerances);
  for (const Case& c : cases) print_targets(c);
  return 0;
}

}  // namespace
}  // namespace dalembert::bench

int main(int argc, char** argv) {
  try {
    return dalembert::bench::main({argv + 1, argv + argc});
  } catch (const std::exception& mistake) {
    fmt::print(stderr, "work_precision: {}\n", mistake.what());
    return 1;
  }
}
