// The second half of SingularityCrossing: a singular step, and what becomes of it.
#include <algorithm>
#include <cmath>

#include "dalembert/control/singular/constants.h"
#include "dalembert/control/singular/crossing.h"
#include "dalembert/core/text.h"

namespace dalembert {

SingularityCrossing::Verdict SingularityCrossing::cross(const State& given, double H) {
  track_.from = given;
  State from = given;
  auto q = part_.q(from.y);
  auto v = part_.v(from.y);
  const double D = std::max(position_ - from.t, 0.0);
  if (part_.multipliers(from.y).size() > most_gap_rows)
    return refuse(Outcome::undecided,
                  "whether they meet is decided for up to " + std::to_string(most_gap_rows) + " rows only");
  if (D >
      .05 *
          H) {  // nearer, projection would do harm; the state comes out of a singular step then, or was given
    double moved = 0;
    if (branch_.project_position(from.t, q, &moved) != Outcome::ok ||
        branch_.project_velocity(v) != Outcome::ok)
      return shorter(H, "the state before it cannot be brought onto its constraints");
    if (moved > .05 * H * (1e-3 + largest(v)))
      return refuse(Outcome::undecided, "the state has drifted from its constraints by " +
                                            short_number(moved) +
                                            ", too far to know its branch; let the run project");
  }
  const double nearness = noise_distance() / std::max(clearance(H, D), 1e-300);
  return judge(from, H, step_.solve(from, H, D, 3 * nearness * nearness));
}

/// The time inside the singular step at which sigma vanishes, along the path through its nodes.
std::optional<double> SingularityCrossing::locate(double begin, double H, double D) {
  const double after = step_.quality().end.ahead(), most = .3 * H;
  if (starts_on_it_) return begin;
  if (after > 0 && !(D > 0 && D < H)) return {};
  double t = begin + std::clamp(D, .02 * H, .98 * H);
  Vector q(problem_.sizes().q), v(problem_.sizes().v);
  for (int round = 0; round < 12; ++round) {
    step_.path((t - begin) / H, q, v);
    branch_.check(t, q, v, next_);
    const double next = std::clamp(t + std::clamp(next_.ahead(), -most, most), begin, begin + H);
    const double change = next - t;
    t = next;
    if (std::abs(change) < 1e-4 * H) break;
  }
  if (t <= begin || t >= begin + H) return {};
  return t;
}

std::optional<Gap> SingularityCrossing::gap_inside(double t, double H, const std::optional<double>& found) {
  if (!found) return {};
  const double small = .1 * std::max(std::abs(now_.rate), std::abs(step_.quality().end.rate)) * H;
  return find_gap(
      branch_, [&](double at, Out q, Out v) { step_.path((at - t) / H, q, v); }, t, t + H, *found, small);
}

SingularityCrossing::Verdict SingularityCrossing::judge(const State& from, double H, const Attempt& attempt) {
  const double D = std::max(position_ - from.t, 0.0), after = step_.quality().end.ahead();
  if (attempt.outcome != Outcome::ok) return shorter(H, step_.quality().trouble);
  // Was it predicted badly? Then a node came too near, or the singular step ends before it.
  const std::optional<double> found = locate(from.t, H, D);
  const bool near_a_node = D > 0 && found && std::abs(*found - position_) > 1e-3 * H &&
                           clearance(H, *found - from.t) < singular::near_a_node * gauss_.central_gap() * H;
  const bool too_short = !found && after > 0 && after < .5 * H;
  if ((near_a_node || too_short) && proposals_ < singular::corrections && !fixed_) {
    ++proposals_;
    position_ = near_a_node ? *found : from.t + H + after;
    return Verdict::again;
  }
  const double nearness =
      noise_distance() / std::max(clearance(H, found ? *found - from.t : H + after), 1e-300);
  const bool drifts = !(step_.quality().drift <= singular::most_drift * (1 + 3 * nearness * nearness));
  // A gap spoils the singular step: it is looked for first, unless that costs more than another singular step.
  const bool cheap = part_.multipliers(from.y).size() <= singular::cheap_rows;
  if (!cheap && !(attempt.error <= 1)) return shorter(H, "its error is too large");
  const std::optional<Gap> gap = gap_inside(from.t, H, found);
  if (gap && gap->lost > 0 && gap->size > singular::meets * branch_.noise()) return miss(from, H, *gap);
  if (drifts) return shorter(H, "its end leaves the constraints");
  // A shorter singular step would meet rounding.
  const bool shortest = H < 1.7 * noise_distance() / gauss_.central_gap();
  if (!(attempt.error <= (shortest ? singular::most_error_of_shortest : singular::most_error)))
    return shorter(H, "its error is too large");
  const bool lost = met_ = gap && gap->lost > 0;
  if (!lost && after < 0 && now_.sigma > 1e-4 && branch_.orientation(now_, step_.quality().end) <= 0)
    return shorter(H, "the position is not found inside");
  if (lost)
    record(gap->t, *gap,
           std::string(starts_on_it_ ? "started on it: " : "") + "singular step of " + short_number(H) +
               " s over it, " + std::to_string(gauss_.nodes()) +
               " Gauss nodes; multipliers of least size inside, not unique");
  reach_ *= singular::lengthen;
  forget_tries();
  starts_on_it_ = false;
  return Verdict::crossed;
}

/// The rows do not meet at the position: is that so, and is it enough to know that the motion turns?
SingularityCrossing::Verdict SingularityCrossing::miss(const State& from, double H, const Gap& gap) {
  // An interpolation residual vanishes with H, a gap stays.
  const bool same =
      last_gap_ > 0 && gap.size > last_gap_ / singular::same_gap && gap.size < singular::same_gap * last_gap_;
  same_gap_ = same ? same_gap_ + 1 : 0;
  last_gap_ = gap.size;
  if (same_gap_ < singular::same_gaps && gaps_++ < singular::most_gaps) {
    cap_ = singular::shorten * H;
    ++proposals_;
    return Verdict::again;
  }
  forget_tries();
  const double noise = branch_.noise();
  const std::string by = "miss each other by " + short_number(gap.size);
  if (fixed_ || gap.size < std::max(singular::misses * noise, tolerance_ * tolerance_)) {
    record(gap.t, gap, "not passed: the rows " + by);
    return refuse(Outcome::undecided,
                  "they " + by +
                      (fixed_ ? ", and a fixed step cannot turn so sharply; let the step be controlled"
                              : ", which is neither rounding (" + short_number(noise) +
                                    ") nor clearly more; make the lengths meet exactly or miss by more"));
  }
  blocked_until_ = std::max(position_, from.t) + singular::turning_time * H;
  record(gap.t, gap, "turned before it: the rows " + by);
  return Verdict::again;
}

bool SingularityCrossing::stop_before_it() {
  if (!met_) return false;
  position_ = records_.back().t;
  std::string rows;
  for (const auto& row : records_.back().rows) rows += (rows.empty() ? "" : ", ") + row;
  outcome_ = Outcome::singular;
  message_ = "t = " + short_number(here_) + ": the rows " + rows +
             " become dependent at t = " + short_number(position_) +
             ", and the run was to stop before such a position";
  records_.back().how = "stopped before it";
  return true;
}

void SingularityCrossing::forget_tries() {
  cap_ = std::numeric_limits<double>::infinity();
  last_gap_ = -1;
  same_gap_ = gaps_ = 0;
}

SingularityCrossing::Verdict SingularityCrossing::shorter(double H, const std::string& why) {
  cap_ = singular::shorten * H;
  reach_ = cap_ * now_.pace;
  ++proposals_;
  if (cap_ >= .02 * noise_distance() && proposals_ <= singular::most_tries) return Verdict::again;
  if (!can_wait()) return refuse(Outcome::undecided, "no singular step over it succeeds: " + why);
  wait_ = (position_ - here_) / 2;
  wait_until_ = here_ + wait_;
  reach_ = std::numeric_limits<double>::infinity();
  proposals_ = 0;
  forget_tries();
  return Verdict::again;
}

/// What was predicted from far away may not be there: the method goes half the way, and it is looked at once more.
bool SingularityCrossing::can_wait() const {
  return !fixed_ && failures_ == 0 && now_.sigma > singular::on_it && position_ > here_;
}

SingularityCrossing::Verdict SingularityCrossing::refuse(Outcome outcome, const std::string& why) {
  outcome_ = outcome;
  message_ = "t = " + short_number(here_) + ": " + rows_in_words() + "; " + why;
  return Verdict::refused;
}

/// "the rows lambda.a, lambda.b": those that depend on each other there.
std::string SingularityCrossing::named_rows() const {
  constexpr int most_named = 6;
  std::string rows;
  const Layout layout = problem_.layout();
  const Vector share = now_.u.cwiseAbs();
  int named = 0;
  for (Eigen::Index i = 0; i < share.size(); ++i)
    if (share[i] > .2 * share.maxCoeff() && ++named <= most_named)
      rows += (rows.empty() ? "" : ", ") + layout.label(part_.differential() + i);
  return "the rows " + rows + (named > most_named ? " and others" : "");
}

/// "the rows lambda.a, lambda.b become dependent at t = 0.7"
std::string SingularityCrossing::rows_in_words() const {
  return named_rows() + " become dependent at t = " + short_number(position_);
}

std::string SingularityCrossing::remark(double t) const {
  if (idle_ || !std::isfinite(position_)) return "";
  if (t < blocked_until_ || std::abs(position_ - t) < 1e-2) return "; " + rows_in_words();
  // Far from any position the prediction is none: rows of very different bodies are like this all the time.
  return now_.sigma < 1e-2 ? "; " + named_rows() + " are nearly dependent here" : "";
}

std::vector<std::string> SingularityCrossing::names(const Gap& gap) const {
  const Layout layout = problem_.layout();
  std::vector<std::string> all;
  for (Eigen::Index i = 0; i < gap.shares.size(); ++i)
    if (gap.shares[i] > .05) all.push_back(layout.label(part_.differential() + i));
  return all;
}

void SingularityCrossing::record(double t, const Gap& gap, const std::string& how) {
  records_.push_back({t, names(gap), how});
}

void SingularityCrossing::complete(State& state) {
  if (part_.multipliers(state.y).allFinite()) return;
  Vector a(part_.v(state.y).size());
  step_.acceleration(state.t, a);
  least_multipliers(branch_, state.t, part_.q(state.y), part_.v(state.y), part_.s(state.y), a,
                    part_.multipliers(state.y));
}

}  // namespace dalembert
