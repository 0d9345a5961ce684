// dalembert convert: a mechanism in a format of the field becomes a model file.
#include "app/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/json.h"
#include "app/module.h"
#include "app/outputs.h"
#include "app/screen.h"
#include "app/text.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

namespace fs = std::filesystem;

struct Call {
  std::string in, out;
  bool json = false;
};

Draft read(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (ending != ".urdf" && ending != ".sdf" && ending != ".world")
    throw Error("'" + path + "' has no format that can be converted",
                "the name must end in .urdf, .sdf or .world");
  std::error_code none;
  if (!fs::is_regular_file(path, none))
    throw Error("cannot read '" + path + "'", "check its name and folder");
  Draft draft;
  void* reader = find_in_module(ending == ".urdf" ? "urdf" : "sdf", "dalembert_read",
                                "install its library with `tools/setup convert` and build again");
  reinterpret_cast<FormatReader*>(reader)(path, draft);
  return draft;
}

Status convert(const Call& call) {
  check_outputs({{"OUT", call.out, ".toml"}}, {call.in});
  Draft draft = read(call.in);
  join_massless_links(draft);
  rename_for_models(draft);
  const std::string text = to_model_file(draft, fs::path(call.in).filename().string());
  if (const Status status = written([&] { write_text(call.out, text); }); status != done) return status;
  const auto joints = std::count_if(draft.joints.begin(), draft.joints.end(),
                                    [](const Connection& j) { return !j.kind.empty(); });
  if (call.json) {
    print({{"in", call.in},
           {"out", call.out},
           {"bodies", draft.links.size()},
           {"joints", joints},
           {"left_out", draft.left_out}});
    return done;
  }
  for (const auto& line : draft.left_out) tell("could not carry over: " + line);
  say(fmt::format("wrote {}: {}, {}\n", call.out,
                  plural(static_cast<long>(draft.links.size()), "body", "bodies"),
                  plural(joints, "joint", "joints")));
  return done;
}

}  // namespace

std::vector<CommandEntry> commands_in_convert() {
  return {{.name = "convert",
           .rank = 130,
           .summary = "convert a mechanism from URDF or SDF to a model file, and report what is lost",
           .examples = {"dalembert convert arm.urdf arm.toml",
                        "dalembert convert four_bar.sdf four-bar.toml --json"},
           .add = [](Arguments& arguments) -> Action {
             const auto call = std::make_shared<Call>();
             arguments.required_word("IN", call->in, "the file to read (.urdf or .sdf)");
             arguments.required_word("OUT", call->out, "the model file to write (.toml)");
             arguments.flag("--json", call->json, "print JSON");
             return [call] { return convert(*call); };
           }}};
}

}  // namespace dalembert::app
