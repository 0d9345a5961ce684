// srm-baumgarte: sequential regularization of Baumgarte's combination [AscherLin1997, (4.4)-(4.5); Baumgarte1972].
//
//   q_s' = N v_s,   M v_s' = f - W'l_s,   l_s = l_{s-1} + (1/eps) E (alpha1 g'' + alpha2 g' + alpha3 g)
//
// alpha1 = 1: l_s stands on both sides, (eps I + E S) l_s = eps l_{s-1} + E (J M^-1 f + bias + alpha2 g' + alpha3 g), and
// nothing is stiff. alpha1 = 0: no second derivatives, rates of order 1/eps. Velocity-level rows have no g.
#include "dalembert/core/error.h"
#include "dalembert/formulation/regularized/srm_mechanics.h"

namespace dalembert {

namespace {

class SrmBaumgarte final : public MechanicalRegularization {
 public:
  SrmBaumgarte(const Mechanical& problem, const Parameters& options, Statistics& statistics)
      : MechanicalRegularization(problem, options, statistics),
        weight_(weight_in(options)),
        alpha1_(options.count("alpha1", 0, 1)),
        alpha2_(options["alpha2"]),
        alpha3_(options["alpha3"]),
        r_(Vector::Zero(n_.rows())),
        e_(r_),
        a_(Vector::Zero(n_.v)),
        unit_(r_),
        system_(Matrix::Identity(n_.rows(), n_.rows())),
        square_(system_),
        lu_(n_.rows()) {
    if (alpha2_ <= 0 || alpha3_ < 0)
      throw Error("alpha2 must be positive and alpha3 not negative", "constraint errors would not decay");
  }
  Eigen::Index carried_size() const override { return n_.rows(); }

  void evaluate(double t, In x, In before, Out dx, Out c) const override {
    place(t, x);
    r_ = alpha2_ * w_ + alpha3_ * g_;
    if (alpha1_ == 0) {
      weigh(weight_, r_, e_);
      c = before + e_ / eps_;
    } else {
      problem_.bias(*at_, part_.v(x), e_);
      r_ += e_;
      a_ = f_;
      solve_mass(a_);
      J_.multiply(a_, 1, r_);
      weigh(weight_, r_, e_);
      e_ += eps_ * before;
      solve_sum(e_, c);
    }
    move(x, c, part_.v(x), dx);
  }
  Outcome algebraic(double, In, In c, Out z) const override {
    z = c;
    return Outcome::ok;
  }
  /// (eps/mu + alpha1) g'' + alpha2 g' + alpha3 g = 0
  std::vector<std::complex<double>> spectrum() const override {
    std::vector<std::complex<double>> all;
    for (const auto& mu : eigenvalues(weight_)) {
      const std::complex<double> a = eps_ / mu + static_cast<double>(alpha1_);
      const std::complex<double> root = std::sqrt(alpha2_ * alpha2_ - 4. * a * alpha3_);
      all.push_back((-alpha2_ - root) / (2. * a));
      all.push_back((-alpha2_ + root) / (2. * a));
    }
    return all;
  }

 private:
  /// (eps I + E S) l = e
  void solve_sum(In e, Out l) const {
    if (weight_ == Weight::inverse) {
      l = e / (1 + eps_);
      return;
    }
    const Eigen::Index m = n_.rows();
    for (Eigen::Index j = 0; j < m; ++j) {
      unit_.setZero();
      unit_[j] = 1;
      weigh(Weight::transposed, unit_, r_);
      system_.row(j) = r_.transpose();  // S' e_j is row j of S
    }
    if (weight_ == Weight::transposed) {
      square_.noalias() = system_.transpose().lazyProduct(system_);
      system_.swap(square_);
    }
    system_.diagonal().array() += eps_;
    lu_.compute(system_);
    l = lu_.solve(e);
    ++statistics_.factorizations;
    ++statistics_.solves;
  }

  Weight weight_;
  int alpha1_;
  double alpha2_, alpha3_;
  mutable Vector r_, e_, a_, unit_;
  mutable Matrix system_, square_;
  mutable Eigen::PartialPivLU<Matrix> lu_;
};

}  // namespace

std::vector<FormulationEntry> formulations_in_srm_baumgarte() {
  return srm_entries<SrmBaumgarte>(
      {.name = "srm-baumgarte",
       .summary = "sequential regularization of g'' + alpha2 g' + alpha3 g = 0, or without g''",
       .cite = "AscherLin1997 Baumgarte1972",
       .from = Kind::mechanical,
       .to = Kind::ode,
       .directions = true,
       .drifts = false,
       .options = {weight_option(),
                   {"alpha1", 1, "", "1: second derivatives take part and nothing is stiff; 0: they do not"},
                   {"alpha2", 2, "1/s", "weight of the velocity residual"},
                   {"alpha3", 1, "1/s^2", "weight of the position residual"}},
       .make = nullptr});
}

}  // namespace dalembert
