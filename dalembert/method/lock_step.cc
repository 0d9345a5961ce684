#include "dalembert/method/lock_step.h"

#include <algorithm>
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

void LockStep::bind(const Problem& problem, const Setting& setting) {
  sequence_ = as<Sequence>(&problem);
  if (sequence_ == nullptr) throw Error("only a sequence of problems is solved in lock-step");
  problem_ = &problem;
  const Layout layout = sequence_->iterate(0).layout();
  tolerance_ = setting.tolerance.on(layout);
  n_ = layout.size();
  difference_ = Vector::Zero(n_);
  trails_.clear();
  for (Eigen::Index s = 0; s < sequence_->most(); ++s) {
    trails_.push_back(std::make_unique<Trail>());
    Trail& mine = *trails_.back();
    mine.whole = this;
    mine.s = s;
    for (State* state : {&mine.from, &mine.to, &mine.inside}) state->y = Vector::Zero(n_);
    for (Vector* c : {&mine.begin, &mine.end, &mine.before, &mine.before_inside})
      *c = Vector::Zero(sequence_->carried_size());
    mine.values = Matrix::Zero(sequence_->carried_size(), static_cast<Eigen::Index>(Trail::most));
    mine.method = entry_.make();
  }
  begin_run([&](Eigen::Index s) {
    trail(s).method->bind(sequence_->iterate(s), setting);
    return true;
  });
}

bool LockStep::reset() {
  return begin_run([&](Eigen::Index s) { return trail(s).method->reset(); });
}

/// Every method in turn is prepared, and may evaluate what it is fed with.
template <class Prepare>
bool LockStep::begin_run(Prepare&& prepare) {
  for (auto& trail : trails_) trail->begin_known = false;
  take_beginnings(problem_->start());
  for (Eigen::Index s = 0; s < sequence_->most(); ++s) {
    if (s > 0) sequence_->feed(s, trail(s - 1));
    if (!prepare(s)) return false;
  }
  correction_ = {.iterates = sequence_->fewest(),
                 .norm = sequence_->fewest() > 1 ? 0 : not_a_number,
                 .size = 0,
                 .t = 0,
                 .entry = 0};
  restart();
  return true;
}

void LockStep::restart() {
  active_ = tried_ = sequence_->fewest();
  for (auto& trail : trails_) {
    trail->method->restart();
    trail->begin_known = trail->end_known = false;
    trail->count = 0;
  }
}

void LockStep::know_begin(Eigen::Index s) {
  Trail& mine = trail(s);
  if (mine.begin_known) return;
  if (s == 0) {
    sequence_->first(mine.before);
  } else {
    know_begin(s - 1);
    mine.before = trail(s - 1).begin;
  }
  sequence_->carry(s, t0_, mine.from.y, mine.before, mine.begin);
  mine.begin_known = true;
}

void LockStep::take_beginnings(const State& from) {
  t0_ = from.t;
  t1_ = from.t;
  for (Eigen::Index s = 0; s < sequence_->most(); ++s) {
    Trail& mine = trail(s);
    mine.from.t = from.t;
    mine.from.y = from.y.segment(s * n_, n_);
    mine.end_known = false;
    mine.count = 0;
  }
}

/// Outside the step, and before its end is known, the nearest value that is.
void LockStep::carried(Eigen::Index s, double t, Out c) {
  Trail& mine = trail(s);
  if (mine.end_known && t >= t1_) {
    c = mine.end;
    return;
  }
  if (!mine.end_known || t <= t0_) {
    know_begin(s);
    c = mine.begin;
    return;
  }
  for (std::size_t k = 0; k < mine.count; ++k)
    if (mine.times[k] == t) {
      c = mine.values.col(static_cast<Eigen::Index>(k));
      return;
    }
  mine.method->interpolate((t - t0_) / (t1_ - t0_), mine.inside);
  if (s == 0)
    sequence_->first(mine.before_inside);
  else
    carried(s - 1, t, mine.before_inside);
  sequence_->carry(s, t, mine.inside.y, mine.before_inside, c);
  if (mine.count < Trail::most) {
    mine.times[mine.count] = t;
    mine.values.col(static_cast<Eigen::Index>(mine.count++)) = c;
  }
}

double LockStep::difference(Eigen::Index s) const {
  const Vector &ours = trails_[static_cast<std::size_t>(s)]->to.y,
               &other = trails_[static_cast<std::size_t>(s - 1)]->to.y;
  difference_ = ours - other;
  return tolerance_.norm(difference_, ours, other);
}

std::optional<double> LockStep::first_step(const State& from, double end) {
  take_beginnings(from);
  std::optional<double> shortest;
  for (Eigen::Index s = 0; s < active_; ++s)
    if (const auto h = trail(s).method->first_step(trail(s).from, end))
      shortest = shortest ? std::min(*shortest, *h) : *h;
  return shortest;
}

Attempt LockStep::attempt(const State& from, double h, State& to) {
  take_beginnings(from);
  // Before anything else: an iterate keeps its last evaluation, which is to be the one at the end of the step.
  for (Eigen::Index s = 0; s + 1 < active_; ++s) know_begin(s);
  t1_ = from.t + h;
  tried_ = active_;
  Attempt worst;
  std::optional<double> next;
  for (Eigen::Index s = 0; s < tried_; ++s) {
    Trail& mine = trail(s);
    if (s >= active_) {  // just woken: whatever it remembers is of another try
      mine.method->restart();
      mine.begin_known = false;
    }
    Attempt one = mine.method->attempt(mine.from, h, mine.to);
    if (one.trouble) one.trouble->entry += s * n_;
    if (one.outcome != Outcome::ok) return one;
    if (one.next) next = next ? std::min(next, one.next) : one.next;
    if (s == 0 || one.error > worst.error) worst = one;
    const bool grows =
        s + 1 == tried_ && tried_ < sequence_->most() && sequence_->fewest() < sequence_->most();
    if (grows && s > 0 && difference(s) > 1) ++tried_;
    if (s + 1 == tried_) break;
    if (s > 0) mine.before = trail(s - 1).end;
    if (s == 0) sequence_->first(mine.before);
    sequence_->carry(s, t1_, mine.to.y, mine.before, mine.end);
    mine.end_known = true;
    if (!mine.end.allFinite()) return {.outcome = Outcome::not_finite};
  }
  // A step that one iterate rejects is not to be tried again because another one was content with its length.
  if (worst.error <= 1) worst.next = next;
  to.t = t1_;
  for (Eigen::Index s = 0; s < sequence_->most(); ++s)
    to.y.segment(s * n_, n_) = trail(std::min(s, tried_ - 1)).to.y;
  return worst;
}

void LockStep::accept() {
  active_ = tried_;
  for (Eigen::Index s = 0; s < active_; ++s) {
    Trail& mine = trail(s);
    mine.method->accept();
    if (mine.end_known) std::swap(mine.begin, mine.end);
    mine.begin_known = mine.end_known;
    mine.end_known = false;
    mine.count = 0;
  }
  correction_.iterates = active_;
  if (active_ < 2) return;
  const double norm = difference(active_ - 1);
  if (norm <= correction_.norm) return;
  correction_.norm = norm;
  correction_.size = difference_.cwiseAbs().maxCoeff(&correction_.entry);
  correction_.t = t1_;
}

void LockStep::interpolate(double theta, State& state) {
  for (Eigen::Index s = 0; s < sequence_->most(); ++s) {
    Trail& mine = trail(std::min(s, tried_ - 1));
    if (s < tried_) mine.method->interpolate(theta, mine.inside);
    state.y.segment(s * n_, n_) = mine.inside.y;
  }
  state.t = t0_ + theta * (t1_ - t0_);
}

/// The last correction bounds what is missing: each iterate is closer to the solution than the one before it.
std::vector<std::string> LockStep::warnings() const {
  const Correction& c = correction_;
  if (c.iterates < 2)
    return {
        "with one iterate nothing tells how far the result is from the solution; take iterates = 2 or more"};
  if (c.norm <= 1) return {};
  return {"the last of " + std::to_string(c.iterates) + " iterates still changed " +
          sequence_->iterate(0).layout().label(c.entry) + " by " + short_number(c.size) +
          " at t = " + short_number(c.t) + ", more than the tolerance; take more iterates or a smaller eps"};
}

std::unique_ptr<Method> make_for(const MethodEntry& entry, const Problem& problem) {
  if (as<Sequence>(&problem) != nullptr) return std::make_unique<LockStep>(entry);
  return entry.make();
}

}  // namespace dalembert
