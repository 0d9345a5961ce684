// dalembert man: manual pages, written from the commands themselves.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include "app/commands.h"
#include "app/outputs.h"
#include "app/screen.h"
#include "app/text.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

using Is = ArgumentPage::Is;

struct Call {
  std::vector<std::string> command;
  std::string into;
};

/// As roff reads it.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string page_name(const std::string& command) {
  std::string name = "dalembert" + (command.empty() ? "" : "-" + command);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string synopsis(const CommandPage& page) {
  std::string text = ".B dalembert" + (page.name.empty() ? "" : " " + page.name) + "\n";
  if (!page.commands.empty()) text += ".I COMMAND\n";
  text += "[OPTIONS]\n";
  for (const auto& a : page.arguments) {
    if (a.is != Is::word && a.is != Is::words) continue;
    const std::string word = a.names.front() + (a.is == Is::words ? " ..." : "");
    text += ".I " + (a.needed == ArgumentPage::Needed::yes ? word : "[" + word + "]") + "\n";
  }
  return text;
}

std::string examples(const std::string& footer) {
  std::istringstream stream(footer);
  std::string text;
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("  ")) text += escaped(line.substr(2)) + "\n";
  return text.empty() ? "" : ".SH EXAMPLES\n.nf\n" + text + ".fi\n";
}

std::string arguments(const CommandPage& page) {
  std::string text = ".SH OPTIONS\n";
  for (const auto& a : page.arguments)
    text += ".TP\n.B " + escaped(a.shown()) + "\n" + escaped(a.meaning) + "\n";
  return text;
}

std::string commands(const CommandPage& page) {
  if (page.commands.empty()) return {};
  std::string text = ".SH COMMANDS\n";
  for (const auto& each : page.commands)
    text += ".TP\n.BR " + escaped(page_name(each.name)) + " (1)\n" + escaped(each.summary) + "\n";
  return text;
}

std::string manual(const CommandPage& page) {
  std::string name = page_name(page.name);
  std::string text =
      fmt::format(".TH {} 1 \"\" \"dalembert {}\" \"User Commands\"\n", name, DALEMBERT_VERSION);
  text += ".SH NAME\n" + escaped(name) + " \\- " + escaped(page.summary) + "\n";
  text += ".SH SYNOPSIS\n" + synopsis(page) + commands(page) + arguments(page) + examples(page.footer);
  text +=
      ".SH EXIT STATUS\n.TP\n.B 0\nthe call was fine and so is the result\n.TP\n.B 1\nthe computation ended "
      "early\n.TP\n.B 2\nthe call or a file is wrong\n";
  text +=
      ".SH ENVIRONMENT\n.TP\n.B COLUMNS\nhow wide tables and sentences may be\n.TP\n.B NO_COLOR\nif set, "
      "nothing is coloured\n";
  return text + (page.name.empty() ? "" : ".SH SEE ALSO\n.BR dalembert (1)\n");
}

std::vector<CommandPage> all_of(const CommandPage& program) {
  std::vector<CommandPage> all = {program};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto below = all[i].commands;
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

Status write(const Call& call, const CommandPage& program) {
  const std::vector<CommandPage> all = all_of(program);
  if (!call.into.empty()) {
    for (const auto& page : all)
      write_text((std::filesystem::path(call.into) / (page_name(page.name) + ".1")).string(), manual(page));
    return done;
  }
  const std::string name = join(call.command, " ");
  std::vector<std::string> known;
  for (const auto& page : all) {
    if (page.name == name) {
      std::cout << manual(page);
      return done;
    }
    known.push_back(page.name);
  }
  throw unknown("command", name, known);
}

}  // namespace

std::vector<CommandEntry> commands_in_manual() {
  return {{.name = "man",
           .rank = 180,
           .summary = "print the manual page of a command, or write all of them",
           .examples = {"dalembert man run | man -l -", "dalembert man --into /usr/local/share/man/man1"},
           .add = [](Arguments& arguments) -> Action {
             const auto call = std::make_shared<Call>();
             arguments.words("COMMAND", call->command, "the command (default: the program)");
             arguments.option("--into", call->into, "write the pages of all commands into this folder",
                              "DIR");
             return [call, arguments] { return write(*call, arguments.program()); };
           },
           .needs = CommandEntry::Needs::all}};
}

}  // namespace dalembert::app
