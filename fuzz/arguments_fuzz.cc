// Any lines as the arguments of a call: read, or refused with a sentence.
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "app/arguments.h"
#include "app/text.h"
#include "dalembert/core/error.h"
#include "fuzz/targets.h"

namespace dalembert::fuzz {

namespace {

struct Call {
  std::string what, end, word;
  std::vector<std::string> set, methods, words;
  bool json = false;
};

/// A command with an argument of every sort, and one below another.
std::vector<app::Arguments> describe(app::Arguments& program, Call& call) {
  app::Arguments run = program.command("run", "runs", "Examples:\n");
  run.required_word("WHAT", call.what, "a problem");
  run.word("TABLE", call.word, "a table");
  run.option("--end", call.end, "the end", "T");
  run.option("--set", call.set, "a parameter", "NAME=VALUE");
  run.list("--method", call.methods, "methods", "M");
  run.flag("--json", call.json, "print JSON");
  app::Arguments cite = run.command("cite", "cites", "Examples:\n");
  cite.words("NAME", call.words, "names");
  return {run, cite};
}

void read(const std::vector<const char*>& words) {
  Call call;
  app::Arguments program("dalembert", "a program", "see the help");
  const auto commands = describe(program, call);
  if (program.read(static_cast<int>(words.size()), words.data()) == app::Arguments::Call::asks_for_help)
    return;
  for (const auto* text : {&call.what, &call.end, &call.word})
    promise(text->find('\0') == std::string::npos, "words are words");
  for (const auto& method : call.methods) promise(!method.empty(), "values are not empty");
  if (!call.end.empty()) app::to_count("--end", call.end);
  app::to_assignments("--set", call.set);
  commands.front().as_typed("give end=T, " + call.what);
}

}  // namespace

void arguments(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> lines = {"dalembert"};
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line.substr(0, line.find('\0')));
  std::vector<const char*> words;
  for (const auto& line : lines) words.push_back(line.c_str());
  std::ostringstream screen;
  std::streambuf* const before = std::cout.rdbuf(screen.rdbuf());
  try {
    read(words);
  } catch (const Error& error) {
    promise(!error.sentence().empty(), "refusals are explained");
  }
  std::cout.rdbuf(before);
}

}  // namespace dalembert::fuzz
