// Algorithms 2.1 and 3.1 of [YenPetzold1998] as they are printed, kept to show what they do. The iteration
//
//   J1 (dq^, dv^) = -(r1, r2),   P dq = P dq^,  G dq = -g,   P dv = P dv^,  G dv = -(Gv)_q dq - G v        (2.17)-(2.19)
//
// has the fixed point P J1^-1 r = 0 instead of P r = 0: as h -> 0, P (v' - M^-1 f) = 0. Right only if M is a multiple of
// the identity. Without (I + Q'Q)^-1, as in (2.25), it also oversteps by the factor 1 + Q'Q.
//
// Written as a problem F(t,y,y') = 0 in y = (q, v, h) with h = (dq^, dv^), predicted as zero, so that h' = c h:
//
//   r + J1 h = 0,   P h = 0,   G v = 0,   g = 0
//
// and with the Jacobian from which Newton's method makes the iteration above, it runs under the same `bdf`.
#include <fmt/format.h>

#include <cmath>

#include "dalembert/formulation/splitting/coordinate_partition.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/implicit.h"
#include "papers/yen_petzold/parts.h"

namespace dalembert::yen_petzold {

namespace {

using Rows = std::vector<PaperRow>;

class Decoupled final : public Implicit {
 public:
  Decoupled(std::shared_ptr<const Mechanical> problem, const Vector& q0, Damping damping)
      : mechanical_(std::move(problem)), damping_(damping), q0_(q0) {
    const auto sizes = mechanical_->sizes();
    n_ = sizes.q;
    m_ = sizes.holonomic;
    at_ = mechanical_->placement();
    split_.bind(m_, n_, CoordinatePartition::Basis::coordinates, {});
    place(0, q0);
    split_.choose(G_);
    take_P();
    K0_ = D0_ = Matrix::Zero(n_, n_);
  }
  Layout layout() const override {
    return Layout()
        .add("q", n_, Role::differential, 1)
        .add("v", n_, Role::differential, 1)
        .add("h", 2 * n_, Role::algebraic, 1);
  }
  State start() const override {
    State state{0, Vector::Zero(4 * n_)};
    state.y.head(n_) = q0_;
    return state;
  }
  double end() const override { return mechanical_->end(); }

  void F(double t, In y, In dy, Out residual) const override {
    if (!matrix_of_here_) {  // P of the matrix must be the P held: NaN makes Newton's iteration ask for a new one
      residual.setConstant(not_a_number);
      return;
    }
    place(t, y.head(n_));
    const Vector v = y.segment(n_, n_), hq = y.segment(2 * n_, n_), hv = y.tail(n_);
    Vector f(n_), g(m_);
    mechanical_->force(*at_, v, Vector(), f);
    mechanical_->g(*at_, g);
    const Eigen::Index p = n_ - m_;
    residual.head(n_) = dy.head(n_) - v + dy.segment(2 * n_, n_) - hv;
    residual.segment(n_, n_) = M_ * (dy.segment(n_, n_) + dy.tail(n_)) - f + K0_ * hq + D0_ * hv;
    residual.segment(2 * n_, p) = -P_ * hq;
    residual.segment(2 * n_ + p, p) = -P_ * hv;
    residual.segment(2 * n_ + 2 * p, m_) = G_.dense(m_, n_) * v;
    residual.tail(m_) = g;
  }

  /// J1 acts on h only: the columns of q and v in r are left out, which is what "decoupled" means.
  void jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const override {
    place(t, y.head(n_));
    split_.choose(G_);
    take_P();
    matrix_of_here_ = true;
    Derivatives d;
    mechanical_->derivatives(*at_, y.segment(n_, n_), Vector(), dy.segment(n_, n_), Vector::Zero(m_), d);
    K0_ = d.K.dense(n_, n_);
    D0_ = d.D.dense(n_, n_);
    const Eigen::Index p = n_ - m_;
    const Matrix I = Matrix::Identity(n_, n_), G = G_.dense(m_, n_);
    Matrix a = Matrix::Zero(4 * n_, 4 * n_), b = a;
    a.block(0, 3 * n_, n_, n_) = -I;
    a.block(n_, 2 * n_, n_, n_) = K0_;
    a.block(n_, 3 * n_, n_, n_) = D0_;
    b.block(0, 2 * n_, n_, n_) = I;
    b.block(n_, 3 * n_, n_, n_) = M_;
    const Matrix rows = damping_ == Damping::right ? P_ : undamped();
    a.block(2 * n_, 0, p, n_) = a.block(2 * n_ + p, n_, p, n_) = rows;
    a.block(2 * n_, 2 * n_, p, n_) = a.block(2 * n_ + p, 3 * n_, p, n_) = -P_;
    a.block(2 * n_ + 2 * p, 0, m_, n_) = d.B.dense(m_, n_);
    a.block(2 * n_ + 2 * p, n_, m_, n_) = G;
    a.block(4 * n_ - m_, 0, m_, n_) = G;
    write(a, F_y);
    write(b, F_dy);
  }

  void rate(double t, In y, Out dy) const override {
    place(t, y.head(n_));
    Vector right(n_ + m_), f(n_), bias(m_);
    mechanical_->force(*at_, y.segment(n_, n_), Vector(), f);
    mechanical_->bias(*at_, y.segment(n_, n_), bias);
    right << f, -bias;
    Matrix A = Matrix::Zero(n_ + m_, n_ + m_);
    A.topLeftCorner(n_, n_) = M_;
    A.bottomLeftCorner(m_, n_) = G_.dense(m_, n_);
    A.topRightCorner(n_, m_) = A.bottomLeftCorner(m_, n_).transpose();
    dy.setZero();
    dy.head(n_) = y.segment(n_, n_);
    dy.segment(n_, n_) = A.fullPivLu().solve(right).head(n_);
  }
  /// P is held at the predictor (Algorithm 3.1).
  void prepare(double /*t*/, Out y, Out dy) const override {
    y.tail(2 * n_).setZero();
    dy.tail(2 * n_).setZero();
    matrix_of_here_ = false;
  }
  void change_tests(Out error, Out newton) const override {
    error.setZero();
    error.head(2 * n_).setOnes();
    newton = error;
  }

 private:
  void place(double t, In q) const {
    mechanical_->place_at(*at_, t, q);
    mechanical_->jacobian(*at_, G_);
    Entries mass;
    mechanical_->mass(*at_, mass);
    M_ = mass.dense(n_, n_);
  }
  void take_P() const {
    P_.resize(n_ - m_, n_);
    Vector column(n_ - m_);
    for (Eigen::Index j = 0; j < n_; ++j) {
      split_.project(Vector::Unit(n_, j), column);
      P_.col(j) = column;
    }
  }
  /// dx + Q'(GY)^-1 g = P dq^ with g = -G dq: X' - Q'[Q, I], that is P - Q'Q X'.
  Matrix undamped() const {
    Matrix X = Matrix::Zero(n_ - m_, n_);
    for (std::size_t i = 0; i < split_.free_coordinates().size(); ++i)
      X(static_cast<Eigen::Index>(i), split_.free_coordinates()[i]) = 1;
    const Matrix PPt = P_ * P_.transpose();  // I + Q'Q
    return P_ - (PPt - Matrix::Identity(n_ - m_, n_ - m_)) * X;
  }
  static void write(const Matrix& a, Entries& to) {
    to.begin();
    for (Eigen::Index i = 0; i < a.rows(); ++i)
      for (Eigen::Index j = 0; j < a.cols(); ++j) to.add(i, j, a(i, j));
    to.end();
  }

  std::shared_ptr<const Mechanical> mechanical_;
  Damping damping_;
  Vector q0_;
  Eigen::Index n_ = 0, m_ = 0;
  std::unique_ptr<Placement> at_;
  mutable bool matrix_of_here_ = true;
  mutable CoordinatePartition split_;
  mutable Entries G_;
  mutable Matrix M_, P_, K0_, D0_;
};

class Rod final : public Mechanical {
 public:
  explicit Rod(double J) : J_(J) {}
  Sizes sizes() const override { return {.q = 3, .v = 3, .holonomic = 2}; }
  Layout layout() const override { return mechanical_layout({}); }
  State start() const override {
    State state{0, Vector::Zero(8)};
    state.y.head(3) << std::sin(.8), -std::cos(.8), .8;
    return state;
  }
  double end() const override { return 2; }
  void mass(const Placement&, Entries& M) const override {
    M.write<3>({{{0, 0}, {1, 1}, {2, 2}}}, {1, 1, J_});
  }
  void force(const Placement&, In, In, Out f) const override { f << 0, -1, 0; }
  void g(const Placement& at, Out r) const override {
    r << at.q[0] - std::sin(at.q[2]), at.q[1] + std::cos(at.q[2]);
  }
  void jacobian(const Placement& at, Entries& G) const override {
    G.write<4>({{{0, 0}, {0, 2}, {1, 1}, {1, 2}}}, {1, -std::cos(at.q[2]), 1, -std::sin(at.q[2])});
  }
  void bias(const Placement& at, In v, Out b) const override {
    b << std::sin(at.q[2]) * v[2] * v[2], -std::cos(at.q[2]) * v[2] * v[2];
  }

 private:
  double J_;
};

RunOptions options(const std::string& formulation, double end, double tolerance) {
  RunOptions o{.scrutiny = Scrutiny::method};
  o.request = {formulation, "bdf"};
  o.tolerance = {tolerance, tolerance};
  o.end = end;
  o.options = {{"max-order", 2}, {"dassl", 1}};
  return o;
}

DecoupledRun result(const Summary& s, Eigen::Index n) {
  return {s.state.y.head(n), s.state.y.segment(n, n), counts(s.statistics), s.outcome};
}

double distance(const DecoupledRun& a, const DecoupledRun& b) {
  return std::sqrt((a.q - b.q).squaredNorm() + (a.v - b.v).squaredNorm());
}

Rows wrong_answers(const PaperOptions&, std::vector<std::filesystem::path>&) {
  Rows rows;
  for (const double J : {1.0 / 12, 1.0}) {
    const auto rod = make_rod(J);
    const Vector q0 = rod->start().y.head(3);
    const DecoupledRun reference = solve_coupled(rod, q0, 2, 1e-9, "cs");
    const auto error = [&](double tolerance) {
      return distance(solve_decoupled(rod, q0, 2, tolerance, Damping::right), reference);
    };
    for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
      const double printed = error(tolerance),
                   full = distance(solve_coupled(rod, q0, 2, tolerance, "cm"), reference);
      rows.push_back(explained(
          {fmt::format("rod, J = {:.3g}, TOL {:.0e}", J, tolerance),
           "error of the decoupled iteration, of the full matrix", "the same solution",
           fmt::format("{:.2e}, {:.1e}", printed, full), agree(printed < 2 * full),
           J == 1 ? "M is the identity" : ""},
          {"the fixed point is P J1^-1 r = 0, not P r = 0: the error is the same to 2 % at every tolerance",
           std::abs(error(1e-3) / error(1e-7) - 1) < .02}));
    }
  }
  // With M = I and a force that is not constant: P K h, which the fixed point drops, vanishes with the step. It is the same solution if the error is
  // that of the full matrix, but for a factor of two.
  const auto errors = [](double eps, double tolerance) {
    const auto spring =
        std::dynamic_pointer_cast<const Mechanical>(make_problem("circle-spring", {{"eps", eps}}));
    const Vector q0 = spring->start().y.head(2);
    const DecoupledRun reference = solve_coupled(spring, q0, 1, 1e-10, "cs");
    return std::pair(distance(solve_decoupled(spring, q0, 1, tolerance, Damping::right), reference),
                     distance(solve_coupled(spring, q0, 1, tolerance, "cm"), reference));
  };
  constexpr double soft = 100;
  for (const double eps : {.1, .01})
    for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
      const auto [printed, full] = errors(eps, tolerance);
      const auto [printed_soft, full_soft] = errors(soft, tolerance);
      rows.push_back(
          explained({fmt::format("spring, 1/eps^2 = {:.0e}, TOL {:.0e}", 1 / (eps * eps), tolerance),
                     "error of the decoupled iteration, of the full matrix", "the same solution",
                     fmt::format("{:.2e}, {:.1e}", printed, full), agree(printed < 2 * full)},
                    {"the fixed point lacks P K h: it is the stiffness, since with a spring of 1e-4 both "
                     "errors are alike",
                     printed_soft < 2 * full_soft}));
    }
  return rows;
}

Rows oversteps(const PaperOptions&, std::vector<std::filesystem::path>&) {
  Rows rows;
  const auto pendulum = std::dynamic_pointer_cast<const Mechanical>(make_problem("pendulum"));
  const Vector q0 = Eigen::Vector2d(std::sin(M_PI / 4), -std::cos(M_PI / 4));
  for (const double tolerance : {1e-3, 1e-4}) {
    const DecoupledRun run = solve_decoupled(pendulum, q0, 2, tolerance, Damping::printed);
    const Counts& printed = run.counts;
    const Counts right = solve_decoupled(pendulum, q0, 2, tolerance, Damping::right).counts;
    rows.push_back(
        explained({fmt::format("pendulum from 45 degrees, TOL {:.0e}", tolerance),
                   "steps (failed iterations) without and with (I + Q'Q)^-1", "a change of norm only",
                   fmt::format("{:.0f} ({:.0f}), {:.0f} ({:.0f})", printed.steps, printed.newton_failures,
                               right.steps, right.newton_failures),
                   agree(good(run.outcome) && printed.steps < 2 * right.steps)},
                  {std::string("corrections are 1 + Q^2 = 2 times too long: every second iteration fails, "
                               "with the factor none") +
                       (good(run.outcome) ? "" : "; the run ended before its time"),
                   printed.newton_failures > .4 * printed.steps && right.newton_failures == 0}));
  }
  return rows;
}

}  // namespace

std::shared_ptr<const Mechanical> make_rod(double J) {
  return std::make_shared<const Rod>(J);
}

DecoupledRun solve_decoupled(std::shared_ptr<const Mechanical> problem, const Vector& q0, double end,
                             double tolerance, Damping damping) {
  return result(run(std::make_shared<const Decoupled>(std::move(problem), q0, damping),
                    options("direct", end, tolerance)),
                q0.size());
}

DecoupledRun solve_coupled(const std::shared_ptr<const Mechanical>& problem, const Vector& q0, double end,
                           double tolerance, const std::string& formulation) {
  RunOptions o = options(formulation, end, tolerance);
  const Layout layout = problem->layout();
  for (Eigen::Index i = 0; i < q0.size(); ++i) o.start[layout.label(i)] = q0[i];
  return result(run(problem, o), q0.size());
}

std::vector<PaperPart> decoupled() {
  return {{"algorithm-2.1", "Algorithms 2.1 and 3.1 as printed: the answer", wrong_answers},
          {"equation-2.25", "Equation (2.25): the iteration without (I + Q'Q)^-1", oversteps}};
}

}  // namespace dalembert::yen_petzold
