#include "dalembert/control/session.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "dalembert/control/alternatives.h"
#include "dalembert/control/reporter.h"
#include "dalembert/control/singular/gap.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/formulation/shared_plan.h"
#include "dalembert/method/lock_step.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/lasting_rank.h"

namespace dalembert {

namespace {

/// Might another pair go on?
bool another_may_do(const Ending& ending) {
  const Outcome o = ending.outcome;
  return ending.handed != Handed::no || (!good(o) && o != Outcome::interrupted &&
                                         o != Outcome::too_many_steps && o != Outcome::output_failed);
}

/// The first pair for stiff motions goes on if its steps are longer than those before by more than they cost. If that takes long,
/// the next one shows whether it needs less work.
constexpr double dearer = 5;           // a step of radau than one of dop853, in the mean over the catalogue
constexpr std::int64_t long_run = 50;  // steps of radau
// Where the first pair goes on with the equations of the one before, its steps cost about as much, the second pair is tried only if
// that takes very long, and work is counted where much of it is not done twice.
constexpr std::int64_t very_long_run = 400;
constexpr double overrated = 2;

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

Summary Session::run() {
  const auto tell_end = [this] {
    for (Observer* o : observers_) o->end();
  };
  try {
    run_modes();
  } catch (
      ...) {  // from a function of the caller: observers may hold files, and are told the end all the same
    tell_end();
    throw;
  }
  summary_.seconds = seconds();
  tell_end();
  report();
  return std::move(summary_);
}

double Session::seconds() const {
  return seconds_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_).count();
}

void Session::run_modes() {
  bool first = true;
  if (options_.resume) take_up();
  double mode_begin = state_.t;
  int modes_in_place = 0;
  for (std::shared_ptr<const Problem> mode = problem_; mode; mode = ending_.next) {
    problem_ = mode;
    const StartReport start = resuming_ ? StartReport{} : begin_mode(first);
    if (start.outcome != Outcome::ok) break;
    first = false;
    ending_ = integrate_rows(start.dependent > 0);
    state_ = ending_.state;
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
}

/// What is above the steps. What a mode is made of, its rows and who integrates it are found again from there.
bool Session::remember(Memory& memory) {
  const Events* const events = problem_->events();
  std::vector<int> which = events != nullptr ? events->which_mode() : std::vector<int>{};
  if (!memory.reading() && which.empty() && problem_ != setup_.problem)
    return false;  // a mode without a number
  double so_far = seconds();
  memory(which, begin_, settled_, plan_, suspected_, probed_, next_probe_, rank_changes_, rows_, report_,
         shortfall_, so_far, summary_.start_message, summary_.changes, summary_.events, summary_.crossings,
         summary_.redundancy, summary_.warnings, summary_.testimony);
  if (!memory.reading()) return true;
  seconds_before_ = so_far;
  if (!which.empty() && events != nullptr) problem_ = events->mode(which);
  if (problem_ == nullptr) Memory::refuse();
  return true;
}

void Session::take_up() {
  resuming_.emplace(options_.resume->memory);
  remember(*resuming_);
  if (plan_.turn != Turn::own || settled_) find_stiff_setups();
  if (rows_) rows_->chosen = RowsInUse::Chosen::before;
  state_ = {options_.resume->t, Vector::Zero(problem_->layout().size())};
  shown_start_ = true;
}

StartReport Session::begin_mode(bool first) {
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
Ending Session::integrate_rows(bool dependent) {
  const auto plain = [this](const Problem& mode, const State& from, const std::vector<Observer*>& watching) {
    return integrate_mode(mode, from, watching);
  };
  if (!resuming_) {
    report_.reset();
    rows_.reset();
    const auto* mechanical = dependent ? as<Mechanical>(problem_.get()) : nullptr;
    const Redundancy found =
        mechanical ? find_redundancy(*mechanical, state_, options_.consistent.dependent) : Redundancy{};
    if (!found.dependent.empty()) {
      report_ = name_rows(found, *mechanical);
      if (found.inconsistent > 0) warn_of_rounding(found, *report_);
      rank_changes_ = !setup_.pair.formulation->dependent_rows;
      if (rank_changes_) rows_ = {found, state_.t};
    }
  }
  Ending ending =
      rows_ ? integrate_redundant(as<Mechanical>(*problem_), state_, *rows_, observers_, plain, *report_)
            : plain(*problem_, state_, observers_);
  if (report_ && !summary_.redundancy) summary_.redundancy = std::move(report_);
  return ending;
}

void Session::warn_of_rounding(const Redundancy& found, const RedundancyReport& report) {
  std::string rows;
  for (const auto& dependent : report.dependent) rows += (rows.empty() ? "" : ", ") + dependent.row;
  summary_.warnings.push_back("rows are inconsistent by about " + short_number(found.inconsistent) +
                              ", as where lengths are rounded; taken as redundant: " + rows);
}

void Session::prepare(const RunSetup& setup, const Problem& mode, PreparedPair& to) {
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
                              .shortfall = &to.shortfall});
  to.problem = &mode;
}

/// Modes and rows that are chosen anew begin as the first one did.
void Session::warn_once(const std::string& sentence) {
  auto& all = summary_.warnings;
  if (std::find(all.begin(), all.end(), sentence) == all.end()) all.push_back(sentence);
}

void Session::warn_before(const Problem& mode, const Formulation& formulation, const State& from) {
  const Pair& pair = setup_.pair;
  const int index = rewritten_index(*pair.formulation, *setup_.problem);
  if (!pair.method->stable(pair.formulation->to, index))
    warn_once("method '" + summary_.method + "' is not known to converge at index " + std::to_string(index) +
              ": what it delivers may be wrong at any tolerance");
  if (!added_ && !projects(setup_)) {
    added_.emplace(AddedStability{*setup_.pair.formulation, formulation.added_spectrum(),
                                  LinearStability(*setup_.pair.method, setup_.method_options),
                                  setup_.pair.method->name});
    if (fixed())
      if (const auto warning = added_->with_fixed_step(*options_.step, setup_.end - from.t))
        warn_once(*warning);
  }
  if (const auto* shared = dynamic_cast<const SharedPlan*>(&formulation))
    if (const auto refusal = shared->plan().refusal()) warn_once(*refusal);
  if (options_.singular == Singular::stop && !rank_changes_)
    warn_once("singular positions are not looked for: rows depend on each other everywhere");
  const auto* mechanical = as<Mechanical>(&mode);
  if (mechanical == nullptr || !rank_changes_ || !rows_may_become_dependent(mode)) return;
  if (options_.singular == Singular::ignore && mechanical->sizes().rows() > 0)
    warn_once(
        "singular positions are not looked for, as asked: a motion that comes to one may go on along another "
        "branch");
  else if (mechanical->sizes().rows() > most_gap_rows)
    warn_once("singular positions are not looked for: the mechanism has " +
              std::to_string(mechanical->sizes().rows()) + " rows, and up to " +
              std::to_string(most_gap_rows) + " are watched");
}

bool Session::may_change_pair() const {
  return !fixed() && rank_changes_ && may_hand_over(setup_.pair, options_);
}

void Session::find_stiff_setups() {
  if (stiff_setups_) return;
  stiff_setups_.emplace();
  RunOptions options = options_;
  for (const Pair& pair : pairs_when_stiff(*setup_.problem, options_)) {
    options.request = {pair.formulation->name, pair.method->name};
    stiff_setups_->emplace_back(setup_.problem, options);
  }
}

const RunSetup& Session::setup_of(Turn turn) const {
  if (turn == Turn::own) return setup_;
  if (turn == Turn::settled) return setup_of(*settled_);
  return (*stiff_setups_)[turn == Turn::second_stiff ? 1 : 0];
}

/// Does that pair go on with the equations of the chosen one, before their multipliers are eliminated?
bool Session::same_equations(Turn turn) const {
  return setup_of(turn).pair.formulation == setup_.pair.formulation;
}

/// Of the chosen pair, until it is worth trying another one.
Session::Plan Session::own_turn() const {
  if (!may_change_pair()) return {};
  const bool cheap =
      !suspected_ && !probed_ && stiff_pair_keeps_equations(setup_.pair, *setup_.problem, options_);
  return {Turn::own, {.when_stiff = !probed_, .when_suspected = cheap, .after_steps = next_probe_}};
}

Session::Plan Session::change_to(Turn turn, const char* why, HandOver hand_over, const Ending& so_far) {
  const Pair& pair = setup_of(turn).pair;
  summary_.changes.push_back({so_far.state.t, pair.formulation->name, pair.method->name, why});
  return {turn, hand_over};
}

/// By the chosen pair, unless another one does better: where steps are short for stability, and every now and then in long runs,
/// pairs for stiff motions are tried.
Ending Session::integrate_mode(const Problem& mode, const State& from,
                               const std::vector<Observer*>& watching) {
  if (!resuming_) plan_ = settled_ ? Plan{Turn::settled} : own_turn();
  Ending ending;
  ending.state = from;
  for (std::optional<Plan> next = plan_; next; next = next_turn(ending)) {
    plan_ = *next;
    ending = integrate_pair(setup_of(plan_.turn), mode, Ending(ending), watching, plan_.hand_over);
  }
  return ending;
}

/// Who goes on, if anybody does.
std::optional<Session::Plan> Session::next_turn(const Ending& ending) {
  switch (plan_.turn) {
    case Turn::own: {
      if (ending.handed == Handed::no) return {};
      suspected_ = true;
      if (ending.handed != Handed::suspected) {
        probed_ = true;
        next_probe_ *= 4;
      }
      find_stiff_setups();
      if (stiff_setups_->empty()) return own_turn();
      const bool same = same_equations(Turn::first_stiff);
      HandOver back{.unless_longer = (same ? 1 : dearer) * ending.mean_step};
      if (stiff_setups_->size() > 1) back.after_steps = same ? very_long_run : long_run;
      return change_to(Turn::first_stiff, "the motion is stiff", back, ending);
    }
    case Turn::first_stiff:
      if (ending.handed == Handed::over)
        return change_to(
            Turn::second_stiff, "it may take less work",
            {.unless_cheaper = ending.effort / (same_equations(Turn::first_stiff) ? overrated : 1)}, ending);
      break;
    case Turn::second_stiff:
      if (another_may_do(ending)) return change_to(Turn::first_again, "it took more work", {}, ending);
      break;
    case Turn::first_again:
      break;
    case Turn::settled:
      return {};
  }
  settled_ = plan_.turn;
  if (!another_may_do(ending)) return {};
  settled_.reset();
  return change_to(Turn::own, good(ending.outcome) ? "steps were not longer with it" : "it could not go on",
                   own_turn().hand_over, ending);
}

Ending Session::integrate_pair(const RunSetup& setup, const Problem& mode, const Ending& so_far,
                               const std::vector<Observer*>& watching, HandOver hand_over) {
  // What is made for the problem itself serves the next run too; other modes, and rows that are chosen along the way, come
  // and go.
  PreparedPair once;
  PreparedPair& use = &setup == &setup_ && &mode == setup_.problem.get() ? kept_.prepared : once;
  prepare(setup, mode, use);
  shortfall_ = use.shortfall;
  if (&setup == &setup_) warn_before(mode, *use.formulation, so_far.state);
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
                 .reporting = options_.reporting,
                 .show_start = !shown_start_,
                 .singular = singular(setup),
                 .scrutiny = options_.scrutiny,
                 .approximate = pair.formulation->approximate,
                 .weak_dense = pair.method->dense_order <= 3 && pair.method->order(pair.formulation->to) <= 4,
                 .land_on_outputs = pair.method->dense_order + 1 < pair.method->order(pair.formulation->to),
                 .end = setup_.end,
                 .first_step = options_.step,
                 .max_step = options_.max_step,
                 .most_steps = options_.most_steps,
                 .hand_over = hand_over,
                 .interrupt = options_.interrupt,
                 .remember_above = [this](Memory& memory) { return remember(memory); },
                 .watching = so_far.watching.get(),
                 .resume = resuming_ ? &*resuming_ : nullptr},
                so_far.state);
  resuming_.reset();
  shortfall_ = use.shortfall;  // a method may meet rounding on its way
  shown_start_ = true;
  append(summary_.events, ending.events);
  append(summary_.crossings, ending.crossings);
  summary_.testimony.add(ending.testimony);
  if (!good(ending.outcome)) return ending;
  for (const auto& warning : use.method->warnings())
    summary_.warnings.push_back("formulation '" + summary_.formulation + "': " + warning);
  if (!fixed()) append(summary_.warnings, use.formulation->warnings(options_.tolerance));
  return ending;
}

void Session::warn_after() {
  if (added_ && !fixed() && summary_.statistics.steps > 20)
    if (const auto warning =
            added_->with_mean_step((state_.t - begin_) / static_cast<double>(summary_.statistics.steps)))
      summary_.warnings.push_back(*warning);
  constexpr double noticed = 10;  // below, the next decimal of the tolerance makes as much of a difference
  if (!fixed() && shortfall_ >= noticed && good(ending_.outcome))
    summary_.warnings.push_back("method '" + summary_.method +
                                "' is at the limit of double precision: errors may be " +
                                short_number(shortfall_) +
                                " times what the tolerance asks for; take a looser one, or a method of "
                                "higher order");
  if (ending_.stiff_since && !probed_ && !fixed() && summary_.warnings.empty())
    summary_.warnings.push_back("from t = " + short_number(*ending_.stiff_since) + " on, steps of '" +
                                summary_.method +
                                "' are short for stability, not for accuracy: the motion is stiff, and "
                                "method=radau or bdf may take far longer ones");
}

/// Where a law switches back and forth in no time, there is no motion between the switches that steps could follow.
void Session::explain_chatter() {
  if (!ending_.chatters_since) return;
  const std::string what = "from t = " + short_number(*ending_.chatters_since) +
                           " on, a law switches back and forth without time passing";
  const std::string advice =
      "; dry friction that is written with sign() does so at rest, where kind = \"stick-slip\" can rest, and "
      "so "
      "does a switch that turns itself off: let it change over a width";
  if (good(ending_.outcome))
    summary_.warnings.push_back(what + ", which is right to the tolerance only" + advice);
  else if (ending_.outcome == Outcome::too_many_steps)
    ending_.message = "t = " + short_number(state_.t) + ": " + what +
                      ", and the allowed number of steps does not lead to the end" + advice;
}

/// A run that came to its end is good only if what it delivers satisfies the equations.
void Session::judge() {
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

void Session::report() {
  summary_.statistics = kept_.statistics;
  summary_.coupling = std::move(kept_.coupling);
  warn_after();
  explain_chatter();
  judge();
  summary_.outcome = ending_.outcome;
  summary_.state = Reporter(*problem_, summary_.layout)(state_);
  summary_.message = ending_.message.empty()
                         ? "t = " + short_number(state_.t) + ": " + std::string(meaning(ending_.outcome))
                         : ending_.message;
  if (!changed_)  // else the reference is of another motion
    if (const auto exact = problem_->exact(summary_.state.t))
      summary_.error = block_errors(*problem_, summary_.state, summary_.layout, *exact);
}

}  // namespace dalembert
