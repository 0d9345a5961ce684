// dalembert help: what --help says, for those who ask the other way round.
#include <memory>

#include "app/commands.h"
#include "app/screen.h"

namespace dalembert::app {

std::vector<CommandEntry> commands_in_help() {
  return {{.name = "help",
           .rank = 160,
           .summary = "show the options of a command, with examples",
           .examples = {"dalembert help run", "dalembert help analyse spectrum"},
           .add = [](Arguments& arguments) -> Action {
             const auto words = std::make_shared<std::vector<std::string>>();
             arguments.words("COMMAND", *words, "the command (default: all of them, one line each)");
             return [words, arguments] {
               say_page(arguments.help(*words));
               return done;
             };
           },
           .needs = CommandEntry::Needs::all}};
}

}  // namespace dalembert::app
