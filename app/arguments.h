// What may follow a command on the command line: options, words, commands below it. Only arguments.cc knows the parser (CLI11).
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dalembert::app {

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

  enum class Call { read, answered };  ///< answered: it asked for help, which was printed
  /// Of the program: reads the call. Throws Error if it cannot be read.
  Call read(int argc, const char* const* argv);
  /// Of a command: the call names it.
  bool called() const;
  std::string help() const;

  /// Settings in a hint as they are typed here: "give step=H" -> "give --step=H", if --step is an option.
  std::string as_typed(const std::string& hint) const;

 private:
  explicit Arguments(std::shared_ptr<CLI::App> parser) : parser_(std::move(parser)) {}

  std::shared_ptr<CLI::App> parser_;
};

}  // namespace dalembert::app
