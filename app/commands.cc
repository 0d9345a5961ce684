#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/analyse.h"
#include "app/text.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

const std::vector<Command>& all_commands() {
  static const std::vector<Command> list = {
      {"run",
       "simulate a model file or a problem of the catalogue",
       {"dalembert run pendulum", "dalembert run models/slider-crank.toml --set l2=0.5 --out crank.csv",
        "dalembert run andrews --method dop853 --rtol 1e-10 --out andrews.csv",
        "dalembert run pendulum --set l=2 --start q.x=2 --end 20 --json",
        "dalembert run wang-hou-modnak --method trapezoid:10,rk4:20 --step 0.5 --option splitting=first"},
       add_run},
      {"methods",
       "the methods, or the page of one",
       {"dalembert methods", "dalembert methods hem4", "dalembert methods --json"},
       add_methods},
      {"formulations",
       "the formulations, or the page of one",
       {"dalembert formulations", "dalembert formulations baumgarte"},
       add_formulations},
      {"problems",
       "the problems of the catalogue, or the page of one",
       {"dalembert problems", "dalembert problems andrews"},
       add_problems},
      {"papers",
       "the papers whose tables are rerun, or the page of one",
       {"dalembert papers", "dalembert papers brasey-hairer"},
       add_papers},
      {"models",
       "run model files as they say themselves, and print one line for each",
       {"dalembert models", "dalembert models models/bricard.toml models/andrews.toml",
        "dalembert models --rtol 1e-6 --json"},
       add_models},
      {"pairs",
       "the formulations and methods that can solve a problem, and why others cannot",
       {"dalembert pairs andrews", "dalembert pairs pendulum --json"},
       add_pairs},
      {"compare",
       "work and precision of several formulations and methods",
       {"dalembert compare car-axis --method radau,bdf",
        "dalembert compare andrews --rtol 1e-6,1e-8 --plot andrews.svg --json"},
       add_compare},
      {"paper",
       "rerun the tables of a paper: printed value, ours, verdict, reason",
       {"dalembert paper brasey-hairer", "dalembert paper brasey-hairer 1 --json"},
       add_paper},
      {"boundary",
       "solve a constrained motion with conditions at both ends; without a name, list them",
       {"dalembert boundary ascher-lin-boundary",
        "dalembert boundary pendulum-swing --approach direct --json"},
       add_boundary},
      {"analyse",
       "look into a method or a problem: order conditions, spectra, redundant rows, contraction",
       {"dalembert analyse order-conditions hem4", "dalembert analyse redundancy bricard",
        "dalembert analyse contraction wang-hou-modnak"},
       add_analyse},
      {"check",
       "read a model file and say what is wrong with it, and what it has: degrees of freedom, redundant "
       "joints",
       {"dalembert check crank.toml", "dalembert check crank.toml --set l=2 --json"},
       add_check},
      {"convert",
       "write the model file of a mechanism in another format, and say what is lost: URDF, SDF",
       {"dalembert convert arm.urdf arm.toml", "dalembert convert four_bar.sdf four-bar.toml --json"},
       add_convert},
      {"cite",
       "the references behind methods, formulations, problems, papers or a run, as BibTeX",
       {"dalembert cite hem4 andrews", "dalembert cite --run andrews --method dop853"},
       add_cite},
      {"schema",
       "the JSON schema of model files, for editors",
       {"dalembert schema > model.schema.json"},
       add_schema},
  };
  return list;
}

namespace {

std::string examples(const Command& command) {
  std::string text = "Examples:\n";
  for (const auto& example : command.examples) text += "  " + example + "\n";
  return text;
}

/// A word that should be a command, or is near to one.
void check_name(const char* word, const std::string& what, const std::vector<Command>& commands) {
  if (word[0] == '-') return;
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command.name);
  if (std::find(names.begin(), names.end(), word) == names.end()) throw unknown(what, word, names);
}

void check_names(int argc, const char* const* argv) {
  if (argc < 2) return;
  check_name(argv[1], "command", all_commands());
  if (argc > 2 && std::string("analyse") == argv[1]) check_name(argv[2], "analysis", all_analyses());
}

/// Arguments that the parser did not know: options with the nearest one, words that are too many.
void check_rest(const CLI::App& command) {
  std::string where = command.get_name();
  for (const auto* above = command.get_parent(); above != nullptr; above = above->get_parent())
    where = above->get_name() + " " + where;
  for (const auto& rest : command.remaining()) {
    if (rest.size() < 2 || rest[0] != '-') continue;
    std::vector<std::string> known;
    for (const auto* option : command.get_options())
      for (const auto& name : option->get_lnames()) known.push_back("--" + name);
    throw unknown("option of '" + where + "'", rest.substr(0, rest.find('=')), known);
  }
  if (!command.remaining().empty())
    throw Error("'" + command.remaining().front() + "' is one word too many", "see `" + where + " --help`");
}

}  // namespace

std::pair<CLI::App*, Action> add_command(CLI::App& parent, const Command& command) {
  CLI::App* sub = parent.add_subcommand(command.name, command.summary);
  sub->set_help_flag("-h,--help", "say what there is");
  sub->footer(examples(command));
  sub->allow_extras();
  return {sub, command.add(*sub)};
}

Status obey(int argc, const char* const* argv) {
  check_names(argc, argv);
  CLI::App app("Dalembert: constrained dynamics, mechanisms and differential-algebraic equations",
               "dalembert");
  app.set_help_flag("-h,--help", "say what there is");
  bool wants_version = false;
  app.add_flag("--version", wants_version, "version, compiler, licences of the libraries inside");
  app.footer("`dalembert COMMAND --help` says more, with examples.");
  app.allow_extras();
  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const auto& command : all_commands()) actions.push_back(add_command(app, command));
  const auto check = [&] {
    for (const auto* sub : app.get_subcommands()) {
      for (const auto* below : sub->get_subcommands()) check_rest(*below);
      check_rest(*sub);
    }
    check_rest(app);
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help);
    return done;
  } catch (const CLI::ParseError& error) {
    check();
    const auto subs = app.get_subcommands();
    throw Error(error.what(),
                "see `dalembert " + (subs.empty() ? "" : subs.front()->get_name() + " ") + "--help`");
  }
  check();
  if (wants_version) {
    std::cout << version();
    return done;
  }
  for (const auto& [sub, action] : actions)
    if (sub->parsed()) return action();
  std::cerr << app.help();
  return wrong_call;
}

}  // namespace dalembert::app
