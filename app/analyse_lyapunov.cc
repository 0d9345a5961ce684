// dalembert analyse lyapunov: how fast neighbouring motions part or come together.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>

#include "app/commands.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/picture.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/analysis/lyapunov.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what, end, discard, interval, count, rtol = "1e-9", formulation, plot;
  std::vector<std::string> set, start, option;
  bool json = false, quiet = false;
};

/// A line every few seconds.
std::function<void(double)> progress(double end) {
  using Clock = std::chrono::steady_clock;
  return [end, last = Clock::now()](double t) mutable {
    if (Clock::now() - last < std::chrono::seconds(3)) return;
    last = Clock::now();
    tell(fmt::format("t = {:.6g} of {:.6g}", t, end));
  };
}

LyapunovOptions options(const Call& call, const Subject& subject) {
  LyapunovOptions o;
  const double rtol = to_number("--rtol", call.rtol);
  o.flow.tolerance = {rtol, rtol};
  o.flow.formulation = call.formulation;
  o.flow.options = to_assignments("--option", call.option);
  if (call.formulation.empty() && !call.option.empty())
    throw Error("--option belongs to a formulation", "give --formulation as well");
  const RunSettings settings = subject.settings();
  o.flow.start = settings.start;
  for (const auto& [name, value] : to_assignments("--start", call.start)) o.flow.start[name] = value;
  o.flow.interrupt = &watch_for_interrupt();
  o.end = call.end.empty() ? settings.end.value_or(subject.problem->end()) : to_number("--end", call.end);
  if (!call.discard.empty()) o.discard = to_number("--discard", call.discard);
  if (!call.interval.empty()) o.interval = to_number("--interval", call.interval);
  if (!call.count.empty()) o.count = static_cast<int>(to_count("--count", call.count, 10000));
  if (!call.quiet) o.progress = progress(*o.end);
  return o;
}

Panel picture(const Subject& subject, const LyapunovSpectrum& s) {
  Panel panel{.title = "Lyapunov exponents of " + subject.name + ": mean up to t",
              .x_label = "t [s]",
              .y_label = "exponent",
              .series = {}};
  const std::size_t first = s.times.size() / 200 + 1;  // means over next to nothing would set the scale
  for (std::size_t i = 0; i < s.exponents.size(); ++i) {
    Series series{.name = fmt::format("lambda {}", i + 1), .x = {}, .y = {}};
    for (std::size_t k = first; k < s.times.size(); ++k) {
      series.x.push_back(s.times[k]);
      series.y.push_back(s.sums[k][static_cast<Eigen::Index>(i)] / (s.times[k] - s.times.front()));
    }
    panel.series.push_back(std::move(series));
  }
  tell_apart(panel, Points::unmarked);
  return panel;
}

Json to_json(const Subject& subject, const LyapunovSpectrum& s) {
  Json exponents = Json::array(), records = Json::array();
  for (const auto& e : s.exponents)
    exponents.push_back({{"value", e.value}, {"error", e.error}, {"plain_mean", e.plain}});
  for (std::size_t k = 0; k < s.times.size(); ++k)
    records.push_back({{"t", s.times[k]}, {"logarithms", app::to_json(s.sums[k])}});
  return {{"problem", subject.name},
          {"dimension", s.dimension},
          {"exponents", exponents},
          {"sum", s.complete() ? Json(s.sum()) : Json()},
          {"kaplan_yorke", s.kaplan_yorke() ? Json(*s.kaplan_yorke()) : Json()},
          {"outcome", std::string(name(s.outcome))},
          {"message", s.message},
          {"steps", s.statistics.steps},
          {"records", records}};
}

std::string page(const Subject& subject, const Call& call, const LyapunovSpectrum& s) {
  std::string text = title(subject) + "\n";
  if (!call.formulation.empty()) text += "as " + call.formulation + ", off its constraints too\n";
  if (s.exponents.empty()) return text + "\nNo exponents: " + s.message + ".\n";
  text += fmt::format("\n{} of {} exponents, from t = {:.6g} to {:.6g}\n\n", s.exponents.size(), s.dimension,
                      s.times.front(), s.times.back());
  Table table({"", "exponent", "error", "plain mean"});
  for (std::size_t i = 0; i < s.exponents.size(); ++i)
    table.add({std::to_string(i + 1), fmt::format("{:.6f}", s.exponents[i].value),
               number(s.exponents[i].error, 2), fmt::format("{:.6f}", s.exponents[i].plain)});
  text += shown(table);
  if (s.complete())
    text += fmt::format("\nTheir sum, the rate at which volumes change, is {:.6f}.\n", s.sum());
  if (const auto dimension = s.kaplan_yorke(); dimension && *dimension > 0)
    text += fmt::format("Kaplan and Yorke's dimension is {:.4f}.\n", *dimension);
  std::string words = sentence(s);
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  text += words + ".\nExponents are in 1/time; errors are standard errors, of means over blocks of time.\n";
  if (s.outcome != Outcome::ok) text += "It ended early: " + s.message + ".\n";
  return text;
}

Status show(const Call& call) {
  check_outputs({picture_output("--plot", call.plot)}, {call.what});
  const Subject subject = find_subject(call.what, call.set);
  const LyapunovSpectrum s = lyapunov_spectrum(subject.problem, options(call, subject));
  if (call.json)
    print(to_json(subject, s));
  else
    say_page(page(subject, call, s));
  Status status = s.outcome == Outcome::ok && !s.exponents.empty() ? done : ended_early;
  if (!call.plot.empty() && !s.exponents.empty())
    status = std::max(status, written([&] { write_picture(call.plot, {picture(subject, s)}); }));
  return status;
}

Action add_lyapunov(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_subject(arguments, call->what, call->set);
  arguments.option("--end", call->end, "the time to stop at (default: that of the problem)", "T");
  arguments.option("--discard", call->discard, "time before means begin (default: a tenth of all)", "T");
  arguments.option("--count", call->count, "how many of the leading exponents (default: all)", "K");
  arguments.option("--interval", call->interval,
                   "time between records, of which means and plot are made (default: 1/4000 of all)", "DT");
  arguments.option("--rtol", call->rtol, "tolerance of the motion and of its neighbours (default: 1e-9)",
                   "R");
  arguments.option("--start", call->start, "set an initial value, for instance q.x=1 (may be repeated)",
                   "NAME=VALUE");
  arguments.option(
      "--formulation", call->formulation,
      "all exponents of what a formulation makes of the problem, index1 or baumgarte (default: those of the "
      "motion on its constraints)",
      "F");
  arguments.option("--option", call->option, "set an option of the formulation (may be repeated)",
                   "NAME=VALUE");
  arguments.option("--plot", call->plot, "draw how the means settle to a .svg or .png file", "FILE");
  arguments.flag("--quiet", call->quiet, "do not show progress");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return show(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_lyapunov() {
  return {{.name = "analyse lyapunov",
           .rank = 40,
           .summary = "Lyapunov exponents: how fast neighbouring motions part or come together",
           .examples = {"dalembert analyse lyapunov lorenz --end 500",
                        "dalembert analyse lyapunov driven-pendulum --end 2000 --plot exponents.svg",
                        "dalembert analyse lyapunov double-pendulum --end 50 --count 2 --json"},
           .add = add_lyapunov}};
}

}  // namespace dalembert::app
