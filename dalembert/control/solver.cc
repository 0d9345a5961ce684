#include "dalembert/control/solver.h"

#include <chrono>

#include "dalembert/control/added_stability.h"
#include "dalembert/control/failure.h"
#include "dalembert/control/integrate.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/control/singular/gap.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/method/lock_step.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/force_directions.h"
#include "dalembert/problem/substitute.h"

namespace dalembert {

/// What was made for one problem, and serves further runs.
struct Solver::Prepared {
  const Problem* problem = nullptr;
  std::unique_ptr<Formulation> formulation;
  std::unique_ptr<Method> method;
};

struct Solver::Kept {
  Kept(std::shared_ptr<const Problem> problem, RunOptions given)
      : options(std::move(given)), setup(std::move(problem), options) {}

  RunOptions options;
  RunSetup setup;
  ProblemFamily family;
  std::shared_ptr<Substitute> substitute;  // in whose place problems with other parameters are put
  Statistics statistics;                   // formulations and methods write here, run after run
  CouplingReport coupling;
  Prepared prepared;  // for setup.problem
  int preparations = 0;
  double shortfall = 1;  // of the method, because of rounding
};

namespace {

/// Might another pair go on?
bool another_may_do(const Ending& ending) {
  const Outcome o = ending.outcome;
  return ending.handed_over || (!good(o) && o != Outcome::interrupted && o != Outcome::too_many_steps &&
                                o != Outcome::output_failed);
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

/// One run: from a start, mode after mode, to a summary.
class Solver::Session {
 public:
  Session(Kept& kept, const std::map<std::string, double>& start, const std::vector<Observer*>& observers)
      : kept_(kept),
        options_(kept.options),
        setup_(kept.setup),
        observers_(observers),
        problem_(setup_.problem),
        state_(problem_->start()),
        changed_(!start.empty()),
        controller_(setup_.control) {
    change_start(start, problem_->layout(), state_);
    begin_ = state_.t;
    kept_.statistics = {};
    kept_.coupling = {};
    summary_.formulation = setup_.pair.formulation->name;
    summary_.method = setup_.pair.method->name;
    summary_.why = setup_.why;
    summary_.layout = problem_->report();
  }

  Summary run();

 private:
  StartReport begin_mode(bool first);
  Ending integrate_rows(bool dependent);
  Ending integrate_mode(const Problem&, const State& from, const std::vector<Observer*>&);
  Ending integrate_pair(const RunSetup&, const Problem&, const State& from, const std::vector<Observer*>&,
                        HandOver);
  bool may_change_pair() const;
  const RunSetup* stiff_setup();  ///< for motions that are stiff; nullptr if there is none
  void prepare(const RunSetup&, const Problem& mode, Prepared&);
  void warn_of_rounding(const Redundancy&, const RedundancyReport&);
  void warn_before(const Problem& mode, const Formulation&, const State& from);
  bool fixed() const { return controller_.control() == Control::fixed; }
  bool projects(const RunSetup& setup) const {
    return options_.projection == Projection::on ||
           (options_.projection == Projection::automatic && setup.pair.formulation->drifts);
  }
  /// Formulations that pass singular positions by themselves need nobody to watch for them, unless they are to stop.
  Singular singular() const {
    const bool passes = setup_.pair.formulation->crosses && options_.singular == Singular::watch;
    return rank_changes_ && !passes ? options_.singular : Singular::ignore;
  }
  void warn_after();
  void judge();
  void report();

  Kept& kept_;
  const RunOptions& options_;
  const RunSetup& setup_;
  const std::vector<Observer*>& observers_;
  std::shared_ptr<const Problem> problem_;  // the current mode
  State state_;
  double begin_ = 0;
  bool changed_;  // the start is not the problem's own
  Controller controller_;
  std::optional<AddedStability> added_;
  std::optional<RunSetup> stiff_setup_;
  bool stiff_pair_suits_ = false, probed_ = false;
  std::int64_t next_probe_ = 400;  // steps of the chosen pair, after which the other is tried
  bool rank_changes_ = true;  // rows do not depend on each other everywhere
  bool shown_start_ = false;
  Ending ending_;
  Summary summary_;
};

Summary Solver::Session::run() {
  const auto clock = std::chrono::steady_clock::now();
  bool first = true;
  double mode_begin = state_.t;
  int modes_in_place = 0;
  for (std::shared_ptr<const Problem> mode = problem_; mode; mode = ending_.next) {
    problem_ = mode;
    const StartReport start = begin_mode(first);
    if (start.outcome != Outcome::ok) break;
    first = false;
    ending_ = integrate_rows(start.dependent > 0);
    state_ = ending_.state;
    append(summary_.events, ending_.events);
    append(summary_.crossings, ending_.crossings);
    summary_.testimony.add(ending_.testimony);
    if (ending_.next && state_.t >= setup_.end) break;
    modes_in_place = state_.t > mode_begin ? 0 : modes_in_place + 1;
    mode_begin = state_.t;
    if (ending_.next && modes_in_place > 100) {
      ending_.outcome = Outcome::event_storm;
      ending_.message = "t = " + short_number(state_.t) +
                        ": modes follow each other without time passing, the last one at event '" +
                        (ending_.events.empty() ? std::string() : ending_.events.back().name) + "'";
      break;
    }
    if (ending_.next) state_ = reported(state_, problem_->layout(), ending_.next->layout());
  }
  summary_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
  for (Observer* o : observers_) o->end();
  report();
  return std::move(summary_);
}

StartReport Solver::Session::begin_mode(bool first) {
  StartReport start = make_consistent(*problem_, state_, first ? options_.consistent : StartOptions{});
  if (first) {
    summary_.start_message = start.message;
    if (const Events* events = problem_->events(); events != nullptr && start.outcome == Outcome::ok)
      if (auto mode = events->mode_at(state_)) {
        state_ = reported(state_, problem_->layout(), mode->layout());
        problem_ = std::move(mode);
        start = make_consistent(*problem_, state_);
      }
  }
  if (start.outcome != Outcome::ok)
    ending_ = {start.outcome, "t = " + short_number(state_.t) + ": " + start.message, state_, {}, nullptr};
  return start;
}

/// With rows that follow from others left out, unless the formulation takes them.
Ending Solver::Session::integrate_rows(bool dependent) {
  const auto plain = [this](const Problem& mode, const State& from, const std::vector<Observer*>& watching) {
    return integrate_mode(mode, from, watching);
  };
  const auto* mechanical = dependent ? as<Mechanical>(problem_.get()) : nullptr;
  const Redundancy found =
      mechanical ? find_redundancy(*mechanical, state_, options_.consistent.dependent) : Redundancy{};
  if (found.dependent.empty()) return plain(*problem_, state_, observers_);
  RedundancyReport report = name_rows(found, *mechanical);
  if (found.inconsistent > 0) warn_of_rounding(found, report);
  rank_changes_ = !setup_.pair.formulation->dependent_rows;
  Ending ending = setup_.pair.formulation->dependent_rows
                      ? plain(*problem_, state_, observers_)
                      : integrate_redundant(*mechanical, state_, found, observers_, plain, report);
  if (!summary_.redundancy) summary_.redundancy = std::move(report);
  return ending;
}

void Solver::Session::warn_of_rounding(const Redundancy& found, const RedundancyReport& report) {
  std::string rows;
  for (const auto& dependent : report.dependent) rows += (rows.empty() ? "" : ", ") + dependent.row;
  summary_.warnings.push_back("rows are inconsistent by about " + short_number(found.inconsistent) +
                              ", as where lengths are rounded; taken as redundant: " + rows);
}

void Solver::Session::prepare(const RunSetup& setup, const Problem& mode, Prepared& to) {
  // A method may evaluate the rewritten problem when it is reset: the formulation comes first.
  if (to.problem == &mode && to.formulation->reset() && to.method->reset()) return;
  ++kept_.preparations;
  to.problem = nullptr;
  to.formulation = setup.pair.formulation->make(mode, setup.formulation_options, kept_.statistics);
  const Problem& rewritten = to.formulation->rewritten();
  to.method = make_for(*setup.pair.method, rewritten);
  to.method->bind(rewritten, {.tolerance = options_.tolerance.carried(mode.layout(), rewritten.layout()),
                              .projection = projects(setup) ? Projection::on : Projection::off,
                              .precision = fixed() ? Precision::rounding : Precision::tolerance,
                              .options = setup.method_options,
                              .statistics = &kept_.statistics,
                              .fields = options_.fields,
                              .coupling = &kept_.coupling,
                              .shortfall = &kept_.shortfall});
  to.problem = &mode;
}

void Solver::Session::warn_before(const Problem& mode, const Formulation& formulation, const State& from) {
  if (!added_ && !projects(setup_)) {
    added_.emplace(AddedStability{*setup_.pair.formulation, formulation.added_spectrum(),
                                  LinearStability(*setup_.pair.method, setup_.method_options),
                                  setup_.pair.method->name});
    if (fixed())
      if (const auto warning = added_->with_fixed_step(*options_.step, setup_.end - from.t))
        summary_.warnings.push_back(*warning);
  }
  if (options_.singular == Singular::stop && !rank_changes_)
    summary_.warnings.push_back(
        "singular positions are not looked for: rows depend on each other everywhere");
  if (const auto* mechanical = as<Mechanical>(&mode);
      mechanical != nullptr && rank_changes_ && options_.singular != Singular::ignore &&
      mechanical->sizes().rows() > most_gap_rows && summary_.warnings.empty())
    summary_.warnings.push_back("singular positions are not looked for: the mechanism has " +
                                std::to_string(mechanical->sizes().rows()) + " rows, and up to " +
                                std::to_string(most_gap_rows) + " are watched");
}

bool Solver::Session::may_change_pair() const {
  const std::string& method = options_.request.method;
  return !fixed() && (method.empty() || method == "auto") && options_.options.empty() &&
         rank_changes_ && setup_.pair.formulation->to == Kind::ode && options_.tolerance.relative >= 1e-9;
}

const RunSetup* Solver::Session::stiff_setup() {
  RunOptions options = options_;
  options.request = {options_.request.formulation, "radau"};
  try {
    stiff_setup_.emplace(setup_.problem, options);
  } catch (const Error&) {  // the formulation that was asked for leads elsewhere
    return nullptr;
  }
  return &*stiff_setup_;
}

/// By the chosen pair, unless another one does better. Where steps are short for stability, and every now and then in long runs,
/// a pair for stiff motions makes a few steps, and goes on if they are longer by more than they cost.
Ending Solver::Session::integrate_mode(const Problem& mode, const State& from,
                                       const std::vector<Observer*>& watching) {
  constexpr double dearer = 5;  // a step of radau than one of dop853, in the mean over the catalogue
  Ending ending{.state = from};
  const auto go_on = [&](const RunSetup& setup, HandOver hand_over) {
    Ending part = integrate_pair(setup, mode, ending.state, watching, hand_over);
    part.events.insert(part.events.begin(), ending.events.begin(), ending.events.end());
    part.crossings.insert(part.crossings.begin(), ending.crossings.begin(), ending.crossings.end());
    Testimony seen = ending.testimony;
    seen.add(part.testimony);
    part.testimony = seen;
    ending = std::move(part);
  };
  const auto change_to = [&](const RunSetup& setup) {
    summary_.changes.push_back({ending.state.t, setup.pair.formulation->name, setup.pair.method->name});
  };
  while (!stiff_pair_suits_) {
    HandOver hand_over{};
    if (may_change_pair()) hand_over = {.when_stiff = !probed_, .after_steps = next_probe_};
    go_on(setup_, hand_over);
    if (!ending.handed_over) break;
    probed_ = true;
    next_probe_ *= 4;
    const RunSetup* other = stiff_setup();
    if (other == nullptr) continue;
    change_to(*other);
    go_on(*other, {.unless_longer = dearer * ending.mean_step});
    stiff_pair_suits_ = !ending.handed_over && good(ending.outcome);
    if (stiff_pair_suits_ || !another_may_do(ending)) return ending;
    change_to(setup_);
  }
  if (stiff_pair_suits_) go_on(*stiff_setup_, {});
  return ending;
}

Ending Solver::Session::integrate_pair(const RunSetup& setup, const Problem& mode, const State& from,
                                       const std::vector<Observer*>& watching, HandOver hand_over) {
  // What is made for the problem itself serves the next run too; other modes, and rows that are chosen along the way, come
  // and go.
  Prepared once;
  Prepared& use = &setup == &setup_ && &mode == setup_.problem.get() ? kept_.prepared : once;
  prepare(setup, mode, use);
  if (&setup == &setup_) warn_before(mode, *use.formulation, from);
  controller_.restart();
  const Pair& pair = setup.pair;
  Ending ending =
      integrate({.formulation = *use.formulation,
                 .method = *use.method,
                 .controller = controller_,
                 .tolerance = options_.tolerance,
                 .statistics = kept_.statistics,
                 .observers = watching,
                 .outputs = options_.outputs,
                 .show_start = !shown_start_,
                 .singular = singular(),
                 .scrutiny = options_.scrutiny,
                 .approximate = pair.formulation->approximate,
                 .weak_dense = pair.method->dense_order <= 3 && pair.method->order(pair.formulation->to) <= 4,
                 .land_on_outputs = pair.method->dense_order + 1 < pair.method->order(pair.formulation->to),
                 .end = setup_.end,
                 .first_step = options_.step,
                 .max_step = options_.max_step,
                 .most_steps = options_.most_steps,
                 .hand_over = hand_over,
                 .interrupt = options_.interrupt},
                from);
  shown_start_ = true;
  if (good(ending.outcome))
    for (const auto& warning : use.method->warnings())
      summary_.warnings.push_back("formulation '" + summary_.formulation + "': " + warning);
  return ending;
}

void Solver::Session::warn_after() {
  if (added_ && !fixed() && summary_.statistics.steps > 20)
    if (const auto warning =
            added_->with_mean_step((state_.t - begin_) / static_cast<double>(summary_.statistics.steps)))
      summary_.warnings.push_back(*warning);
  constexpr double noticed = 10;  // below, the next decimal of the tolerance makes as much of a difference
  if (!fixed() && kept_.shortfall >= noticed && good(ending_.outcome))
    summary_.warnings.push_back("method '" + summary_.method +
                                "' is at the limit of double precision: errors may be " +
                                short_number(kept_.shortfall) +
                                " times what the tolerance asks for; take a looser one, or a method of "
                                "higher order");
  if (ending_.stiff_since && !probed_ && !fixed() && summary_.warnings.empty())
    summary_.warnings.push_back("from t = " + short_number(*ending_.stiff_since) + " on, steps of '" +
                                summary_.method +
                                "' are short for stability, not for accuracy: the motion is stiff, and "
                                "method=radau or bdf may take far longer ones");
}

/// A run that came to its end is good only if what it delivers satisfies the equations.
void Solver::Session::judge() {
  const Testimony& seen = summary_.testimony;
  if (!good(ending_.outcome) || seen.verdict == Testimony::Verdict::trusted) return;
  const std::string where = "t = " + short_number(seen.t) + ": ";
  const std::string what = fixed() ? "the change of " + seen.entry + " within a step of " +
                                         short_number(*options_.step) + " is off by " +
                                         short_number(100 * seen.largest) + " % of itself"
                                   : seen.entry + " is off the equations by " + short_number(seen.largest) +
                                         " times the tolerance, and shorter steps do not help";
  const std::string advice = fixed() ? "take a shorter step, or a method that suits the problem better"
                                     : "take a looser tolerance, or another formulation or method";
  if (seen.verdict == Testimony::Verdict::doubtful) {
    summary_.warnings.push_back(where + what + "; " + advice);
    return;
  }
  ending_.outcome = Outcome::untrusted;
  ending_.message = where + "the computed motion does not satisfy the equations: " + what + "; " + advice;
}

void Solver::Session::report() {
  summary_.statistics = kept_.statistics;
  summary_.coupling = std::move(kept_.coupling);
  warn_after();
  judge();
  summary_.outcome = ending_.outcome;
  summary_.state = reported(state_, problem_->layout(), summary_.layout);
  summary_.message = ending_.message.empty()
                         ? "t = " + short_number(state_.t) + ": " + std::string(meaning(ending_.outcome))
                         : ending_.message;
  if (!changed_)  // else the reference is of another motion
    if (const auto exact = problem_->exact(summary_.state.t))
      summary_.error = block_errors(*problem_, summary_.state, summary_.layout, *exact);
}

Solver::Solver(std::shared_ptr<const Problem> problem, RunOptions options)
    : kept_(std::make_unique<Kept>(std::move(problem), std::move(options))) {}

Solver::Solver(ProblemFamily family, RunOptions options) : Solver(family({}), std::move(options)) {
  kept_->family = std::move(family);
}

Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const Pair& Solver::pair() const {
  return kept_->setup.pair;
}
const std::string& Solver::why() const {
  return kept_->setup.why;
}
int Solver::preparations() const {
  return kept_->preparations;
}

Summary Solver::run(const std::vector<Observer*>& observers) {
  return run(kept_->options.start, observers);
}

Summary Solver::run(const Values& start, const std::vector<Observer*>& observers) {
  return Session(*kept_, start, observers).run();
}

Summary Solver::run(const Values& start, const Values& parameters, const std::vector<Observer*>& observers) {
  if (!kept_->family)
    throw Error("this solver has one problem, not a family of them", "make it from a function of parameters");
  exchange(kept_->family(parameters));
  return run(start, observers);
}

void Solver::exchange(std::shared_ptr<const Problem> problem) {
  RunSetup& setup = kept_->setup;
  const auto mechanical = std::dynamic_pointer_cast<const Mechanical>(problem);
  const auto* mine = as<Mechanical>(setup.problem.get());
  // Directions of constraint forces are asked for by another interface, which a substitute does not have.
  const bool can = mechanical && mine != nullptr && dynamic_cast<const ForceDirections*>(mine) == nullptr;
  const Mechanical* now = kept_->substitute ? &kept_->substitute->problem() : mine;
  if (!can || !same_structure(*now, *mechanical)) {
    kept_->options.request.answer.reset();
    setup = RunSetup(std::move(problem), kept_->options);
    kept_->substitute = nullptr;
    kept_->prepared = {};
    return;
  }
  if (!kept_->substitute) {
    kept_->substitute = std::make_shared<Substitute>(mechanical);
    setup.problem = kept_->substitute;
    kept_->prepared = {};
  }
  kept_->substitute->exchange(mechanical);
  setup.end = kept_->options.end.value_or(mechanical->end());
}

Summary run(std::shared_ptr<const Problem> problem, const RunOptions& options,
            const std::vector<Observer*>& observers) {
  return Solver(std::move(problem), options).run(observers);
}

}  // namespace dalembert
