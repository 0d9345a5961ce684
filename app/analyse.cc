// dalembert analyse: looks into a method, a formulation or a problem. Each analysis is a command below it, in a file of its
// own (analyse_<name>.cc).
#include "app/commands.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

std::vector<CommandEntry> commands_in_analyse() {
  return {
      {.name = "analyse",
       .rank = 110,
       .summary =
           "look into a method, a formulation or a problem (`dalembert analyse --help` lists what there is)",
       .examples = {"dalembert analyse order-conditions hem4", "dalembert analyse redundancy bricard",
                    "dalembert analyse contraction wang-hou-modnak"},
       .add = [](Arguments&) -> Action {
         return []() -> Status { throw Error("no analysis is named", "see `dalembert analyse --help`"); };
       }}};
}

}  // namespace dalembert::app
