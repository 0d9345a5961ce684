// Do iterates that advance in lock-step equal stored trajectories, and what do their steps cost?
#include "dalembert/method/lock_step.h"

#include <gtest/gtest.h>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/bound_formulation.h"

namespace dalembert {
namespace {

using namespace testing;

/// What an iterate carried at the mesh points of a run that is over.
struct Stored final : Carried {
  void at(double t, Out c) const override {
    const auto found = values.find(t);
    ASSERT_NE(found, values.end()) << "asked between mesh points";
    c = found->second;
  }
  std::map<double, Vector> values;
};

TEST(LockStep, EqualsStoredTrajectoriesExactly) {
  for (const auto& [problem, formulation] : {std::pair{"ascher-lin-6-1", "srm"},
                                             {"ascher-lin-6-2", "srm-singular"},
                                             {"ascher-lin-6-4", "srm"},
                                             {"pendulum", "srm-invariant"}}) {
    const auto p = make_problem(problem);
    const Options options = {{"eps", 5e-3}, {"iterates", 4}, {"good-start", 0}};
    const FormulationEntry& f = edge(formulation, *p, Kind::ode);
    Bound lock_step(p, f, options), stored(p, f, options);
    const MethodEntry& heun = find_method("heun");
    const double h = 1e-3;
    lock_step.bind(heun);
    for (int k = 0; k < 300; ++k) lock_step.step(h);

    const auto& sequence = dynamic_cast<const Sequence&>(stored.formulation->rewritten());
    const Eigen::Index n = sequence.iterate(0).layout().size();
    std::vector<std::unique_ptr<Stored>> trajectories;
    for (Eigen::Index s = 0; s < sequence.most(); ++s) {
      const auto carried = [&](const State& x) {
        Vector before(sequence.carried_size()), c(sequence.carried_size());
        sequence.first(before);
        if (s > 0) trajectories.back()->at(x.t, before);
        sequence.carry(s, x.t, x.y, before, c);
        return c;
      };
      State from{stored.from.t, stored.from.y.segment(s * n, n)}, to = from;
      auto mine = std::make_unique<Stored>();
      mine->values[from.t] = carried(from);
      if (s > 0) sequence.feed(s, *trajectories.back());
      const auto method = heun.make();
      method->bind(sequence.iterate(s), stored.setting(heun));
      for (int k = 0; k < 300; ++k) {
        ASSERT_EQ(method->attempt(from, h, to).outcome, Outcome::ok);
        method->accept();
        std::swap(from, to);
        mine->values[from.t] = carried(from);
      }
      EXPECT_EQ(from.y, lock_step.from.y.segment(s * n, n)) << problem << ", iterate " << s + 1;
      trajectories.push_back(std::move(mine));
    }
  }
}

/// Counts evaluations of f.
class Counting final : public Hessenberg {
 public:
  explicit Counting(const Hessenberg& problem) : problem_(problem) {}
  Layout layout() const override { return problem_.layout(); }
  State start() const override { return problem_.start(); }
  double end() const override { return problem_.end(); }
  void f(double t, In y, In z, Out dy) const override {
    ++evaluations;
    problem_.f(t, y, z, dy);
  }
  void g(double t, In y, Out r) const override { problem_.g(t, y, r); }
  void f_y(double t, In y, In z, Entries& e) const override { problem_.f_y(t, y, z, e); }
  void f_z(double t, In y, In z, Entries& e) const override { problem_.f_z(t, y, z, e); }
  void g_y(double t, In y, Entries& e) const override { problem_.g_y(t, y, e); }
  void g_t(double t, In y, Out r) const override { problem_.g_t(t, y, r); }
  mutable int evaluations = 0;

 private:
  const Hessenberg& problem_;
};

// The first iterate is content with its step, a later one is not: its own shorter step is tried, not the same one for ever.
TEST(LockStep, ARejectedStepBecomesShorter) {
  struct Counter final : Observer {
    void tried(const TriedStep& step) override {
      EXPECT_FALSE(step.t == t && step.h >= h) << "t = " << t << ", h = " << h << " once more";
      t = step.t, h = step.h;
      if (++count > 1000) throw Error("this run does not end");
    }
    double t = -1, h = 0;
    int count = 0;
  } counter;
  RunOptions options;
  options.request = {"srm-invariant", "ms"};
  options.tolerance = {1e-3, 1e-3};
  options.end = 1;
  EXPECT_EQ(run(make_problem("pendulum"), options, {&counter}).outcome, Outcome::ok);
}

TEST(LockStep, NeedsTwoEvaluationsPerStepAndIterateOfHeun) {
  const auto inner = make_problem("ascher-lin-6-1");
  const auto problem = std::make_shared<Counting>(dynamic_cast<const Hessenberg&>(*inner));
  Bound b(problem, edge("srm", *problem, Kind::ode), {{"iterates", 3}});
  b.bind(find_method("heun"));
  b.step(1e-4);
  problem->evaluations = 0;
  for (int k = 0; k < 100; ++k) b.step(1e-4);
  EXPECT_EQ(problem->evaluations, 100 * 3 * 2);
}

TEST(LockStep, RejectThenAcceptEqualsDirectStep) {
  for (const std::string name : {"ascher-lin-6-1", "manufactured"}) {
    const auto problem = make_problem(name);
    for (const Pair& pair : approximate_pairs(*problem))
      for (const double iterates : {0., 3.}) {
        const Options options = {{"eps", 1e-2}, {"iterates", iterates}};
        Bound direct(problem, *pair.formulation, options), other(problem, *pair.formulation, options);
        direct.bind(*pair.method);
        other.bind(*pair.method);
        const double h = 1e-3;
        for (int k = 0; k < 4; ++k) {
          direct.step(h);
          other.method->attempt(other.from, 3 * h, other.to);
          other.step(h);
          // What Newton's iteration leaves is divided by eps on the way to the next iterate.
          const double scale =
              pair.formulation->to == Kind::implicit ? 3e-11 / h / 1e-2 * (1 + largest(direct.from.y)) : 0;
          ASSERT_LE(largest(direct.from.y - other.from.y), scale)
              << name << " " << pair.formulation->name << " " << pair.method->name << " " << k;
        }
      }
  }
}

TEST(LockStep, AllocatesNothingAfterBind) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "the sanitizer owns malloc";
  for (const std::string name : {"ascher-lin-6-2", "manufactured"}) {
    const auto problem = make_problem(name);
    for (const Pair& pair : approximate_pairs(*problem)) {
      Bound b(problem, *pair.formulation, {{"eps", 1e-2}, {"iterates", 0}});
      b.bind(*pair.method);
      State inside = b.from, original = problem->start();
      const auto steps = [&] {
        for (int k = 0; k < 5; ++k) {
          b.method->attempt(b.from, 2e-3, b.to);
          b.method->attempt(b.from, 1e-3, b.to);
          b.method->interpolate(0.3, inside);
          b.formulation->recover(inside, original, Depth::multipliers);
          b.method->accept();
          std::swap(b.from, b.to);
        }
      };
      const long before = allocations;
      steps();
      b.method->restart();
      steps();
      EXPECT_EQ(allocations - before, 0) << name << " " << pair.formulation->name << " " << pair.method->name;
    }
  }
}

}  // namespace
}  // namespace dalembert
