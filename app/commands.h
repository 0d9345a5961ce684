// The commands. Each puts its options onto a parser and returns what it does once they are read.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dalembert::app {

/// Exit statuses: the call was fine and so is the result; the computation ended early; the call or a file is
/// wrong.
enum Status : int { done = 0, ended_early = 1, wrong_call = 2 };

using Action = std::function<Status()>;

struct Command {
  std::string name, summary;
  std::vector<std::string> examples;
  Action (*add)(CLI::App&);
};

Action add_run(CLI::App&);
Action add_methods(CLI::App&);
Action add_formulations(CLI::App&);
Action add_problems(CLI::App&);
Action add_papers(CLI::App&);
Action add_pairs(CLI::App&);
Action add_compare(CLI::App&);
Action add_paper(CLI::App&);
Action add_boundary(CLI::App&);
Action add_analyse(CLI::App&);
Action add_check(CLI::App&);
Action add_convert(CLI::App&);
Action add_cite(CLI::App&);
Action add_models(CLI::App&);
Action add_schema(CLI::App&);

const std::vector<Command>& all_commands();
/// Puts a command, with its help and examples, below another.
std::pair<CLI::App*, Action> add_command(CLI::App& parent, const Command&);
std::string version();

/// Reads the arguments and does what they ask for. Throws Error if they cannot be read.
Status obey(int argc, const char* const* argv);

}  // namespace dalembert::app
