// The scripts of `dalembert completion`, one function for each shell.
#include <fmt/format.h>

#include <algorithm>

#include "app/completion.h"
#include "app/text.h"

namespace dalembert::app {

namespace {

using Is = ArgumentPage::Is;
using Files = Values::Files;

bool is_word(const ArgumentPage& a) {
  return a.is == Is::word || a.is == Is::words;
}

/// All commands, those below others after them.
std::vector<CommandPage> all_of(const CommandPage& program) {
  std::vector<CommandPage> all = {program};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto below = all[i].commands;
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

std::string last_word(const std::string& name) {
  return name.substr(name.rfind(' ') + 1);
}

std::vector<std::string> options(const CommandPage& command) {
  std::vector<std::string> all;
  for (const auto& argument : command.arguments)
    if (!is_word(argument)) all.insert(all.end(), argument.names.begin(), argument.names.end());
  return all;
}

std::vector<std::string> below(const CommandPage& command) {
  std::vector<std::string> all;
  for (const auto& each : command.commands) all.push_back(last_word(each.name));
  return all;
}

std::string without_quotes(std::string text) {
  std::erase_if(text, [](char c) { return c == '\'' || c == '`' || c == '"' || c == '\\'; });
  return text;
}

/// The first part of a sentence, as a menu shows it.
std::string brief(const std::string& text) {
  return without_quotes(text.substr(0, std::min(text.find(" ("), text.find("; "))));
}

std::string bash_values(const Values& values) {
  std::string text = values.words.empty() ? "" : fmt::format(" words='{}'", join(values.words, " "));
  if (values.files == Files::all) text += " files=all";
  if (values.files == Files::models) text += " files=models";
  return text + " ;;";
}

}  // namespace

std::string bash_completion(const CommandPage& program) {
  const auto commands = all_of(program);
  std::string paths, options_of, values, words;
  for (const auto& command : commands) {
    for (const auto& each : command.commands)
      paths += fmt::format("      '{}:{}') command='{}' ;;\n", command.name, last_word(each.name), each.name);
    options_of += fmt::format("    '{}') options='{}' ;;\n", command.name, join(options(command), " "));
    for (const auto& argument : command.arguments) {
      const Values known = values_of(command, argument);
      if (argument.is == Is::option)
        values += fmt::format("    '{}:{}') value=yes{}\n", command.name, argument.names.back(),
                              bash_values(known));
      else if (is_word(argument) && (!known.words.empty() || known.files != Files::no))
        words += fmt::format("    '{}') {}\n", command.name, bash_values(known));
    }
    if (!command.commands.empty())
      words += fmt::format("    '{}') words='{}' ;;\n", command.name, join(below(command), " "));
  }
  return fmt::format(R"(# bash completion of dalembert, written by `dalembert completion bash`
_dalembert() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local command= options= words= files= value= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command:${{COMP_WORDS[i]}}" in
{}    esac
  done
  case $command in
{}  esac
  case "$command:$before" in
{}  esac
  if [[ -z $value ]]; then
    if [[ $current == -* ]]; then
      words=$options
    else
      case $command in
{}      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $files == all ]]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  elif [[ $files == models ]]; then
    COMPREPLY+=($(compgen -f -X '!*.toml' -- "$current") $(compgen -d -S / -- "$current"))
  fi
}}
complete -o filenames -F _dalembert dalembert
)",
                     paths, options_of, values, words);
}

std::string fish_completion(const CommandPage& program) {
  std::string text =
      "# fish completion of dalembert, written by `dalembert completion fish`\ncomplete -c dalembert -f\n";
  for (const auto& command : all_of(program)) {
    std::string when = "__fish_use_subcommand";
    for (const auto& word : words(command.name))
      when = (when == "__fish_use_subcommand" ? "" : when + "; and ") + "__fish_seen_subcommand_from " + word;
    for (const auto& each : command.commands)
      text += fmt::format("complete -c dalembert -n '{}' -a {} -d '{}'\n", when, last_word(each.name),
                          without_quotes(each.summary));
    for (const auto& argument : command.arguments) {
      const Values known = values_of(command, argument);
      const std::string given = (known.words.empty() ? "" : fmt::format(" -a '{}'", join(known.words, " "))) +
                                (known.files != Files::no ? " -F" : "");
      if (is_word(argument)) {
        if (!given.empty()) text += fmt::format("complete -c dalembert -n '{}'{}\n", when, given);
        continue;
      }
      std::string names;
      for (const auto& name : argument.names)
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      text += fmt::format("complete -c dalembert -n '{}'{}{}{} -d '{}'\n", when, names,
                          argument.is == Is::flag ? "" : " -r", given, brief(argument.meaning));
    }
  }
  return text;
}

namespace {

std::string zsh_text(std::string text) {
  std::string out;
  for (const char c : without_quotes(std::move(text))) {
    if (c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_values(const Values& known) {
  if (known.files == Files::all) return "_files";
  if (known.files == Files::no)
    return known.words.empty() ? " " : fmt::format("({})", join(known.words, " "));
  const std::string files = "_files -g \"*.toml\"";
  if (known.words.empty()) return files;
  return fmt::format("{{_alternative \"names:name:({})\" \"files:file:_files -g \\*.toml\"}}",
                     join(known.words, " "));
}

std::string zsh_name(const std::string& command) {
  std::string name = "_dalembert" + (command.empty() ? "" : "_" + command);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::string zsh_function(const CommandPage& command) {
  std::string text = zsh_name(command.name) + "() {\n";
  std::string arguments;
  for (const auto& argument : command.arguments) {
    const Values known = values_of(command, argument);
    if (is_word(argument))
      arguments += fmt::format(" \\\n    '{}:{}:{}'", argument.is == Is::words ? "*" : "",
                               argument.names.back(), zsh_values(known));
    else if (argument.is == Is::flag)
      arguments += fmt::format(" \\\n    '{}[{}]'", argument.names.back(), zsh_text(brief(argument.meaning)));
    else
      arguments += fmt::format(" \\\n    '*{}[{}]:{}:{}'", argument.names.back(),
                               zsh_text(brief(argument.meaning)), zsh_text(argument.type), zsh_values(known));
  }
  if (command.commands.empty()) return text + "  _arguments" + arguments + "\n}\n";
  text +=
      "  local line state\n  _arguments -C" + arguments +
      " \\\n    '1:command:->command' '*::argument:->argument'\n  case $state in\n    command)\n      local "
      "-a commands=(\n";
  for (const auto& each : command.commands)
    text += fmt::format("        '{}:{}'\n", last_word(each.name), zsh_text(each.summary));
  text += "      )\n      _describe command commands\n      ;;\n    argument)\n      case $line[1] in\n";
  for (const auto& each : command.commands)
    text += fmt::format("        {}) {} ;;\n", last_word(each.name), zsh_name(each.name));
  return text + "      esac\n      ;;\n  esac\n}\n";
}

}  // namespace

std::string zsh_completion(const CommandPage& program) {
  std::string text =
      "#compdef dalembert\n# zsh completion of dalembert, written by `dalembert completion zsh`\n";
  for (const auto& command : all_of(program)) text += zsh_function(command);
  return text +
         "if [ \"$funcstack[1]\" = _dalembert ]; then\n  _dalembert \"$@\"\nelse\n  compdef _dalembert "
         "dalembert\nfi\n";
}

}  // namespace dalembert::app
