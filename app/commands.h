// The commands. Each puts its options onto its arguments and returns what it does once they are read.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/arguments.h"

namespace dalembert::app {

/// Exit statuses: the call was fine and so is the result; the computation ended early; the call or a file is
/// wrong.
enum Status : int { done = 0, ended_early = 1, wrong_call = 2 };

using Action = std::function<Status()>;

/// A file of app/ that adds commands ends with `std::vector<CommandEntry> commands_in_<file>()`.
struct CommandEntry {
  std::string name;  ///< "run"; "analyse spectrum" is below "analyse"
  int rank;          ///< on the screen smaller ones come first, equal ones by name
  std::string summary;
  std::vector<std::string> examples;
  Action (*add)(Arguments&);
  /// Whose options must be known for it: putting those of all commands in place takes longer than many a run.
  enum class Needs { its_own, all } needs = Needs::its_own;
};

/// Generated from app/*.cc.
const std::vector<CommandEntry>& all_commands();
std::string version();       ///< with libraries and licences
std::string version_name();  ///< "dalembert 0.1.0"

/// What this program was called with, without its own name.
const std::vector<std::string>& call_arguments();

/// Reads the arguments and does what they ask for. Throws Error if they cannot be read.
Status obey(int argc, const char* const* argv);

}  // namespace dalembert::app
