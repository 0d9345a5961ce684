#include "app/commands.h"

#include <algorithm>
#include <iostream>
#include <sstream>
#include <tuple>

#include "app/screen.h"
#include "dalembert/core/error.h"
#include "dalembert/model/model.h"

namespace dalembert::app {

namespace {

struct Command {
  std::string name;
  Arguments arguments;
  Action action;
};

/// As on the screen; those below another one after all others.
std::vector<const CommandEntry*> in_order() {
  std::vector<const CommandEntry*> all;
  for (const CommandEntry& entry : all_commands()) all.push_back(&entry);
  const auto key = [](const CommandEntry& entry) {
    return std::tuple(std::count(entry.name.begin(), entry.name.end(), ' '), entry.rank,
                      std::string_view(entry.name));
  };
  std::sort(all.begin(), all.end(), [&](const auto* a, const auto* b) { return key(*a) < key(*b); });
  return all;
}

std::string examples(const CommandEntry& entry) {
  std::string text = "Examples:\n";
  for (const auto& example : entry.examples) text += "  " + example + "\n";
  return text;
}

/// Are all words of its name in the call?
bool may_be_called(const CommandEntry& entry) {
  const auto& call = call_arguments();
  std::istringstream words(entry.name);
  for (std::string word; words >> word;)
    if (std::find(call.begin(), call.end(), word) == call.end()) return false;
  return true;
}

std::vector<Command> add_commands(Arguments& program) {
  const auto entries = in_order();
  const bool needs_all = std::any_of(entries.begin(), entries.end(), [](const CommandEntry* entry) {
    return entry->needs == CommandEntry::Needs::all && may_be_called(*entry);
  });
  // Where the first word is a command, no other one can be called any more.
  const auto& call = call_arguments();
  const auto is_first = [&](const CommandEntry* entry) {
    return !call.empty() && std::string_view(entry->name).substr(0, entry->name.find(' ')) == call.front();
  };
  const bool known = !needs_all && std::any_of(entries.begin(), entries.end(), is_first);
  std::vector<Command> all;
  for (const CommandEntry* each : entries) {
    if (known && !is_first(each)) continue;
    const CommandEntry& entry = *each;
    const auto blank = entry.name.rfind(' ');
    const auto above = std::find_if(all.begin(), all.end(), [&](const Command& command) {
      return blank != std::string::npos && command.name == entry.name.substr(0, blank);
    });
    Arguments arguments = (above == all.end() ? program : above->arguments)
                              .command(entry.name.substr(blank + 1), entry.summary, examples(entry));
    const Action action = needs_all || may_be_called(entry) ? entry.add(arguments) : Action();
    all.push_back({entry.name, arguments, action});
  }
  return all;
}

std::vector<std::string>& arguments_of_the_call() {
  static std::vector<std::string> all;
  return all;
}

/// The library's hints name settings; here they are options.
Status act(const Command& command) try { return command.action(); } catch (const ModelError&) {
  throw;  // its hints are about keys in files
} catch (const Error& error) {
  throw Error(error.what(), command.arguments.as_typed(error.hint()));
}

}  // namespace

const std::vector<std::string>& call_arguments() {
  return arguments_of_the_call();
}

Status obey(int argc, const char* const* argv) {
  arguments_of_the_call().assign(argv + std::min(argc, 1), argv + argc);
  if (call_arguments() == std::vector<std::string>{"--version"}) return say_page(version()), done;
  Arguments program("dalembert",
                    "Dalembert: constrained dynamics, mechanisms and differential-algebraic equations",
                    "`dalembert COMMAND --help` shows the options of a command, with examples.");
  bool wants_version = false;
  program.flag("--version", wants_version,
               "print the version, the compiler and the licences of the libraries");
  const std::vector<Command> commands = add_commands(program);
  if (program.read(argc, argv) == Arguments::Call::asks_for_help) return say_page(program.help()), done;
  if (wants_version) return say_page(version()), done;
  const auto called = std::find_if(commands.rbegin(), commands.rend(),
                                   [](const Command& command) { return command.arguments.called(); });
  if (called != commands.rend()) return act(*called);
  std::cerr << program.help();
  return wrong_call;
}

}  // namespace dalembert::app
