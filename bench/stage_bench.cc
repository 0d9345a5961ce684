// How many nanoseconds does one stage take on Andrews' mechanism, and where do they go?
//
//   model/...     place, mass, jacobian, force and bias alone
//   linear/...    one factorisation and solution of the 13 by 13 system [M G'; G 0] alone
//   rhs/...       one evaluation of v' at index 1: the model and the linear system together
//   attempt/...   one step of a method, divided by the linear systems it factors: per_stage
//
// Every measurement walks through the same points of one trajectory, so that no branch or cache line is
// always right. "plain" is what one would write without a library: the matrix filled by hand, Eigen's LU with
// row exchanges.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/method/method.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/ode.h"

namespace dalembert {
namespace {

constexpr int n = 7, m = 6;

/// Of several repetitions the fastest was disturbed least.
void fastest(benchmark::internal::Benchmark* b) {
  b->ComputeStatistics(
      "min", [](const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); });
}

constexpr double span = .03, step_size = span / 1024;

const Mechanical& andrews() {
  static const auto problem = std::dynamic_pointer_cast<const Mechanical>(make_problem("andrews"));
  return *problem;
}

std::unique_ptr<Formulation> formulate(const std::string& name, Statistics& statistics) {
  const FormulationEntry entry = find_formulation(name).front();
  return entry.make(andrews(), Parameters(entry.options, {}, name), statistics);
}

std::unique_ptr<Method> bind(const std::string& name, const Problem& problem, Projection projection,
                             Statistics& s) {
  const MethodEntry& entry = find_method(name);
  auto method = entry.make();
  method->bind(problem, {.tolerance = {},
                         .projection = projection,
                         .options = Parameters(entry.options, {}, name),
                         .statistics = &s});
  return method;
}

/// Complete states (q, v, lambda) all along the trajectory.
const std::vector<State>& points() {
  static const std::vector<State> all = [] {
    constexpr int steps = 1024, kept = 64;
    Statistics statistics;
    const auto index1 = formulate("index1", statistics);
    const auto method = bind("dopri5", index1->rewritten(), Projection::on, statistics);
    State original = andrews().start(), from{0, Vector::Zero(2 * n)}, to = from;
    index1->enter(original, from);
    std::vector<State> states;
    for (int k = 0; k < steps; ++k) {
      if (k % (steps / kept) == 0) {
        if (index1->recover(from, original, Depth::multipliers) != Outcome::ok)
          throw std::runtime_error("recover");
        states.push_back(original);
      }
      if (method->attempt(from, step_size, to).outcome != Outcome::ok) throw std::runtime_error("attempt");
      method->accept();
      std::swap(from, to);
    }
    return states;
  }();
  return all;
}

/// The points, round and round.
class Walk {
 public:
  const State& next() { return points()[k_++ % points().size()]; }

 private:
  std::size_t k_ = 0;
};

// ---- the model

struct Model {
  Model() : at(andrews().placement()) {
    at->q = andrews().start().y.head(n);
    andrews().place(*at);
    andrews().mass(*at, M);
    andrews().jacobian(*at, J);
  }
  void place(In q) {
    at->q = q;
    andrews().place(*at);
  }
  void all(In q, In v) {
    place(q);
    andrews().mass(*at, M);
    andrews().jacobian(*at, J);
    andrews().force(*at, v, none, x.head(n));
    andrews().bias(*at, v, x.tail(m));
    x.tail(m) *= -1;
  }
  std::unique_ptr<Placement> at;
  Entries M, J;
  Vector x = Vector::Zero(n + m), none;
};

template <class Work>
void on_points(benchmark::State& state, Work&& work) {
  Walk walk;
  walk.next();
  for (auto _ : state) work(walk.next().y);
}

void model_place(benchmark::State& state) {
  Model model;
  on_points(state, [&](const Vector& y) {
    model.place(y.head(n));
    benchmark::DoNotOptimize(model.at->q.data());
    benchmark::ClobberMemory();
  });
}
BENCHMARK(model_place)->Name("model/place")->Apply(fastest);

template <class Work>
void at_one_point(benchmark::State& state, Work&& work) {
  Model model;
  model.place(points()[20].y.head(n));
  const Vector v = points()[20].y.segment(n, n);
  for (auto _ : state) {
    work(model, v);
    benchmark::ClobberMemory();
  }
}
void model_mass(benchmark::State& state) {
  at_one_point(state, [](Model& model, const Vector&) { andrews().mass(*model.at, model.M); });
}
void model_jacobian(benchmark::State& state) {
  at_one_point(state, [](Model& model, const Vector&) { andrews().jacobian(*model.at, model.J); });
}
void model_force(benchmark::State& state) {
  at_one_point(state, [](Model& model, const Vector& v) {
    andrews().force(*model.at, v, model.none, model.x.head(n));
  });
}
void model_bias(benchmark::State& state) {
  at_one_point(state, [](Model& model, const Vector& v) { andrews().bias(*model.at, v, model.x.tail(m)); });
}
BENCHMARK(model_mass)->Name("model/mass")->Apply(fastest);
BENCHMARK(model_jacobian)->Name("model/jacobian")->Apply(fastest);
BENCHMARK(model_force)->Name("model/force")->Apply(fastest);
BENCHMARK(model_bias)->Name("model/bias")->Apply(fastest);

void model_all(benchmark::State& state) {
  Model model;
  on_points(state, [&](const Vector& y) {
    model.all(y.head(n), y.segment(n, n));
    benchmark::ClobberMemory();
  });
}
BENCHMARK(model_all)->Name("model/all")->Apply(fastest);

// ---- the linear system

/// [M G'; G 0] filled entry by entry and given to Eigen's LU; Square is of fixed or dynamic size.
template <class Square>
class Plain {
 public:
  void solve(const Entries& M, const Entries& J, Vector& x) {
    K_.setZero();
    for (std::size_t k = 0; k < M.size(); ++k) K_(M.row(k), M.column(k)) = M.value(k);
    for (std::size_t k = 0; k < J.size(); ++k)
      K_(n + J.row(k), J.column(k)) = K_(J.column(k), n + J.row(k)) = J.value(k);
    lu_.compute(K_);
    x = lu_.solve(x);
  }

 private:
  Square K_ = Square::Zero(n + m, n + m);
  Eigen::PartialPivLU<Square> lu_{n + m};
};
using Fixed = Eigen::Matrix<double, n + m, n + m>;

struct PlainDynamic : Plain<Matrix> {};
struct PlainFixed : Plain<Fixed> {};

/// The right-hand sides and matrices at every point, computed beforehand.
struct System {
  Model model;
  Vector b;
};
std::vector<System>& systems() {
  static std::vector<System> all = [] {
    std::vector<System> list(points().size());
    for (std::size_t k = 0; k < list.size(); ++k) {
      list[k].model.all(points()[k].y.head(n), points()[k].y.segment(n, n));
      list[k].b = list[k].model.x;
    }
    return list;
  }();
  return all;
}

template <class Solve>
void on_systems(benchmark::State& state, Solve&& solve) {
  std::size_t k = 0;
  Vector x;
  for (auto _ : state) {
    const System& system = systems()[k++ % systems().size()];
    x = system.b;
    solve(system.model, x);
    benchmark::DoNotOptimize(x.data());
  }
}

void linear(benchmark::State& state, Symmetry symmetry, Elimination elimination) {
  const Model start;
  SaddlePoint saddle;
  saddle.bind(n, m, start.M, start.J, symmetry, elimination);
  Statistics statistics;
  on_systems(state, [&](const Model& at, Vector& x) {
    if (saddle.solve(at.M, at.J, at.J, x, statistics) != Outcome::ok) throw std::runtime_error("not solved");
  });
  state.counters["pivoted"] = static_cast<double>(statistics.pivoted_solves);
  state.counters["refined"] = static_cast<double>(statistics.refined_solves);
}
BENCHMARK_CAPTURE(linear, static_order, Symmetry::symmetric, Elimination::static_order)
    ->Name("linear/static_order")
    ->Apply(fastest);
BENCHMARK_CAPTURE(linear, unsymmetric, Symmetry::unsymmetric, Elimination::static_order)
    ->Name("linear/static_order_unsymmetric")
    ->Apply(fastest);
BENCHMARK_CAPTURE(linear, dense, Symmetry::symmetric, Elimination::dense)
    ->Name("linear/dense")
    ->Apply(fastest);
BENCHMARK_CAPTURE(linear, klu, Symmetry::symmetric, Elimination::sparse)->Name("linear/klu")->Apply(fastest);

template <class Solver>
void linear_plain(benchmark::State& state) {
  Solver plain;
  on_systems(state, [&](const Model& at, Vector& x) { plain.solve(at.M, at.J, x); });
}
BENCHMARK(linear_plain<PlainDynamic>)->Name("linear/plain_dynamic")->Apply(fastest);
BENCHMARK(linear_plain<PlainFixed>)->Name("linear/plain_fixed")->Apply(fastest);

// ---- the right-hand side at index 1

void rhs_index1(benchmark::State& state) {
  Statistics statistics;
  const auto index1 = formulate("index1", statistics);
  const auto& ode = as<Ode>(index1->rewritten());
  Vector dy(2 * n);
  on_points(state, [&](const Vector& y) {
    ode.f(0, y.head(2 * n), dy);
    benchmark::DoNotOptimize(dy.data());
  });
}
BENCHMARK(rhs_index1)->Name("rhs/index1")->Apply(fastest);

void rhs_mechanics(benchmark::State& state, Elimination elimination) {
  Statistics statistics;
  Mechanics mechanics(andrews(), Symmetry::symmetric, statistics, elimination);
  Vector a(n), l(m), none;
  on_points(state, [&](const Vector& y) {
    if (mechanics.accelerate(0, y.head(n), y.segment(n, n), none, {}, a, l) != Outcome::ok)
      throw std::runtime_error("not solved");
    benchmark::DoNotOptimize(a.data());
  });
}
BENCHMARK_CAPTURE(rhs_mechanics, static_order, Elimination::static_order)
    ->Name("rhs/static_order")
    ->Apply(fastest);
BENCHMARK_CAPTURE(rhs_mechanics, dense, Elimination::dense)->Name("rhs/dense")->Apply(fastest);
BENCHMARK_CAPTURE(rhs_mechanics, klu, Elimination::sparse)->Name("rhs/klu")->Apply(fastest);

template <class Solver>
void rhs_plain(benchmark::State& state) {
  Solver plain;
  Model model;
  on_points(state, [&](const Vector& y) {
    model.all(y.head(n), y.segment(n, n));
    plain.solve(model.M, model.J, model.x);
    benchmark::DoNotOptimize(model.x.data());
  });
}
BENCHMARK(rhs_plain<PlainDynamic>)->Name("rhs/plain_dynamic")->Apply(fastest);
BENCHMARK(rhs_plain<PlainFixed>)->Name("rhs/plain_fixed")->Apply(fastest);

// ---- whole steps

void attempt(benchmark::State& state, const std::string& formulation, const std::string& name,
             Projection projection) {
  Statistics statistics;
  const auto rewriting = formulate(formulation, statistics);
  const auto method = bind(name, rewriting->rewritten(), projection, statistics);
  const State start = andrews().start();
  State from{0, Vector::Zero(rewriting->rewritten().layout().size())}, to = from;
  const auto begin = [&] {
    rewriting->enter(start, from);
    method->restart();
  };
  Outcome outcome = Outcome::ok;
  const auto step = [&] {
    if (from.t > span - .5 * step_size) begin();
    outcome = std::max(outcome, method->attempt(from, step_size, to).outcome);
    method->accept();
    std::swap(from, to);
  };
  begin();
  step();  // from now on a known first stage is known
  const Statistics before = statistics;
  step();
  const double stages = static_cast<double>(statistics.factorizations - before.factorizations);
  for (auto _ : state) step();
  if (outcome != Outcome::ok) state.SkipWithError("a step was not solved");
  state.counters["stages"] = stages;
  state.counters["per_stage"] =
      benchmark::Counter(stages, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

const int registered = [] {
  for (const auto& [formulation, method] :
       std::vector<std::pair<std::string, std::string>>{{"index1", "dopri5"},
                                                        {"index1", "dop853"},
                                                        {"index2", "hem4"},
                                                        {"index2", "hem5"},
                                                        {"index2", "phem56"},
                                                        {"index2", "hedop5"}})
    for (const bool projected : {true, false})
      benchmark::RegisterBenchmark(
          ("attempt/" + method + (projected ? "" : "_without_projection")).c_str(),
          [formulation = formulation, method = method, projected](benchmark::State& state) {
            attempt(state, formulation, method, projected ? Projection::on : Projection::off);
          })
          ->Apply(fastest);
  return 0;
}();

}  // namespace
}  // namespace dalembert

BENCHMARK_MAIN();
