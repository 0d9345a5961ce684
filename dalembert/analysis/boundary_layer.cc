#include "dalembert/analysis/boundary_layer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/core/error.h"
#include "dalembert/observe/solve.h"
#include "dalembert/problem/implicit.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

namespace {

constexpr double regular = 1e-10;  // reciprocal condition of a matrix that is to be inverted

/// d(dz)/dtau = -W^-1 F_R(t0, x0, z, 0): (95), F = eps W z' - g being the rows that lose their derivatives in the limit.
class LayerEquations final : public Ode {
 public:
  LayerEquations(const Implicit& limit, State frozen, std::vector<Eigen::Index> rows,
                 std::vector<Eigen::Index> columns, const Matrix& weights, Vector start, double end)
      : limit_(limit),
        frozen_(std::move(frozen)),
        rows_(std::move(rows)),
        columns_(std::move(columns)),
        weights_(weights.partialPivLu()),
        start_(std::move(start)),
        end_(end) {}
  Layout layout() const override {
    return Layout().add("z", static_cast<Eigen::Index>(columns_.size()), Role::differential, 1);
  }
  State start() const override { return {0, start_}; }
  double end() const override { return end_; }
  void f(double, In z, Out dz) const override {
    Vector y = frozen_.y, residual(y.size());
    y(columns_) = z;
    limit_.F(frozen_.t, y, Vector::Zero(y.size()), residual);
    dz = -weights_.solve(Vector(residual(rows_)));
  }

 private:
  const Implicit& limit_;
  State frozen_;
  std::vector<Eigen::Index> rows_, columns_;
  Eigen::PartialPivLU<Matrix> weights_;
  Vector start_;
  double end_;
};

class NonlinearLayer final : public BoundaryLayer {
 public:
  NonlinearLayer(Solution solution, std::vector<Eigen::Index> columns, Vector outer, double eps,
                 Eigen::Index size)
      : solution_(std::move(solution)),
        columns_(std::move(columns)),
        outer_(std::move(outer)),
        eps_(eps),
        size_(size) {}
  Vector at(double since_start) const override {
    Vector all = Vector::Zero(size_);
    const double tau = std::min(since_start / eps_, solution_.trajectory.last());
    all(columns_) = solution_(tau).y - outer_;
    return all;
  }

 private:
  Solution solution_;
  std::vector<Eigen::Index> columns_;
  Vector outer_;
  double eps_;
  Eigen::Index size_;
};

class LinearisedLayer final : public BoundaryLayer {
 public:
  LinearisedLayer(const FastPart& part, const Vector& coordinates) : motions_(part.motions) {
    Eigen::Index column = 0;
    for (const auto& motion : motions_) {
      // Re((a - i b)(Re u + i Im u)) = a Re u + b Im u
      const bool pair = motion.value.imag() != 0;
      const double a = coordinates[column], b = pair ? coordinates[column + 1] : 0;
      weights_.emplace_back(a, -b);
      column += pair ? 2 : 1;
    }
  }
  Vector at(double since_start) const override {
    Vector all = Vector::Zero(motions_.front().shape.size());
    for (std::size_t k = 0; k < motions_.size(); ++k)
      all += (weights_[k] * std::exp(motions_[k].value * since_start) * motions_[k].shape).real();
    return all;
  }

 private:
  std::vector<FastPart::Motion> motions_;
  std::vector<std::complex<double>> weights_;
};

}  // namespace

KroneckerForm kronecker_at(const Problem& problem, const State& state, std::vector<std::string>& unknowns) {
  const auto* mechanical = as<Mechanical>(&problem);
  if (mechanical == nullptr && problem.kind() == Kind::partitioned)
    throw Error("a partitioned problem has no pencil of its own", "take one that is in one piece");
  const Pencil pencil = mechanical != nullptr ? pencil_of(*mechanical, state, ConstraintLevel::position)
                                              : pencil_of(problem, state);
  KroneckerForm form = kronecker_form(pencil);
  if (!form.regular) throw Error("the pencil is singular at this state", "see `dalembert analyse index`");
  unknowns = pencil.unknowns;
  return form;
}

FastPart::FastPart(const Problem& problem, const State& state, std::size_t count) {
  std::vector<std::string> unknowns;
  const KroneckerForm form = kronecker_at(problem, state, unknowns);
  std::vector<Mode> modes = modes_of(form.flow, form.doubt).all;
  std::sort(modes.begin(), modes.end(),
            [](const Mode& a, const Mode& b) { return std::abs(a.value) > std::abs(b.value); });
  const Layout layout = problem.layout();
  const Eigen::Index n = layout.size();
  std::vector<Vector> columns;
  double slowest_decay = 0, slowest = 0;
  for (const Mode& mode : modes) {
    if (columns.size() >= count) break;
    const Eigen::VectorXcd known = form.solutions * mode.shape;
    Motion motion{mode.value, Eigen::VectorXcd::Zero(n), mode.fate};
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto found = std::find(unknowns.begin(), unknowns.end(), layout.label(i));
      if (found != unknowns.end()) motion.shape[i] = known[found - unknowns.begin()];
    }
    columns.emplace_back(motion.shape.real());
    if (motion.value.imag() != 0) columns.emplace_back(motion.shape.imag());
    if (mode.fate == Mode::Fate::decays)
      slowest_decay = std::max(slowest_decay, 1 / std::abs(mode.value.real()));
    slowest = std::max(slowest, 1 / std::abs(mode.value));
    motions.push_back(std::move(motion));
  }
  basis.resize(n, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) basis.col(static_cast<Eigen::Index>(j)) = columns[j];
  time = slowest_decay > 0 ? slowest_decay : slowest;
}

Mode::Fate FastPart::fate() const {
  const auto any = [this](Mode::Fate fate) {
    return std::any_of(motions.begin(), motions.end(), [fate](const Motion& m) { return m.fate == fate; });
  };
  return any(Mode::Fate::grows)                               ? Mode::Fate::grows
         : any(Mode::Fate::lasts) || any(Mode::Fate::unknown) ? Mode::Fate::lasts
                                                              : Mode::Fate::decays;
}

double FastPart::growth() const {
  double most = -std::numeric_limits<double>::infinity();
  for (const Motion& motion : motions) most = std::max(most, motion.value.real());
  return most;
}

namespace {

/// The rows that lose their derivatives in the limit, and the unknowns whose derivatives they are; weights W with eps W z' = g.
struct LayerForm {
  std::vector<Eigen::Index> rows, columns;
  Matrix weights, g_z;
};

/// None where the equations have not the form of (85).
std::optional<LayerForm> layer_form(const Problem& full, const State& start, const Problem& limit,
                                    const State& limit_start, double eps) {
  const auto *F = as<Implicit>(&full), *F0 = as<Implicit>(&limit);
  const Eigen::Index n = start.y.size();
  if (F == nullptr || F0 == nullptr || limit_start.y.size() != n) return {};
  const Pencil with = pencil_of(*F, limit_start), without = pencil_of(*F0, limit_start);
  if (with.unknowns != without.unknowns) return {};
  LayerForm form;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (without.E.row(i).isZero(0) && !with.E.row(i).isZero(0)) form.rows.push_back(i);
    if (without.E.col(i).isZero(0) && !with.E.col(i).isZero(0)) form.columns.push_back(i);
  }
  if (form.rows.empty() || form.rows.size() != form.columns.size()) return {};
  // what is algebraic at any eps would have to be solved for along the way
  for (Eigen::Index j = 0; j < n; ++j)
    if (with.E.col(j).isZero(0) && !Vector(without.A(form.rows, j)).isZero(0)) return {};
  form.weights = with.E(form.rows, form.columns) / eps;
  form.g_z = without.A(form.rows, form.columns);
  Matrix others = with.E(form.rows, Eigen::all);
  others(Eigen::all, form.columns).setZero();
  if (!others.isZero(0) || form.weights.fullPivLu().rcond() < regular) return {};
  return form;
}

}  // namespace

std::unique_ptr<BoundaryLayer> nonlinear_layer(const Problem& full, const State& start, const Problem& limit,
                                               const State& limit_start, double eps, double length,
                                               double tolerance) {
  const auto form = layer_form(full, start, limit, limit_start, eps);
  if (!form || form->g_z.fullPivLu().rcond() < regular) return nullptr;
  const Vector z0 = start.y(form->columns), outer = limit_start.y(form->columns);
  const auto equations = std::make_shared<const LayerEquations>(
      as<Implicit>(limit), limit_start, form->rows, form->columns, form->weights, z0, length / eps);
  Solution solution = solve(equations, {.tolerance = {tolerance, tolerance}});
  if (solution.summary.outcome != Outcome::ok)
    throw Error("the equations of the boundary layer were not solved: " + solution.summary.message);
  return std::make_unique<NonlinearLayer>(std::move(solution), form->columns, outer, eps, start.y.size());
}

std::optional<SheetGrowth> sheet_growth(const Problem& full, const Problem& limit, const State& at,
                                        double eps) {
  const auto form = layer_form(full, at, limit, at, eps);
  if (!form) return {};
  const Matrix J = form->weights.partialPivLu().solve(form->g_z) / eps;
  if (!J.allFinite()) return {};
  const Eigen::VectorXcd values = J.eigenvalues();
  return SheetGrowth{values.real().maxCoeff(), values.cwiseAbs().maxCoeff()};
}

namespace {

/// Is g_z singular by its form, and not only here? Then what has lost its derivatives is determined by other equations.
bool always_singular(const Problem& limit, const LayerForm& form, const State& at) {
  for (const double shift : {0., 1e-2, -3e-2}) {
    State other = at;
    for (Eigen::Index i = 0; i < other.y.size(); ++i)
      other.y[i] += shift * (1 + static_cast<double>(i % 3)) * (1 + std::abs(other.y[i]));
    const Pencil there = pencil_of(*as<Implicit>(&limit), other);
    if (there.A.allFinite() && there.A(form.rows, form.columns).fullPivLu().rcond() >= regular) return false;
  }
  return true;
}

/// How long the way takes until less than 1/e of it is left for good, beyond the time that a mere decay needs.
double delay_of(const Solution& way, const Vector& rest, double decay) {
  const double limit = largest(way.trajectory(way.trajectory.first()).y - rest) / std::exp(1);
  const auto far = [&](double t) { return largest(way.trajectory(t).y - rest) > limit; };
  const std::vector<double> times = way.trajectory.times();
  double before = times.front(), after = times.front();
  for (std::size_t k = times.size(); k-- > 0 && !far(before = times[k]);) after = times[k];
  for (int i = 0; i < 30 && after > before; ++i) {
    const double t = (before + after) / 2;
    (far(t) ? before : after) = t;
  }
  return std::max(0., after - decay);
}

}  // namespace

std::optional<Led> led_by_layer(const Problem& full, const State& start, const Problem& limit,
                                const State& limit_start, double eps) {
  const auto form = layer_form(full, start, limit, limit_start, eps);
  if (!form || always_singular(limit, *form, limit_start)) return {};
  constexpr int rounds =
      9;  // of 20, 40, ... times of what is fastest, or longer where something decays slowly
  constexpr double longest = 1e5, on_it = 1e-13, at_rest = 1e-6, away = 1e6;
  const auto* equations_of_limit = as<Implicit>(&limit);
  State here = limit_start;
  here.y(form->columns) = start.y(form->columns);
  const Vector z0 = here.y(form->columns);
  const auto weights = form->weights.partialPivLu();
  const auto matrix = [&](const State& at) -> Matrix {
    return weights.solve(pencil_of(*equations_of_limit, at).A(form->rows, form->columns));
  };
  const auto layer = [&](const Vector& from, double length) {
    return std::make_shared<const LayerEquations>(*equations_of_limit, limit_start, form->rows, form->columns,
                                                  form->weights, from, length);
  };
  // Newton's way from here to the sheet, which is where it rests
  const auto left = [&](const State& at) {
    Vector rate(z0.size());
    layer(z0, 1)->f(0, at.y(form->columns), rate);
    const auto factors = matrix(at).fullPivLu();
    if (factors.rcond() < regular) return largest(rate) > 0 ? std::numeric_limits<double>::infinity() : 0.;
    return largest(factors.solve(rate)) / (1 + largest(at.y(form->columns)));
  };
  Led led{.where = Led::Where::rests, .state = here};
  if (left(here) <= on_it) return led;
  Vector rate(z0.size());
  layer(z0, 1)->f(0, z0, rate);
  const double fastest = std::max(matrix(here).norm(), largest(rate) / (1 + largest(z0)));
  if (!(fastest > 0 && std::isfinite(fastest))) return {};
  double least = 20 / fastest, all = 0;
  const Tolerance tight{1e-9,
                        1e-15};  // a start beside a sheet that repels is led away by its distance from it
  for (int round = 0; round < rounds; ++round, least *= 2) {
    const double slowest = matrix(here).eigenvalues().cwiseAbs().minCoeff();
    const double length = std::clamp(20 / slowest, least, std::max(least, longest / fastest));
    const Solution solution = solve(layer(here.y(form->columns), length), {.tolerance = tight});
    here.y(form->columns) = solution.summary.state.y;
    all += length;
    if (solution.summary.outcome != Outcome::ok || largest(here.y) > away * (1 + largest(z0))) {
      led.where = Led::Where::leaves;
      return led;
    }
    if (!(left(here) <= at_rest)) continue;
    const Eigen::VectorXcd values = matrix(here).eigenvalues();
    if (values.real().maxCoeff() >= 0 && round + 1 < rounds) continue;  // beside one that repels
    for (int i = 0; i < 4; ++i) {                                       // to rounding, by Newton's method
      layer(z0, 1)->f(0, here.y(form->columns), rate);
      here.y(form->columns) -= matrix(here).fullPivLu().solve(rate);
    }
    led.state = here;
    const Solution way = solve(layer(z0, all), {.tolerance = tight});
    const double decay = 1 / std::max(1e-300, -values.real().maxCoeff());
    if (way.summary.outcome == Outcome::ok) led.delay = eps * delay_of(way, here.y(form->columns), decay);
    return led;
  }
  led.where = Led::Where::moves;
  led.delay = eps * all;
  return led;
}

std::unique_ptr<BoundaryLayer> linearised_layer(const FastPart& part, const Vector& coordinates) {
  if (part.motions.empty()) return nullptr;
  return std::make_unique<LinearisedLayer>(part, coordinates);
}

}  // namespace dalembert
