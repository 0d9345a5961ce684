// Scripts that let a shell complete the program's commands, options and names.
#pragma once

#include <string>

#include "app/arguments.h"

namespace dalembert::app {

/// What may stand for a value.
struct Values {
  std::vector<std::string> words{};  ///< names that are known
  enum class Files { no, all, models } files = Files::no;
};
/// Of an argument of a command.
Values values_of(const CommandPage& command, const ArgumentPage& argument);

std::string bash_completion(const CommandPage& program);
std::string zsh_completion(const CommandPage& program);
std::string fish_completion(const CommandPage& program);

}  // namespace dalembert::app
