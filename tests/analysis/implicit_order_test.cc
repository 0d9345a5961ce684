// Order conditions of implicit tableaus, by exact numbers that are recognised in the coefficients of the running methods.
#include <gtest/gtest.h>

#include "dalembert/analysis/amplification.h"
#include "dalembert/analysis/order_conditions.h"
#include "dalembert/analysis/recognised_tableau.h"
#include "dalembert/method/rosenbrock/rosenbrock.h"

namespace dalembert {
namespace {

RecognisedTableau tableau_of(const std::string& method) {
  const MethodEntry& entry = find_method(method);
  return recognised(std::get<RungeKuttaForm>(*linear_form(entry, Parameters(entry.options, {}, method))));
}

TEST(ImplicitTableaus, HaveExactlyTheirOrders) {
  struct Known {
    const char* method;
    int order;
    double tolerance;
  };
  for (const Known& k :
       {Known{"radau3", 3, 0}, Known{"radau5", 5, 0}, Known{"radau9", 9, 1e-45}, Known{"radau13", 13, 1e-45},
        Known{"lobatto", 4, 0}, Known{"collocation", 3, 0}, Known{"sdirk2", 2, 1e-13},
        Known{"sdirk3", 3, 1e-13}, Known{"sdirk4", 4, 0}, Known{"dirk", 2, 0}}) {
    const RecognisedTableau tableau = tableau_of(k.method);
    EXPECT_EQ(tableau.exact.tolerance, k.tolerance) << k.method;
    EXPECT_LT(tableau.distance, 1e-14) << k.method;
    EXPECT_EQ(order_of(tableau.exact), k.order) << k.method;
  }
}

TEST(ImplicitTableaus, TreesAndSimplifyingAssumptionsAgree) {
  for (const auto& [method, order] :
       {std::pair{"radau3", 3}, std::pair{"radau5", 5}, std::pair{"lobatto", 4}}) {
    const ExactTableau exact = tableau_of(method).exact;
    for (int q = 1; q <= order; ++q)
      for (const Condition& c : ode_conditions(exact, q)) EXPECT_TRUE(c.holds()) << method << " " << c.tree;
    bool all = true;
    for (const Condition& c : ode_conditions(exact, order + 1)) all = all && c.holds();
    EXPECT_FALSE(all) << method;
  }
}

TEST(ImplicitTableaus, NumbersAreRecognised) {
  EXPECT_EQ(recognised(0.625), Exact(5) / Exact(8));
  EXPECT_EQ(recognised(371.0 / 1360), Exact(371) / Exact(1360));
  EXPECT_EQ(recognised((4 - std::sqrt(6.0)) / 10), (Exact(4) - Exact::root6()) / Exact(10));
  EXPECT_FALSE(recognised(1 - 1 / std::sqrt(2.0)).has_value());
  EXPECT_EQ((Exact(1) / Exact(3)).rounded(4), Exact(3333) / Exact(10000));
}

TEST(ImplicitTableaus, AWrongCoefficientIsSeen) {
  const MethodEntry& entry = find_method("sdirk4");
  auto form = std::get<RungeKuttaForm>(*linear_form(entry, Parameters(entry.options, {}, entry.name)));
  form.A(3, 1) += 1e-6;
  EXPECT_LT(order_of(recognised(form).exact), 4);
}

TEST(RosenbrockMethods, HaveTheOrdersOfTheirOwnConditions) {
  for (const auto& [name, order] : {std::pair("rodas4", 4), std::pair("rodas5p", 5)}) {
    const auto method = find_method(name).make();
    const RosenbrockCoefficients& c = dynamic_cast<const Rosenbrock&>(*method).coefficients();
    RosenbrockWeights weights{c.alpha, c.beta, c.b};
    EXPECT_EQ(order_of(weights, 6), order) << name;
    weights.alpha(3, 1) += 1e-6;
    EXPECT_LT(order_of(weights, 6), order) << name << " with a wrong coefficient";
  }
}

}  // namespace
}  // namespace dalembert
