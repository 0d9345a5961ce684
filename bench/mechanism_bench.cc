// How long does one full evaluation of a mechanism take, per body, and where does the time go?
//
//   evaluation/...   v' at index 1 as a run evaluates it: place, mass, jacobian, force, bias, factor, solve
//   klu/...          the same with KLU in the place of the block elimination
//   model/...        place, mass, jacobian, force and bias alone
//
// Read the counter least_per_body: nanoseconds of processor time per body of the fastest evaluation. Positions change a
// little from one evaluation to the next, so that nothing is remembered.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <string>

#include "dalembert/constraints/mechanics.h"
#include "tests/support/large_mechanisms.h"

namespace dalembert::bench {
namespace {

using namespace testing;

/// The shortest processor time of one evaluation, per body in nanoseconds: on a busy machine averages say little.
class Least {
 public:
  template <class Work>
  void of(Work&& work) {
    const double begin = now();
    work();
    least_ = std::min(least_, now() - begin);
  }
  void report(benchmark::State& state, const Mechanism& mechanism) const {
    state.counters["least_per_body"] = least_ / static_cast<double>(mechanism.bodies().size());
  }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
  }
  double least_ = std::numeric_limits<double>::infinity();
};

/// Two nearby positions in turn, and velocities that do not vanish.
struct Points {
  explicit Points(const Mechanism& mechanism) : n(mechanism.sizes()) {
    const State start = mechanism.start();
    for (Vector* each : {&q, &moved}) *each = start.y.head(n.q);
    v = Vector::Zero(n.v);
    for (Eigen::Index i = 0; i < n.v; ++i) v[i] = .1 * std::cos(1 + 1.3 * static_cast<double>(i));
    const auto at = mechanism.placement();
    at->q = q;
    mechanism.place(*at);
    mechanism.advance(*at, 1e-3 * v, moved);
  }
  const Vector& next() { return ++turn % 2 == 0 ? q : moved; }
  Mechanical::Sizes n;
  Vector q, moved, v, none;
  int turn = 0;
};

void evaluation(benchmark::State& state, const Mechanism& mechanism, Elimination elimination) {
  Statistics statistics;
  Mechanics mechanics(mechanism, Symmetry::symmetric, statistics, elimination);
  Points points(mechanism);
  Vector a(points.n.v), l(points.n.rows());
  Outcome outcome = Outcome::ok;
  Least least;
  for (auto _ : state) {
    const Vector& q = points.next();
    least.of([&] {
      const Outcome now = mechanics.accelerate(0, q, points.v, points.none, {}, a, l);
      if (now != Outcome::ok) outcome = now;
    });
    benchmark::DoNotOptimize(a.data());
  }
  if (outcome != Outcome::ok) state.SkipWithError("an evaluation was not solved");
  least.report(state, mechanism);
  state.counters["pivoted"] = static_cast<double>(statistics.pivoted_solves);
  state.counters["refined"] = static_cast<double>(statistics.refined_solves);
}

void model(benchmark::State& state, const Mechanism& mechanism) {
  Points points(mechanism);
  const auto at = mechanism.placement();
  at->q = points.q;
  Entries M, J;
  Vector f(points.n.v), bias(points.n.rows());
  Least least;
  for (auto _ : state) {
    copy(points.next(), at->q);
    least.of([&] {
      mechanism.place(*at);
      mechanism.mass(*at, M);
      mechanism.jacobian(*at, J);
      mechanism.force(*at, points.v, points.none, f);
      mechanism.bias(*at, points.v, bias);
      benchmark::ClobberMemory();
    });
  }
  least.report(state, mechanism);
}

void part(benchmark::State& state, const Mechanism& mechanism, const std::string& which) {
  Points points(mechanism);
  const auto at = mechanism.placement();
  at->q = points.q;
  mechanism.place(*at);
  Entries M, J;
  Vector f(points.n.v), bias(points.n.rows());
  Least least;
  for (auto _ : state)
    least.of([&] {
      if (which == "place") mechanism.place(*at);
      if (which == "mass") mechanism.mass(*at, M);
      if (which == "jacobian") mechanism.jacobian(*at, J);
      if (which == "force") mechanism.force(*at, points.v, points.none, f);
      if (which == "bias") mechanism.bias(*at, points.v, bias);
      benchmark::ClobberMemory();
    });
  least.report(state, mechanism);
}

const int registered = [] {
  const auto add = [](const std::string& name, MechanismPtr (*make)(int), int size) {
    const std::string full = name + "/" + std::to_string(size);
    const auto bench = [make, size](const std::string& title, auto work) {
      benchmark::RegisterBenchmark(title.c_str(),
                                   [make, size, work](benchmark::State& state) { work(state, *make(size)); });
    };
    bench("evaluation/" + full, [](benchmark::State& state, const Mechanism& mechanism) {
      evaluation(state, mechanism, Elimination::static_order);
    });
    bench("klu/" + full, [](benchmark::State& state, const Mechanism& mechanism) {
      evaluation(state, mechanism, Elimination::sparse);
    });
    bench("model/" + full, model);
    if (size == 1000)
      for (const char* which : {"place", "mass", "jacobian", "force", "bias"})
        bench("model/" + name + "/" + which, [which](benchmark::State& state, const Mechanism& mechanism) {
          part(state, mechanism, which);
        });
  };
  for (const int n : {100, 1000, 10000, 100000}) add("planar_chain", planar_chain, n);
  for (const int n : {100, 1000, 10000, 100000}) add("spherical_chain", spherical_chain, n);
  for (const int n : {100, 1000, 10000, 100000}) add("revolute_chain", revolute_chain, n);
  add("four_bars", four_bars, 1000);
  add("lattice", lattice, 100);
  return 0;
}();

}  // namespace
}  // namespace dalembert::bench

BENCHMARK_MAIN();
