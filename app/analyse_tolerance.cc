// dalembert analyse tolerance: is a tolerance an accuracy? Errors over tolerances of many runs, pair by pair.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/outputs.h"
#include "app/screen.h"
#include "app/text.h"
#include "app/tolerance_survey.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

struct Call {
  std::vector<std::string> what, pairs, rtol;
  std::string limit = "20", out, worst = "3";
  bool accurate = false, json = false, quiet = false;
};

/// Of a set of numbers.
struct Spread {
  double median = not_a_number, most = not_a_number, largest = not_a_number;  // most: 90 % are below
};

Spread spread(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) {
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  };
  return {at(.5), at(.9), values.back()};
}

/// The runs of one pair on one half.
struct Group {
  std::string pair;
  Half half;
  std::vector<const SurveyedRun*> good_runs{};
  long refused = 0;

  Spread ratios(double SurveyedRun::*error) const {
    std::vector<double> all;
    for (const auto* run : good_runs) all.push_back(run->*error / run->rtol);
    return spread(std::move(all));
  }
  /// Over what the growth of the problem explains.
  Spread ratios_over_growth() const {
    std::vector<double> all;
    for (const auto* run : good_runs)
      if (std::isfinite(run->growth)) all.push_back(run->along / run->rtol / std::max(run->growth, 1.));
    return spread(std::move(all));
  }
};

std::vector<Group> groups(const Survey& survey, const std::vector<std::string>& pairs) {
  std::vector<Group> all;
  for (const auto& pair : pairs)
    for (const Half half : {Half::calibration, Half::judged}) {
      Group group{pair, half};
      for (const auto& run : survey.runs) {
        if (run.pair != pair || run.half != half) continue;
        if (run.delivered)
          group.good_runs.push_back(&run);
        else
          ++group.refused;
      }
      if (!group.good_runs.empty() || group.refused > 0) all.push_back(std::move(group));
    }
  return all;
}

std::string ratio(double x) {
  return std::isfinite(x) ? fmt::format("{:.2g}", x) : std::isnan(x) ? "-" : "inf";
}

std::string table(const std::vector<Group>& all) {
  Table table({"pair", "half", "median", "90 %", "largest", "along: median", "90 %", "largest",
               "over growth: 90 %", "largest", "runs", "refused"});
  for (const Group& group : all) {
    const Spread end = group.ratios(&SurveyedRun::end), along = group.ratios(&SurveyedRun::along),
                 left = group.ratios_over_growth();
    table.add({group.pair, name(group.half), ratio(end.median), ratio(end.most), ratio(end.largest),
               ratio(along.median), ratio(along.most), ratio(along.largest), ratio(left.most),
               ratio(left.largest), std::to_string(group.good_runs.size()), std::to_string(group.refused)});
  }
  return shown(table);
}

std::string worst_runs(const std::vector<Group>& all, std::size_t count) {
  Table table({"pair", "half", "worst", "rtol", "at the end", "along", "growth"});
  for (const Group& group : all) {
    auto runs = group.good_runs;
    std::sort(runs.begin(), runs.end(), [](const auto* a, const auto* b) {
      return std::tuple(-a->along / a->rtol, a->subject) < std::tuple(-b->along / b->rtol, b->subject);
    });
    runs.resize(std::min(runs.size(), count));
    for (const auto* run : runs)
      table.add({group.pair, name(group.half), run->subject, number(run->rtol), ratio(run->end / run->rtol),
                 ratio(run->along / run->rtol), ratio(run->growth)});
  }
  return table.empty() ? "" : "\n" + shown(table);
}

std::string left_out(const Survey& survey) {
  std::string text;
  for (const auto& subject : survey.subjects)
    if (!subject.why_not.empty()) text += "  " + subject.name + ": " + subject.why_not + "\n";
  return text.empty() ? text : "\nleft out, because no reference is certain:\n" + text;
}

Json to_json(const Spread& s) {
  return {{"median", s.median}, {"most", s.most}, {"largest", s.largest}};
}

Json to_json(const SurveyedRun& run) {
  return {{"subject", run.subject},
          {"half", name(run.half)},
          {"pair", run.pair},
          {"formulation", run.formulation},
          {"method", run.method},
          {"rtol", run.rtol},
          {"error_end", run.end},
          {"error_along", run.along},
          {"growth", run.growth},
          {"steps", run.statistics.steps},
          {"force_evaluations", run.statistics.force_evaluations},
          {"seconds", run.seconds},
          {"outcome", dalembert::name(run.outcome)},
          {"delivered", run.delivered},
          {"message", run.message}};
}

Json to_json(const Survey& survey, const std::vector<Group>& all) {
  Json json = {{"pairs", Json::array()}, {"subjects", Json::array()}, {"runs", Json::array()}};
  for (const Group& group : all)
    json["pairs"].push_back({{"pair", group.pair},
                             {"half", name(group.half)},
                             {"end", to_json(group.ratios(&SurveyedRun::end))},
                             {"along", to_json(group.ratios(&SurveyedRun::along))},
                             {"over_growth", to_json(group.ratios_over_growth())},
                             {"runs", group.good_runs.size()},
                             {"refused", group.refused}});
  for (const auto& subject : survey.subjects)
    json["subjects"].push_back({{"subject", subject.name},
                                {"half", name(subject.half)},
                                {"doubt", subject.doubt},
                                {"growth", subject.growth},
                                {"families", subject.families},
                                {"why_not", subject.why_not}});
  for (const auto& run : survey.runs) json["runs"].push_back(to_json(run));
  return json;
}

void write_csv(const std::string& file, const Survey& survey) {
  std::string all =
      "subject,half,pair,formulation,method,rtol,error_end,error_along,growth,steps,force_evaluations,"
      "seconds,outcome\n";
  for (const auto& r : survey.runs)
    all += fmt::format("{},{},{},{},{},{:g},{:.6e},{:.6e},{:.6e},{},{},{:.6e},{}\n", r.subject, name(r.half),
                       r.pair, r.formulation, r.method, r.rtol, r.end, r.along, r.growth, r.statistics.steps,
                       r.statistics.force_evaluations, r.seconds, dalembert::name(r.outcome));
  write_text(file, all);
}

SurveyOptions options(const Call& call) {
  SurveyOptions o{.subjects = call.what, .pairs = call.pairs};
  if (o.subjects.empty()) o.subjects = all_subjects();
  if (o.pairs.empty()) o.pairs = {"auto", "radau", "bdf", "hem5", "dopri5", "phem56"};
  for (const auto& text : call.rtol) o.tolerances.push_back(to_number("--rtol", text));
  if (o.tolerances.empty()) o.tolerances = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
  for (const double rtol : o.tolerances) Tolerance{rtol, rtol}.validate();
  if (call.accurate) o.made = SurveyOptions::Made::accurate_run;
  o.limit = to_number("--limit", call.limit);
  if (!(o.limit > 0)) throw Error("--limit is " + call.limit, "it must be larger than 0");
  if (!call.quiet) o.progress = tell;
  o.interrupt = &watch_for_interrupt();
  return o;
}

Status show(const Call& call) {
  check_outputs({{"--out", call.out, ".csv"}}, call.what);
  const SurveyOptions o = options(call);
  const auto worst = static_cast<std::size_t>(to_count("--worst", call.worst));
  const Survey survey = survey_tolerances(o);
  const auto all = groups(survey, o.pairs);
  const auto known = std::count_if(survey.subjects.begin(), survey.subjects.end(),
                                   [](const auto& subject) { return subject.why_not.empty(); });
  if (call.json)
    print(to_json(survey, all));
  else
    say_page(fmt::format("error/rtol of {}, at the end and over the motion\n\n",
                         plural(known, "subject", "subjects")) +
             table(all) + worst_runs(all, worst) + left_out(survey));
  Status status = o.interrupt->load() ? ended_early : done;
  if (!call.out.empty()) status = std::max(status, written([&] { write_csv(call.out, survey); }));
  return status;
}

Action add_tolerance(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  arguments.words(
      "WHAT", call->what,
      "problems of the catalogue and model files (default: all of both that come with the program)");
  arguments.list("--pair", call->pairs,
                 "methods, or formulation+method, separated by commas (default: "
                 "auto,radau,bdf,hem5,dopri5,phem56)",
                 "P");
  arguments.list("--rtol", call->rtol,
                 "tolerances, separated by commas; atol is the same (default: 1e-3 to 1e-10)", "R");
  arguments.flag(
      "--accurate", call->accurate,
      "make each run with `run --accuracy R` instead of --rtol R; those that do not get there are refused");
  arguments.option("--limit", call->limit, "abandon a run after this many processor seconds (default: 20)",
                   "S");
  arguments.option("--worst", call->worst, "how many of the worst runs of each pair are shown (default: 3)",
                   "N");
  arguments.option("--out", call->out, "write all runs to a .csv file", "FILE");
  arguments.flag("--quiet", call->quiet, "do not show progress");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return show(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_tolerance() {
  return {
      {.name = "analyse tolerance",
       .rank = 20,
       .summary = "how errors follow the tolerance, over many problems and pairs",
       .examples = {"dalembert analyse tolerance", "dalembert analyse tolerance pendulum andrews",
                    "dalembert analyse tolerance --pair ggl+radau,mexx --rtol 1e-4,1e-6 --out ratios.csv"},
       .add = add_tolerance}};
}

}  // namespace dalembert::app
