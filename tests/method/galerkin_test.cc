// Finite elements in time: are they the approximations that are known on linear equations, and do they keep energies that they integrate?
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/method/linear_form.h"
#include "dalembert/method/method.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

Summary run_with(const std::shared_ptr<const Problem>& problem, const std::string& method, double step,
                 double end, const std::map<std::string, double>& options = {},
                 std::vector<Observer*> observers = {}) {
  RunOptions run;
  run.request = {{}, method};
  run.control = Control::fixed;
  run.step = step;
  run.end = end;
  run.options = options;
  return dalembert::run(problem, run, observers);
}

/// One step of y' = lambda y: Pade's approximations of degree (k,k) and (k,k+1).
TEST(Galerkin, IsPadesApproximationOnLinearEquations) {
  const std::map<std::string, std::function<double(double)>> known = {
      {"cg1", [](double z) { return (1 + z / 2) / (1 - z / 2); }},
      {"cg2", [](double z) { return (1 + z / 2 + z * z / 12) / (1 - z / 2 + z * z / 12); }},
      {"cg3",
       [](double z) {
         return (1 + z / 2 + z * z / 10 + z * z * z / 120) / (1 - z / 2 + z * z / 10 - z * z * z / 120);
       }},
      {"dg1", [](double z) { return (1 + z / 3) / (1 - 2 * z / 3 + z * z / 6); }},
      {"dg2", [](double z) {
         return (1 + 2 * z / 5 + z * z / 20) / (1 - 3 * z / 5 + 3 * z * z / 20 - z * z * z / 60);
       }}};
  for (const auto& [method, R] : known)
    for (const double z : {-20., -1., .5}) {
      const auto problem = ode(0, Vector{{1}}, [z](auto, const auto& y, auto&& dy) { dy[0] = z * y[0]; });
      EXPECT_NEAR(run_with(problem, method, 1, 1).state.y[0], R(z), 1e-13) << method << " at " << z;
    }
}

Matrix runge_kutta_matrix(const std::string& method, double points) {
  const MethodEntry& entry = find_method(method);
  const auto made = entry.make();
  const Parameters options(entry.options, {{"points", points}}, method);
  return std::get<RungeKuttaForm>(dynamic_cast<const HasLinearForm&>(*made).linear_form(options)).A;
}

TEST(Galerkin, IsCollocationAtGaussPointsIfThereAreNoMoreOfThem) {
  const double r = std::sqrt(3.0) / 6;
  EXPECT_LT((runge_kutta_matrix("cg2", 2) - Matrix{{.25, .25 - r}, {.25 + r, .25}}).norm(), 1e-15);
  EXPECT_NEAR(runge_kutta_matrix("cg1", 1)(0, 0), .5, 1e-16) << "the midpoint rule";
  EXPECT_THROW(runge_kutta_matrix("cg2", 1), Error);
  EXPECT_THROW(runge_kutta_matrix("dg1", 1), Error);
}

/// The largest change of v^2/2 + x^4/4.
class QuarticEnergy final : public Observer {
 public:
  void step(const StepView& view) override {
    const State& at = view.at(view.end(), Depth::coordinates);
    worst = std::max(worst, std::abs(at.y[1] * at.y[1] / 2 + std::pow(at.y[0], 4) / 4 - .25));
  }
  double worst = 0;
};

double energy_error(const std::string& method, double points) {
  const auto problem = ode(0, Vector{{1, 0}}, [](auto, const auto& y, auto&& dy) {
    dy[0] = y[1];
    dy[1] = -y[0] * y[0] * y[0];
  });
  QuarticEnergy energy;
  EXPECT_EQ(run_with(problem, method, .5, 200, {{"points", points}}, {&energy}).outcome, Outcome::ok);
  return energy.worst;
}

/// A quartic energy and degree k: 2 points >= 4 k.
TEST(Galerkin, KeepsAPolynomialEnergyThatItIntegratesExactly) {
  EXPECT_LT(energy_error("cg1", 2), 2e-13);
  EXPECT_GT(energy_error("cg1", 1), 1e-4) << "the midpoint rule does not";
  EXPECT_LT(energy_error("cg2", 4), 2e-13);
  EXPECT_GT(energy_error("cg2", 3), 1e-8);
  EXPECT_GT(energy_error("cg2", 2), 1e-6) << "nor does Gauss' collocation";
  EXPECT_LT(energy_error("cg3", 6), 2e-13);
  EXPECT_GT(energy_error("dg2", 6), 1e-6) << "a jump dissipates";
}

TEST(Galerkin, ReportsPolynomialsBetweenSteps) {
  const auto problem = ode(0, Vector{{1}}, [](auto, const auto& y, auto&& dy) { dy[0] = -y[0]; }, {.end = 1});
  class Between final : public Observer {
   public:
    void step(const StepView& view) override {
      for (const double theta : {0., .3, .7, 1.}) {
        const double t = view.begin() + theta * (view.end() - view.begin());
        worst = std::max(worst, std::abs(view.at(t, Depth::coordinates).y[0] - std::exp(-t)));
      }
    }
    double worst = 0;
  };
  const std::map<std::string, double> orders = {{"cg1", 2}, {"cg2", 3}, {"cg3", 4}, {"dg1", 3}, {"dg2", 4}};
  for (const auto& [method, order] : orders) {
    Between coarse, fine;
    run_with(problem, method, .1, 1, {}, {&coarse});
    run_with(problem, method, .05, 1, {}, {&fine});
    EXPECT_NEAR(std::log2(coarse.worst / fine.worst), order, .25) << method;
  }
}

/// y' = -z cos t, 0 = z - y^2: y = 1/(1 + sin t).
TEST(Galerkin, FindsEntriesWithoutDerivativesWithTheOrderOfTheOthers) {
  Layout layout;
  layout.add("y", 1, Role::differential, 1).add("z", 1, Role::algebraic, 1);
  const auto problem = implicit(0, Vector{{1, 1}},
                                [](auto t, const auto& y, const auto& dy, auto&& r) {
                                  r[0] = dy[0] + y[1] * cos(t);
                                  r[1] = y[1] - y[0] * y[0];
                                },
                                {.end = 1, .layout = layout});
  const double y = 1 / (1 + std::sin(1.));
  for (const auto& [method, order] :
       std::map<std::string, double>{{"cg1", 2}, {"cg2", 4}, {"dg1", 3}, {"dg2", 5}}) {
    const Vector coarse = run_with(problem, method, 1. / 8, 1).state.y,
                 fine = run_with(problem, method, 1. / 16, 1).state.y;
    EXPECT_NEAR(std::log2((coarse[0] - y) / (fine[0] - y)), order, .2) << method;
    EXPECT_NEAR(std::log2((coarse[1] - y * y) / (fine[1] - y * y)), order, .2) << method;
  }
}

TEST(Galerkin, SolvesAMechanismAsAnImplicitProblem) {
  const auto problem = make_problem("pendulum");
  for (const char* method : {"cg2", "dg2"}) {
    const Summary s = run_with(problem, method, .01, 2);
    EXPECT_EQ(s.outcome, Outcome::ok) << s.message;
    EXPECT_LT((s.state.y - problem->exact(2)->y).head(4).norm(), 1e-7) << method;
  }
}

}  // namespace
}  // namespace dalembert
