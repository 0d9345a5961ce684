#include "dalembert/control/redundant_rows.h"

#include <algorithm>
#include <cmath>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/reporter.h"
#include "dalembert/core/text.h"
#include "dalembert/formulation/null_space/independent_rows.h"

namespace dalembert {

namespace {

constexpr double poor = 5;            // coefficient between unit rows, beyond which other rows are chosen
constexpr double independent = 1e-2;  // a dropped unit row that sticks out so far has become independent

/// Stands between a run on independent rows and those who watch the original problem; and watches the rows.
class Between final : public Observer, private StepView {
 public:
  Between(const IndependentRows& rows, const std::vector<Observer*>& observers, RowsInUse& use)
      : rows_(rows),
        use_(use),
        observers_(observers),
        independent_(std::max(independent, 3 * use.found.tolerance)),
        reporter_(rows.original()),
        events_(rows.original().events()) {
    if (events_ != nullptr) e_ = Vector::Zero(static_cast<Eigen::Index>(events_->list().size()));
  }

  enum class Show { beginning, nothing };
  void show(Show what) { show_ = what; }
  bool better_choice() const { return better_choice_; }

  void begin(const Problem&, const State& start) override {
    // No choice may be better than this one.
    if (use_.chosen == RowsInUse::Chosen::now) {
      const double now = coefficient(start);
      use_.most = std::isfinite(now) ? std::max(poor, 10 * now) : poor;
    }
    if (show_ == Show::nothing) return;
    rows_.widen(start, wide_, Depth::multipliers);
    for (Observer* o : observers_) o->begin(rows_.original(), wide_);
  }
  void tried(const TriedStep& step) override {
    for (Observer* o : observers_) o->tried(step);
  }
  void step(const StepView& step) override {
    step_ = &step;
    const State& mine = step.at(step.end(), Depth::positions);
    const auto now = rows_.dependence(mine.t, mine.y.head(rows_.sizes().q));
    better_choice_ = std::isfinite(now.coefficient) &&
                     (now.coefficient > use_.most || now.sticking_out > independent_) && no_event_at(mine);
    conflict_ = rows_.conflict(mine);
    t_ = mine.t;
    for (Observer* o : observers_) o->step(*this);
  }
  void output(const State& mine) override {
    rows_.widen(mine, wide_, Depth::multipliers);
    const State shown = reporter_(wide_);
    for (Observer* o : observers_) o->output(shown);
  }
  void event(const EventRecord& record, const State& after) override {
    rows_.widen(after, wide_, Depth::multipliers);
    for (Observer* o : observers_) o->event(record, wide_);
  }
  bool wants_checkpoint() const override {
    return std::any_of(observers_.begin(), observers_.end(),
                       [](const Observer* o) { return o->wants_checkpoint(); });
  }
  void checkpoint(const Checkpoint& here) override {
    for (Observer* o : observers_)
      if (o->wants_checkpoint()) o->checkpoint(here);
  }
  Outcome status() const override {
    for (const Observer* o : observers_)
      if (o->status() != Outcome::ok) return o->status();
    return conflict_.size > 0 ? Outcome::singular : better_choice_ ? Outcome::stopped : Outcome::ok;
  }
  std::string trouble() const override {
    for (const Observer* o : observers_)
      if (o->status() != Outcome::ok) return o->trouble();
    if (conflict_.size == 0) return {};
    return "t = " + short_number(t_) + ": constraint rows conflict: " +
           reporter_.layout().label(reporter_.layout().size() - rows_.original().sizes().rows() +
                                    conflict_.row) +
           " followed from the others at the start and has a residual of " + short_number(conflict_.size) +
           " here; remove it, or correct its data";
  }

 private:
  double begin() const override { return step_->begin(); }
  double end() const override { return step_->end(); }
  const State& at(double t, Depth depth) const override {
    rows_.widen(step_->at(t, depth), wide_, depth);
    return wide_;
  }

  double coefficient(const State& mine) const {
    return rows_.dependence(mine.t, mine.y.head(rows_.sizes().q)).coefficient;
  }
  /// A step that ends on an event is answered before anything else.
  bool no_event_at(const State& mine) {
    if (events_ == nullptr) return true;
    rows_.events()->values(mine, e_);
    return (e_.array().abs() > 1e-6).all();
  }

  const IndependentRows& rows_;
  RowsInUse& use_;
  const std::vector<Observer*>& observers_;
  double independent_;
  Reporter reporter_;
  const Events* events_;
  Vector e_;
  Show show_ = Show::beginning;
  const StepView* step_ = nullptr;
  mutable State wide_;
  IndependentRows::Conflict conflict_;
  bool better_choice_ = false;
  double t_ = 0;
};

/// Would other rows have been a better choice where the run ended?
bool badly_chosen(const IndependentRows& rows, const State& state) {
  const auto now = rows.dependence(state.t, state.y.head(rows.sizes().q));
  return now.coefficient > 2 || now.sticking_out > independent;
}

/// Endings that other rows might have avoided.
bool of_the_rows(Outcome outcome) {
  return outcome == Outcome::singular || outcome == Outcome::newton_diverged ||
         outcome == Outcome::projection_failed || outcome == Outcome::step_too_small ||
         outcome == Outcome::not_finite;
}

/// A long list is cut: programs read all of it from the report.
std::string list(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string all;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) all += (i == 0 ? "" : ", ") + names[i];
  return names.size() > most ? all + " and " + std::to_string(names.size() - most) + " more" : all;
}

/// Residuals of rows that follow from the others: rounding, or what is inconsistent at the start, which grows with the way. Within the
/// tolerance of their rank they say nothing of their own.
double may_leave(const Redundancy& found) {
  return std::max({1e-7, 30 * found.inconsistent, found.tolerance});
}

}  // namespace

RedundancyReport name_rows(const Redundancy& found, const Mechanical& problem) {
  const Layout layout = problem.layout();
  const auto name = [&](Eigen::Index row) {
    return layout.label(MechanicalState(problem.sizes()).differential() + row);
  };
  RedundancyReport report{.rows = found.rows,
                          .rank = found.rank,
                          .degrees_of_freedom = found.degrees_of_freedom(),
                          .dependent = {},
                          .unique = {},
                          .not_unique = {}};
  for (const auto& d : found.dependent) {
    report.dependent.push_back({name(d.row), {}});
    for (const Eigen::Index row : d.on) report.dependent.back().on.push_back(name(row));
  }
  for (Eigen::Index i = 0; i < found.rows; ++i)
    (std::binary_search(found.unique.begin(), found.unique.end(), i) ? report.unique : report.not_unique)
        .push_back(name(i));
  return report;
}

std::vector<std::string> in_words(const RedundancyReport& report) {
  std::vector<std::string> all = {std::to_string(report.rows) + " constraint rows of rank " +
                                  std::to_string(report.rank) + ": " +
                                  std::to_string(report.degrees_of_freedom) +
                                  (report.degrees_of_freedom == 1 ? " degree" : " degrees") + " of freedom"};
  for (const auto& d : report.dependent)
    all.push_back(d.row + (d.on.empty() ? " says nothing" : " follows from " + list(d.on)));
  if (report.dependent.empty()) return all;
  all.push_back("multipliers not unique, those of least norm are given: " +
                (report.unique.empty() ? "all" : list(report.not_unique)));
  all.push_back("unique: " + (report.unique.empty() ? "" : list(report.unique) + ", and ") +
                "the generalised constraint forces J'lambda");
  return all;
}

Ending integrate_redundant(const Mechanical& mode, const State& start, RowsInUse& use,
                           const std::vector<Observer*>& observers, const Integrate& integrate,
                           RedundancyReport& report) {
  State state = start;
  Redundancy& found = use.found;
  for (auto show = Between::Show::beginning;; show = Between::Show::nothing) {
    const IndependentRows rows(mode, found.independent(), may_leave(found));
    Between between(rows, observers, use);
    between.show(show);
    State mine;
    rows.narrow(state, mine);
    StartReport again;
    if (use.chosen == RowsInUse::Chosen::now)
      again = make_consistent(rows, mine);  // multipliers; nothing is moved
    Ending ending;
    if (again.outcome == Outcome::ok)
      ending = integrate(rows, mine, {&between});
    else
      ending = {again.outcome, "t = " + short_number(mine.t) + ": " + again.message, mine, {}, nullptr};
    rows.widen(State(ending.state), state, Depth::multipliers);
    ending.state = state;
    const bool asked =
        ending.outcome == Outcome::stopped && ending.message.empty() && between.better_choice();
    const bool failed = of_the_rows(ending.outcome) && ending.message != between.trouble() &&
                        state.t > use.chosen_at && badly_chosen(rows, state);
    if (!asked && !failed) return ending;
    const double inconsistent = found.inconsistent;
    found = find_redundancy(mode, state, found.tolerance);
    found.inconsistent = std::max(found.inconsistent, inconsistent);
    if (failed && found.rank_here < found.rank) return ending;  // no rows are independent at this position
    use.chosen_at = state.t;
    use.chosen = RowsInUse::Chosen::now;
    ++report.choices;
  }
}

}  // namespace dalembert
