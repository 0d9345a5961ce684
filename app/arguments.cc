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

const CLI::App& program_of(const CLI::App& command) {
  return command.get_parent() == nullptr ? command : program_of(*command.get_parent());
}

std::vector<const CLI::App*> below(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

std::string see_help(const CLI::App& command) {
  return "see `" + full_name(command) + " --help`";
}

const CLI::App& find_below(const CLI::App& at, const std::string& name) {
  std::vector<std::string> names;
  for (const auto* command : below(at)) {
    if (command->get_name() == name) return *command;
    names.push_back(command->get_name());
  }
  throw unknown(at.get_parent() == nullptr ? "command" : "command of '" + full_name(at) + "'", name, names);
}

/// Words in front that should be commands: misspelt ones are not read as anything else.
void check_commands(const CLI::App& program, int argc, const char* const* argv) {
  const CLI::App* at = &program;
  for (int k = 1; k < argc && argv[k][0] != '-'; ++k) {
    if (below(*at).empty()) return;
    at = &find_below(*at, argv[k]);
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

ArgumentPage page(const CLI::Option& option) {
  using Is = ArgumentPage::Is;
  ArgumentPage page;
  for (const auto& name : option.get_snames()) page.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) page.names.push_back("--" + name);
  const bool word = page.names.empty();
  if (word) page.names = {option.get_name()};
  const bool flag = option.get_items_expected_max() == 0;
  const bool several = option.get_items_expected_max() > 1;
  page.is = word ? (several ? Is::words : Is::word) : flag ? Is::flag : Is::option;
  if (page.is == Is::option) page.type = option.get_type_name();
  page.meaning = option.get_description();
  if (option.get_required()) page.needed = ArgumentPage::Needed::yes;
  return page;
}

CommandPage page(const CLI::App& command) {
  CommandPage page;
  if (command.get_parent() != nullptr)
    page.name = full_name(command).substr(full_name(program_of(command)).size() + 1);
  page.summary = command.get_description();
  page.footer = command.get_footer();
  for (const auto* option : command.get_options()) page.arguments.push_back(app::page(*option));
  for (const auto* each : below(command)) page.commands.push_back(app::page(*each));
  return page;
}

/// The pieces of "1e-4,1e-6".
void split(const std::string& name, const std::string& text, std::vector<std::string>& into) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (comma == at && !text.empty())
      throw Error(name + " is '" + text + "'", "something is missing before or after a comma");
    into.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
}

void describe(CLI::App& command, const std::string& footer) {
  command.set_help_flag("-h,--help", "print this help");
  command.footer(footer);
  command.require_subcommand(0, 1);  // words after a command are its own, even if they are names of others
  command.allow_extras();            // so that check_rest can say what is wrong with them
}

}  // namespace

Arguments::Arguments(const std::string& program, const std::string& about, const std::string& footer)
    : parser_(std::make_shared<CLI::App>(about, program)) {
  const auto words = parser_->get_formatter();  // commands below take it over
  words->label("Positionals", "Arguments");
  words->label("SUBCOMMAND", "COMMAND");
  words->label("REQUIRED", "(needed)");
  describe(*parser_, footer);
}

Arguments Arguments::command(const std::string& name, const std::string& summary, const std::string& footer) {
  CLI::App* added = parser_->add_subcommand(name, summary)->group("Commands");
  describe(*added, footer);
  return Arguments(std::shared_ptr<CLI::App>(parser_, added));
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
  parser_
      ->add_option_function<std::vector<std::string>>(
          name,
          [name, &into](const std::vector<std::string>& given) {
            for (const auto& text : given) split(name, text, into);
          },
          meaning)
      ->allow_extra_args(false)
      ->type_name(type);
}

void Arguments::flag(const std::string& name, bool& into, const std::string& meaning) {
  parser_->add_flag(name, into, meaning);
}

void Arguments::required_word(const std::string& name, std::string& into, const std::string& meaning) {
  parser_->add_option(name, into, meaning)->required()->type_name("");
}

void Arguments::word(const std::string& name, std::string& into, const std::string& meaning) {
  parser_->add_option(name, into, meaning)->type_name("");
}

void Arguments::words(const std::string& name, std::vector<std::string>& into, const std::string& meaning) {
  parser_->add_option(name, into, meaning)->type_name("");
}

Arguments::Call Arguments::read(int argc, const char* const* argv) {
  check_commands(*parser_, argc, argv);
  try {
    parser_->parse(argc, argv);
  } catch (const CLI::Success&) {
    return Call::asks_for_help;
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

std::string Arguments::help(const std::vector<std::string>& command) const {
  const CLI::App* at = &program_of(*parser_);
  std::string path = at->get_name();
  for (const auto& name : command) {
    if (below(*at).empty()) throw Error("'" + name + "' is one word too many", see_help(*at));
    at = &find_below(*at, name);
    path += " " + name;
  }
  return at->get_formatter()->make_help(at, path, CLI::AppFormatMode::Normal);
}

CommandPage Arguments::program() const {
  return page(program_of(*parser_));
}

std::string ArgumentPage::shown() const {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return type.empty() ? text : text + " " + type;
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
