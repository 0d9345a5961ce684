// What a window is judged by, and what is said when it fails.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/constraints/interface_compliance.h"
#include "dalembert/core/error.h"
#include "dalembert/core/rounding.h"
#include "dalembert/core/text.h"
#include "dalembert/method/partitioned/window_iteration.h"

namespace dalembert {

namespace {

constexpr double believed = 100;  // tolerances that the check allows: lambda is the last to settle
constexpr double rounding =
    3e5 * machine_epsilon;  // of multipliers: that of a linear system, times its condition

}  // namespace

/// Are the multipliers at the end of out_ those that the original equations ask for? The residual is that of all of them.
bool WindowIteration::consistent() {
  const Mechanical& whole = *problem_->whole();
  const MechanicalState part(whole.sizes());
  reach_end();
  const auto v = part.v(end_.y), s = part.s(end_.y), l = part.multipliers(end_.y);
  if (mechanics_->accelerate(end_.t, part.q(end_.y), v, s, {}, check_a_, check_l_) != Outcome::ok) {
    window_.residual = not_a_number;
    return true;  // nothing to compare with; the fields have moved on without it
  }
  whole.mass(mechanics_->here(), M_);
  whole.jacobian(mechanics_->here(), J_);
  whole.force(mechanics_->here(), v, s, force_);
  force_ = -force_;
  M_.multiply(end_a_, 1, force_);
  J_.multiply_transposed(l, 1, force_);
  whole.bias(mechanics_->here(), v, row_);
  J_.multiply(end_a_, 1, row_);
  window_.residual = std::max(largest(force_), largest(row_));
  const double noise = rounding * largest(check_l_);
  for (const Eigen::Index r : problem_->interface()) {
    const double scale = tolerance_.of(part.differential() + r, std::abs(l[r]));
    if (std::abs(l[r] - check_l_[r]) > believed * std::max(scale, noise)) return false;
  }
  return true;
}

/// Where fields agree to a tolerance, what they leave of their interface is of that size, whatever the length of the window, and the
/// next one would begin with it. So the window ends on all rows: in closed_, with its accelerations. How far that is from end_ is an
/// error of this window.
Outcome WindowIteration::find_closed_end() {
  const MechanicalState part(problem_->whole()->sizes());
  closed_ = end_;
  auto q = part.q(closed_.y), v = part.v(closed_.y);
  if (const Outcome outcome = mechanics_->factor(end_.t, q); outcome != Outcome::ok) return outcome;
  if (const Outcome outcome = mechanics_->project(end_.t, q, v); outcome != Outcome::ok) return outcome;
  if (const Outcome outcome =
          mechanics_->accelerate(end_.t, q, v, part.s(closed_.y), {}, closed_a_, part.multipliers(closed_.y));
      outcome != Outcome::ok)
    return outcome;
  moved_ = (closed_.y - end_.y).head(part.differential());
  gap_ = of_the_run_.norm(moved_, start_.y, end_.y);
  return Outcome::ok;
}

/// Where a millionth of a window has not helped, the next one will not.
bool WindowIteration::shorter_may_do() const {
  constexpr double least = 1e-6;
  return precision_ == Precision::tolerance && window_.h > least * longest_;
}

Attempt WindowIteration::converged_falsely() {
  if (shorter_may_do()) return {.outcome = Outcome::newton_diverged};
  const MechanicalState part(problem_->whole()->sizes());
  Eigen::Index worst = problem_->interface().front();
  const auto off = [&](Eigen::Index r) { return std::abs(part.multipliers(end_.y)[r] - check_l_[r]); };
  for (const Eigen::Index r : problem_->interface())
    if (off(r) > off(worst)) worst = r;
  return {.outcome = Outcome::coupling_diverged,
          .why = "false convergence: after " + std::to_string(window_.iterations) +
                 " iterations the fields no longer change, but row " +
                 problem_->layout().label(part.differential() + worst) +
                 " of the original equations, differentiated twice, is violated by " +
                 short_number(std::abs(row_[worst])) + ", and its multiplier is off by " +
                 short_number(off(worst)) +
                 (scheme_.splitting == Splitting::alternating
                      ? " (each of the two splittings undoes what the other one did)"
                      : "") +
                 "; " + remedy()};
}

Attempt WindowIteration::failed(std::size_t field, Attempt attempt) const {
  if (attempt.outcome == Outcome::singular)
    attempt.why = "field '" + problem_->fields()[field].name +
                  "' alone, with the interface rows that are imposed on it, is singular; " + remedy();
  return attempt;
}

/// Shorter windows help only if the iteration contracts in the limit of short ones.
Attempt WindowIteration::diverged(double h, const std::string& what) const {
  double limit = 0;
  try {
    const auto S = interface_compliances(*problem_, start_);
    const auto& carriers = scheme_.splitting == Splitting::first ? first_.carriers : last_.carriers;
    const auto factors = limit_factors(*problem_, S, carriers);
    limit = factors.empty() ? std::numeric_limits<double>::infinity() : 0;
    const double omega = scheme_.relaxing == Relaxing::fixed ? scheme_.omega : 1;
    for (const auto f : factors) {
      std::complex<double> one = 1.0 - omega * (1.0 - f);
      if (scheme_.splitting == Splitting::weighted) one = scheme_.theta * f + (1 - scheme_.theta) / f;
      if (scheme_.splitting == Splitting::alternating) one = 1;
      limit = std::max(limit, std::abs(one));
    }
  } catch (const Error&) {
    limit = std::numeric_limits<double>::infinity();
  }
  const bool hopeless =
      limit >= 1 && scheme_.relaxing != Relaxing::aitken && scheme_.relaxing != Relaxing::quasi_newton;
  if (shorter_may_do() && !hopeless) return {.outcome = Outcome::newton_diverged};
  return {.outcome = Outcome::coupling_diverged,
          .why = "the iteration between the fields " + what + " in the window of length " + short_number(h) +
                 ", measured contraction " + short_number(window_.contraction) +
                 (limit > 0 ? " (" + short_number(limit) + " in the limit of short windows)" : "") + "; " +
                 remedy()};
}

/// The splitting or relaxation that would converge, from the compliances of the fields.
std::string WindowIteration::remedy() const {
  const bool one_side = scheme_.splitting == Splitting::last || scheme_.splitting == Splitting::first;
  std::string text;
  const auto offer = [&](const std::string& what) { text += (text.empty() ? "" : ", or ") + what; };
  try {
    const auto S = interface_compliances(*problem_, start_);
    const auto last = limit_factors(*problem_, S, carried_by_last(*problem_)),
               first = limit_factors(*problem_, S, carried_by_first(*problem_));
    const auto size = [](const auto& f) {
      return f.empty() ? std::numeric_limits<double>::infinity() : std::abs(f.front());
    };
    const bool better_last = size(last) < size(first);
    const Splitting better = better_last ? Splitting::last : Splitting::first;
    if (const double factor = std::min(size(last), size(first));
        std::isfinite(factor) && scheme_.splitting != better)
      offer(std::string("option splitting=") + (better_last ? "last" : "first") +
            (factor < 1 ? " contracts by " + short_number(factor) + " in short windows" : " is regular"));
    // The factors are real where masses are symmetric: 1 - omega (1 - f) is least for omega from their mean.
    if (const auto& mine = scheme_.splitting == Splitting::first ? first : last; one_side && !mine.empty()) {
      double least = mine.front().real(), most = least;
      for (const auto f : mine) least = std::min(least, f.real()), most = std::max(most, f.real());
      if (most < 1)
        offer("options relaxation=fixed and omega=" + short_number(2 / (2 - least - most)) +
              " makes the most of this splitting");
    }
  } catch (const Error&) {
    offer("cut the problem elsewhere: a field alone is singular");
  }
  if (one_side && scheme_.relaxing != Relaxing::quasi_newton)
    offer("option relaxation=quasi-newton finds its own way");
  return text.empty() ? "try shorter windows, or cut the problem elsewhere" : text;
}

}  // namespace dalembert
