#include "dalembert/analysis/energy_supply.h"

#include <cmath>
#include <numbers>
#include <optional>
#include <random>

namespace dalembert {

namespace {

constexpr int loop_points = 24;           // of a loop, the first time
constexpr double same_work = 1e-2;        // of a loop with twice as many points
constexpr int loops = 6;                  // of each size
constexpr double loop_work = 1e-8;        // beside what is done on the way and taken back
constexpr double evaluation = 1e-12;      // error of a force, beside the largest one
constexpr double difference_step = 1e-6;  // for M'
constexpr double difference_error = 1e-7;

/// Positions beside an equilibrium and velocities there, all on the constraints.
class Neighbourhood {
 public:
  Neighbourhood(const Mechanical& problem, const Linearisation& l)
      : problem_(problem),
        n_(problem.sizes()),
        part_(n_),
        linear_(l),
        inverse_(l.jacobian, l.tolerance),
        here_(problem.placed_at(l.state)),
        s_(part_.s(l.state.y)) {}

  /// q + u, back on g = 0 by the rows of the equilibrium. False if that is too far.
  bool position(const Vector& u, Vector& q) const {
    q.resize(n_.q);
    problem_.advance(*here_, u, q);
    Vector g = Vector::Zero(n_.rows());
    for (int round = 0; n_.holonomic > 0 && round < 60; ++round) {
      const auto at = problem_.placed_at(linear_.state.t, q);
      problem_.g(*at, g.head(n_.holonomic));
      if (!g.allFinite()) return false;
      if (largest(g) <= 1e-14 * (1 + largest(q))) return true;
      problem_.advance(*at, inverse_(-g), q);
    }
    return q.allFinite() && largest(g) <= 1e-9 * (1 + largest(q));
  }
  /// v without what rows do not allow there.
  Vector velocity(const Placement& at, Vector v) const {
    Entries rows;
    problem_.jacobian(at, rows);
    const Matrix J = rows.dense(n_.rows(), n_.v);
    for (int round = 0; J.rows() > 0 && round < 20; ++round) v -= inverse_(J * v);
    return v;
  }
  Vector force(const Placement& at, const Vector& v) const {
    Vector f(n_.v);
    problem_.force(at, v, s_, f);
    return f;
  }
  /// The displacement per q' of coordinates whose rates are not their velocities.
  Vector along(const Placement& at, const Vector& q_rate) const {
    if (problem_.plain()) return q_rate;
    Kinematics k;
    problem_.kinematics(at, Vector::Zero(n_.v), k);
    return k.inverse.dense(n_.v, n_.q) * q_rate;
  }
  /// v'M'v/2, M' along v.
  double inertia_rate(const Placement& at, const Vector& v) const {
    const double h = difference_step / (1e-300 + largest(v));
    const auto energy = [&](double step) {
      Vector q(n_.q);
      problem_.advance(at, step * v, q);
      Entries M;
      problem_.mass(*problem_.placed_at(at.t, q), M);
      return v.dot(M.dense(n_.v, n_.v) * v) / 2;
    };
    return (energy(h) - energy(-h)) / (2 * h);
  }
  std::unique_ptr<Placement> placed(const Vector& q) const { return problem_.placed_at(linear_.state.t, q); }
  /// Of what cancels, too: springs that hold a body are not seen one by one.
  double load() const {
    const Vector v = Vector::Zero(n_.v);
    const MotionTerms terms(problem_, linear_.state.t, here_->q, v, s_, linear_.tolerance,
                            Time::stands_still);
    return largest(
        (terms.f.cwiseAbs() + terms.J.cwiseAbs().transpose() * terms.l.cwiseAbs() + terms.K_size * sizes())
            .eval());
  }
  Vector sizes() const { return sizes_of_positions(problem_, here_->q); }

 private:
  const Mechanical& problem_;
  Mechanical::Sizes n_;
  MechanicalState part_;
  const Linearisation& linear_;
  RowInverse inverse_;
  std::unique_ptr<Placement> here_;
  Vector s_;
};

/// d/dphi of a periodic function from its values at equal distances, exact for half as many waves as there are points.
Matrix wave_derivative(int points) {
  Matrix D = Matrix::Zero(points, points);
  const double h = 2 * std::numbers::pi / points;
  for (int i = 0; i < points; ++i)
    for (int j = 0; j < points; ++j)
      if (i != j) D(i, j) = ((i - j) % 2 == 0 ? .5 : -.5) / std::tan((i - j) * h / 2);
  return D;
}

/// c + a cos(phi) + b sin(phi).
struct Loop {
  Vector centre, a, b;
};

/// The work of f(q,0) around it; zero if it is no more than rounding. None: the loop cannot be had.
std::optional<double> work_around(const Neighbourhood& near, const Loop& loop, int points, double load) {
  const Matrix D = wave_derivative(points);
  std::vector<Vector> q(static_cast<std::size_t>(points));
  for (int i = 0; i < points; ++i) {
    const double phi = 2 * std::numbers::pi * i / points;
    const Vector u = loop.centre + std::cos(phi) * loop.a + std::sin(phi) * loop.b;
    if (!near.position(u, q[static_cast<std::size_t>(i)])) return {};
  }
  double work = 0, size = 0;
  for (int i = 0; i < points; ++i) {
    Vector rate = Vector::Zero(q[0].size());
    for (int j = 0; j < points; ++j) rate += D(i, j) * q[static_cast<std::size_t>(j)];
    const auto at = near.placed(q[static_cast<std::size_t>(i)]);
    const Vector v = near.along(*at, rate), f = near.force(*at, Vector::Zero(v.size()));
    if (!f.allFinite()) return {};
    work += f.dot(v) / points;
    size +=
        (std::abs(f.dot(v)) + evaluation / loop_work * std::max(load, largest(f)) * v.lpNorm<1>()) / points;
  }
  return std::abs(work) > loop_work * size ? work : 0;
}

/// Next to where a spring is anchored forces turn faster than points follow: what is work there changes with their number.
bool works_around(const Neighbourhood& near, const Loop& loop, double load) {
  double last = 0;
  for (int points = loop_points; points <= 4 * loop_points; points *= 2) {
    const auto work = work_around(near, loop, points, load);
    if (!work || *work == 0 || (last != 0 && std::abs(*work - last) > same_work * std::abs(*work)))
      return false;
    last = *work;
  }
  return true;
}

/// Do forces that come with velocities feed the motion with v at q?
bool feeds(const Neighbourhood& near, const Vector& q, const Vector& direction, double speed, double load) {
  const auto at = near.placed(q);
  const Vector v = speed * near.velocity(*at, direction);
  if (!v.allFinite() || largest(v) < .1 * speed * largest(direction)) return false;
  const Vector ahead = near.force(*at, v), back = near.force(*at, -v), still = near.force(*at, 0 * v);
  if (!ahead.allFinite() || !back.allFinite() || !still.allFinite()) return false;
  const double size = std::max({load, largest(ahead), largest(still)}) * v.lpNorm<1>();
  const double odd = v.dot(ahead - back) / 2, even = v.dot((ahead + back) / 2 - still);
  if (odd > 1e2 * evaluation * size) return true;
  const double turning = near.inertia_rate(*at, v);
  return std::abs(even - turning) >
         1e2 * evaluation * size + difference_error * (std::abs(even) + std::abs(turning));
}

/// Velocities and displacements of what is not damped.
struct Lasting {
  Lasting(const Linearisation& l, const Modes& modes) {
    for (const Mode& mode : modes.all) {
      if (mode.fate != Mode::Fate::lasts) continue;
      for (const Matrix* of : {&l.u, &l.w}) {
        const Eigen::VectorXcd shape = *of * mode.shape;
        for (const Vector& each : {Vector(shape.real()), Vector(shape.imag())})
          if (each.norm() > 1e-6) all.push_back(each.normalized());
      }
    }
  }
  std::vector<Vector> all;
};

/// Do all forces that stand still have the potential that the problem knows, or are they linear and so in the stiffness, and are those of v linear
/// dampers? Beside the equilibrium by u, along v.
bool known_forces(const Mechanical& problem, const Linearisation& l, const Neighbourhood& near,
                  const Vector& u, const Vector& v, double load) {
  const Vector s = MechanicalState(problem.sizes()).s(l.state.y);
  struct Power {
    double odd, even, all;
  };
  const auto power = [&](double part, double speed) -> std::optional<Power> {
    Vector q;
    if (!near.position(part * u, q)) return {};
    const auto at = near.placed(q);
    if (!problem.energy(*at, v, s)) return {};
    const double ahead = problem.power(*at, speed * v, s), back = problem.power(*at, -speed * v, s);
    return Power{ahead - back, ahead + back, std::abs(ahead) + std::abs(back)};
  };
  Vector q;
  if (!near.position(u, q) || !near.position(2 * u, q)) return true;  // out of reach, and no evidence
  const auto none = power(0, 1), one = power(1, 1), farther = power(2, 1), faster = power(1, 2);
  if (!none || !one || !farther || !faster) return false;
  const double size = none->all + one->all + farther->all + faster->all;
  const double rounding = evaluation * load * v.lpNorm<1>();  // of what is kept and given back
  return std::abs(farther->odd - 2 * one->odd + none->odd) <= 1e-9 * size + rounding &&
         std::abs(faster->even - 4 * one->even) <= 1e-6 * size + rounding && one->even <= rounding;
}

}  // namespace

Supply energy_supply(const Mechanical& problem, const Linearisation& l, const Modes& modes) {
  const Neighbourhood near(problem, l);
  const Lasting lasting(l, modes);
  if (lasting.all.empty() || l.free.cols() == 0) return Supply::none;
  const double load = near.load();
  const Vector sizes = near.sizes();
  std::mt19937 random(1);
  std::normal_distribution<double> number;
  const auto mixed = [&](const auto& of, auto count) {
    Vector sum = Vector::Zero(problem.sizes().v);
    for (decltype(count) j = 0; j < count; ++j) sum += number(random) * Vector(of(j));
    return Vector(sum / std::max(1e-300, sum.norm()));
  };
  const auto any = [&] { return mixed([&](Eigen::Index j) { return l.free.col(j); }, l.free.cols()); };
  const auto undamped = [&] {
    return mixed([&](std::size_t j) { return lasting.all[j]; }, lasting.all.size());
  };
  bool known = true;
  for (const double size : {1e-5, 1e-4, 1e-3, 1e-2, 1e-1})
    for (int loop = 0; loop < loops; ++loop) {
      const auto way = [&] {
        const Vector along = loop % 2 == 0 ? any() : undamped();
        return Vector(size / largest(along.cwiseQuotient(sizes).eval()) * along);
      };
      const Vector centre = (loop % 3 == 0 ? 0 : 1) * way(), a = way(), b = way();
      if (works_around(near, {centre, a, b}, load)) return Supply::seen;
      Vector q;
      for (const Vector& u : {Vector(0 * a), a, b}) {
        if (!near.position(u, q)) continue;
        const Vector mix = undamped(), one = lasting.all[random() % lasting.all.size()];
        known = known && known_forces(problem, l, near, u, mix, load);
        for (const double speed : {1e-2, 1e-1, 1.})
          if (feeds(near, q, mix, speed, load) || feeds(near, q, one, speed, load)) return Supply::seen;
      }
    }
  return known ? Supply::none : Supply::unseen;
}

}  // namespace dalembert
