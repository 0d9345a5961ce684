#include "dalembert/boundary/shooting_equations.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/hessenberg.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

namespace {

/// E r for the Gram-like matrix P = G B.
void weigh(Regularization::E e, const Matrix& P, In r, Out w) {
  switch (e) {
    case Regularization::E::identity:
      w = r;
      return;
    case Regularization::E::transposed:
      w = P.transpose() * r;
      return;
    case Regularization::E::inverse:
      w = P.partialPivLu().solve(r);
      return;
  }
}

/// The largest eigenvalue of G B E over eps.
double largest_rate(const Regularization& how, const Matrix& P) {
  if (P.size() == 0) return 0;
  if (how.e == Regularization::E::inverse) return 1 / how.eps;
  const Matrix A = how.e == Regularization::E::identity ? P : Matrix(P * P.transpose());
  return A.eigenvalues().cwiseAbs().maxCoeff() / how.eps;
}

class RegularizedIndex2 final : public ShootingEquations, private Ode {
 public:
  RegularizedIndex2(const Hessenberg& problem, const Regularization& how, const GridFunction& last)
      : problem_(problem),
        how_(how),
        last_(last),
        n_(shooting_sizes(problem)),
        y_(Vector::Zero(n_.y)),
        g_(y_),
        w_(y_) {}

  const Ode& ode() const override { return *this; }
  Eigen::Index rows() const override { return n_.rows; }
  void constraint(double t, In x, Out h) const override { problem_.g(t, x, h); }
  Eigen::Index multipliers() const override { return n_.y; }
  Outcome multiplier(double t, In x, Out y) const override {
    last_(t, y_);
    problem_.g(t, x, g_);
    Matrix P;
    if (how_.e != Regularization::E::identity) P = product(t, x);
    weigh(how_.e, P, g_, w_);
    y = y_ + w_ / how_.eps;
    return y.allFinite() ? Outcome::ok : Outcome::not_finite;
  }
  double rate(double t, In x) const override { return largest_rate(how_, product(t, x)); }

 private:
  Layout layout() const override { return Layout().add("x", n_.x, Role::differential, 0); }
  State start() const override { return {problem_.start().t, problem_.start().y.head(n_.x)}; }
  double end() const override { return problem_.end(); }
  void f(double t, In x, Out dx) const override {
    Vector y(n_.y);
    multiplier(t, x, y);
    problem_.f(t, x, y, dx);
  }
  /// G B with B = -f_z; f is linear in z, so any z will do.
  Matrix product(double t, In x) const {
    Entries f_z, g_y;
    problem_.f_z(t, x, y_, f_z);
    problem_.g_y(t, x, g_y);
    return -g_y.dense(n_.y, n_.x) * f_z.dense(n_.x, n_.y);
  }

  const Hessenberg& problem_;
  Regularization how_;
  const GridFunction& last_;
  ShootingSizes n_;
  mutable Vector y_, g_, w_;  // the work space of this iterate
};

class RegularizedMechanical final : public ShootingEquations, private Ode {
 public:
  RegularizedMechanical(const Mechanical& problem, const Regularization& how, const GridFunction& last)
      : problem_(problem), how_(how), last_(last), n_(problem.sizes()), part_(n_), at_(problem.placement()) {
    g_ = Vector::Zero(n_.holonomic);
    r_ = y_ = Vector::Zero(n_.rows());
    force_ = Vector::Zero(n_.v);
    const State start = problem.start();
    place(start.t, start.y);
    if (mass_.info() != Eigen::Success)
      throw Error("the mass matrix is not positive definite: M^-1 G' of the regularization does not exist");
  }

  const Ode& ode() const override { return *this; }
  Eigen::Index rows() const override { return n_.holonomic + n_.rows(); }
  void constraint(double t, In x, Out h) const override {
    place(t, x);
    h << g_, r_;
  }
  Eigen::Index multipliers() const override { return n_.rows(); }
  Outcome multiplier(double t, In x, Out y) const override {
    place(t, x);
    weighted(t, y);
    return y.allFinite() ? Outcome::ok : Outcome::not_finite;
  }
  double rate(double t, In x) const override {
    place(t, x);
    return largest_rate(how_, J_ * B_);
  }

 private:
  Layout layout() const override { return Layout().add("x", part_.differential(), Role::differential, 0); }
  State start() const override {
    const State full = problem_.start();
    return {full.t, full.y.head(part_.differential())};
  }
  double end() const override { return problem_.end(); }

  /// Everything at (t,x): M, J, B = M^-1 J', g and r = J v + w.
  void place(double t, In x) const {
    problem_.place_at(*at_, t, part_.q(x));
    Entries M, J;
    problem_.mass(*at_, M);
    problem_.jacobian(*at_, J);
    mass_.compute(M.dense(n_.v, n_.v));
    J_ = J.dense(n_.rows(), n_.v);
    B_ = mass_.solve(J_.transpose());
    problem_.g(*at_, g_);
    problem_.velocity_bias(*at_, r_);
    r_ += J_ * part_.v(x);
  }
  /// y_s from y_{s-1}(t) and the residuals in place.
  void weighted(double t, Out y) const {
    last_(t, y_);
    weigh(how_.e, J_ * B_, r_, y);
    y = y_ + y / how_.eps;
  }
  void f(double t, In x, Out dx) const override {
    place(t, x);
    Vector y(n_.rows()), w(n_.holonomic);
    weighted(t, y);
    const auto G = J_.topRows(n_.holonomic);
    const auto Bg = B_.leftCols(n_.holonomic);
    weigh(how_.e, G * Bg, g_, w);
    const Vector v = part_.v(x), s = part_.s(x);
    problem_.force(*at_, v, s, force_);
    part_.q(dx) = v - Bg * w / how_.eps;
    part_.v(dx) = mass_.solve(force_) - B_ * y;
    if (n_.s > 0) problem_.auxiliary(*at_, v, s, part_.s(dx));
  }

  const Mechanical& problem_;
  Regularization how_;
  const GridFunction& last_;
  Mechanical::Sizes n_;
  MechanicalState part_;
  std::unique_ptr<Placement> at_;  // this and below: the work space of this iterate
  mutable Matrix J_, B_;
  mutable Vector g_, r_, y_, force_;
  mutable Eigen::LLT<Matrix> mass_;
};

}  // namespace

ShootingSizes shooting_sizes(const Problem& problem) {
  if (const auto* index2 = as<Hessenberg>(&problem)) {
    const Eigen::Index n = differential_size(index2->layout()), m = index2->layout().size() - n;
    return {.x = n, .y = m, .rows = m};
  }
  if (const auto* mechanical = as<Mechanical>(&problem)) {
    if (!mechanical->plain())
      throw Error("positions whose rates are not their velocities (rotations) have no boundary problems here",
                  "describe the motion in coordinates with q' = v");
    const auto n = mechanical->sizes();
    return {.x = n.q + n.v + n.s, .y = n.rows(), .rows = n.holonomic + n.rows()};
  }
  throw Error("boundary problems are solved for the kinds hessenberg and mechanical, not " +
              std::string(name(problem.kind())));
}

std::unique_ptr<ShootingEquations> regularized_equations(const Problem& problem, const Regularization& how,
                                                         const GridFunction& last) {
  shooting_sizes(problem);
  if (!(how.eps > 0)) throw Error("eps must be positive");
  if (const auto* index2 = as<Hessenberg>(&problem))
    return std::make_unique<RegularizedIndex2>(*index2, how, last);
  return std::make_unique<RegularizedMechanical>(as<Mechanical>(problem), how, last);
}

}  // namespace dalembert
