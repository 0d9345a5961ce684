// dalembert models: runs model files as they say themselves, and prints one line for each.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/model_files.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/control/reporter.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/model/model_run.h"

namespace dalembert::app {

namespace {

namespace fs = std::filesystem;

struct Call {
  std::vector<std::string> what;
  SettingTexts settings;
  bool json = false, quiet = false;
};

struct Line {
  fs::path file;
  Model model;
  ModelRun result;
};

std::vector<Line> run_all(const Call& call) {
  const auto& interrupt = watch_for_interrupt();
  std::vector<Line> lines;
  for (const auto& file : model_files(call.what)) {
    if (interrupt.load()) break;
    if (!call.quiet) tell(file.string());
    Model model = Model::from_file(file);
    ResolvedRun run = resolve(merge(to_settings(call.settings), model.run), *model.problem());
    run.options.interrupt = &interrupt;
    ModelRun result = run_model(model, run.options);
    lines.push_back({file, std::move(model), std::move(result)});
  }
  return lines;
}

std::string short_number(const std::optional<double>& x) {
  return x ? fmt::format("{:.1e}", *x) : "";
}

std::string table(const std::vector<Line>& lines) {
  Table table({"model", "dof", "bodies", "joints", "outcome", "end", "method", "energy", "drift", "error",
               "allowed", "steps", "seconds"});
  for (const auto& [file, model, result] : lines)
    table.add(
        {file.stem().string(), result.degrees_of_freedom ? std::to_string(*result.degrees_of_freedom) : "",
         std::to_string(result.bodies), std::to_string(result.joints),
         std::string(name(result.summary.outcome)), number(result.summary.state.t),
         result.summary.formulation + " " + result.summary.method, short_number(result.energy),
         short_number(result.drift), short_number(result.error),
         result.error ? fmt::format("{:.0e}", result.within) : "",
         std::to_string(result.summary.statistics.steps), fmt::format("{:.3f}", result.summary.seconds)});
  return shown(table);
}

Json to_json(const std::optional<double>& x) {
  return x ? Json(*x) : Json();
}

Json to_json(const Line& line) {
  const ModelRun& result = line.result;
  Json json = {{"file", line.file.string()},
               {"title", line.model.title},
               {"space", line.model.space},
               {"degrees_of_freedom", result.degrees_of_freedom ? Json(*result.degrees_of_freedom) : Json()},
               {"bodies", result.bodies},
               {"joints", result.joints},
               {"size", result.size},
               {"formulation", result.summary.formulation},
               {"method", result.summary.method},
               {"outcome", name(result.summary.outcome)},
               {"message", result.summary.message},
               {"t", result.summary.state.t},
               {"energy", to_json(result.energy)},
               {"drift", to_json(result.drift)},
               {"error", to_json(result.error)},
               {"allowed", result.error ? Json(result.within) : Json()}};
  json["statistics"] = Json::object();
  result.summary.statistics.each(
      [&](const char* field, std::int64_t count, const char*) { json["statistics"][field] = count; });
  json["seconds"] = result.summary.seconds;
  return json;
}

Status show(const Call& call) {
  const std::vector<Line> lines = run_all(call);
  if (call.json) {
    Json all = Json::array();
    for (const auto& line : lines) all.push_back(to_json(line));
    print({{"models", all}});
  } else {
    say_page(table(lines) +
             "\nenergy: |change - work|/(greatest kinetic energy + work)\ndrift: largest residual of the "
             "joints/size\nerror: largest |difference|/(1+|reference|) of the digits in the files, and what "
             "they allow\n");
  }
  Status status = done;
  for (const auto& [file, model, result] : lines) {
    if (good(result.summary.outcome)) continue;
    status = ended_early;
    complain(fmt::format("{}: {}, {}", file.string(), name(result.summary.outcome), result.summary.message));
  }
  return status;
}

}  // namespace

std::vector<CommandEntry> commands_in_models() {
  return {{.name = "models",
           .rank = 60,
           .summary = "run model files with their own settings, and print one line for each",
           .examples = {"dalembert models", "dalembert models models/bricard.toml models/andrews.toml",
                        "dalembert models --rtol 1e-6 --json"},
           .add = [](Arguments& arguments) -> Action {
             const auto call = std::make_shared<Call>();
             arguments.words(
                 "WHAT", call->what,
                 "model files, or folders of them (default: the models that come with the program)");
             arguments.option("--rtol", call->settings.rtol, "tolerance, instead of that of each file", "R");
             arguments.option("--formulation", call->settings.formulation,
                              "formulation, instead of that of each file", "F");
             arguments.option("--method", call->settings.method, "method, instead of that of each file", "M");
             arguments.flag("--quiet", call->quiet, "do not show progress");
             arguments.flag("--json", call->json, "print JSON");
             return [call] { return show(*call); };
           }}};
}

}  // namespace dalembert::app
