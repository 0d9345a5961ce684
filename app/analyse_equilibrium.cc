// dalembert analyse equilibrium: where a mechanism is at rest, what its joints bear there, and whether it stays.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/base_state.h"
#include "app/commands.h"
#include "app/json.h"
#include "app/modes_report.h"
#include "app/outputs.h"
#include "app/picture.h"
#include "app/pushing.h"
#include "app/run_report.h"
#include "app/screen.h"
#include "app/state_files.h"
#include "app/text.h"
#include "dalembert/constraints/redundancy.h"
#include "dalembert/control/redundant_rows.h"
#include "dalembert/control/reporter.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/core/text.h"
#include "dalembert/multibody/reactions.h"
#include "dalembert/observe/files/run_file.h"
#include "dalembert/sweep/design.h"

namespace dalembert::app {

namespace {

struct Call {
  BaseCall base;
  std::string save, vary, plot;
  bool nearest = false, json = false;
};

/// One equilibrium with everything that is said about it.
struct Found {
  Subject subject;
  BaseState base;
  Equilibrium rest;
  State guess{};
  std::unique_ptr<ModesReport> modes{};  ///< nullptr: cannot be linearised, and why
  std::string no_modes{};
  std::optional<RedundancyReport> redundancy{};
  const Mechanical& problem() const { return *as_mechanical(*base.problem); }
};

Found find(const Call& call, const State* guess = nullptr) {
  Found found{find_subject(call.base.what, call.base.set), {}, {}};
  mechanical(*found.subject.problem, call.base.what);
  found.base = guess_at_rest(call.base, found.subject);
  EquilibriumOptions options;
  options.progress = tell_now_and_then();
  if (call.nearest) options.seek = EquilibriumOptions::Seek::nearest;
  found.guess = guess != nullptr ? *guess : found.base.state;
  found.rest = find_equilibrium(found.problem(), found.guess, options);
  if (!found.rest.found) return found;
  found.base.state = found.rest.state;
  try {
    found.modes = std::make_unique<ModesReport>(found.problem(), found.base, Time::stands_still);
  } catch (const Error& error) {
    found.no_modes = error.sentence();
  }
  const Redundancy rows = find_redundancy(found.problem(), found.rest.state);
  if (!rows.dependent.empty()) found.redundancy = name_rows(rows, found.problem());
  return found;
}

std::string vector(const Eigen::Vector3d& v, double negligible) {
  const auto entry = [&](double x) { return number(std::abs(x) <= negligible ? 0 : x, 5); };
  return entry(v[0]) + ", " + entry(v[1]) + ", " + entry(v[2]);
}

/// What each joint does to the second of its bodies, about its point.
std::string reactions(const Mechanism& mechanism, const State& state, double load) {
  MechanismView view(mechanism);
  view.look(state);
  const bool planar = is_planar(mechanism);
  Table table({"reaction on the second body of", "force [N]", "moment [N m]"});
  const double small = 1e-9 * load;
  for (std::size_t i = 0; i < mechanism.joints().size(); ++i) {
    if (mechanism.joints()[i].kind == "oil") continue;  // pushes several bodies; its pressure is a watch
    const Wrench wrench = view.reaction(static_cast<int>(i), MechanismView::On::b);
    const auto shorter = [&](const Eigen::Vector3d& v, bool moment) {
      const std::string all = vector(v, small);
      if (!planar) return all;
      return moment ? number(std::abs(v[2]) <= small ? 0 : v[2], 5) : all.substr(0, all.rfind(", "));
    };
    table.add({mechanism.joints()[i].name, shorter(wrench.force, false), shorter(wrench.moment, true)});
  }
  return table.empty() ? "" : "\n" + app::shown(table);
}

std::string multipliers(const Layout& layout, const State& state, double load) {
  Table table({"multiplier", "value", "unit"});
  for (const Block& block : layout.blocks())
    for (Eigen::Index i = 0; block.role == Role::algebraic && i < block.size; ++i) {
      const double value = state.y[block.offset + i];
      table.add({layout.label(block.offset + i), number(std::abs(value) <= 1e-12 * load ? 0 : value),
                 block.units[static_cast<std::size_t>(i)]});
    }
  return table.empty() ? "" : "\n" + shown(table);
}

std::string positions(const Found& found) {
  const Layout layout = found.problem().layout();
  Table table({"", "value", "unit", "from the guess"});
  for (const Block& block : layout.blocks()) {
    if (block.name != "q" && block.name != "s") continue;
    for (Eigen::Index i = 0; i < block.size; ++i) {
      const Eigen::Index k = block.offset + i;
      const double change = found.rest.state.y[k] - found.guess.y[k];
      table.add({layout.label(k), number(found.rest.state.y[k], 9), block.units[static_cast<std::size_t>(i)],
                 std::abs(change) < 1e-12 ? "" : number(change, 4)});
    }
  }
  return shown(table);
}

/// The state that changed most for its size, with its unit; positions have been named.
std::string changed_state(const Found& found) {
  const Mechanical& problem = found.problem();
  if (problem.sizes().v == 0 || problem.sizes().s == 0) return "";
  const MechanicalState part(problem.sizes());
  const Vector before = part.s(found.guess.y), after = part.s(found.rest.state.y);
  Eigen::Index most = 0;
  const double change =
      (after - before)
          .cwiseAbs()
          .cwiseQuotient(before.cwiseAbs() + after.cwiseAbs() + Vector::Constant(after.size(), 1e-300))
          .maxCoeff(&most);
  if (!(change > 1e-9)) return "";
  const Layout layout = problem.layout();
  const auto i = static_cast<std::size_t>(most);
  return fmt::format(", and {} changes from {} to {} {}", layout["s"].labels[i], number(before[most], 4),
                     number(after[most], 4), layout["s"].units[i]);
}

/// What the sentence of a search that has found something says.
std::string head(const Found& found) {
  const Equilibrium& r = found.rest;
  std::string all =
      r.at_guess ? "The guess is an equilibrium."
                 : fmt::format("At rest after {}; nothing is farther from the guess than {}{}.",
                               plural(r.steps, "step", "steps"), number(r.moved, 4), changed_state(found));
  if (r.load > 1e3 * r.force)
    all += fmt::format(" The largest force left is {}, beside loads of {}.", number(r.force, 2),
                       number(r.load, 4));
  else if (r.load > 0)  // without joints that bear it, what cancels is not seen
    all += fmt::format(" The largest force left is {}.", number(r.force, 2));
  if (!r.driven.empty())
    all +=
        fmt::format(" Drives are stopped at t = {}: {} move with time.", number(r.state.t), join(r.driven));
  if (r.timed)
    all += fmt::format(" Forces depend on time: it is the equilibrium of t = {}.", number(r.state.t));
  return all;
}

std::string stability(const Found& found) {
  if (!found.modes) return found.no_modes;
  std::string all = verdict(*found.modes);
  const auto grows = std::find_if(found.modes->modes.all.begin(), found.modes->modes.all.end(),
                                  [](const Mode& m) { return m.fate == Mode::Fate::grows; });
  if (grows != found.modes->modes.all.end())
    all += " What grows most slowly: " + words_of_shape(found.modes->shape(*grows), found.modes->names, 3) +
           ", with " + text(grows->value) + " 1/s.";
  const Matrix loose = found.modes->loose();
  if (loose.cols() > 0) {
    const bool farther =
        std::any_of(found.modes->soft.begin(), found.modes->soft.end(),
                    [](const SoftDirection& each) { return each.force != SoftDirection::Force::none; });
    std::string free, stuck;
    for (Eigen::Index j = 0; j < loose.cols(); ++j)
      (found.modes->held(loose.col(j)) ? stuck : free) +=
          "\n  " + words_of_shape(loose.col(j).cast<std::complex<double>>(), found.modes->names, 5);
    if (!free.empty())
      all += (farther ? "\nWithout stiffness, in linear terms:" : "\nUndetermined, since no force resists:") +
             free;
    if (!stuck.empty())
      all +=
          "\nHeld where it is by friction that sticks, or by rows of velocities; positions beside it are "
          "equilibria, too:" +
          stuck;
  }
  return all;
}

State reported_state(const Found& found) {
  return Reporter(*found.base.problem)(found.rest.state);
}

void show(const Found& found) {
  std::string all = title(found.subject) + "\n" + head(found) + "\n" + stability(found) + "\n";
  if (const std::string said = rounded_rows(found.problem(), found.rest.state); !said.empty())
    all += said + "\n";
  all += "\n" + positions(found);
  const auto* mechanism = as<Mechanism>(found.base.problem.get());
  const State shown_state = reported_state(found);
  all += mechanism != nullptr ? reactions(*mechanism, shown_state, found.rest.load)
                              : multipliers(found.problem().layout(), found.rest.state, found.rest.load);
  if (const auto watches = found.subject.watches(); !watches.empty()) {
    Table table({"watch", "value", "unit"});
    for (const Watch& watch : watches) table.add({watch.name, number(watch.value(shown_state)), watch.unit});
    all += "\n" + shown(table);
  }
  if (found.redundancy) {
    all += "\n";
    for (const auto& sentence : in_words(*found.redundancy)) all += sentence + "\n";
  }
  say_page(all);
}

Json to_json(const Call& call, const Found& found) {
  const Equilibrium& r = found.rest;
  Json json = {{"problem", call.base.what}, {"found", r.found}};
  if (!r.found) {
    json["why_not"] = r.why_not;
    json["pushing"] = pushing(found.subject, call.base.set, found.problem(), r);
    return json;
  }
  const Layout layout = found.problem().layout();
  Json state = Json::object(), watches = Json::object();
  for (Eigen::Index i = 0; i < layout.size(); ++i) state[layout.label(i)] = r.state.y[i];
  const State shown_state = reported_state(found);
  for (const Watch& watch : found.subject.watches()) watches[watch.name] = watch.value(shown_state);
  json.update(
      {{"t", r.state.t},
       {"steps", r.steps},
       {"force", r.force},
       {"load", r.load},
       {"moved", r.moved},
       {"at_guess", r.at_guess},
       {"driven", r.driven},
       {"depends_on_time", r.timed},
       {"state", state},
       {"watches", watches},
       {"redundancy", found.redundancy ? app::to_json(*found.redundancy) : Json()},
       {"warning", rounded_rows(found.problem(), r.state)},
       {"verdict", found.modes ? Json(verdict(*found.modes)) : Json(found.no_modes)},
       {"modes", found.modes ? app::to_json(*found.modes, call.base.what)["modes"] : Json()},
       {"unresisted", found.modes ? app::to_json(*found.modes, call.base.what)["unresisted"] : Json()},
       {"zero_eigenvalues", found.modes ? Json(found.modes->modes.zeros) : Json()}});
  return json;
}

Status save(const Call& call, const Found& found) {
  return written([&] {
    StateKeeper keeper({call.save}, found.subject);
    keeper.finish(reported_state(found));
  });
}

Status one(const Call& call) {
  const Found found = find(call);
  if (call.json)
    print(to_json(call, found));
  else if (found.rest.found)
    show(found);
  if (!found.rest.found) {
    if (!call.json) {
      const std::string by = pushing(found.subject, call.base.set, found.problem(), found.rest);
      complain("no equilibrium is found: " + found.rest.why_not +
               (by.empty() ? "" : "; what pushes there is " + by) +
               (call.nearest ? "" : "; `--nearest` looks for one next to the guess, stable or not"));
    }
    return ended_early;
  }
  return call.save.empty() ? done : save(call, found);
}

/// Equilibria over a parameter, each sought from the one before: a path of loads.
Status path(const Call& call) {
  const Variation variation = read_variation(call.vary);
  if (variation.values.empty())
    throw Error("--vary '" + call.vary + "' has no number of values",
                "for instance " + variation.name + "=0:1:21");
  std::optional<State> last;
  Json rows = Json::array();
  std::vector<std::string> head = {variation.name};
  std::vector<std::vector<double>> columns;
  std::vector<std::string> names, verdicts;
  for (const double value : variation.values) {
    Call here = call;
    here.base.set.push_back(variation.name + "=" + full_number(value));
    const Found found = find(here, last ? &*last : nullptr);
    rows.push_back({{"value", value}});
    rows.back().update(to_json(here, found));
    const Layout layout = found.problem().layout();
    if (names.empty()) {
      for (Eigen::Index i = 0; i < found.problem().sizes().q; ++i) names.push_back(layout.label(i));
      columns.resize(names.size());
    }
    for (std::size_t i = 0; i < names.size(); ++i)
      columns[i].push_back(found.rest.found ? found.rest.state.y[static_cast<Eigen::Index>(i)]
                                            : not_a_number);
    verdicts.push_back(!found.rest.found        ? "none: " + found.rest.why_not
                       : !found.modes           ? found.no_modes
                       : unstable(*found.modes) ? "unstable"
                                                : "");
    if (found.rest.found) last = found.rest.state;
  }
  // The positions that change, largest first as many as a table has room for.
  std::vector<std::size_t> changing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<double> known;  // where there is an equilibrium
    std::copy_if(columns[i].begin(), columns[i].end(), std::back_inserter(known),
                 [](double x) { return !std::isnan(x); });
    const auto [low, high] = std::minmax_element(known.begin(), known.end());
    if (!known.empty() && *high - *low > 1e-9) changing.push_back(i);
  }
  if (call.json) {
    print({{"problem", call.base.what}, {"parameter", variation.name}, {"rows", rows}});
  } else {
    std::vector<std::string> titles = {variation.name};
    for (const std::size_t i : changing) titles.push_back(names[i]);
    titles.emplace_back("");
    Table table(titles);
    for (std::size_t k = 0; k < variation.values.size(); ++k) {
      std::vector<std::string> cells = {number(variation.values[k])};
      for (const std::size_t i : changing) cells.push_back(number(columns[i][k]));
      cells.push_back(verdicts[k]);
      table.add(cells);
    }
    say_page("Equilibria of " + call.base.what + " over " + variation.name +
             ", each sought from the one before\n\n" + shown(table) +
             (changing.size() < names.size() ? "\nPositions that stay the same are left out.\n" : ""));
  }
  if (call.plot.empty()) return done;
  Panel panel{.title = "equilibria of " + call.base.what,
              .x_label = variation.name,
              .y_label = "change of positions [m, rad]",
              .series = {}};
  for (const std::size_t i : changing) {
    Series series{names[i], variation.values, columns[i]};
    const auto first =
        std::find_if(columns[i].begin(), columns[i].end(), [](double x) { return !std::isnan(x); });
    for (double& y : series.y) y -= *first;
    panel.series.push_back(std::move(series));
  }
  tell_apart(panel, Points::unmarked);
  return written([&] { write_picture(call.plot, {panel}); });
}

Status equilibrium(const Call& call) {
  check_outputs({picture_output("--plot", call.plot),
                 {"--save-state", call.save, call.save.empty() ? "" : find_format(call.save).suffix}},
                {call.base.what});
  if (!call.plot.empty() && call.vary.empty())
    throw Error("--plot draws what --vary varies", "give --vary NAME=FROM:TO:N");
  return call.vary.empty() ? one(call) : path(call);
}

Action add_equilibrium(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_start(arguments, call->base);
  arguments.flag(
      "--nearest", call->nearest,
      "the equilibrium next to the guess, stable or not, instead of where the mechanism comes to rest");
  arguments.option("--vary", call->vary, "equilibria over a parameter, each sought from the one before",
                   "NAME=FROM:TO:N");
  arguments.option("--plot", call->plot, "draw what --vary varies to a .svg or .png file", "FILE");
  arguments.option("--save-state", call->save,
                   "write the state to a file that `run --from-state` begins with", "FILE");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return equilibrium(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_equilibrium() {
  return {{.name = "analyse equilibrium",
           .rank = 3,
           .summary = "where a mechanism is at rest, what its joints bear there, and whether it is stable",
           .examples = {"dalembert analyse equilibrium models/quarter-car.toml --save-state rest.csv",
                        "dalembert analyse equilibrium models/flyball-governor.toml --json",
                        "dalembert analyse equilibrium models/quarter-car.toml --vary "
                        "chassis_mass=200:400:21 --plot load.svg"},
           .add = add_equilibrium}};
}

}  // namespace dalembert::app
