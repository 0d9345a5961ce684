// dalembert analyse modes: frequencies, damping and shapes of small motions, whatever the formulation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "app/base_state.h"
#include "app/commands.h"
#include "app/json.h"
#include "app/mode_locus.h"
#include "app/modes_report.h"
#include "app/outputs.h"
#include "app/picture.h"
#include "app/screen.h"
#include "app/state_space.h"
#include "app/text.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

struct Call {
  BaseCall base;
  std::string vary, plot, matrices;
  std::vector<std::string> inputs;
  bool json = false;
};

Status locus(const Call& call) {
  const Locus found = mode_locus(call.base, call.vary);
  if (call.json)
    print(to_json(found));
  else
    say_page(text(found));
  return call.plot.empty() ? done : written([&] { write_picture(call.plot, picture(found)); });
}

Status modes(const Call& call) {
  check_outputs({picture_output("--plot", call.plot), {"--state-space", call.matrices, ".json"}},
                {call.base.what});
  if (!call.vary.empty()) return locus(call);
  const Subject subject = find_subject(call.base.what, call.base.set);
  const BaseState base = base_state(call.base, subject);
  const ModesReport report(mechanical(*base.problem, call.base.what), base,
                           call.base.at == "equilibrium" ? Time::stands_still : Time::goes_on);
  if (call.json)
    print(to_json(report, call.base.what));
  else
    say_page(text(report, title(subject)));
  Status status = done;
  if (!call.matrices.empty())
    status = written([&] {
      write_text(call.matrices, state_space(call.base, subject, base, report, call.inputs).text());
    });
  if (!call.plot.empty())
    status = std::max(status,
                      written([&] { write_picture(call.plot, {eigenvalue_panel(report, call.base.what)}); }));
  return status;
}

Action add_modes(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_base(arguments, call->base);
  arguments.option("--vary", call->vary, "eigenvalues over a parameter: so many values from here to there",
                   "NAME=FROM:TO:N");
  arguments.option("--plot", call->plot, "draw the eigenvalues to a .svg or .png file", "FILE");
  arguments.option(
      "--state-space", call->matrices,
      "write A, B, C and D, from the parameters of --input to the watches of the file, to a .json file",
      "FILE");
  arguments.list("--input", call->inputs, "parameters that are inputs of --state-space, separated by commas",
                 "NAMES");
  arguments.flag("--json", call->json, "print JSON, with all matrices and shapes");
  return [call] { return modes(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_modes() {
  return {
      {.name = "analyse modes",
       .rank = 4,
       .summary = "frequencies, damping and shapes of small motions about a start, an equilibrium or a "
                  "steady motion",
       .examples =
           {"dalembert analyse modes models/quarter-car.toml --at equilibrium",
            "dalembert analyse modes double-pendulum --at equilibrium --json",
            "dalembert analyse modes models/bicycle.toml --set push=0 --vary v=0:10:101 --plot weave.svg"},
       .add = add_modes}};
}

}  // namespace dalembert::app
