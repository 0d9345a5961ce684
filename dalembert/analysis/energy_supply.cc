#include "dalembert/analysis/energy_supply.h"

#include <cmath>
#include <numbers>
#include <random>

namespace dalembert {

namespace {

constexpr int loop_points = 24;           // of a loop
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
  double load() const {
    const Vector borne =
        linear_.jacobian.cwiseAbs().transpose() * part_.multipliers(linear_.state.y).cwiseAbs();
    return std::max(largest(force(*here_, Vector::Zero(n_.v))), largest(borne));
  }

 private:
  const Mechanical& problem_;
  Mechanical::Sizes n_;
  MechanicalState part_;
  const Linearisation& linear_;
  RowInverse inverse_;
  std::unique_ptr<Placement> here_;
  Vector s_;
};

/// d/dphi of a periodic function from its values at equal distances, exact for as many waves as there are loop_points.
Matrix wave_derivative() {
  Matrix D = Matrix::Zero(loop_points, loop_points);
  const double h = 2 * std::numbers::pi / loop_points;
  for (int i = 0; i < loop_points; ++i)
    for (int j = 0; j < loop_points; ++j)
      if (i != j) D(i, j) = ((i - j) % 2 == 0 ? .5 : -.5) / std::tan((i - j) * h / 2);
  return D;
}

/// Does f(q,0) do work around the loop a cos(phi) + b sin(phi)?
bool works_around(const Neighbourhood& near, const Vector& a, const Vector& b, double load) {
  static const Matrix D = wave_derivative();
  std::vector<Vector> q(loop_points);
  for (int i = 0; i < loop_points; ++i) {
    const double phi = 2 * std::numbers::pi * i / loop_points;
    if (!near.position(std::cos(phi) * a + std::sin(phi) * b, q[static_cast<std::size_t>(i)])) return false;
  }
  double work = 0, size = 0;
  for (int i = 0; i < loop_points; ++i) {
    Vector rate = Vector::Zero(q[0].size());
    for (int j = 0; j < loop_points; ++j) rate += D(i, j) * q[static_cast<std::size_t>(j)];
    const auto at = near.placed(q[static_cast<std::size_t>(i)]);
    const Vector v = near.along(*at, rate), f = near.force(*at, Vector::Zero(v.size()));
    if (!f.allFinite()) return false;
    work += f.dot(v);
    size += std::abs(f.dot(v)) + evaluation / loop_work * std::max(load, largest(f)) * v.lpNorm<1>();
  }
  return std::abs(work) > loop_work * size;
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

}  // namespace

bool supplies_energy(const Mechanical& problem, const Linearisation& l, const Modes& modes) {
  const Neighbourhood near(problem, l);
  const Lasting lasting(l, modes);
  if (lasting.all.empty() || l.free.cols() == 0) return false;
  const double load = near.load(), reach = 1 + largest(MechanicalState(problem.sizes()).q(l.state.y));
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
  for (const double size : {1e-3, 1e-2, 1e-1})
    for (int loop = 0; loop < loops; ++loop) {
      const Vector a = size * reach * (loop % 2 == 0 ? any() : undamped()),
                   b = size * reach * (loop % 2 == 0 ? any() : undamped());
      if (works_around(near, a, b, load)) return true;
      Vector q;
      for (const Vector& u : {Vector(0 * a), a, b}) {
        if (!near.position(u, q)) continue;
        const Vector mix = undamped(), one = lasting.all[random() % lasting.all.size()];
        for (const double speed : {1e-2, 1e-1, 1.})
          if (feeds(near, q, mix, speed, load) || feeds(near, q, one, speed, load)) return true;
      }
    }
  return false;
}

}  // namespace dalembert
