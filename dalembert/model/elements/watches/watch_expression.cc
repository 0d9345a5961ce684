// A number computed from watches that came before, and from t.
#include "dalembert/model/expression/expression.h"
#include "dalembert/model/watching.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_watch_expression() {
  return {{.section = "watch",
           .kind = "expression",
           .space = ElementEntry::Space::both,
           .summary = "an expression of t and of watches that came before, by their names",
           .carries = "",
           .keys = {{"expression", Key::Type::text, "", "what is computed"},
                    {"unit", Key::Type::text, "", "the unit it is shown with", "\"\""}},
           .example = "name = \"ratio\"\nexpression = \"bearing.x/bearing.norm\"",
           .build = [](const ElementKeys& of, Construction& c) {
             const std::string text = of.text("expression");
             Expression::Names all{.variables = {"t"}}, used{.variables = {"t"}};
             std::vector<Watch> earlier;
             for (const Watch& watch : c.watches) {
               all.variables.push_back(watch.name);
               if (text.find(watch.name) == std::string::npos) continue;
               used.variables.push_back(watch.name);
               earlier.push_back(watch);
             }
             try {
               Expression::parse(text, all);  // complains with all names at hand
               const Expression expression = Expression::parse(text, used);
               c.watches.push_back({of.name(), of.text("unit"), [expression, earlier](const State& state) {
                                      Vector x(earlier.size() + 1);
                                      x[0] = state.t;
                                      for (std::size_t k = 0; k < earlier.size(); ++k)
                                        x[static_cast<Eigen::Index>(k) + 1] = earlier[k].value(state);
                                      return expression(x.data());
                                    }});
             } catch (const ExpressionError& error) {
               of.complain("expression", error.what(), error.hint());
             }
           }}};
}

}  // namespace dalembert
