// dalembert completion: scripts for shells, written from the commands themselves.
#include "app/completion.h"

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/entries.h"
#include "app/text.h"
#include "dalembert/boundary/boundary_problem.h"
#include "dalembert/core/error.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/method/method.h"
#include "dalembert/problem/catalogue.h"
#include "papers/paper.h"

namespace dalembert::app {

namespace {

template <class Entries, class Name>
std::vector<std::string> names(const Entries& entries, Name name) {
  std::vector<std::string> all;
  for (const auto& entry : entries)
    if (std::find(all.begin(), all.end(), entry.*name) == all.end()) all.push_back(entry.*name);
  return all;
}

std::vector<std::string> methods() {
  return names(all_methods(), &MethodEntry::name);
}
std::vector<std::string> formulations() {
  return names(all_formulations(), &FormulationEntry::name);
}
std::vector<std::string> problems() {
  return names(all_problems(), &ProblemEntry::name);
}
std::vector<std::string> papers() {
  return names(all_papers(), &PaperEntry::id);
}

/// "on|off|auto"; placeholders such as N|DT are capitals.
std::vector<std::string> alternatives(const std::string& type) {
  std::vector<std::string> all;
  if (type.find('|') == std::string::npos) return all;
  for (std::size_t at = 0; at <= type.size();) {
    const std::size_t bar = std::min(type.find('|', at), type.size());
    all.push_back(type.substr(at, bar - at));
    if (std::any_of(all.back().begin(), all.back().end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
      return {};
    at = bar + 1;
  }
  return all;
}

}  // namespace

Values values_of(const CommandPage& command, const ArgumentPage& argument) {
  using Files = Values::Files;
  const std::string& name = argument.names.back();
  if (name == "--method") return {methods()};
  if (name == "--formulation") return {formulations()};
  if (name == "WHAT" && command.name == "boundary")
    return {names(all_boundary_problems(), &BoundaryEntry::name)};
  if (name == "WHAT" || name == "--run") return {problems(), Files::models};
  if (name == "METHOD") return {methods()};
  if (name == "ID" || command.name == "papers") return {papers()};
  if (name == "NAME" && command.name == "methods") return {methods()};
  if (name == "NAME" && command.name == "formulations") return {formulations()};
  if (name == "NAME" && command.name == "problems") return {problems()};
  if (name == "SHELL") return {{"bash", "zsh", "fish"}};
  if (name == "FILE" && command.name == "check") return {{}, Files::models};
  for (const std::string& word : {name, argument.type})
    if (word == "FILE" || word == "DIR" || word == "IN" || word == "OUT") return {{}, Files::all};
  return {alternatives(argument.type)};
}

namespace {

struct Call {
  std::string shell;
};

Action add_completion(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  arguments.required_word("SHELL", call->shell, "bash, zsh or fish");
  return [call, arguments] {
    const CommandPage program = arguments.program();
    if (call->shell == "bash")
      std::cout << bash_completion(program);
    else if (call->shell == "zsh")
      std::cout << zsh_completion(program);
    else if (call->shell == "fish")
      std::cout << fish_completion(program);
    else
      throw unknown("shell", call->shell, {"bash", "zsh", "fish"});
    return done;
  };
}

}  // namespace

std::vector<CommandEntry> commands_in_completion() {
  return {{.name = "completion",
           .rank = 170,
           .summary = "print a script that lets a shell complete commands, options and names",
           .examples = {"dalembert completion bash > ~/.local/share/bash-completion/completions/dalembert",
                        "dalembert completion zsh > ~/.zfunc/_dalembert",
                        "dalembert completion fish > ~/.config/fish/completions/dalembert.fish"},
           .add = add_completion,
           .needs = CommandEntry::Needs::all}};
}

}  // namespace dalembert::app
