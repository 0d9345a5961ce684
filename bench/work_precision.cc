// Work against precision: our pairs and, where SUNDIALS is installed, IDA, side by side on the same problems.
//
//   work_precision [--json] [PROBLEM ...]
//
// Time is processor time of the whole call, set-up included: the smallest of several repetitions, in which
// all contenders take turns. Error is max |difference|/(1 + |reference|) at the end, in q, or in
// all entries where there is no q.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/contest.h"
#include "dalembert/constraints/consistent_start.h"
#include "dalembert/constraints/mechanics.h"
#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"
#ifdef BENCH_WITH_IDA
#include "bench/ida_implicit.h"
#include "bench/ida_mechanical.h"
#endif

namespace dalembert::bench {
namespace {

double error_of(const std::map<std::string, double>& errors) {
  if (errors.contains("q")) return errors.at("q");
  double worst = 0;
  for (const auto& [block, error] : errors) worst = std::max(worst, error);
  return worst;
}

Contender our_pair(const std::string& problem_name, double end, const std::string& formulation,
                   const std::string& method) {
  const auto problem = make_problem(problem_name);
  RunOptions options;
  options.request = {formulation, method};
  options.end = end;
  const auto solve = [problem, options](double tolerance) mutable {
    options.tolerance = {tolerance, tolerance};
    const Summary summary = run(problem, options);
    return Result{.ok = summary.outcome == Outcome::ok,
                  .error = error_of(summary.error),
                  .evaluations = summary.statistics.force_evaluations,
                  .jacobians = summary.statistics.jacobians,
                  .steps = summary.statistics.steps,
                  .factorizations = summary.statistics.factorizations};
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
    const auto q = at.y.head(reference.size()).array();
    result.error = ((q - reference.array()).abs() / (1 + reference.array().abs())).maxCoeff();
    return result;
  };
  return {fmt::format("IDA {}", form_name), false, solve,
          [=] { ida_run(name, form, start, end, 1e-6, IdaWork::only_set_up); }};
}

/// IDA on what one of our formulations makes of a problem.
Contender ida_on(const std::string& name, double end, const std::string& formulation) {
  const auto problem = make_problem(name);
  const auto statistics = std::make_shared<Statistics>();
  std::shared_ptr<const Formulation> rewriting;
  for (const auto& f : find_formulation(formulation))
    if (f.from == problem->kind() && f.to == Kind::implicit)
      rewriting = f.make(*problem, Parameters(f.options, {}, f.name), *statistics);
  State given = problem->start();
  make_consistent(*problem, given);
  State start{given.t, Vector::Zero(rewriting->rewritten().layout().size())};
  rewriting->enter(given, start);
  const auto integrate = [=, kept = statistics](double tolerance, IdaWork work) {
    IdaImplicit equations(as<Implicit>(rewriting->rewritten()), start);
    return ida_solve(equations, start.t, end, tolerance, work);
  };
  const auto solve = [=](double tolerance) {
    const IdaEnd at = integrate(tolerance, IdaWork::whole);
    State original{end, Vector::Zero(problem->layout().size())};
    rewriting->recover({end, at.y}, original, Depth::coordinates);
    const auto errors = block_errors(*problem, original, problem->layout(), *problem->exact(end));
    return Result{.ok = at.ok,
                  .error = error_of(errors),
                  .evaluations = at.residuals,
                  .jacobians = at.jacobians,
                  .steps = at.steps,
                  .factorizations = at.jacobians};
  };
  return {"IDA " + formulation, false, solve, [=] { integrate(1e-6, IdaWork::only_set_up); }};
}
#endif

Case make_implicit_case(const std::string& problem, double end,
                        const std::vector<std::string>& formulations) {
  Case c{problem, end, {}};
  for (const auto& formulation : formulations)
    for (const char* method : {"radau", "bdf"})
      c.contenders.push_back(our_pair(problem, end, formulation, method));
#ifdef BENCH_WITH_IDA
  for (const auto& formulation : formulations) c.contenders.push_back(ida_on(problem, end, formulation));
#endif
  return c;
}

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

/// By name, so that one can be asked for alone.
const std::vector<std::pair<std::string, std::function<Case()>>>& all_cases() {
  static const std::vector<std::pair<std::string, std::function<Case()>>> all = {
      {"andrews", [] { return make_case("andrews", .03); }},
      {"pendulum", [] { return make_case("pendulum", 10); }},
      {"car-axis",
       [] {
         return make_implicit_case("car-axis", 3, {"index2", "ggl"});
       }},
      {"slider-crank-flexible",
       [] {
         return make_implicit_case("slider-crank-flexible", .1, {"index2", "ggl"});
       }},
      {"transistor-amplifier", [] { return make_implicit_case("transistor-amplifier", .2, {"direct"}); }}};
  return all;
}

int main(const std::vector<std::string>& arguments) {
  bool json = false;
  std::vector<std::string> wanted;
  for (const auto& argument : arguments) {
    const bool known = std::any_of(all_cases().begin(), all_cases().end(),
                                   [&](const auto& one) { return one.first == argument; });
    if (argument == "--json") {
      json = true;
    } else if (known) {
      wanted.push_back(argument);
    } else {
      fmt::print(stderr, "usage: work_precision [--json] [PROBLEM ...]\nproblems:");
      for (const auto& [name, make] : all_cases()) fmt::print(stderr, " {}", name);
      fmt::print(stderr, "\n");
      return 2;
    }
  }
  std::vector<double> tolerances;
  for (int digits = 2; digits <= 10; ++digits) tolerances.push_back(std::pow(10, -digits));
#ifdef BENCH_WITH_IDA
  if (const double times = sundials_slowness(); times > 2.5)
    fmt::print(stderr,
               "work_precision: this SUNDIALS was built without optimisation (a vector sum takes {:.1f} "
               "times ours);\n"
               "  do not compare times with it: bench/README.md says how to build one that counts\n",
               times);
#endif
  std::vector<Case> cases;
  for (const auto& [name, make] : all_cases())
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
      cases.push_back(make());
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
