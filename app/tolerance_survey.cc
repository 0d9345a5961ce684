#include "app/tolerance_survey.h"

#include <ctime>
#include <optional>

#include "app/model_files.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/control/run_settings.h"
#include "dalembert/core/error.h"
#include "dalembert/observe/accuracy/accurate_run.h"
#include "dalembert/observe/accuracy/deviation.h"
#include "dalembert/observe/accuracy/growth.h"
#include "dalembert/observe/accuracy/trusted_motion.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert::app {

namespace {

constexpr int samples = 23;          // along the motion: few, and not where steps like to end
constexpr double sharp = 1e-11;      // a reference that needs no further family
constexpr double most_doubt = 1e-4;  // one that is of no use
constexpr double doubt_of_rtol = 1. / 3;

PairRequest request(const std::string& pair) {
  const auto plus = pair.find('+');
  PairRequest request{"auto", pair};
  if (plus != std::string::npos) request = {pair.substr(0, plus), pair.substr(plus + 1)};
  if (request.formulation != "auto") find_formulation(request.formulation);
  if (request.method != "auto") find_method(request.method);
  return request;
}

/// What the file says of a run besides its pair, tolerances and steps; none if the problem has no such pair, or it cannot
/// follow a tolerance.
std::optional<RunOptions> run_options(const Subject& subject, const PairRequest& pair, double rtol) {
  RunSettings mine;
  mine.formulation = pair.formulation, mine.method = pair.method;
  mine.rtol = mine.atol = rtol;
  mine.controller = Control::pi;
  mine.output = OutputSetting{OutputSetting::By::pieces, samples};
  try {
    const ResolvedRun run = resolve(merge(mine, subject.settings()), *subject.problem);
    if (adapts(run.choice.pair, *subject.problem)) return run.options;
  } catch (const Error&) {
  }
  return {};
}

/// Collects what a run delivers.
class Collector final : public Observer {
 public:
  explicit Collector(double limit) : limit_(limit) {}
  void step(const StepView&) override {
    late_ = static_cast<double>(std::clock() - begun_) > limit_ * CLOCKS_PER_SEC;
  }
  void output(const State& state) override { samples.push_back({state.t, state.y}); }
  Outcome status() const override { return late_ ? Outcome::interrupted : Outcome::ok; }

  std::vector<Sample> samples;

 private:
  double limit_;
  std::clock_t begun_ = std::clock();
  bool late_ = false;
};

class Surveyor {
 public:
  explicit Surveyor(const SurveyOptions& options) : options_(options) {
    for (const auto& pair : options.pairs) request(pair);
  }
  Survey survey() {
    for (std::size_t i = 0; i < options_.subjects.size() && !interrupted(); ++i)
      measure(options_.subjects[i], i % 2 == 0 ? Half::calibration : Half::judged);
    return std::move(all_);
  }

 private:
  void measure(const std::string& name, Half);
  void measure_runs(const Subject&, const SurveyedSubject&, const Recording& truth);
  void measure_run(const Subject&, const RunOptions&, const Recording& truth, SurveyedRun&) const;
  Recording record_accurately(const Subject&, const RunOptions&, SurveyedRun&) const;
  double growth(const Subject&, const RunOptions&) const;
  void tell(const std::string& what) const {
    if (options_.progress) options_.progress(what);
  }
  bool interrupted() const { return options_.interrupt != nullptr && options_.interrupt->load(); }

  const SurveyOptions& options_;
  Survey all_;
};

double Surveyor::growth(const Subject& subject, const RunOptions& run) const {
  GrowthOptions o;
  o.run = run;
  o.run.outputs.clear();
  o.moments = 4, o.directions = 2;
  o.limit = options_.limit;
  const Growth found = measure_growth(subject.problem, o);
  return found.why_not.empty() ? found.worst() : not_a_number;
}

Recording Surveyor::record_accurately(const Subject& subject, const RunOptions& run,
                                      SurveyedRun& result) const {
  std::optional<Collector> last;
  AccurateRun accurate = run_accurately(subject.problem, run, result.rtol, [&] {
    return std::vector<Observer*>{&last.emplace(options_.limit)};
  });
  result.statistics = accurate.estimate.statistics;
  result.seconds = accurate.estimate.seconds;
  result.message = sentence(accurate.estimate);
  result.delivered = good(accurate.summary.outcome) && accurate.estimate.reached();
  Recording recording{std::move(accurate.summary), std::move(last->samples)};
  const State& end = recording.summary.state;
  if (!recording.samples.empty() && recording.samples.back().t == end.t) recording.samples.pop_back();
  recording.samples.push_back({end.t, end.y});
  return recording;
}

void Surveyor::measure_run(const Subject& subject, const RunOptions& run, const Recording& truth,
                           SurveyedRun& result) const {
  const bool accurate = options_.made == SurveyOptions::Made::accurate_run;
  const Recording ours =
      accurate ? record_accurately(subject, run, result) : record(subject.problem, run, {}, options_.limit);
  const Summary& s = ours.summary;
  result.formulation = s.formulation, result.method = s.method;
  result.outcome = s.outcome;
  if (!accurate) {
    result.message = s.message;
    result.statistics = s.statistics, result.seconds = s.seconds;
    result.delivered = good(s.outcome);
  }
  if (!result.delivered) return;
  const Problem& problem = *subject.problem;
  const Tolerance unit{1, 1};
  result.end = largest_differential(problem, end_deviations(problem, unit, ours, truth));
  result.along = largest_differential(problem, deviations(problem, unit, ours, truth));
}

void Surveyor::measure_runs(const Subject& subject, const SurveyedSubject& about, const Recording& truth) {
  for (const auto& pair : options_.pairs)
    for (const double rtol : options_.tolerances) {
      if (interrupted() || about.doubt > doubt_of_rtol * rtol) continue;
      auto run = run_options(subject, request(pair), rtol);
      if (!run) continue;
      run->interrupt = options_.interrupt;
      tell(subject.name + " " + pair + " " + number(rtol));
      SurveyedRun result{.subject = subject.name, .pair = pair, .half = about.half, .rtol = rtol};
      result.growth = about.growth;
      try {
        measure_run(subject, *run, truth, result);
      } catch (const Error&) {  // the method cannot do it, and says so
        continue;
      }
      if (!interrupted()) all_.runs.push_back(std::move(result));
    }
}

void Surveyor::measure(const std::string& name, Half half) {
  const Subject subject = find_subject(name);
  SurveyedSubject about{.name = name, .half = half};
  tell(name);
  auto run = run_options(subject, {"auto", "auto"}, 1e-9);
  if (!run) run = run_options(subject, {"auto", "radau"}, 1e-9);
  if (run) {
    run->interrupt = options_.interrupt;
    const TrustedMotion motion = trusted_motion(subject.problem, *run, sharp, most_doubt, options_.limit);
    about.doubt = motion.doubt;
    about.families = motion.families;
    about.why_not = motion.why_not;
    if (motion.recording) {
      about.growth = growth(subject, *run);
      measure_runs(subject, about, *motion.recording);
    }
  } else {
    about.why_not = "no pair follows a tolerance";
  }
  all_.subjects.push_back(std::move(about));
}

}  // namespace

std::string name(Half half) {
  return half == Half::calibration ? "calibration" : "judged";
}

std::vector<std::string> all_subjects() {
  std::vector<std::string> all;
  for (const auto& entry : all_problems()) all.push_back(entry.name);
  for (const auto& file : model_files({})) all.push_back(file.string());
  return all;
}

Survey survey_tolerances(const SurveyOptions& options) {
  return Surveyor(options).survey();
}

}  // namespace dalembert::app
