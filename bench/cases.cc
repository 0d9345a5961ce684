#include "bench/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>

#include "bench/fortran.h"
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
  nothing.most_steps = 1;
  nothing.step = 1e-6 * end;  // otherwise a first step would be searched
  return {formulation.empty() && method.empty() ? "ours, chosen"
                                                : fmt::format("ours, {} {}", formulation, method),
          true, solve, [problem, nothing] { run(problem, nothing); }};
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

#ifdef BENCH_WITH_FORTRAN
double error_of(const FortranEnd& at, const Vector& reference) {
  const auto truth = reference.array();
  return ((at.y.head(reference.size()).array() - truth).abs() / (1 + truth.abs())).maxCoeff();
}

/// One of the Fortran codes; `solve` takes the consistent start, the end and the tolerance.
template <class Kind, class Solve>
Contender fortran(const std::string& title, const std::string& name, double end, Solve solve) {
  const auto problem = std::dynamic_pointer_cast<const Kind>(make_problem(name));
  State start = problem->start();
  make_consistent(*problem, start);
  Vector reference = problem->exact(end)->y;
  if constexpr (std::is_same_v<Kind, Mechanical>) reference.conservativeResize(problem->sizes().q);
  return {title, false,
          [=](double tolerance) {
            const FortranEnd at = solve(*problem, start, end, tolerance);
            return Result{.ok = at.ok,
                          .error = error_of(at, reference),
                          .evaluations = at.evaluations,
                          .jacobians = at.jacobians,
                          .steps = at.steps,
                          .factorizations = at.factorizations};
          },
          [] {}};
}

void add_explicit_fortran(Case& c) {
  c.contenders.push_back(fortran<Mechanical>("DOP853, index 1", c.problem, c.end, dop853));
  for (const auto& [code, title] : {std::pair{HalfExplicit::hem5, "HEM5"}, {HalfExplicit::phem56, "PHEM56"}})
    c.contenders.push_back(fortran<Mechanical>(
        title, c.problem, c.end, [code](auto&&... rest) { return half_explicit(code, rest...); }));
}

void add_radau5(Case& c, Mass mass) {
  for (const auto& [level, title] :
       {std::pair{Level::velocity, "RADAU5, index 2"}, {Level::position, "RADAU5, index 3"}})
    c.contenders.push_back(fortran<Mechanical>(title, c.problem, c.end,
                                               [level, mass](const Mechanical& problem, auto&&... rest) {
                                                 return radau5(problem, level, mass, rest...);
                                               }));
}

void add_radau5(Case& c, Storage storage) {
  c.contenders.push_back(fortran<Implicit>(
      storage == Storage::full ? "RADAU5" : "RADAU5, banded", c.problem, c.end,
      [storage](const Implicit& problem, auto&&... rest) { return radau5(problem, storage, rest...); }));
}
#endif

/// Whose problem is it? Explicit methods, or implicit ones on these formulations.
Case explicit_case(const std::string& problem, double end) {
  Case c{problem, end, {our_pair(problem, end, "", "")}};
  for (const char* method : {"dopri5", "dop853"})
    c.contenders.push_back(our_pair(problem, end, "index1", method));
  for (const char* method : {"hem4", "hem5", "phem56", "hedop5", "mexx"})
    c.contenders.push_back(our_pair(problem, end, "index2", method));
#ifdef BENCH_WITH_IDA
  c.contenders.push_back(ida(problem, end, "index1", IdaForm::index1));
  c.contenders.push_back(ida(problem, end, "index1 q,v,a,l", IdaForm::index1_full));
  c.contenders.push_back(ida(problem, end, "index2", IdaForm::index2));
#endif
#ifdef BENCH_WITH_FORTRAN
  add_explicit_fortran(c);
#endif
  return c;
}

Case implicit_case(const std::string& problem, double end, const std::vector<std::string>& formulations) {
  Case c{problem, end, {our_pair(problem, end, "", "")}};
  for (const auto& formulation : formulations)
    for (const char* method : {"radau", "radau5", "bdf"})
      c.contenders.push_back(our_pair(problem, end, formulation, method));
  if (make_problem(problem)->kind() == Kind::mechanical)
    for (const char* method : {"dop853", "rodas4", "rodas5p"})
      c.contenders.push_back(our_pair(problem, end, "index1", method));
#ifdef BENCH_WITH_IDA
  for (const auto& formulation : formulations) c.contenders.push_back(ida_on(problem, end, formulation));
#endif
  return c;
}

Case with_radau5(Case c, [[maybe_unused]] auto how) {
#ifdef BENCH_WITH_FORTRAN
  add_radau5(c, how);
#endif
  return c;
}

}  // namespace

const std::vector<std::pair<std::string, std::function<Case()>>>& all_cases() {
  static const std::vector<std::pair<std::string, std::function<Case()>>> all = {
      {"andrews", [] { return explicit_case("andrews", .03); }},
      {"pendulum", [] { return explicit_case("pendulum", 10); }},
      {"car-axis",
       [] {
         return with_radau5(implicit_case("car-axis", 3, {"index2", "ggl"}), Mass::constant_diagonal);
       }},
      {"slider-crank-flexible",
       [] {
         return with_radau5(implicit_case("slider-crank-flexible", .1, {"index2", "ggl"}), Mass::any);
       }},
      {"transistor-amplifier",
       [] {
         return with_radau5(with_radau5(implicit_case("transistor-amplifier", .2, {"direct"}), Storage::full),
                            Storage::banded);
       }},
      {"ring-modulator",
       [] { return with_radau5(implicit_case("ring-modulator", 1e-3, {"direct"}), Storage::full); }}};
  return all;
}

void warn_of_slow_sundials() {
#ifdef BENCH_WITH_IDA
  if (const double times = sundials_slowness(); times > 2.5)
    fmt::print(stderr,
               "this SUNDIALS was built without optimisation (a vector sum takes {:.1f} times ours);\n"
               "  do not compare times with it: bench/README.md says how to build one that counts\n",
               times);
#endif
}

}  // namespace dalembert::bench
