// dalembert analyse: look into a method, a formulation or a problem without simulating it.
#include "app/analyse.h"

#include <memory>

#include "app/text.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

const std::vector<Command>& all_analyses() {
  static const std::vector<Command> list = {
      {"contraction",
       "how fast an iteration between fields contracts, in theory and as measured",
       {"dalembert analyse contraction wang-hou-modnak",
        "dalembert analyse contraction chain-cut --window 0.01,0.1 --json"},
       add_contraction},
      {"order-conditions",
       "trees, both sides of their conditions, and whether they hold",
       {"dalembert analyse order-conditions hem4",
        "dalembert analyse order-conditions dopri5 --order 6 --json"},
       add_order_conditions},
      {"spectrum",
       "eigenvalues of a rewritten problem at its start, those added by the formulation marked",
       {"dalembert analyse spectrum pendulum --option alpha=20 --option beta=12 --start q.x=0 --start q.y=-1",
        "dalembert analyse spectrum andrews --formulation invariant --json"},
       add_spectrum},
      {"redundancy",
       "constraint rows that follow from others, degrees of freedom by rank, unique reactions",
       {"dalembert analyse redundancy bricard", "dalembert analyse redundancy andrews --json"},
       add_redundancy},
  };
  return list;
}

Action add_analyse(CLI::App& app) {
  const auto actions = std::make_shared<std::vector<std::pair<CLI::App*, Action>>>();
  for (const auto& analysis : all_analyses()) actions->emplace_back(add_command(app, analysis));
  return [&app, actions]() -> Status {
    for (const auto& [sub, action] : *actions)
      if (sub->parsed()) return action();
    throw Error("analyse what?", "see `dalembert analyse --help`");
  };
}

}  // namespace dalembert::app
