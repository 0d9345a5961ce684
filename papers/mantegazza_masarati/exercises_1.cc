// Exercises 1.1 to 1.9: which constraints can be integrated, and bases of what they leave free.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "dalembert/formulation/null_space/orthonormal_basis.h"
#include "dalembert/formulation/splitting/coordinate_partition.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "dalembert/observe/solve.h"
#include "dalembert/problem/catalogue.h"
#include "papers/mantegazza_masarati/exercises.h"

namespace dalembert::mantegazza_masarati {

namespace {

/// A disc of radius R on a line, pushed by cos t, with nothing but the row x' - R theta' = 0 of velocity level.
class Disc final : public Mechanical {
 public:
  static constexpr double R = 0.3;
  Sizes sizes() const override { return {.q = 2, .v = 2, .nonholonomic = 1}; }
  Layout layout() const override {
    return mechanical_layout({.q = {"x", "theta"}, .v = {"x'", "theta'"}, .mu = {"grip"}});
  }
  State start() const override { return {0, Vector::Zero(5)}; }
  double end() const override { return 10; }
  void mass(const Placement&, Entries& M) const override { M.write<2>({{{0, 0}, {1, 1}}}, {1, R * R / 2}); }
  void force(const Placement& at, In, In, Out f) const override { f << std::cos(at.t), 0; }
  void jacobian(const Placement&, Entries& J) const override { J.write<2>({{{0, 0}, {0, 1}}}, {1, -R}); }
  void velocity_bias(const Placement&, Out w) const override { w.setZero(); }
  void bias(const Placement&, In, Out bias) const override { bias.setZero(); }
};

/// The row is the derivative of x - R theta if that never changes.
PaperRow disc() {
  const Solution sol = solve(std::make_shared<Disc>(), {.tolerance = {1e-9, 1e-9}});
  double most = 0, way = 0;
  for (int i = 0; i <= 100; ++i) {
    const State at = sol(i / 10.);
    grow(most, std::abs(at.y[0] - Disc::R * at.y[1]));
    grow(way, std::abs(at.y[0]));
  }
  const bool constant = most < 1e-9 && way > 0.5;
  return explained(
      claimed("1.1", "disc on a line: row is", "non-holonomic", "holonomic",
              constant ? "holonomic" : "non-holonomic", Verdict::differs, constant),
      {fmt::format("x - R theta stays within {:.0e} while the disc moves by {:.2f}", most, way), constant});
}

/// A marble of radius 1 is led once round a circle of radius 1. It comes back turned by 2 pi sqrt(2), and so not as it was.
PaperRow marble() {
  const auto ball = std::make_shared<SpatialMechanism>();
  SpatialBody body{.name = "marble", .mass = 1, .position = {1, 0, 1}};
  body.inertia = .4 * Eigen::Matrix3d::Identity();
  const auto marble = ball->body(body);
  ball->rolling_ball("floor", Mechanism::ground, marble, {.radius = 1});
  const auto measure = [&](const Eigen::Vector3d& along) {
    return ball->displacement(Mechanism::ground, marble, {1, 0, 1}, along);
  };
  ball->drive("lead", {{"x", measure({1, 0, 0}), {[](double t) {
                          return Motion::Value{std::cos(t) - 1, -std::sin(t), -std::cos(t)};
                        }}},
                       {"y", measure({0, 1, 0}), {[](double t) {
                          return Motion::Value{std::sin(t), std::cos(t), -std::sin(t)};
                        }}}});
  ball->ends_at(2 * std::numbers::pi);
  const State end = solve(ball, {.tolerance = {1e-9, 1e-9}}).summary.state;
  const double turn = 2 * std::acos(std::min(1., std::abs(end.y[3]))),
               by_hand = 2 * std::numbers::pi * (std::numbers::sqrt2 - 1),
               off = (end.y.head(2) - Eigen::Vector2d(1, 0)).norm();
  return answered("1.2", "marble led round a circle, a = R: turned by", fmt::format("{:.6f}", by_hand),
                  fmt::format("{:.6f}", turn), std::abs(turn - by_hand) < 1e-6 && off < 1e-9);
}

Matrix jacobian_at(const Mechanical& problem, const State& state) {
  Entries J;
  problem.jacobian(*problem.placed_at(state), J);
  return J.dense(problem.sizes().rows(), problem.sizes().v);
}

/// (17): T spans what J leaves free, and velocities made of it satisfy a constraint that moves.
Rows parametrised() {
  const auto problem = make_problem("andrews");
  const auto& mechanical = require<Mechanical>(*problem, "exercise 1.3");
  const State start = problem->start();
  Entries entries;
  mechanical.jacobian(*mechanical.placed_at(start), entries);
  const Matrix J = jacobian_at(mechanical, start);
  CoordinatePartition partition;
  partition.bind(J.rows(), J.cols(), CoordinatePartition::Basis::coordinates, {});
  const bool chosen = partition.choose(entries) == Outcome::ok;
  Matrix T(J.cols(), partition.free());
  Vector column(partition.free());
  for (Eigen::Index i = 0; i < J.cols(); ++i) {
    partition.project(Vector::Unit(J.cols(), i), column);
    T.row(i) = column.transpose();
  }
  const double left = (J * T).cwiseAbs().maxCoeff() / J.cwiseAbs().maxCoeff();
  RunOptions options{.control = Control::fixed, .scrutiny = Scrutiny::method};
  options.request = {"maggi-lu", "rk4"};
  options.projection = Projection::off;
  options.step = 0.01;
  const Solution driven = solve(make_problem("pendulum-driven-length"), options);
  const double velocity = driven.drift->velocity;
  return {
      vanishes("1.3", "|phi_q T|, Andrews' mechanism", left, 1e-14, chosen && T.cwiseAbs().maxCoeff() >= 1),
      vanishes("1.3", "|phi_q q' + phi_t|, driven length", velocity, 1e-13,
               driven.summary.outcome == Outcome::ok)};
}

PendulumCase reduced(const std::string& formulation, std::map<std::string, double> options) {
  return {.label = "",
          .request = {formulation, "rk4"},
          .options = std::move(options),
          .projection = Projection::on};
}

double error_of(const std::string& formulation, std::map<std::string, double> options) {
  return run_pendulum(reduced(formulation, std::move(options)), 0.01).error_q;
}

/// At the lowest point x cannot be the coordinate that the row determines, though the row is as independent as anywhere.
Rows partition_of_the_circle() {
  const auto problem = make_problem("pendulum");
  State lowest = problem->start();
  lowest.y.head(2) << 0, -1;
  const Matrix J = jacobian_at(require<Mechanical>(*problem, "exercise 1.4"), lowest);
  const double pivot = std::abs(J(0, 0)), rank = J.norm();
  const bool bad_choice = pivot < 1e-15 && rank > 0.5;
  const double kept = error_of("maggi-lu", {{"switch", 0}}), anew = error_of("maggi-lu", {{"switch", 1}});
  return {
      explained(
          claimed("1.4", "where phi_x = 0 rows are", "redundant", "independent",
                  bad_choice ? "independent" : "redundant", Verdict::differs, bad_choice),
          {fmt::format("at the lowest point |phi_x| is {:.0f} and |phi_q| is {:.0f}: the choice of x is bad, "
                       "not the row",
                       pivot, rank),
           bad_choice}),
      answered("1.4", "error of q, x kept", "above 0.1", fmt::format("{:.2g}", kept), kept > 0.1),
      answered("1.4", "error of q, chosen anew", "below 1e-5", fmt::format("{:.2g}", anew), anew < 1e-5)};
}

/// X = Q1 R1^-T satisfies the four conditions of Penrose on Andrews' Jacobian.
PaperRow pseudo_inverse() {
  const auto problem = make_problem("andrews");
  const Matrix J = jacobian_at(require<Mechanical>(*problem, "exercise 1.5"), problem->start());
  OrthonormalBasis basis;
  basis.bind(J.cols(), J.rows(), Orthonormal::qr);
  const bool found = basis.compute(J.transpose(), Matrix()) == Outcome::ok;
  const Matrix Q1 = basis.range(), R1 = Q1.transpose() * J.transpose();
  const Matrix X = Q1 * R1.transpose().inverse();
  const auto size = [](const Matrix& A) { return A.cwiseAbs().maxCoeff(); };
  const double most = std::max({size(J * X * J - J) / size(J), size(X * J * X - X) / size(X),
                                size(J * X - (J * X).transpose()), size(X * J - (X * J).transpose())});
  return claimed("1.5", "Penrose's conditions, residual", "0", "0", fmt::format("{:.0e}", most),
                 agree(found && most < 1e-12), found && most < 1e-12);
}

/// How far Q2 is from the tangent (-y, x) and |R1| from 1, all round the circle.
double off_the_tangent(Orthonormal by) {
  OrthonormalBasis basis;
  basis.bind(2, 1, by);
  double most = 0;
  for (int i = 0; i < 360; ++i) {
    const double angle = i * std::numbers::pi / 180 + 1e-3;
    const Eigen::Vector2d along(-std::sin(angle), std::cos(angle)), out(std::cos(angle), std::sin(angle));
    if (basis.compute(out, along) != Outcome::ok) return not_a_number;
    grow(most, std::abs(1 - std::abs(along.dot(basis.null().col(0)))));
    grow(most, std::abs(1 - std::abs(out.dot(basis.range().col(0)))));
  }
  return most;
}

Rows tangents() {
  const double qr = off_the_tangent(Orthonormal::qr), svd = off_the_tangent(Orthonormal::svd);
  const double aligned = error_of("maggi-qr", {}), raw = error_of("maggi-qr", {{"aligned", 0}}),
               by_svd = error_of("maggi-svd", {});
  return {vanishes("1.6", "Q2 off (-y, x)/L, R1 off 1", qr, 1e-14),
          answered("1.6", "error of q, sign of Q2 carried", "below 1e-5", fmt::format("{:.2g}", aligned),
                   aligned < 1e-5),
          answered("1.6", "error of q, sign as it comes", "above 0.1", fmt::format("{:.2g}", raw), raw > 0.1),
          vanishes("1.7", "U2 off (-y, x)/L, Sigma off 1", svd, 1e-14),
          vanishes("1.7", "error of q off that by QR, relative", std::abs(by_svd / aligned - 1), 1e-3)};
}

/// The eigenvectors of phi'phi with eigenvalue 0 span what singular vectors do; its other eigenvalues are squares.
Rows zero_eigenvalues() {
  const auto problem = make_problem("andrews");
  const Matrix J = jacobian_at(require<Mechanical>(*problem, "exercise 1.8"), problem->start());
  const Eigen::Index free = J.cols() - J.rows();
  const auto null_of = [&](Orthonormal by) -> Matrix {
    OrthonormalBasis basis;
    basis.bind(J.cols(), J.rows(), by);
    return basis.compute(J.transpose(), Matrix()) == Outcome::ok ? Matrix(basis.null()) : Matrix();
  };
  const Matrix T = null_of(Orthonormal::zero_eigenvalue), U2 = null_of(Orthonormal::svd);
  const double apart = (T * T.transpose() - U2 * U2.transpose()).cwiseAbs().maxCoeff();
  SymmetricEigen eigen;
  eigen.bind(J.cols());
  const bool found = eigen.compute(J.transpose() * J) == Outcome::ok;
  const Vector squares = J.jacobiSvd().singularValues().cwiseAbs2().reverse();
  const double values = (eigen.values().tail(J.rows()) - squares).cwiseAbs().maxCoeff() / squares.maxCoeff();
  return {vanishes("1.8", "T T' off U2 U2'", apart, 1e-8, T.cols() == free),
          vanishes("1.8", "eigenvalues off squares of singular values", values, 1e-13, found)};
}

/// Rows (1,1,1) and (1,1+e,1) have the singular value e/sqrt(3); as the root of an eigenvalue it is lost in rounding.
Rows squared_condition() {
  constexpr double e = 1e-10;
  Matrix J(2, 3);
  J << 1, 1, 1, 1, 1 + e, 1;
  const double by_svd = J.jacobiSvd().singularValues()[1], exact = e / std::sqrt(3.);
  SymmetricEigen eigen;
  eigen.bind(3);
  const bool found = eigen.compute(J.transpose() * J) == Outcome::ok;
  const double by_eigenvalue = std::sqrt(std::abs(eigen.values()[1]));
  return {answered("1.9", "smaller singular value, by SVD", fmt::format("{:.4e}", exact),
                   fmt::format("{:.4e}", by_svd), std::abs(by_svd - exact) < 1e-5 * exact),
          answered("1.9", "the same by eigenvalues of phi'phi", "lost", fmt::format("{:.0e}", by_eigenvalue),
                   found && std::abs(by_eigenvalue - exact) > exact / 2)};
}

}  // namespace

Rows exercises_of_chapter_1() {
  Rows all{disc(), marble()};
  for (const auto& more : {parametrised(),
                           partition_of_the_circle(),
                           {pseudo_inverse()},
                           tangents(),
                           zero_eigenvalues(),
                           squared_condition()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace dalembert::mantegazza_masarati
