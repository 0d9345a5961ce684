// srm, srm-singular on index-2 problems with f linear in z: x' = f - B y, 0 = g(t,x) [AscherLin1997].
//
//   srm            y_s = y_{s-1} + (1/eps) E (alpha1 dg/dt + alpha2 g)                          (2.4), (2.5)
//                  alpha1 = 0: (2.15), stiff with rates GBE/eps;  alpha1 = 1: (2.12), not stiff at any eps
//   srm-singular   c_s = B (GB)^+ (G c_{s-1} + g/eps) in the place of B y                       (3.2)
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/formulation/regularized/regularized_sequence.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {

namespace {

/// g, G, B and f(t,x,0) at one point.
class Index2Regularization : public Regularization {
 public:
  Index2Regularization(const Hessenberg& problem, const Parameters& options, Statistics& statistics)
      : problem_(problem),
        statistics_(statistics),
        n_(differential_size(problem.layout())),
        m_(problem.layout().size() - n_),
        eps_(options.positive("eps")) {
    G_.resize(m_, n_);
    B_.resize(n_, m_);
    GB_.resize(m_, m_);
    for (Vector* v : {&g_, &rate_, &r_}) *v = Vector::Zero(m_);
    zero_ = Vector::Zero(m_);
    f_ = Vector::Zero(n_);
    place_at_start();  // records the patterns
    require_linear();
  }
  void reset() override { place_at_start(); }
  const Problem& original() const final { return problem_; }

 protected:
  /// G, B = -f_z and GB.
  void place(double t, In x) const {
    problem_.g_y(t, x, g_y_);
    problem_.f_z(t, x, zero_, f_z_);
    ++statistics_.jacobians;
    G_.setZero();
    B_.setZero();
    for (std::size_t k = 0; k < g_y_.size(); ++k) G_(g_y_.row(k), g_y_.column(k)) += g_y_.value(k);
    for (std::size_t k = 0; k < f_z_.size(); ++k) B_(f_z_.row(k), f_z_.column(k)) -= f_z_.value(k);
    GB_.noalias() = G_.lazyProduct(B_);  // lazy: the blocked product would allocate
  }
  void place_at_start() const {
    const State start = problem_.start();
    place(start.t, start.y.head(n_));
  }
  /// With f_z at a z that is far off, GBE may have any sign.
  void require_linear() const {
    const State start = problem_.start();
    const Vector x = start.y.head(n_);
    for (const double size : {1.0, -2.0}) {
      const Vector z = Vector::Constant(m_, size);
      Vector f(n_);
      problem_.f(start.t, x, zero_, f_);
      problem_.f(start.t, x, z, f);
      if ((f - f_ + B_ * z).norm() > 1e-9 * (1 + f.norm()))
        throw Error("sequential regularization needs f linear in z, and here it is not",
                    "take formulation=direct, or baumgarte");
    }
  }

  const Hessenberg& problem_;
  Statistics& statistics_;
  Eigen::Index n_, m_;
  double eps_;
  Vector zero_;
  // The work space of this run.
  mutable Entries g_y_, f_z_;
  mutable Matrix G_, B_, GB_;
  mutable Vector g_, rate_, r_, f_;
};

class Index2Srm final : public Index2Regularization {
 public:
  Index2Srm(const Hessenberg& problem, const Parameters& options, Statistics& statistics)
      : Index2Regularization(problem, options, statistics),
        weight_(weight_in(options)),
        alpha1_(options.count("alpha1", 0, 1)),
        alpha2_(options["alpha2"]),
        system_(Matrix::Identity(m_, m_)),
        lu_(m_) {
    if (alpha2_ < 0 || (alpha1_ == 0 && alpha2_ == 0))
      throw Error("alpha2 must be positive", "constraint errors would not decay");
  }
  Eigen::Index carried_size() const override { return m_; }

  void evaluate(double t, In x, In before, Out dx, Out c) const override {
    problem_.g(t, x, g_);
    ++statistics_.constraint_evaluations;
    if (alpha1_ != 0) {
      full(t, x, before, c);
    } else {
      if (weight_ != Weight::identity) place(t, x);
      r_ = (alpha2_ / eps_) * g_;
      weigh(r_, c);
      c += before;
    }
    problem_.f(t, x, c, dx);
  }
  void first(const State& original, Out c) const override { c = original.y.tail(m_); }
  Outcome algebraic(double, In, In c, Out z) const override {
    z = c;
    return Outcome::ok;
  }
  std::vector<std::complex<double>> spectrum() const override {
    const State start = problem_.start();
    place(start.t, start.y.head(n_));
    const Matrix GBE = weight_ == Weight::identity     ? GB_
                       : weight_ == Weight::transposed ? Matrix(GB_ * GB_.transpose())
                                                       : Matrix(Matrix::Identity(m_, m_));
    std::vector<std::complex<double>> all;
    if (m_ == 0) return all;
    const Eigen::VectorXcd values = GBE.eigenvalues();
    for (const auto& value : values)  // (eps/mu + alpha1) v' + alpha2 v = 0, (2.8a)
      all.push_back(-alpha2_ / (eps_ / value + static_cast<double>(alpha1_)));
    return all;
  }

 private:
  /// to = E from, with GB at hand.
  void weigh(In from, Out to) const {
    if (weight_ == Weight::identity) {
      to = from;
    } else if (weight_ == Weight::transposed) {
      to.noalias() = GB_.transpose().lazyProduct(from);
    } else {
      lu_.compute(GB_);
      to = lu_.solve(from);
      ++statistics_.factorizations;
      ++statistics_.solves;
    }
  }
  /// alpha1 = 1: y_s stands on both sides of (2.5); (eps I + E GB) y_s = eps y_{s-1} + E (G f + g_t + alpha2 g).
  void full(double t, In x, In before, Out c) const {
    place(t, x);
    problem_.f(t, x, zero_, f_);
    problem_.g_t(t, x, rate_);
    r_ = rate_ + alpha2_ * g_;
    r_.noalias() += G_.lazyProduct(f_);
    weigh(r_, rate_);
    rate_ += eps_ * before;
    if (weight_ == Weight::identity)
      system_ = GB_;
    else if (weight_ == Weight::transposed)
      system_.noalias() = GB_.transpose().lazyProduct(GB_);
    else
      system_.setIdentity();
    system_.diagonal().array() += eps_;
    lu_.compute(system_);
    c = lu_.solve(rate_);
    ++statistics_.factorizations;
    ++statistics_.solves;
  }

  Weight weight_;
  int alpha1_;
  double alpha2_;
  mutable Matrix system_;
  mutable Eigen::PartialPivLU<Matrix> lu_;
};

/// Rows of G and columns of B are brought to unit length before their product is inverted: a row that vanishes keeps its
/// direction until it is gone, and then it is left out.
class Index2Singular final : public Index2Regularization {
 public:
  Index2Singular(const Hessenberg& problem, const Parameters& options, Statistics& statistics)
      : Index2Regularization(problem, options, statistics),
        svd_(m_, m_, Eigen::ComputeFullU | Eigen::ComputeFullV),
        rows_(m_),
        columns_(m_) {
    smallest_ = truncation * std::max(G_.rowwise().norm().maxCoeff(), B_.colwise().norm().maxCoeff());
  }
  Eigen::Index carried_size() const override { return n_; }

  void evaluate(double t, In x, In before, Out dx, Out c) const override {
    problem_.g(t, x, g_);
    ++statistics_.constraint_evaluations;
    place(t, x);
    r_ = g_ / eps_;
    r_.noalias() += G_.lazyProduct(before);
    solve(r_, rate_);
    c.noalias() = B_.lazyProduct(rate_);
    problem_.f(t, x, zero_, dx);
    dx -= c;
  }
  void first(const State& original, Out c) const override {
    place(original.t, original.y.head(n_));
    c.noalias() = B_.lazyProduct(original.y.tail(m_));
  }
  Outcome algebraic(double t, In x, In c, Out z) const override {
    place(t, x);
    r_.noalias() = G_.lazyProduct(c);
    solve(r_, z);
    return Outcome::ok;
  }
  std::vector<std::complex<double>> spectrum() const override {
    return std::vector<std::complex<double>>(static_cast<std::size_t>(m_), -1 / eps_);
  }

 private:
  static constexpr double truncation = 1e-9;  // anything from 1e-12 to 1e-5 gives the same motion

  /// z = (GB)^+ r
  void solve(In r, Out z) const {
    for (Eigen::Index i = 0; i < m_; ++i) {
      const double row = G_.row(i).norm(), column = B_.col(i).norm();
      rows_[i] = row > smallest_ ? 1 / row : 0;
      columns_[i] = column > smallest_ ? 1 / column : 0;
    }
    for (Eigen::Index j = 0; j < m_; ++j)
      for (Eigen::Index i = 0; i < m_; ++i) GB_(i, j) *= rows_[i] * columns_[j];
    if (!GB_.allFinite()) {
      z.setConstant(not_a_number);
      return;
    }
    svd_.compute(GB_);
    ++statistics_.factorizations;
    ++statistics_.solves;
    z.setZero();
    for (Eigen::Index k = 0; k < m_ && svd_.singularValues()[k] > truncation; ++k)
      z += (svd_.matrixU().col(k).cwiseProduct(rows_).dot(r) / svd_.singularValues()[k]) *
           svd_.matrixV().col(k);
    z = z.cwiseProduct(columns_);
  }

  double smallest_ = 0;
  mutable Eigen::JacobiSVD<Matrix> svd_;
  mutable Vector rows_, columns_;
};

template <class Variant>
FormulationEntry entry(const char* name, const char* summary, Kind to, std::vector<Parameter> more) {
  std::vector<Parameter> options = sequence_options();
  options.insert(options.end(), more.begin(), more.end());
  return {.name = name,
          .summary = summary,
          .cite = "AscherLin1997",
          .from = Kind::hessenberg,
          .to = to,
          .index = to == Kind::implicit ? 1 : 0,
          .approximate = true,
          .preference = -200,
          .drifts = false,
          .options = options,
          .make = [to](const Problem& problem, const Parameters& given, Statistics& statistics) {
            return regularize(std::make_unique<Variant>(as<Hessenberg>(problem), given, statistics), given,
                              to);
          }};
}

}  // namespace

std::vector<FormulationEntry> formulations_in_srm_hessenberg() {
  std::vector<FormulationEntry> all;
  for (const Kind to : {Kind::ode, Kind::implicit}) {
    all.push_back(entry<Index2Srm>(
        "srm", "sequential regularization: multipliers by an iteration over trajectories", to,
        {weight_option(),
         {"alpha1", 0, "", "1: the derivative of the constraint takes part, and nothing is stiff"},
         {"alpha2", 1, "1/s", "weight of the constraint"}}));
    all.push_back(entry<Index2Singular>(
        "srm-singular", "sequential regularization that carries B y: for isolated singularities", to, {}));
  }
  return all;
}

}  // namespace dalembert
