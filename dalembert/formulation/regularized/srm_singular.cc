// srm-singular: sequential regularization that carries the constraint acceleration c = B l, which stays smooth where the
// constraints lose rank at isolated instants and l does not [AscherLin1997, (4.23), (5.5)-(5.6)].
//
//   q_s' = N (v_s - (1/eps) B S^+ g),   v_s' = M^-1 f - c_s,   c_s = B S^+ (J c_{s-1} + (1/eps)(J v_s + w))
//
// With M = L L' and A = L^-1 J', B S^+ = L^-T (A')^+: singular values of A that are rounding are left out, so that a
// start exactly on the singularity is no division of zero by zero, and rows that always depend on others do no harm.
#include "dalembert/formulation/regularized/srm_mechanics.h"

namespace dalembert {

namespace {

class SrmSingular final : public MechanicalRegularization {
 public:
  SrmSingular(const Mechanical& problem, const Parameters& options, Statistics& statistics)
      : MechanicalRegularization(problem, options, statistics),
        llt_(n_.v),
        A_(Matrix::Zero(n_.v, n_.rows())),
        mass_(Matrix::Zero(n_.v, n_.v)),
        svd_(n_.v, n_.rows(), Eigen::ComputeThinU | Eigen::ComputeThinV),
        U_(Matrix::Zero(n_.v, std::min(n_.v, n_.rows()))),
        V_(Matrix::Zero(n_.rows(), U_.cols())),
        sigma_(Vector::Zero(U_.cols())),
        r_(Vector::Zero(n_.rows())),
        u_(Vector::Zero(n_.v)) {
    measure_start();
  }
  void reset() override {
    MechanicalRegularization::reset();
    measure_start();
  }
  Eigen::Index carried_size() const override { return n_.v; }
  void first(const State& original, Out c) const override {
    place(original.t, original.y);
    r_ = part_.multipliers(original.y);
    direct(r_, c);
  }

  void evaluate(double t, In x, In before, Out dx, Out c) const override {
    place(t, x);
    if (!decompose()) {
      dx.setConstant(not_a_number);
      c.setConstant(not_a_number);
      return;
    }
    r_ = w_ / eps_;
    J_.multiply(before, 1, r_);
    least(r_, c);
    r_ = g_ / eps_;
    least(r_, u_);
    u_ = part_.v(x) - u_;
    move(x, u_, dx);
    part_.v(dx) -= c;
  }
  Outcome algebraic(double t, In x, In c, Out z) const override {
    place(t, x);
    if (!decompose()) return Outcome::not_finite;
    z.setZero();  // l = S^+ J c = (A)^+ L' c
    u_.noalias() = llt_.matrixU() * c;
    for (Eigen::Index k = 0; k < rank_; ++k) z += (U_.col(k).dot(u_) / sigma_[k]) * V_.col(k);
    return Outcome::ok;
  }
  std::vector<std::complex<double>> spectrum() const override {
    return std::vector<std::complex<double>>(static_cast<std::size_t>(2 * n_.rows()), -1 / eps_);
  }

 private:
  static constexpr double truncation = 1e-9;  // relative; 1e-12 to 1e-5 give the same motion

  void measure_start() {
    const State start = problem_.start();
    first_ = 0;
    place(start.t, start.y);
    if (decompose() && sigma_.size() > 0) first_ = sigma_[0];
  }
  /// v' = M^-1 f, q' = N u, s' = k
  void move(In x, In u, Out dx) const {
    auto a = part_.v(dx);
    a = f_;
    llt_.matrixL().solveInPlace(a);
    llt_.matrixU().solveInPlace(a);
    problem_.tangent(*at_, u, part_.q(dx));
    if (n_.s > 0) problem_.auxiliary(*at_, part_.v(x), part_.s(x), part_.s(dx));
  }
  bool decompose() const {
    mass_.setZero();
    for (std::size_t k = 0; k < M_.size(); ++k) mass_(M_.row(k), M_.column(k)) += M_.value(k);
    A_.setZero();
    for (std::size_t k = 0; k < J_.size(); ++k) A_(J_.column(k), J_.row(k)) += J_.value(k);
    llt_.compute(mass_);
    if (llt_.info() != Eigen::Success) return false;
    llt_.matrixL().solveInPlace(A_);
    if (!A_.allFinite()) return false;
    rank_ = 0;
    if (A_.cols() == 0) return true;
    ++statistics_.factorizations;
    ++statistics_.solves;
    if (A_.cols() == 1) {  // its own direction
      sigma_[0] = A_.norm();
      rank_ = sigma_[0] > truncation * first_ ? 1 : 0;
      if (rank_ == 1) U_ = A_ / sigma_[0];
      V_(0, 0) = 1;
      return true;
    }
    svd_.compute(A_);
    sigma_ = svd_.singularValues();
    U_ = svd_.matrixU();
    V_ = svd_.matrixV();
    while (rank_ < sigma_.size() && sigma_[rank_] > truncation * sigma_[0]) ++rank_;
    return true;
  }
  /// a = B S^+ r, the least acceleration in the kinetic metric with J a = r
  void least(In r, Out a) const {
    a.setZero();
    for (Eigen::Index k = 0; k < rank_; ++k) a += (V_.col(k).dot(r) / sigma_[k]) * U_.col(k);
    llt_.matrixU().solveInPlace(a);
  }

  mutable Eigen::LLT<Matrix> llt_;
  mutable Matrix A_, mass_;
  mutable Eigen::JacobiSVD<Matrix> svd_;
  mutable Matrix U_, V_;
  mutable Vector sigma_;
  double first_ = 0;  // of a single row: its size at the start
  mutable Eigen::Index rank_ = 0;
  mutable Vector r_, u_;
};

}  // namespace

std::vector<FormulationEntry> formulations_in_srm_singular() {
  return srm_entries<SrmSingular>(
      {.name = "srm-singular",
       .summary = "sequential regularization that carries B l: for isolated singularities",
       .cite = "AscherLin1997",
       .from = Kind::mechanical,
       .to = Kind::ode,
       .crosses = true,
       .drifts = false,
       .options = {},
       .make = nullptr});
}

}  // namespace dalembert
