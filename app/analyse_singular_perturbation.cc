// dalembert analyse singular-perturbation: a problem with a small parameter, beside its limit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/commands.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/modes_report.h"
#include "app/outputs.h"
#include "app/picture.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/analysis/singular_perturbation.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/core/text.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what, parameter, eps, limit, end, count = "5", rtol = "1e-10", plot;
  std::vector<std::string> set, limit_set, start;
  bool inverse = false, json = false, quiet = false;

  bool from_file() const { return what.ends_with(".toml"); }
  /// All that is set but the parameter.
  std::vector<std::string> others() const {
    std::vector<std::string> all;
    for (const auto& one : set)
      if (to_assignment("--set", one).first != parameter) all.push_back(one);
    return all;
  }
  /// With the parameter set.
  Subject with(double value) const {
    std::vector<std::string> all = others();
    all.push_back(fmt::format("{}={:.17g}", parameter, value));
    return find_subject(what, all);
  }
};

/// Of the parameter, where --eps does not say it: from --set, or what the catalogue has.
double given_value(const Call& call) {
  for (const auto& one : call.set)
    if (const auto [name, value] = to_assignment("--set", one); name == call.parameter)
      return to_number("--set " + name, value);
  if (call.from_file())
    throw Error("how small " + call.parameter + " is has to be said of a model file", "give --eps");
  const ProblemEntry& entry = find_problem(call.what);
  std::vector<std::string> known;
  for (const Parameter& p : entry.parameters) {
    if (p.name == call.parameter) return p.value;
    known.push_back(p.name);
  }
  throw unknown("parameter of " + call.what, call.parameter, known);
}

std::shared_ptr<const Problem> limit_of(const Call& call) {
  if (!call.limit.empty()) return find_subject(call.limit, call.limit_set).problem;
  if (!call.limit_set.empty()) throw Error("--limit-set belongs to --limit", "give --limit as well");
  const std::string how = "name the problem that is its limit: --limit WHAT";
  if (call.inverse) throw Error("there is no problem with an infinite " + call.parameter, how);
  try {
    return call.with(0).problem;
  } catch (const Error& e) {
    throw Error(fmt::format("there is no problem with {} = 0: {}", call.parameter, e.what()), how);
  }
}

std::string power(double p) {
  return std::isfinite(p) ? fmt::format("eps^{:.2f}", p == 0 ? 0. : p) : "";
}

std::string eigenvalues(const PerturbationStudy& s) {
  Table table({"", "eigenvalue [1/s]", "grows like", "in the limit"});
  for (const auto& e : s.slow) table.add({"slow", text(e.value), power(e.growth), text(*e.limit)});
  for (const auto& e : s.fast) table.add({"fast", text(e.value), power(e.growth), "infinite"});
  return shown(table);
}

std::string layer_words(const PerturbationStudy& s) {
  if (s.fast.empty())
    return "Nothing becomes fast: the limit has as many eigenvalues, and eps perturbs it regularly.\n";
  std::string words = std::isfinite(s.gap) && s.gap > 0
                          ? fmt::format("What is fast is at least {:.3g} times faster. ", s.gap)
                          : "";
  if (s.fate == Mode::Fate::decays)
    words += fmt::format("It decays in a boundary layer: to 1/e within {:.3g} s, to 1 % within {:.3g} s.",
                         s.time, s.time * std::log(100));
  else if (s.fate == Mode::Fate::lasts)
    words += fmt::format(
        "It rings on, one radian in {:.3g} s, and does not decay: there is a fast part, but no layer that "
        "ends.",
        s.time);
  else
    words +=
        "It grows: this sheet of the limit repels. Motions beside it leave it, and those that begin on it "
        "stay no longer than rounding and terms of eps let them.";
  words += "\n";
  if (s.astray && s.fate != Mode::Fate::lasts)
    words +=
        s.astray->where == Led::Where::leaves
            ? "The start is not led to a sheet of the limit: with what is slow held, what is fast runs "
              "away.\n"
            : fmt::format(
                  "The start is not led to a sheet of the limit: with what is slow held, what is fast had "
                  "not come to rest after {:.3g} s.\n",
                  s.astray->delay);
  if (s.border)
    words +=
        "The start lies beside a border between what two sheets attract: a change by a hundred tolerances of "
        "the runs leads elsewhere, so that their errors decide where they go.\n";
  if (s.delay > s.time)
    words +=
        fmt::format("The start lies beside a sheet that repels: for {:.3g} s little happens.\n", s.delay);
  return words;
}

std::string start(const PerturbationStudy& s) {
  Table table({"at the start", "full", "limit", "layer adds"});
  for (const auto& e : s.start)
    table.add({e.label, number(e.full), number(e.limit), number(e.layer == 0 ? 0 : e.layer)});
  const bool lacking =
      std::any_of(s.start.begin(), s.start.end(), [](const auto& e) { return std::isnan(e.limit); });
  return shown(table) +
         (lacking ? "What the limit has no entry for is not compared, and its layer is not known.\n" : "");
}

std::string shrinking(const std::vector<double>& eps, const std::vector<Shrinking>& all) {
  std::vector<std::string> head = {"eps"}, last = {"order in eps"};
  for (const Shrinking& s : all) {
    head.push_back(s.name);
    last.push_back(s.order ? fmt::format("{:.2f}", *s.order) : "-");
  }
  Table table(head);
  for (std::size_t k = 0; k < eps.size(); ++k) {
    std::vector<std::string> row = {number(eps[k])};
    for (const Shrinking& s : all) row.push_back(k < s.sizes.size() ? number(s.sizes[k], 3) : "");
    table.add(row);
  }
  table.add(last);
  return shown(table);
}

/// What the runs say against the limit.
std::string doubts(const PerturbationStudy& s) {
  constexpr double much = 1e-2;
  std::string all;
  if (!s.lasting.empty() && !s.border)
    all += fmt::format(
        "\nDistances in {} do not shrink with eps: motions do not go to this limit, whatever its eigenvalues "
        "say.\n",
        join(s.lasting));
  if (s.apart > much)
    all += fmt::format(
        "\nWith a hundred times the tolerance the run with the smallest eps comes to lie {} beside itself: "
        "errors decide where motions go.\n",
        number(s.apart, 2));
  if (!s.unfollowed.empty())
    all += "\nWhether the limit attracts all the way is not known: " + s.unfollowed + ".\n";
  return all;
}

/// Where the limit stops being one.
std::string end_of_limit(const PerturbationStudy& s) {
  std::string all;
  if (s.attracts_until) {
    all += fmt::format(
        "\nThe limit {} until t = {} only: there a fast eigenvalue along it comes to the right half "
        "plane. Distances above are taken before.\n",
        s.fate == Mode::Fate::decays ? "attracts" : "does not repel", number(*s.attracts_until, 7));
    Table table({"eps", "farther than 0.1 from it at t"});
    for (std::size_t k = 0; k < s.leaves.size(); ++k)
      table.add({number(s.eps[k]), std::isnan(s.leaves[k]) ? "not until the end" : number(s.leaves[k])});
    all += "\n" + shown(table);
    if (s.leaves_by_rounding)
      all += fmt::format(
          "From there on what is beside it grows by up to e^{:.0f} before they do: errors of the runs, not "
          "the equations, decide when. True motions may leave sooner or later.\n",
          *std::max_element(s.grown.begin(), s.grown.end()));
  }
  if (s.limit_ends)
    all += fmt::format(
        "\nThe limit was not followed beyond t = {}: {}. At a fold it ends there, and motions jump to "
        "elsewhere; what they do is not compared.\n",
        number(*s.limit_ends, 7), s.why_limit_ends);
  return all;
}

std::string page(const Call& call, const Subject& subject, const PerturbationStudy& s) {
  const std::string meaning = call.inverse              ? "eps = 1/" + call.parameter
                              : call.parameter == "eps" ? "eps"
                                                        : "eps = " + call.parameter;
  std::string all = fmt::format("{}\n{} = {}; the limit, {}, has index {}.\n\n", title(subject), meaning,
                                number(s.eps[0]), call.limit.empty() ? "eps = 0" : call.limit, s.index);
  all += eigenvalues(s) + "\n" + layer_words(s) + "\n" + start(s);
  if (s.layer != PerturbationStudy::Layer::none)
    all += s.layer == PerturbationStudy::Layer::nonlinear
               ? "The layer is the solution of its own equations, with what is slow held.\n"
               : "The layer is that of the linearised equations: the fast part of the start.\n";
  all +=
      fmt::format("\nDistance from the limit, largest |difference|/(1 + |limit|) for t from {} to {}:\n\n{}",
                  number(s.from, 4), number(s.to, 4), shrinking(s.eps, s.distances));
  if (!s.alone.sizes.empty())
    all +=
        fmt::format("\nWithin the layer{}, distance from the limit, and from limit and layer together:\n\n{}",
                    s.fate == Mode::Fate::decays ? " (5 times its 1/e)" : " (12 radians of it)",
                    shrinking(s.eps, {s.alone, s.corrected}));
  return all + doubts(s) + end_of_limit(s);
}

Json to_json(const Shrinking& s) {
  Json sizes = Json::array();
  for (const double size : s.sizes) sizes.push_back(size);
  return {{"name", s.name}, {"sizes", sizes}, {"order", s.order ? Json(*s.order) : Json()}};
}

Json to_json(const Call& call, const PerturbationStudy& s) {
  const auto complex = [](std::complex<double> z) { return Json{z.real(), z.imag()}; };
  Json eps = Json::array(), slow = Json::array(), fast = Json::array(), start = Json::array(),
       blocks = Json::array();
  for (const double e : s.eps) eps.push_back(e);
  Json leaves = Json::array();
  for (const double t : s.leaves) leaves.push_back(t);
  for (const auto& e : s.slow)
    slow.push_back({{"value", complex(e.value)}, {"growth", e.growth}, {"limit", complex(*e.limit)}});
  for (const auto& e : s.fast) fast.push_back({{"value", complex(e.value)}, {"growth", e.growth}});
  for (const auto& e : s.start)
    start.push_back({{"name", e.label}, {"full", e.full}, {"limit", e.limit}, {"layer", e.layer}});
  for (const auto& b : s.distances) blocks.push_back(to_json(b));
  Json grown = Json::array();
  for (const double g : s.grown) grown.push_back(g);
  const char* fates[] = {"decays", "lasts", "grows"};
  const char* layers[] = {"nonlinear", "linearised", "none"};
  return {{"problem", call.what},
          {"parameter", call.parameter},
          {"eps", eps},
          {"limit_index", s.index},
          {"slow", slow},
          {"fast", fast},
          {"fate", s.fast.empty() ? Json() : Json(fates[static_cast<int>(s.fate)])},
          {"gap", s.gap},
          {"layer_time", s.time},
          {"layer", layers[static_cast<int>(s.layer)]},
          {"start", start},
          {"attracts_until", s.attracts_until ? Json(*s.attracts_until) : Json()},
          {"leaves", leaves},
          {"grown", grown},
          {"leaves_by_rounding", s.leaves_by_rounding},
          {"delay", s.delay},
          {"led_to_a_sheet", s.astray ? Json(false) : Json()},
          {"beside_a_border", s.border},
          {"do_not_shrink", s.lasting},
          {"apart_at_100_times_the_tolerance", s.apart},
          {"not_followed_because", s.unfollowed.empty() ? Json() : Json(s.unfollowed)},
          {"limit_ends", s.limit_ends ? Json(*s.limit_ends) : Json()},
          {"from", s.from},
          {"to", s.to},
          {"distances", blocks},
          {"within_layer", {{"limit", to_json(s.alone)}, {"limit_and_layer", to_json(s.corrected)}}}};
}

/// The entry with the largest layer after the start, and how all distances shrink.
std::vector<Panel> pictures(const Subject& subject, const PerturbationStudy& s) {
  std::vector<Panel> all;
  if (!s.curve.t.empty()) {
    Panel layer{.title = fmt::format("{}, eps = {:g}: the layer", subject.name, s.eps[0]),
                .x_label = "t [s]",
                .y_label = s.curve.label,
                .series = {{.name = "full", .x = s.curve.t, .y = s.curve.full},
                           {.name = "limit", .x = s.curve.t, .y = s.curve.limit},
                           {.name = "limit + layer", .x = s.curve.t, .y = s.curve.sum}}};
    tell_apart(layer, Points::unmarked);
    all.push_back(std::move(layer));
  }
  Panel distances{.title = "Distance from the limit",
                  .x_label = "eps",
                  .y_label = "largest distance",
                  .x_axis = Axis::logarithmic,
                  .y_axis = Axis::logarithmic,
                  .series = {}};
  const auto add = [&](const Shrinking& one, const std::string& name) {
    if (!one.order) return;  // nothing there but the tolerance of the runs
    distances.series.push_back(
        {.name = fmt::format("{}: order {:.2f}", name, *one.order), .x = s.eps, .y = one.sizes});
  };
  for (const Shrinking& one : s.distances) add(one, one.name);
  add(s.corrected, "limit + layer, within it");
  tell_apart(distances, Points::marked);
  all.push_back(std::move(distances));
  return all;
}

Status show(const Call& call) {
  check_outputs({picture_output("--plot", call.plot)}, {call.what});
  if (call.parameter.empty())
    throw Error("which parameter is small?", "give --parameter NAME; `dalembert problems` names them");
  double eps = call.eps.empty() ? given_value(call) : to_number("--eps", call.eps);
  if (call.inverse && call.eps.empty()) eps = 1 / eps;
  if (!(eps > 0 && std::isfinite(eps)))
    throw Error(fmt::format("eps is {:g}", eps), "it must be larger than 0: give --eps");
  const auto value = [&call](double e) { return call.inverse ? 1 / e : e; };
  const Subject subject = call.with(value(eps));
  PerturbationOptions options;
  options.eps = eps;
  options.count = static_cast<int>(to_count("--count", call.count, 12));
  options.tolerance = to_number("--rtol", call.rtol);
  options.start = subject.settings().start;
  for (const auto& [name, number] : to_assignments("--start", call.start)) options.start[name] = number;
  options.end = subject.settings().end;
  if (!call.end.empty()) options.end = to_number("--end", call.end);
  options.interrupt = &watch_for_interrupt();
  if (!call.quiet) options.progress = tell;
  const PerturbationStudy found =
      study_perturbation({[&](double e) { return call.with(value(e)).problem; }, limit_of(call)}, options);
  if (call.json)
    print(to_json(call, found));
  else
    say_page(page(call, subject, found));
  if (call.plot.empty()) return done;
  return written([&] { write_picture(call.plot, pictures(subject, found)); });
}

Action add_singular_perturbation(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_subject(arguments, call->what, call->set);
  arguments.option("--parameter", call->parameter, "the parameter that is small: eps", "NAME");
  arguments.flag("--inverse", call->inverse, "the parameter is large: eps is its reciprocal");
  arguments.option("--eps", call->eps,
                   "the largest eps (default: what the parameter is); further ones are 1/4, 1/16, ... of it",
                   "E");
  arguments.option("--count", call->count, "how many values of eps (default: 5)", "N");
  arguments.option("--limit", call->limit, "the limit, if it is not the same problem with eps = 0", "WHAT");
  arguments.option("--limit-set", call->limit_set, "set a parameter of --limit (may be repeated)",
                   "NAME=VALUE");
  arguments.option("--start", call->start, "set an initial value, for instance q.x=1 (may be repeated)",
                   "NAME=VALUE");
  arguments.option("--end", call->end, "the time to stop at (default: that of the problem)", "T");
  arguments.option("--rtol", call->rtol, "tolerance of the runs (default: 1e-10)", "R");
  arguments.option("--plot", call->plot, "draw the layer, and distances over eps, to a .svg or .png file",
                   "FILE");
  arguments.flag("--quiet", call->quiet, "do not show progress");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return show(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_singular_perturbation() {
  return {
      {.name = "analyse singular-perturbation",
       .rank = 5,
       .summary = "a problem with a small parameter: slow and fast parts, boundary layer, distance from "
                  "the limit",
       .examples = {"dalembert analyse singular-perturbation slow-fast --parameter eps --plot layer.svg",
                    "dalembert analyse singular-perturbation two-mass-light --parameter m1 --start x.x1=0.6",
                    "dalembert analyse singular-perturbation stiff-spring-pendulum --parameter eps "
                    "--limit pendulum --end 3"},
       .add = add_singular_perturbation}};
}

}  // namespace dalembert::app
