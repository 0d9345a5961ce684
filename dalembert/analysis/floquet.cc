#include "dalembert/analysis/floquet.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>

#include "dalembert/analysis/repeated_values.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/multibody/mechanism.h"
#include "dalembert/multibody/pose.h"

namespace dalembert {

namespace {

constexpr double at_rest = 1e-9;      // |F| over 1 + |z|: an equilibrium
constexpr double certain_errors = 2;  // by which a modulus is off the unit circle if it is not on it
constexpr double least_doubt = 10;  // tolerances, beside the largest entry of M: two runs may agree by chance
constexpr double coarser = 10;      // tolerance of the second computation
constexpr double enough_of_gap = .1;  // that may be left if the step is shorter for it
constexpr double nearly_singular = 1e-2;
constexpr int most_times = 6;
constexpr double came_to_rest = 1e-7;       // of the rate that the search began with
constexpr int longest_search = 16;          // for a period, in times of a run
constexpr std::int64_t least_steps = 4000;  // of a search, however many runs these are
constexpr double no_motion = 1e-8;          // of a unit, beside 1 and what has it
constexpr double same_equations = 1e-8;     // rates at two times, over their size

class Shooting {
 public:
  Shooting(std::shared_ptr<const Problem> problem, const FloquetOptions& options)
      : problem_(problem), options_(options), flow_(problem, options.flow), end_(problem->end()) {
    const Layout& layout = flow_.layout();
    for (const Block& block : layout.blocks())
      for (Eigen::Index i = 0; i < block.size; ++i)
        if (block.units[static_cast<std::size_t>(i)] == "rad") angles_.push_back(block.offset + i);
    if (const auto* mechanism = as<Mechanism>(as_mechanical(*problem_)); mechanism && !is_planar(*mechanism))
      for (const BodyRecord& body : mechanism->bodies())
        if (body.turns) quaternions_.push_back(body.q + 3);
  }

  PeriodicOrbit solve();

 private:
  Vector rate(double t, const Vector& z) {
    Vector F(z.size());
    flow_.rate(t, z, F);
    return F;
  }
  /// In parts of the sizes of what moves.
  Vector parts(const Vector& z) const { return z.cwiseQuotient(flow_.sizes()); }
  /// Coordinates on the tangent space.
  Matrix along(const Matrix& of) const {
    return B_.transpose() * flow_.sizes().array().square().inverse().matrix().asDiagonal() * of;
  }
  /// What is not more than `part` of the motion and of the digits that positions have.
  bool small(const Vector& r, double part) const {
    return (r.cwiseAbs().array() <= part * (flow_.sizes() + z_.cwiseAbs()).array()).all();
  }
  bool same(const Vector& a, const Vector& b) const {
    return parts(a - b).norm() <= same_equations * (1 + parts(a).norm() + parts(b).norm());
  }
  void find_sizes();
  bool depends_on_time();
  void check_period();
  double look_for_period();
  double nearest_return(double guess);
  Vector gap();
  Outcome shoot();
  void correct(const Vector& r);
  Outcome converge();
  void look_for_shorter();
  Matrix second_monodromy();
  void add_multipliers(const Matrix& M, const Matrix& doubt);
  void conclude();

  std::shared_ptr<const Problem> problem_;
  const FloquetOptions& options_;
  TangentFlow flow_;
  double end_;
  std::vector<Eigen::Index> angles_, quaternions_;
  Vector signs_;  // of the end as gap() saw it: x and -x are one position of a unit quaternion x
  double t_ = 0, T_ = 0;
  Vector z_;
  Matrix B_;
  PeriodicOrbit orbit_;
};

/// z(T) - z(0), of quaternions up to their signs, without whole turns that the equations do not see. A torsion spring sees them: all that have turned are tried together, as
/// they turn in a rotor, and then one by one.
Vector Shooting::gap() {
  State end = flow_.state();
  signs_ = Vector::Ones(z_.size());
  for (const Eigen::Index i : quaternions_)
    if (end.y.segment<4>(i).dot(z_.segment<4>(i)) < 0) signs_.segment<4>(i).setConstant(-1);
  end.y.array() *= signs_.array();
  Vector r = end.y - z_, turns = Vector::Zero(r.size());
  for (const Eigen::Index i : angles_)
    turns[i] = 2 * std::numbers::pi * std::round(r[i] / (2 * std::numbers::pi));
  if (largest(turns) == 0) return r;
  const Vector F = rate(end.t, end.y);
  const auto unseen = [&](const Vector& turn) {
    return same(rate(end.t, end.y - turn), F) && same(rate(end.t, end.y + turn), F);
  };
  if (unseen(turns)) return r - turns;
  for (const Eigen::Index i : angles_)
    if (const Vector one = turns[i] * Vector::Unit(r.size(), i); turns[i] != 0 && unseen(one)) r -= one;
  return r;
}

bool Shooting::depends_on_time() {
  const Vector F = rate(t_, z_);
  const double unit = options_.period.value_or(end_ - flow_.start().t);
  for (const double part : {.137, .291, .413, .618, .787}) {
    // A drive may turn something at a constant rate: rates are the same then, but the position is another.
    Vector there = z_;
    if (flow_.project(t_ + part * unit, there) != Outcome::ok || !same(there, z_)) return true;
    if (!same(rate(t_ + part * unit, z_), F)) return true;
  }
  return false;
}

void Shooting::check_period() {
  for (const double part : {0., .137, .291, .413, .618, .787})
    if (!same(rate(t_ + part * T_, z_), rate(t_ + (1 + part) * T_, z_)))
      throw Error("the equations do not repeat after the period " + short_number(T_),
                  "give the period of what drives them, or a whole multiple");
}

/// How far entries of each unit move: an orbit of a centimetre is as good as one of a metre.
void Shooting::find_sizes() {
  const Layout& layout = flow_.layout();
  std::map<std::string, double> moves, values;
  flow_.begin({t_, z_}, Matrix(z_.size(), 0));
  const auto each = [&](auto what) {
    for (const Block& block : layout.blocks())
      for (Eigen::Index i = 0; i < block.size; ++i)
        what(block.name + block.units[static_cast<std::size_t>(i)], block.offset + i);
  };
  const auto look = [&](double, Matrix&) {
    each([&](const std::string& unit, Eigen::Index i) {
      const double value = flow_.state().y[i];
      moves[unit] = std::max(moves[unit], std::abs(value - z_[i]));
      values[unit] = std::max(values[unit], std::abs(value));
    });
    return TangentFlow::Columns::kept;
  };
  flow_.advance(t_ + options_.period.value_or(end_ - flow_.start().t), look);
  Vector sizes = Vector::Ones(z_.size());
  each([&](const std::string& unit, Eigen::Index i) {
    // Angles count modulo a turn.
    const double most = unit.ends_with("rad") ? 1 : std::numeric_limits<double>::infinity();
    if (moves[unit] > no_motion * (1 + values[unit])) sizes[i] = std::min(moves[unit], most);
  });
  flow_.measure_in(sizes);
}

/// The first return to the plane through the start that is near the start.
double Shooting::look_for_period() {
  const double span = end_ - flow_.start().t;
  const Vector F = parts(rate(t_, z_));
  flow_.begin({t_, z_}, Matrix(z_.size(), 0));
  double last_t = t_, farthest = 0, found = 0;
  Vector last = Vector::Zero(z_.size());
  const auto look = [&](double t, Matrix&) {
    const Vector now = parts(gap());
    farthest = std::max(farthest, now.norm());
    const double before = F.dot(last), after = F.dot(now);
    if (found == 0 && before < 0 && after >= 0) {
      const double part = before / (before - after);
      if ((last + part * (now - last)).norm() < 0.3 * farthest) found = last_t - t_ + part * (t - last_t);
    }
    last_t = t, last = now;
    return TangentFlow::Columns::kept;
  };
  // A run need not be as long as a period.
  Outcome outcome = Outcome::ok;
  const auto first = flow_.statistics().steps;
  const auto goes_on = [&](double times) {
    return times <= longest_search || flow_.statistics().steps - first < least_steps;
  };
  for (double times = 1; goes_on(times) && found == 0 && outcome == Outcome::ok; times *= 2)
    outcome = flow_.advance(t_ + times * span, look);
  if (found == 0)
    throw Error("no near return to the start was seen up to t = " + short_number(flow_.state().t) +
                    (outcome == Outcome::ok ? "" : " (" + flow_.message() + ")"),
                "give a guess of the period, period=P, or begin nearer to a periodic motion");
  return found;
}

/// The time near a guess at which the motion from this start comes next to it. On an orbit that is its period, while Newton's method would leave the orbit:
/// where orbits come in families it is as near to an equilibrium, which repeats after the guess.
double Shooting::nearest_return(double guess) {
  double best = guess, least = std::numeric_limits<double>::infinity(), T = guess;
  for (int round = 0; round < 6; ++round) {
    flow_.begin({t_, z_}, Matrix(z_.size(), 0));
    if (flow_.advance(t_ + T) != Outcome::ok) break;
    const Vector r = parts(gap()), F = signs_.cwiseProduct(parts(rate(t_ + T, flow_.state().y)));
    if (!(r.norm() < least)) break;
    best = T, least = r.norm();
    const double change = -F.dot(r) / F.squaredNorm();
    if (!(std::abs(change) < guess / 4)) break;
    T += change;
  }
  return best;
}

Outcome Shooting::shoot() {
  B_ = flow_.basis(t_, z_);
  flow_.begin({t_, z_}, B_);
  return flow_.advance(t_ + T_);
}

void Shooting::correct(const Vector& r) {
  const Eigen::Index d = B_.cols(), unknowns = d + (orbit_.which == PeriodicOrbit::Period::found ? 1 : 0);
  Matrix A = Matrix::Zero(unknowns, unknowns);
  Vector right = Vector::Zero(unknowns);
  A.topLeftCorner(d, d) = along(signs_.asDiagonal() * flow_.columns()) - Matrix::Identity(d, d);
  right.head(d) = -along(r);
  if (unknowns > d) {
    A.col(d).head(d) = T_ * along(signs_.cwiseProduct(rate(t_ + T_, flow_.state().y)));
    A.row(d).head(d) = along(rate(t_, z_)).transpose().normalized();
  }
  // Where orbits come in families (without damping), the nearest one: A is singular there, and nearly so beside it. As few directions are taken as
  // close most of the gap, or a step would go as far as what is nearly singular asks for.
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Vector parts = svd.matrixU().transpose() * right;
  Vector x = Vector::Zero(unknowns);
  double left = right.squaredNorm();
  for (Eigen::Index i = 0; i < unknowns; ++i) {
    const double size = svd.singularValues()[i];
    const double most = svd.singularValues()[0];
    if (size <= 1e-7 * most ||
        (size <= nearly_singular * most && left <= std::pow(enough_of_gap * right.norm(), 2)))
      break;
    x += parts[i] / size * svd.matrixV().col(i);
    left -= parts[i] * parts[i];
  }
  z_ += B_ * x.head(d);
  if (unknowns > d) T_ *= 1 + std::clamp(x[d], -.5, .5);
  flow_.project(t_, z_);
}

Outcome Shooting::converge() {
  const double enough = 100 * options_.flow.tolerance.relative;
  double last = std::numeric_limits<double>::infinity();
  for (orbit_.rounds = 1; orbit_.rounds <= options_.most_rounds; ++orbit_.rounds) {
    if (const Outcome outcome = shoot(); outcome != Outcome::ok) {
      orbit_.message = flow_.message();
      return outcome;
    }
    const Vector r = gap();
    orbit_.gap = largest(r);
    if (options_.progress) options_.progress(orbit_.rounds, orbit_.gap);
    // Once more after it is small enough, as long as that helps.
    const double left = largest(parts(r));
    if ((small(r, enough) && left > 0.1 * last) || small(r, 1e-14)) return Outcome::ok;
    last = left;
    correct(r);
    if (!z_.allFinite() || !(T_ > 0)) break;
  }
  orbit_.message = "no periodic motion was found near this start: after " +
                   std::to_string(std::min(orbit_.rounds, options_.most_rounds)) +
                   " rounds the end is still " + short_number(orbit_.gap) + " away from the start";
  return Outcome::newton_diverged;
}

/// Does the motion repeat after a part of the period, and the equations with it?
void Shooting::look_for_shorter() {
  for (int times = most_times; times > 1; --times) {
    const double part = T_ / times;
    flow_.begin({t_, z_}, Matrix(z_.size(), 0));
    if (flow_.advance(t_ + part) != Outcome::ok || !small(gap(), 1e-7)) continue;
    bool again = true;
    for (const double at : {0., .137, .413, .787})
      again = again && same(rate(t_ + at * part, z_), rate(t_ + (1 + at) * part, z_));
    if (again) {
      orbit_.times = times;
      return;
    }
  }
}

/// With another tolerance, and where the next round would begin.
Matrix Shooting::second_monodromy() {
  const Vector z = z_;
  const double T = T_;
  correct(gap());
  TangentFlowOptions options = options_.flow;
  options.tolerance.relative *= coarser, options.tolerance.absolute *= coarser;
  TangentFlow other(problem_, options);
  other.measure_in(flow_.sizes());
  other.begin({t_, z_}, B_);
  const Outcome outcome = other.advance(t_ + T_);
  z_ = z, T_ = T;
  return outcome == Outcome::ok
             ? along(signs_.asDiagonal() * other.columns())
             : Matrix::Constant(B_.cols(), B_.cols(), std::numeric_limits<double>::infinity());
}

void Shooting::add_multipliers(const Matrix& M, const Matrix& doubt) {
  const Eigen::EigenSolver<Matrix> solver(M);
  const Eigen::MatrixXcd X = solver.eigenvectors(), Y = X.inverse();  // rows of Y: left vectors, with Y X = I
  std::vector<std::complex<double>> values;
  std::vector<double> errors;
  for (Eigen::Index i = 0; i < M.cols(); ++i) {
    const double error = (Y.row(i).cwiseAbs() * doubt * X.col(i).cwiseAbs()).value();
    values.push_back(solver.eigenvalues()[i]);
    errors.push_back(std::isfinite(error) ? error : std::numeric_limits<double>::infinity());
  }
  for (const RepeatedValue& each : repeated_values(M, doubt, values, errors, false)) {
    constexpr double clearly = 1e3;  // of what entries and the mean are known to
    const Eigen::MatrixXcd rest = M - each.mean * Eigen::MatrixXcd::Identity(M.rows(), M.cols());
    const Vector sizes = Eigen::JacobiSVD<Eigen::MatrixXcd>(rest).singularValues();
    const auto directions = (sizes.array() <= clearly * doubt.norm()).count();
    const bool chained = each.copies() > 1 && directions < static_cast<Eigen::Index>(each.copies());
    for (std::size_t copy = 0; copy < each.copies(); ++copy)
      orbit_.multipliers.push_back({each.mean, false, each.radius, chained});
  }
}

void Shooting::conclude() {
  const Matrix M = along(signs_.asDiagonal() * flow_.columns());
  Matrix doubt = (M - second_monodromy()).cwiseAbs();
  doubt.array() += least_doubt * options_.flow.tolerance.relative * M.cwiseAbs().maxCoeff();
  add_multipliers(M, doubt);
  auto& all = orbit_.multipliers;
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(-std::abs(a.value), -a.value.imag()) < std::pair(-std::abs(b.value), -b.value.imag());
  });
  if (orbit_.which == PeriodicOrbit::Period::found) {
    const auto along = std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return std::abs(a.value - 1.0) < std::abs(b.value - 1.0);
    });
    along->trivial = true;
    for (auto& each : all)  // of a family of orbits neighbours have other periods, and stay beside it
      if (each.value == along->value) orbit_.drifts = orbit_.drifts || each.chained, each.chained = false;
  }
  orbit_.period = T_;
  orbit_.start = {t_, z_};
  flow_.begin(orbit_.start, Matrix(z_.size(), 0));
  for (int k = 0; k <= 100; ++k) {
    if (flow_.advance(t_ + T_ * k / 100) != Outcome::ok) break;
    orbit_.motion.push_back(flow_.state());
  }
}

PeriodicOrbit Shooting::solve() {
  if (flow_.dimension() == 0)
    throw Error("the constraints leave no freedom: there are no neighbouring motions");
  if (options_.period && !(*options_.period > 0))
    throw Error("the period is " + short_number(*options_.period), "it must be positive");
  if (!(options_.transient >= 0))
    throw Error("the transient is " + short_number(options_.transient), "it must not be negative");
  orbit_.layout = flow_.layout();
  orbit_.outcome = flow_.advance(flow_.start().t + options_.transient);
  orbit_.message = flow_.message();
  if (orbit_.outcome != Outcome::ok) return orbit_;
  t_ = flow_.state().t;
  z_ = flow_.state().y;
  orbit_.rest = rate(t_, z_).norm() <= at_rest * (1 + z_.norm());
  if (!orbit_.rest) find_sizes();
  const bool forced = depends_on_time();
  if (!options_.period && (forced || orbit_.rest))
    throw Error(forced ? "the equations depend on time, and so their period is needed"
                       : "the motion is at rest: any period will do, but one is needed",
                "give period=P");
  orbit_.which = forced || orbit_.rest ? PeriodicOrbit::Period::known : PeriodicOrbit::Period::found;
  orbit_.rest = orbit_.rest && !forced;
  const double moving = parts(rate(t_, z_)).norm();
  T_ = options_.period ? *options_.period : look_for_period();
  if (orbit_.which == PeriodicOrbit::Period::found) T_ = nearest_return(T_);
  if (forced) check_period();
  orbit_.outcome = converge();
  if (orbit_.outcome != Outcome::ok) return orbit_;
  if (!forced && !orbit_.rest && parts(rate(t_, z_)).norm() <= came_to_rest * moving)
    throw Error("the search came to an equilibrium, which repeats after any period",
                "begin nearer to a periodic motion, or give another guess of its period, period=P");
  conclude();
  if (!orbit_.rest) look_for_shorter();
  return orbit_;
}

/// What lies nearer to the circle is on it.
double blur(const FloquetMultiplier& m) {
  return certain_errors * m.error;
}

/// The first that is not trivial; none if there is no other.
const FloquetMultiplier* leading_multiplier(const PeriodicOrbit& orbit) {
  for (const auto& m : orbit.multipliers)
    if (!m.trivial) return &m;
  return nullptr;
}

}  // namespace

PeriodicOrbit find_periodic_orbit(std::shared_ptr<const Problem> problem, const FloquetOptions& options) {
  return Shooting(std::move(problem), options).solve();
}

Stability stability(const PeriodicOrbit& orbit) {
  // One whose error reaches across the circle leaves it open, though another one is larger and known to be inside.
  Stability found = Stability::stable;
  for (const FloquetMultiplier& m : orbit.multipliers) {
    if (m.trivial) continue;
    const double size = std::abs(m.value);
    if (size > 1 + blur(m)) return Stability::unstable;
    if (!(size < 1 - blur(m))) found = Stability::neutral;
  }
  return found;
}

std::string sentence(const PeriodicOrbit& orbit) {
  if (orbit.outcome != Outcome::ok) return orbit.message;
  const FloquetMultiplier* first = leading_multiplier(orbit);
  if (first == nullptr) return "there are no neighbours but those on the orbit itself";
  const std::complex<double> value = first->value;
  const std::string factor = short_number(std::abs(value));
  switch (stability(orbit)) {
    case Stability::stable:
      return "stable: neighbours come closer by a factor of " + factor + " per period";
    case Stability::neutral:
      if (std::any_of(orbit.multipliers.begin(), orbit.multipliers.end(), [](const FloquetMultiplier& m) {
            return m.chained && !(std::abs(m.value) < 1 - blur(m));
          }))
        return "no multiplier lies outside of the unit circle, but neighbours can leave in proportion to the "
               "time: one on it is there more often than it has directions";
      return std::isfinite(first->error)
                 ? "neither stable nor unstable to first order: the largest multiplier lies on the unit "
                   "circle, to within " +
                       short_number(std::max(blur(*first), std::abs(std::abs(value) - 1))) +
                       (orbit.drifts
                            ? "; neighbours have other periods, and run ahead or fall behind along the "
                              "orbit in proportion to the time"
                            : "")
                 : "whether it is stable is not known: the largest multipliers could not be computed again";
    case Stability::unstable:
      break;
  }
  const std::string how =
      std::abs(value.imag()) > std::max(1e-9 * std::abs(value), blur(*first)) ? ", turning around it"
      : value.real() < 0 ? ", from one side to the other: after two periods they are on the same side"
                         : ", to one side";
  return "unstable: neighbours leave by a factor of " + factor + " per period" + how;
}

}  // namespace dalembert
