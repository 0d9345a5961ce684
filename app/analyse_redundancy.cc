// dalembert analyse redundancy: which constraint rows of a problem follow from others, and which reactions are unique.
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/json.h"
#include "app/run_report.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/constraints/consistent_start.h"
#include "dalembert/constraints/redundancy.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what;
  std::vector<std::string> set;
  bool json = false;
};

std::string values(const Vector& singular) {
  std::vector<std::string> all;
  for (Eigen::Index i = 0; i < singular.size(); ++i) {
    if (singular.size() > 12 && i == 4) {
      all.emplace_back("...");
      i = singular.size() - 6;
    }
    all.push_back(fmt::format("{:.3g}", singular[i]));
  }
  return join(all);
}

Status redundancy(const Call& call) {
  const auto problem = find_subject(call.what, call.set).problem;
  const auto* mechanical = dynamic_cast<const Mechanical*>(problem.get());
  if (mechanical == nullptr)
    throw Error("'" + call.what + "' has no constraint rows to analyse: it is of kind " +
                    std::string(name(problem->kind())),
                "take a problem of kind mechanical (see `dalembert problems`)");
  State state = problem->start();
  const StartReport start = make_consistent(*problem, state);
  if (start.outcome != Outcome::ok) {
    complain(std::string(name(start.outcome)) + ", " + start.message);
    return ended_early;
  }
  const Redundancy found = find_redundancy(*mechanical, state);
  const RedundancyReport report = name_rows(found, *mechanical);
  if (call.json) {
    Json json = {{"problem", call.what}};
    json.update(to_json(report));
    json["rank_at_start"] = found.rank_here;
    json["singular_values"] = to_json(found.singular_values);
    print(json);
    return done;
  }
  std::string text = call.what + ": ";
  for (const auto& sentence : in_words(report)) text += sentence + "\n";
  if (found.rank_here < found.rank)
    text += fmt::format("the start is a singular position: rank {} there, {} around it\n", found.rank_here,
                        found.rank);
  if (found.singular_values.size() > 0)
    text += "singular values of unit rows at the start: " + values(found.singular_values) + "\n";
  say(text);
  return done;
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_redundancy() {
  return {
      {.name = "analyse redundancy",
       .rank = 40,
       .summary = "constraint rows that follow from others, degrees of freedom by rank, unique reactions",
       .examples = {"dalembert analyse redundancy bricard", "dalembert analyse redundancy andrews --json"},
       .add = [](Arguments& arguments) -> Action {
         const auto call = std::make_shared<Call>();
         add_subject(arguments, call->what, call->set);
         arguments.flag("--json", call->json, "print JSON");
         return [call] { return redundancy(*call); };
       }}};
}

}  // namespace dalembert::app
