#include "app/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> all;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) all.push_back("--" + name);
  return all;
}

/// "dalembert analyse spectrum"
std::string full_name(const CLI::App& command) {
  const auto* above = command.get_parent();
  return above == nullptr ? command.get_name() : full_name(*above) + " " + command.get_name();
}

std::string see_help(const CLI::App& command) {
  return "see `" + full_name(command) + " --help`";
}

/// Words in front that should be commands: misspelt ones are not read as anything else.
void check_commands(const CLI::App& program, int argc, const char* const* argv) {
  const CLI::App* at = &program;
  for (int k = 1; k < argc && argv[k][0] != '-'; ++k) {
    const auto below = at->get_subcommands([](const CLI::App*) { return true; });
    if (below.empty()) return;
    std::vector<std::string> names;
    for (const auto* command : below) names.push_back(command->get_name());
    const auto found = std::find(names.begin(), names.end(), argv[k]);
    if (found == names.end())
      throw unknown(at == &program ? "command" : "command of '" + full_name(*at) + "'", argv[k], names);
    at = below[static_cast<std::size_t>(found - names.begin())];
  }
}

/// Arguments that nothing was found for: options, with the nearest one, and words that are too many.
void check_rest(const CLI::App& command) {
  for (const auto* below : command.get_subcommands()) check_rest(*below);
  const auto& rest = command.remaining();
  for (const auto& argument : rest)
    if (argument.size() >= 2 && argument[0] == '-')
      throw unknown("option of '" + full_name(command) + "'", argument.substr(0, argument.find('=')),
                    option_names(command));
  if (!rest.empty()) throw Error("'" + rest.front() + "' is one word too many", see_help(command));
}

/// A value that is given is meant: "" is none.
void check_empty(const CLI::App& command) {
  for (const auto* below : command.get_subcommands()) check_empty(*below);
  for (const auto* option : command.get_options())
    for (const auto& value : option->results())
      if (value.empty()) throw Error(option->get_name() + " is empty", see_help(command));
}

/// "--rtol: 1 required R missing" -> "--rtol needs a value"
std::string in_plain_words(const CLI::ArgumentMismatch& error) {
  const std::string text = error.what(), name = text.substr(0, text.find(':'));
  return name + (text.ends_with("missing") ? " needs a value" : " is given more than once");
}

void describe(CLI::App& command, const std::string& footer) {
  command.set_help_flag("-h,--help", "print this help");
  command.footer(footer);
  command.allow_extras();  // so that check_rest can say what is wrong with them
}

}  // namespace

Arguments::Arguments(const std::string& program, const std::string& about, const std::string& footer)
    : parser_(std::make_shared<CLI::App>(about, program)) {
  describe(*parser_, footer);
}

Arguments Arguments::command(const std::string& name, const std::string& summary, const std::string& footer) {
  CLI::App* below = parser_->add_subcommand(name, summary);
  describe(*below, footer);
  return Arguments(std::shared_ptr<CLI::App>(parser_, below));
}

void Arguments::option(const std::string& name, std::string& into, const std::string& meaning,
                       const std::string& type) {
  parser_->add_option(name, into, meaning)->type_name(type);
}

void Arguments::option(const std::string& name, std::vector<std::string>& into, const std::string& meaning,
                       const std::string& type) {
  parser_->add_option(name, into, meaning)->allow_extra_args(false)->type_name(type);
}

void Arguments::list(const std::string& name, std::vector<std::string>& into, const std::string& meaning,
                     const std::string& type) {
  parser_->add_option(name, into, meaning)->allow_extra_args(false)->delimiter(',')->type_name(type);
}

void Arguments::flag(const std::string& name, bool& into, const std::string& meaning) {
  parser_->add_flag(name, into, meaning);
}

void Arguments::required_word(const std::string& name, std::string& into, const std::string& meaning) {
  parser_->add_option(name, into, meaning)->required();
}

void Arguments::word(const std::string& name, std::string& into, const std::string& meaning) {
  parser_->add_option(name, into, meaning);
}

void Arguments::words(const std::string& name, std::vector<std::string>& into, const std::string& meaning) {
  parser_->add_option(name, into, meaning);
}

Arguments::Call Arguments::read(int argc, const char* const* argv) {
  check_commands(*parser_, argc, argv);
  try {
    parser_->parse(argc, argv);
  } catch (const CLI::Success& help) {
    parser_->exit(help);
    return Call::answered;
  } catch (const CLI::ParseError& error) {
    check_rest(*parser_);
    const CLI::App* at = parser_.get();
    while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
    const auto* mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error);
    throw Error(mismatch != nullptr ? in_plain_words(*mismatch) : error.what(), see_help(*at));
  }
  check_rest(*parser_);
  check_empty(*parser_);
  return Call::read;
}

bool Arguments::called() const {
  return parser_->parsed();
}

std::string Arguments::help() const {
  return parser_->help();
}

std::string Arguments::as_typed(const std::string& hint) const {
  const auto known = option_names(*parser_);
  std::string text;
  for (std::size_t at = 0; at < hint.size();) {
    const std::size_t end = std::min(hint.find(' ', at), hint.size());
    const std::string word = hint.substr(at, end - at), option = "--" + word.substr(0, word.find('='));
    const bool setting =
        word.find('=') != std::string::npos && std::find(known.begin(), known.end(), option) != known.end();
    text += (setting ? "--" : "") + hint.substr(at, end + 1 - at);
    at = end + 1;
  }
  return text;
}

}  // namespace dalembert::app
