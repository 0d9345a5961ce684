// How long does one factorisation and solution of [M G'; G 0] take: static order, dense, sparse?
#include <benchmark/benchmark.h>

#include "dalembert/linear/saddle/saddle_point.h"
#include "tests/support/saddle_systems.h"

namespace dalembert {
namespace {

using namespace testing;

enum class Work { factor_and_solve, solve_again };

void run(benchmark::State& state, const SaddleSystem& system, Symmetry symmetry, Elimination elimination,
         Work work = Work::factor_and_solve) {
  SaddlePoint saddle;
  saddle.bind(system.n, system.m, system.mass, system.G1, symmetry, elimination);
  const Vector b = Vector::Ones(system.n + system.m);
  Vector x = b;
  Statistics statistics;
  Outcome outcome = saddle.solve(system.mass, system.G1, system.G2, x, statistics);
  for (auto _ : state) {
    x = b;
    outcome = work == Work::solve_again ? saddle.solve_again(x, statistics)
                                        : saddle.solve(system.mass, system.G1, system.G2, x, statistics);
    benchmark::DoNotOptimize(x.data());
  }
  if (outcome != Outcome::ok) state.SkipWithError("the system was not solved");
  state.counters["pivoted"] = static_cast<double>(statistics.pivoted_solves);
}

void andrews_system(benchmark::State& state, Symmetry symmetry, Elimination elimination, Work work) {
  run(state, andrews(), symmetry, elimination, work);
}
constexpr auto symmetric = Symmetry::symmetric, unsymmetric = Symmetry::unsymmetric;
constexpr auto solve = Work::factor_and_solve, again = Work::solve_again;
BENCHMARK_CAPTURE(andrews_system, static_order, symmetric, Elimination::static_order, solve);
BENCHMARK_CAPTURE(andrews_system, static_order_unsymmetric, unsymmetric, Elimination::static_order, solve);
BENCHMARK_CAPTURE(andrews_system, static_order_again, symmetric, Elimination::static_order, again);
BENCHMARK_CAPTURE(andrews_system, dense, symmetric, Elimination::dense, solve);
BENCHMARK_CAPTURE(andrews_system, sparse, symmetric, Elimination::sparse, solve);

/// Time per body: the rate of items is bodies per second.
void chain(benchmark::State& state, Symmetry symmetry, Elimination elimination) {
  const auto bodies = static_cast<int>(state.range(0));
  run(state, planar_chain(bodies), symmetry, elimination);
  state.SetItemsProcessed(state.iterations() * bodies);
}
BENCHMARK_CAPTURE(chain, static_order, symmetric, Elimination::static_order)
    ->RangeMultiplier(10)
    ->Range(10, 1000);
BENCHMARK_CAPTURE(chain, static_order_unsymmetric, unsymmetric, Elimination::static_order)
    ->RangeMultiplier(10)
    ->Range(10, 1000);
BENCHMARK_CAPTURE(chain, sparse, symmetric, Elimination::sparse)->RangeMultiplier(10)->Range(10, 1000);

void spatial(benchmark::State& state, SpatialJoint joint) {
  run(state, spatial_chain(100, joint), symmetric, Elimination::static_order);
  state.SetItemsProcessed(state.iterations() * 100);
}
BENCHMARK_CAPTURE(spatial, spherical, SpatialJoint::spherical);
BENCHMARK_CAPTURE(spatial, revolute, SpatialJoint::revolute);

void loops(benchmark::State& state, const SaddleSystem& system, Elimination elimination) {
  run(state, system, symmetric, elimination);
  state.SetItemsProcessed(state.iterations() * (system.n / 3));
}
BENCHMARK_CAPTURE(loops, four_bars_1000, four_bars(1000), Elimination::static_order);
BENCHMARK_CAPTURE(loops, four_bars_1000_sparse, four_bars(1000), Elimination::sparse);
BENCHMARK_CAPTURE(loops, star_100, star(100), Elimination::static_order);

/// Where loops abound: the multifrontal method, and the sparse backend beside them.
void many_loops(benchmark::State& state, Elimination elimination) {
  loops(state, lattice(static_cast<int>(state.range(0))), elimination);
}
BENCHMARK_CAPTURE(many_loops, multifrontal, Elimination::static_order)->Arg(32)->Arg(100)->Arg(300);
BENCHMARK_CAPTURE(many_loops, sparse, Elimination::sparse)->Arg(32)->Arg(100);

}  // namespace
}  // namespace dalembert

BENCHMARK_MAIN();
