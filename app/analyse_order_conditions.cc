// dalembert analyse order-conditions: the order conditions of a method, in exact arithmetic.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>

#include "app/commands.h"
#include "app/json.h"
#include "app/screen.h"
#include "app/text.h"
#include "dalembert/analysis/amplification.h"
#include "dalembert/analysis/order_conditions.h"
#include "dalembert/analysis/recognised_tableau.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/method/method.h"
#include "dalembert/method/rosenbrock/rosenbrock.h"
#include "dalembert/method/runge_kutta/tableau.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string method, order;
  std::vector<std::string> options;
  bool json = false;
};

/// The kind whose conditions belong to the method.
Kind kind_of(const MethodEntry& method) {
  if (method.tableau.empty()) {
    std::vector<std::string> others;
    for (const auto& other : all_methods())
      if (!other.tableau.empty()) others.push_back(other.name);
    throw Error(
        "method '" + method.name + "' is no Runge-Kutta method, and so has no order conditions to check",
        "methods that have one are: " + join(others));
  }
  return method.accepts(Kind::ode) ? Kind::ode : Kind::hessenberg;
}

int highest(const Call& call, const MethodEntry& method, Kind kind) {
  const int limit = kind == Kind::ode ? 10 : 6;  // above, the trees are too many to look at
  if (call.order.empty()) {
    const double claimed = method.order(method.accepts(kind) ? kind : Kind::mechanical);
    return std::min(limit, std::isfinite(claimed) ? static_cast<int>(claimed) : 4);
  }
  const long order = to_count("--order", call.order);
  if (order > limit)
    throw Error("--order is " + call.order, fmt::format("at most {} for {} methods", limit, name(kind)));
  return static_cast<int>(order);
}

Json to_json(const std::vector<Condition>& conditions) {
  Json all = Json::array();
  for (const auto& c : conditions)
    all.push_back({{"order", c.order},
                   {"tree", c.tree},
                   {"formula", c.formula},
                   {"left", c.left_text()},
                   {"right", c.right.text()},
                   {"residual", c.residual()},
                   {"holds", c.holds()}});
  return all;
}

void print_table(const std::string& method, Kind kind, const std::vector<Condition>& conditions,
                 const std::string& more = {}) {
  Table table({"order", "tree", "condition", "left", "right", "holds"});
  int failed = 0;
  bool rounded = false;
  for (const auto& c : conditions) {
    table.add({std::to_string(c.order), c.tree, c.formula, c.left_text(), c.right.text(),
               c.holds() ? "yes" : "NO"});
    failed += c.holds() ? 0 : 1;
    rounded = rounded || c.tolerance > 0;
  }
  say_page(fmt::format("order conditions of {} for {}: {}\n\n", method, name(kind), equations(kind)) +
           shown(table) +
           fmt::format("\n{}, {} not hold; checked {}\n",
                       plural(static_cast<long>(conditions.size()), "condition", "conditions"),
                       failed == 1 ? "1 does" : std::to_string(failed) + " do",
                       rounded
                           ? fmt::format("to {:g}, as the coefficients are rounded", conditions[0].tolerance)
                           : "exactly") +
           more);
}

/// The coefficients of a method without a tableau in its entry, if it is a Runge-Kutta method.
std::optional<RungeKuttaForm> implicit_tableau(const MethodEntry& method,
                                               const std::vector<std::string>& set) {
  if (!method.tableau.empty()) return {};
  const Parameters options(method.options, to_assignments("--option", set), method.name);
  const auto form = linear_form(method, options);
  if (!form || !std::holds_alternative<RungeKuttaForm>(*form)) return {};
  return std::get<RungeKuttaForm>(*form);
}

Status implicit_conditions(const Call& call, const MethodEntry& method, const RungeKuttaForm& form) {
  const RecognisedTableau known = recognised(form);
  const SimplifyingAssumptions simple = simplifying_assumptions(known.exact);
  const int order = order_of(known.exact);
  const int most =
      call.order.empty() ? std::min(order, 6) : static_cast<int>(to_count("--order", call.order, 10));
  std::vector<Condition> all;
  for (int q = 1; q <= most; ++q)
    for (const Condition& c : ode_conditions(known.exact, q)) all.push_back(c);
  if (call.json)
    print({{"method", method.name},
           {"kind", name(Kind::ode)},
           {"order", order},
           {"coefficients", known.how},
           {"distance", known.distance},
           {"B", simple.B},
           {"C", simple.C},
           {"D", simple.D},
           {"conditions", to_json(all)}});
  else
    print_table(
        method.name, Kind::ode, all,
        fmt::format(
            "\nThe coefficients are {}; those that the code uses differ from them by {}.\nThe simplifying "
            "assumptions B({}), C({}) and D({}) hold and no further ones. The order is {}.\n",
            known.how, number(known.distance, 2), simple.B, simple.C, simple.D, order));
  return done;
}

Status rosenbrock(const Call& call, const MethodEntry& method, const Rosenbrock& made) {
  const RosenbrockCoefficients& c = made.coefficients();
  const RosenbrockWeights weights{c.alpha, c.beta, c.b};
  constexpr int limit = 8;
  const int order = order_of(weights, limit);
  const int most = call.order.empty() ? order : static_cast<int>(to_count("--order", call.order, limit));
  std::vector<Condition> all;
  double loosest = 0;
  for (int q = 1; q <= most; ++q)
    for (const Condition& each : rosenbrock_conditions(weights, q))
      all.push_back(each), loosest = std::max(loosest, each.tolerance);
  if (call.json) {
    print(
        {{"method", method.name}, {"kind", name(Kind::ode)}, {"order", order}, {"conditions", to_json(all)}});
    return done;
  }
  Table table({"order", "tree", "condition", "left", "right", "holds"});
  int failed = 0;
  for (const Condition& each : all) {
    table.add({std::to_string(each.order), each.tree, each.formula, each.left_text(), each.right.text(),
               each.holds() ? "yes" : "NO"});
    failed += each.holds() ? 0 : 1;
  }
  say_page(
      fmt::format("order conditions of {}, a Rosenbrock method with exact derivatives, for {}: {}\n\n",
                  method.name, name(Kind::ode), equations(Kind::ode)) +
      shown(table) +
      fmt::format(
          "\n{}, {} not hold; checked to {} at most, as the coefficients are rounded. The order is {}.\n",
          plural(static_cast<long>(all.size()), "condition", "conditions"),
          failed == 1 ? "1 does" : std::to_string(failed) + " do", number(loosest, 1), order));
  return done;
}

Status order_conditions(const Call& call) {
  const MethodEntry& method = find_method(call.method);
  const Parameters known(method.options, to_assignments("--option", call.options),
                         method.name);  // others are refused
  const auto made = method.make();
  if (const auto* linear = dynamic_cast<const Rosenbrock*>(made.get()))
    return rosenbrock(call, method, *linear);
  if (const auto form = implicit_tableau(method, call.options))
    return implicit_conditions(call, method, *form);
  const Kind kind = kind_of(method);
  const Tableau tableau = Tableau::parse(method.tableau);
  std::vector<Condition> all;
  for (int order = 1; order <= highest(call, method, kind); ++order) {
    const auto some = kind == Kind::ode ? ode_conditions(tableau, order) : index2_conditions(tableau, order);
    all.insert(all.end(), some.begin(), some.end());
  }
  if (call.json)
    print({{"method", method.name},
           {"kind", name(kind)},
           {"order", order_of(tableau, kind)},
           {"conditions", to_json(all)}});
  else
    print_table(method.name, kind, all);
  return done;
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_order_conditions() {
  return {{.name = "analyse order-conditions",
           .rank = 20,
           .summary = "the order conditions of a method: trees, both sides, and whether they hold",
           .examples = {"dalembert analyse order-conditions hem4",
                        "dalembert analyse order-conditions dopri5 --order 6 --json",
                        "dalembert analyse order-conditions radau5"},
           .add = [](Arguments& arguments) -> Action {
             const auto call = std::make_shared<Call>();
             arguments.required_word("METHOD", call->method,
                                     "a Runge-Kutta method, explicit or implicit (see `dalembert methods`)");
             arguments.option("--order", call->order,
                              "the highest order (default: the order claimed; of implicit methods at most 6)",
                              "P");
             arguments.option("--option", call->options,
                              "set an option of an implicit method (may be repeated)", "NAME=VALUE");
             arguments.flag("--json", call->json, "print JSON");
             return [call] { return order_conditions(*call); };
           }}};
}

}  // namespace dalembert::app
