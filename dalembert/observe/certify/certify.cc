#include "dalembert/observe/certify/certify.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/observe/certify/disagreement.h"
#include "dalembert/observe/certify/judgement.h"

namespace dalembert {

namespace {

constexpr int last_power = 12;  // of the tightest tolerance
constexpr std::size_t wanted_families = 3;
constexpr int samples_along = 100;           // so that the time is seen from which families part
constexpr std::size_t most_outputs = 10000;  // they are kept for every run
constexpr double dear = 20;         // a family that takes so many times the work of another one is asked last
constexpr double small_work = 1e5;  // evaluations and solves: with less, nobody is dear

/// From about as accurate as the digits asked for to where double precision ends, in steps of two digits.
std::vector<double> tolerances(int digits) {
  std::vector<double> all;
  for (int power = std::clamp(digits - 1, 3, 7); power < last_power; power += 2)
    all.push_back(std::pow(10., -power));
  all.push_back(std::pow(10., -last_power));
  return all;
}

double work(const Statistics& s) {
  return static_cast<double>(s.force_evaluations + s.jacobians + s.factorizations + s.solves);
}

/// A family with its recordings so far.
struct Asked {
  Family family;
  FamilyRecord record;
  std::vector<std::unique_ptr<Recording>> levels{};  // null: did not end well
  bool refused = false;
};

class Certifier {
 public:
  Certifier(std::shared_ptr<const Problem> problem, const CertifyOptions& options);
  Certificate certify();

 private:
  bool ask(Asked&, std::size_t level);
  RunOptions run_options(const Family&, double tolerance) const;
  void rank();
  bool tighten(std::size_t level);
  void weigh(std::size_t levels);
  void judge_all();
  void describe();
  CertainState state_at(Point) const;
  CertainValue::Status status(Eigen::Index entry, const Enclosure&) const;
  std::vector<CertainValue> events(const Judgement&) const;
  bool holds(const Judgement&) const;
  std::optional<double> horizon() const;
  double atol_per_rtol() const {
    const Tolerance& asked = options_.run.tolerance;
    return asked.relative > 0 ? asked.absolute / asked.relative : 1;
  }
  bool interrupted() const { return options_.run.interrupt != nullptr && options_.run.interrupt->load(); }

  std::shared_ptr<const Problem> problem_;
  const CertifyOptions& options_;
  std::vector<double> tolerances_, times_;
  double begin_, end_;
  std::int64_t most_steps_ = std::numeric_limits<std::int64_t>::max();  // while families are ranked
  std::vector<Asked> asked_;
  std::vector<Series> series_;
  Sizes sizes_;
  std::vector<bool> undetermined_;
  Certificate certificate_;
};

/// Output times of the caller, and those along the way.
std::vector<double> merged_times(const std::vector<double>& outputs, double begin, double end) {
  std::vector<double> all = output_times(begin, end, samples_along);
  all.insert(all.end(), outputs.begin(), outputs.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Certifier::Certifier(std::shared_ptr<const Problem> problem, const CertifyOptions& options)
    : problem_(std::move(problem)), options_(options), tolerances_(tolerances(options.digits)) {
  if (options.digits < 1 || options.digits > 12)
    throw Error("digits is " + std::to_string(options.digits), "it must be from 1 to 12");
  if (options.run.outputs.size() > most_outputs)
    throw Error("more than 10000 output times are asked for", "take fewer");
  State start = problem_->start();
  change_start(options.run.start, problem_->layout(), start);  // throws for names that are not there
  begin_ = start.t;
  end_ = checked_end(options.run.end, *problem_, options.run.start);
  times_ = merged_times(options.run.outputs, begin_, end_);
  for (const Family& family : families(*problem_))
    asked_.push_back({family, {family.name, family.pair.formulation->name, family.pair.method->name}});
  certificate_.digits = options.digits;
}

RunOptions Certifier::run_options(const Family& family, double tolerance) const {
  const RunOptions& given = options_.run;
  const double longest = (end_ - begin_) / family.pieces;
  RunOptions o;
  o.request = {family.pair.formulation->name, family.pair.method->name, Choice{family.pair, "as asked"}};
  const double relative = options_.run.tolerance.relative;
  o.tolerance =
      relative > 0 ? options_.run.tolerance.times(tolerance / relative) : Tolerance{tolerance, tolerance};
  o.end = given.end;
  o.max_step = given.max_step ? std::min(*given.max_step, longest) : longest;
  o.outputs = times_;
  o.start = given.start;
  o.consistent = given.consistent;
  o.most_steps = std::min(given.most_steps, most_steps_);
  o.interrupt = given.interrupt;
  return o;
}

/// Makes what is missing up to a level. False: the family does not come that far.
bool Certifier::ask(Asked& asked, std::size_t level) {
  while (!asked.refused && asked.levels.size() <= level && !interrupted()) {
    const double tolerance = tolerances_[asked.levels.size()];
    if (options_.progress)
      options_.progress(asked.record.formulation + " " + asked.record.method + " " + short_number(tolerance));
    CertifyingRun run{tolerance};
    std::unique_ptr<Recording> recording;
    try {
      recording = std::make_unique<Recording>(
          record(problem_, run_options(asked.family, tolerance), options_.watches, options_.limit));
      const Summary& s = recording->summary;
      run = {tolerance, s.outcome, s.message, s.statistics, s.seconds};
    } catch (const Error& error) {
      run.message = error.what();
    }
    certificate_.statistics += run.statistics;
    certificate_.seconds += run.seconds;
    const bool well = run.outcome && good(*run.outcome);
    asked.refused = !well && run.outcome != Outcome::untrusted;  // a tighter run may be trusted
    asked.record.runs.push_back(std::move(run));
    asked.levels.push_back(well ? std::move(recording) : nullptr);
  }
  return asked.levels.size() > level && asked.levels[level] != nullptr;
}

/// Asks families at the loosest tolerance until there are enough; those that take far more work than another one come last.
void Certifier::rank() {
  double least = std::numeric_limits<double>::infinity();
  const auto cost = [](const Asked& a) { return work(a.record.runs.front().statistics); };
  const auto cheap = [&](const Asked& a) {
    return !a.record.runs.empty() && !a.refused && cost(a) <= std::max(dear * least, small_work);
  };
  for (Asked& asked : asked_) {
    if (ask(asked, 0)) {
      least = std::min(least, cost(asked));
      most_steps_ = std::min(most_steps_, 5000 + 50 * asked.record.runs.front().statistics.steps);
    }
    if (std::count_if(asked_.begin(), asked_.end(), cheap) >= static_cast<long>(wanted_families)) break;
  }
  std::stable_partition(asked_.begin(), asked_.end(), cheap);
  most_steps_ = std::numeric_limits<std::int64_t>::max();
}

/// False: fewer than two families come that far.
bool Certifier::tighten(std::size_t level) {
  std::size_t there = 0;
  for (Asked& asked : asked_) {
    if (there == wanted_families) break;
    if (ask(asked, level)) ++there;
  }
  return there >= 2;
}

CertainValue::Status Certifier::status(Eigen::Index entry, const Enclosure& value) const {
  using enum CertainValue::Status;
  if (undetermined_[static_cast<std::size_t>(entry)]) return undetermined;
  // A number that may be 0 is as small as absolute tolerances see.
  const double size = std::max(sizes_.own[entry], value.low <= 0 && value.high >= 0 ? atol_per_rtol() : 0);
  const bool enough = value.half_width() <= .5 * std::pow(10., -options_.digits) * size;
  return enough || value.digits() >= options_.digits ? reached : less;
}

CertainState Certifier::state_at(Point point) const {
  const Judgement judgement = judge(series_, sizes_, point);
  CertainState state{judgement.t, {}, judgement.why_not};
  const Layout layout = problem_->report();
  for (Eigen::Index i = 0; i < sizes_.own.size(); ++i) {
    CertainValue value;
    if (i < layout.size()) {
      value.name = layout.label(i);
      for (const Block& block : layout.blocks())
        if (i >= block.offset && i < block.offset + block.size)
          value.unit = block.units[static_cast<std::size_t>(i - block.offset)];
    } else {
      const Watch& watch = options_.watches[static_cast<std::size_t>(i - layout.size())];
      value.name = watch.name, value.unit = watch.unit;
    }
    value.value = judgement.values.empty() ? Enclosure{not_a_number, not_a_number}
                                           : judgement.values[static_cast<std::size_t>(i)];
    value.status = status(i, value.value);
    if (!judgement.values.empty() && std::isnan(value.value.low))
      value.status = CertainValue::Status::undetermined;
    state.values.push_back(value);
  }
  return state;
}

/// Which entries the equations leave open, as far as runs know: multipliers of redundant rows, and watches that see them.
std::vector<bool> undetermined(const Recording& recording, const std::vector<Watch>& watches) {
  const Summary& s = recording.summary;
  const auto n = s.layout.size();
  std::vector<bool> all(static_cast<std::size_t>(n) + watches.size(), false);
  if (!s.redundancy) return all;
  const std::set<std::string> open(s.redundancy->not_unique.begin(), s.redundancy->not_unique.end());
  State other = s.state;
  for (Eigen::Index i = 0; i < n; ++i)
    if (open.contains(s.layout.label(i))) {
      all[static_cast<std::size_t>(i)] = true;
      other.y[i] += 1 + std::abs(other.y[i]);
    }
  for (std::size_t i = 0; i < watches.size(); ++i)
    all[static_cast<std::size_t>(n) + i] = watches[i].value(s.state) != watches[i].value(other);
  return all;
}

/// Lines the recordings up that there are now.
void Certifier::weigh(std::size_t levels) {
  series_.clear();
  for (const Asked& asked : asked_) {
    Series series(levels, nullptr);
    for (std::size_t k = 0; k < std::min(levels, asked.levels.size()); ++k) series[k] = asked.levels[k].get();
    series_.push_back(std::move(series));
  }
  for (std::size_t k = 0; k < levels; ++k)
    for (const Series& series : series_)
      if (series[k] != nullptr) {
        sizes_ = sizes(*series[k], options_.watches);
        undetermined_ = undetermined(*series[k], options_.watches);
        break;
      }
}

void Certifier::judge_all() {
  certificate_.end = state_at(at_the_end);
  certificate_.outputs.clear();
  for (std::size_t i = 0; i + 1 < times_.size(); ++i)
    if (std::binary_search(options_.run.outputs.begin(), options_.run.outputs.end(), times_[i]))
      certificate_.outputs.push_back(state_at(i));
}

std::vector<CertainValue> Certifier::events(const Judgement& judgement) const {
  std::vector<CertainValue> all;
  if (judgement.values.empty()) return all;
  std::vector<const std::vector<EventRecord>*> votes;
  for (const std::size_t voter : judgement.voters)
    for (const std::size_t level : {judgement.level - 1, judgement.level})
      votes.push_back(&series_[voter][level]->summary.events);
  std::size_t common = votes.front()->size();
  for (const auto* vote : votes) common = std::min(common, vote->size());
  for (std::size_t i = 0; i < common; ++i) {
    std::vector<double> times;
    for (const auto* vote : votes) times.push_back((*vote)[i].t);
    const Enclosure t = enclose(times, rounding(std::max(std::abs(begin_), std::abs(end_))));
    const bool enough = t.half_width() <= .5 * std::pow(10., -options_.digits) * (end_ - begin_);
    all.push_back({(*votes.front())[i].name, "s", t,
                   enough ? CertainValue::Status::reached : CertainValue::Status::less});
  }
  return all;
}

/// Does every differential entry have the digits asked for?
bool Certifier::holds(const Judgement& judgement) const {
  if (judgement.values.empty()) return false;
  for (std::size_t i = 0; i < sizes_.differential.size(); ++i)
    if (sizes_.differential[i] &&
        status(static_cast<Eigen::Index>(i), judgement.values[i]) == CertainValue::Status::less)
      return false;
  return true;
}

std::optional<double> Certifier::horizon() const {
  std::optional<double> until;
  for (Point point = 0; point + 1 < times_.size(); ++point) {
    const Judgement judgement = judge(series_, sizes_, point);
    if (!holds(judgement)) break;
    if (judgement.t > begin_) until = judgement.t;
  }
  return until;
}

void Certifier::describe() {
  const Judgement end = judge(series_, sizes_, at_the_end);
  certificate_.events = events(end);
  if (!holds(end)) certificate_.holds_until = horizon();
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    FamilyRecord& record = asked_[i].record;
    if (record.runs.empty()) continue;
    const bool voted = std::find(end.voters.begin(), end.voters.end(), i) != end.voters.end();
    record.verdict = voted ? end.values.empty() ? "converges, to something else than others" : "votes"
                           : why_no_vote(record, series_[i], sizes_);
    certificate_.families.push_back(record);
  }
  certificate_.remarks = remarks(certificate_, series_, sizes_);
}

Certificate Certifier::certify() {
  rank();
  for (std::size_t level = 1; level < tolerances_.size() && !interrupted(); ++level) {
    const bool further = tighten(level);
    weigh(level + 1);
    if (!further) break;
    if (level < 2) continue;
    judge_all();
    if (certificate_.reached()) break;
  }
  describe();
  return std::move(certificate_);
}

}  // namespace

bool Certificate::reached() const {
  const auto enough = [](const CertainState& state) {
    return state.why_not.empty() && !state.values.empty() &&
           std::none_of(state.values.begin(), state.values.end(),
                        [](const CertainValue& value) { return value.status == CertainValue::Status::less; });
  };
  return enough(end) && std::all_of(outputs.begin(), outputs.end(), enough);
}

Certificate certify(std::shared_ptr<const Problem> problem, const CertifyOptions& options) {
  return Certifier(std::move(problem), options).certify();
}

}  // namespace dalembert
