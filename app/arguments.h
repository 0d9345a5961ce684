// What may follow a command on the command line: options, words, commands below it. Only arguments.cc knows the parser (CLI11).
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dalembert::app {

/// What may follow a command, for those who write about it: manuals, completions.
struct ArgumentPage {
  std::vector<std::string> names;  ///< "-h", "--help"; of a word "WHAT"
  std::string type, meaning;       ///< "" for a flag, which takes no value
  enum class Is { option, flag, word, words } is = Is::option;
  enum class Needed { no, yes } needed = Needed::no;
  std::string shown() const;  ///< "--set NAME=VALUE"
};

struct CommandPage {
  std::string name;     ///< "analyse spectrum"; "" of the program
  std::string summary;  ///< one sentence
  std::string footer;   ///< examples
  std::vector<ArgumentPage> arguments{};
  std::vector<CommandPage> commands{};  ///< below it
};

/// The arguments of the program or of one of its commands. Variables keep their value where the call says nothing; they
/// must live until the call is read. Copies stand for the same arguments.
class Arguments {
 public:
  Arguments(const std::string& program, const std::string& about, const std::string& footer);
  /// Of a command below this one.
  Arguments command(const std::string& name, const std::string& summary, const std::string& footer);

  void option(const std::string& name, std::string& into, const std::string& meaning,
              const std::string& type = "TEXT");
  /// May be repeated. Takes one value each time, and never the words that follow.
  void option(const std::string& name, std::vector<std::string>& into, const std::string& meaning,
              const std::string& type = "TEXT");
  /// The same, where a value may be several, separated by commas.
  void list(const std::string& name, std::vector<std::string>& into, const std::string& meaning,
            const std::string& type = "TEXT");
  void flag(const std::string& name, bool& into, const std::string& meaning);

  /// Words are told apart by their order.
  void required_word(const std::string& name, std::string& into, const std::string& meaning);
  void word(const std::string& name, std::string& into, const std::string& meaning);
  void words(const std::string& name, std::vector<std::string>& into, const std::string& meaning);

  enum class Call { read, asks_for_help };
  /// Of the program: reads the call. Throws Error if it cannot be read.
  Call read(int argc, const char* const* argv);
  /// Of a command: the call names it.
  bool called() const;
  std::string help() const;  ///< of the command that the call names, or of all
  /// Of the command with these words. Throws Error if there is none.
  std::string help(const std::vector<std::string>& command) const;
  CommandPage program() const;  ///< of which this is a command, with all of them

  /// Settings in a hint as they are typed here: "give step=H" -> "give --step=H", if --step is an option.
  std::string as_typed(const std::string& hint) const;

 private:
  explicit Arguments(std::shared_ptr<CLI::App> parser) : parser_(std::move(parser)) {}

  std::shared_ptr<CLI::App> parser_;
};

}  // namespace dalembert::app
