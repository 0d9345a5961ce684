// dalembert analyse floquet: a periodic motion, and whether it is stable.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "app/commands.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/picture.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/analysis/floquet.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

constexpr double rounding = 1e-12;  // of multipliers, which are entries of a matrix with a 1 in it

struct Call {
  std::string what, period, transient = "0", rtol = "1e-10", plot;
  std::vector<std::string> set, start;
  bool json = false, quiet = false;
};

FloquetOptions options(const Call& call, const Subject& subject) {
  FloquetOptions o;
  const double rtol = to_number("--rtol", call.rtol);
  o.flow.tolerance = {rtol, rtol};
  o.flow.start = subject.settings().start;
  for (const auto& [name, value] : to_assignments("--start", call.start)) o.flow.start[name] = value;
  o.flow.interrupt = &watch_for_interrupt();
  if (!call.period.empty()) o.period = to_number("--period", call.period);
  o.transient = to_number("--transient", call.transient);
  if (!call.quiet)
    o.progress = [](int round, double gap) {
      tell(fmt::format("round {}: the end is {:.2g} away from the start", round, gap));
    };
  return o;
}

std::string text(std::complex<double> z) {
  if (std::abs(z.imag()) <= 1e-9 * (1 + std::abs(z))) return number(z.real(), 8);
  return number(z.real(), 8) + (z.imag() < 0 ? " - " : " + ") + number(std::abs(z.imag()), 8) + "i";
}

std::vector<Panel> picture(const Subject& subject, const PeriodicOrbit& orbit) {
  Panel motion{.title = fmt::format("{}: one period, T = {:.6g}", subject.name, orbit.period),
               .x_label = "t [s]",
               .y_label = "",
               .series = {}};
  for (const Block& block : orbit.layout.blocks()) {
    if (block.name == "v" || block.role != Role::differential) continue;
    for (Eigen::Index i = block.offset; i < block.offset + block.size; ++i) {
      Series series{.name = orbit.layout.label(i), .x = {}, .y = {}};
      for (const State& state : orbit.motion) {
        series.x.push_back(state.t);
        series.y.push_back(state.y[i]);
      }
      motion.series.push_back(std::move(series));
    }
  }
  tell_apart(motion, Points::unmarked);
  Panel plane{.title = "multipliers, and the unit circle",
              .x_label = "real part",
              .y_label = "imaginary part",
              .series = {},
              .units = Units::same};
  Series circle{.name = "unit circle", .x = {}, .y = {}, .line = Line::dotted};
  for (int k = 0; k <= 200; ++k) {
    circle.x.push_back(std::cos(std::numbers::pi * k / 100));
    circle.y.push_back(std::sin(std::numbers::pi * k / 100));
  }
  Series points{.name = "multipliers", .x = {}, .y = {}, .line = Line::none, .marker = Marker::circle};
  for (const auto& m : orbit.multipliers) {
    points.x.push_back(m.value.real());
    points.y.push_back(m.value.imag());
  }
  plane.series = {circle, points};
  return {motion, plane};
}

Json to_json(const Subject& subject, const PeriodicOrbit& orbit) {
  Json multipliers = Json::array(), start = Json::object();
  for (const auto& m : orbit.multipliers)
    multipliers.push_back({{"value", {m.value.real(), m.value.imag()}},
                           {"modulus", std::abs(m.value)},
                           {"error", m.error},
                           {"trivial", m.trivial},
                           {"grows_with_time", m.chained}});
  const bool found = orbit.outcome == Outcome::ok;
  for (Eigen::Index i = 0; i < orbit.start.y.size(); ++i) start[orbit.layout.label(i)] = orbit.start.y[i];
  return {{"problem", subject.name},
          {"outcome", std::string(name(orbit.outcome))},
          {"message", orbit.message},
          {"period", orbit.period},
          {"repeats_within", orbit.times},
          {"period_was_known", orbit.which == PeriodicOrbit::Period::known},
          {"t", orbit.start.t},
          {"state", start},
          {"gap", orbit.gap},
          {"rounds", orbit.rounds},
          {"drifts_along", orbit.drifts},
          {"multipliers", multipliers},
          {"stability", !found                                   ? Json()
                        : stability(orbit) == Stability::stable  ? Json("stable")
                        : stability(orbit) == Stability::neutral ? Json("neutral")
                                                                 : Json("unstable")}};
}

std::string page(const Subject& subject, const PeriodicOrbit& orbit) {
  std::string all = title(subject) + "\n\n";
  std::string words = sentence(orbit);
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  if (orbit.outcome != Outcome::ok) return all + words + ".\n";
  all += orbit.rest ? "At rest.\n"
         : orbit.which == PeriodicOrbit::Period::found
             ? fmt::format("A periodic motion of period {:.10g}, found.\n", orbit.period)
             : fmt::format("A motion that repeats after the period {:.10g}.\n", orbit.period);
  if (orbit.times > 1)
    all +=
        fmt::format("It repeats {} times in it already, after {:.10g}; multipliers are those of the whole.\n",
                    orbit.times, orbit.period / orbit.times);
  all += fmt::format("After {} its end is {:.1g} away from its start.\n\n",
                     plural(orbit.rounds, "round", "rounds"), orbit.gap);
  Table start({"at t = " + number(orbit.start.t), "value"});
  for (Eigen::Index i = 0; i < orbit.start.y.size(); ++i)
    start.add({orbit.layout.label(i), number(orbit.start.y[i], 10)});
  Table table({"multiplier", "modulus", "error", ""});
  for (const auto& m : orbit.multipliers)
    table.add({text(m.value), number(std::abs(m.value), 8), number(m.error, 1),
               m.trivial                      ? "along the orbit"
               : std::abs(m.value) < rounding ? "no more than rounding"
                                              : ""});
  return all + shown(start) + "\n" + shown(table) + "\n" + words + ".\n";
}

Status show(const Call& call) {
  check_outputs({picture_output("--plot", call.plot)}, {call.what});
  const Subject subject = find_subject(call.what, call.set);
  const FloquetOptions o = options(call, subject);
  const PeriodicOrbit orbit = find_periodic_orbit(subject.problem, o);
  if (call.json)
    print(to_json(subject, orbit));
  else
    say_page(page(subject, orbit));
  Status status = orbit.outcome == Outcome::ok ? done : ended_early;
  if (!call.plot.empty() && orbit.outcome == Outcome::ok)
    status = std::max(status, written([&] { write_picture(call.plot, picture(subject, orbit)); }));
  return status;
}

Action add_floquet(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_subject(arguments, call->what, call->set);
  arguments.option("--period", call->period,
                   "period of what drives the motion, or a multiple; if nothing does, a guess (default: the "
                   "first near return)",
                   "P");
  arguments.option("--transient", call->transient,
                   "time to follow the motion first, towards a stable orbit (default: 0)", "T");
  arguments.option("--rtol", call->rtol, "tolerance of the motion and of its neighbours (default: 1e-10)",
                   "R");
  arguments.option("--start", call->start, "set an initial value, for instance q.x=1 (may be repeated)",
                   "NAME=VALUE");
  arguments.option("--plot", call->plot,
                   "draw the motion over its period, and the multipliers, to a .svg or .png file", "FILE");
  arguments.flag("--quiet", call->quiet, "do not show progress");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return show(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_floquet() {
  return {{.name = "analyse floquet",
           .rank = 41,
           .summary = "a periodic motion, found by shooting, and its multipliers: is it stable?",
           .examples = {"dalembert analyse floquet van-der-pol",
                        "dalembert analyse floquet moving-pivot --period 1.0471975511965976 --set phi=0",
                        "dalembert analyse floquet driven-pendulum --set A=0.5 --period 9.42477796076938 "
                        "--transient 100"},
           .add = add_floquet}};
}

}  // namespace dalembert::app
