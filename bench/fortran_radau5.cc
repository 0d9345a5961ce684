// Mechanical problems: q' = v is left to the code (M1 = n), and v' = a too where M varies (M1 = 2 n); below that stand
//
//   M v' = f - J'l    or    0 = M a + J'l - f,    then    0 = J v + w    or    0 = g
#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/fortran.h"

extern "C" {
using RadauFunction = void(const int* n, const double* t, const double* y, double* dy, double* ours, int*);
using RadauJacobian = void(const int* n, const double* t, const double* y, double* J, const int* rows,
                           double* ours, int*);
using RadauMass = void(const int* n, double* M, const int* rows, double* ours, int*);
void radau5_(const int* n, RadauFunction*, double* t, double* y, const double* end, double* h,
             const double* rtol, const double* atol, const int* itol, RadauJacobian*, const int* ijac,
             int* mljac, int* mujac, RadauMass*, const int* imas, int* mlmas, int* mumas, void (*solout)(),
             const int* iout, double* work, const int* lwork, int* iwork, const int* liwork, double* ours,
             int* ipar, int* idid);
}

namespace dalembert::bench {
namespace {

/// C y' = f(t,y), behind the first `second_order` rows, which are y_i' = y_(i+shift).
class Equations {
 public:
  struct Shape {
    int size = 0, second_order = 0, shift = 0;
    int lower = 0, upper = 0;  ///< bandwidths of the Jacobian; lower = size: full
    int C_lower = 0, C_upper = 0;
    bool explicit_ = false;                  ///< C = I
    int index1 = 0, index2 = 0, index3 = 0;  ///< how many unknowns of each, in this order
  };
  virtual ~Equations() = default;
  virtual Shape shape() const = 0;
  virtual void f(double t, const double* y, double* dy) = 0;
  virtual void jacobian(double t, const double* y, double* J, int rows) = 0;
  virtual void mass(double* C, int rows) = 0;
};

FortranEnd integrate(Equations& equations, double t, const Vector& start, double end, double tolerance) {
  Equations::Shape is = equations.shape();
  const int n = is.size, rest = n - is.second_order, zero = 0, one = 1, implicit = is.explicit_ ? 0 : 1;
  const bool full = is.lower >= rest;
  if (full) is.lower = is.upper = rest;
  const int ljac = full ? rest : is.lower + is.upper + 1, lmas = is.C_lower + is.C_upper + 1,
            le = full ? rest : 2 * is.lower + is.upper + 1;
  const int lwork = n * (ljac + 12) + rest * (lmas + 3 * le) + 20, liwork = 3 * n + 20;
  std::vector<double> work(static_cast<std::size_t>(lwork), 0.);
  std::vector<int> iwork(static_cast<std::size_t>(liwork), 0);
  iwork[1] = 10'000'000;
  iwork[4] = is.index1, iwork[5] = is.index2, iwork[6] = is.index3;
  iwork[8] = is.second_order, iwork[9] = is.shift;
  FortranEnd result;
  result.y = start;
  double h = 1e-4 * (end - t);
  int idid = 0, ipar = 0;
  radau5_(
      &n,
      [](const int*, const double* at, const double* y, double* dy, double* ours, int*) {
        reinterpret_cast<Equations*>(ours)->f(*at, y, dy);
      },
      &t, result.y.data(), &end, &h, &tolerance, &tolerance, &zero,
      [](const int*, const double* at, const double* y, double* J, const int* rows, double* ours, int*) {
        reinterpret_cast<Equations*>(ours)->jacobian(*at, y, J, *rows);
      },
      &one, &is.lower, &is.upper,
      [](const int*, double* C, const int* rows, double* ours, int*) {
        reinterpret_cast<Equations*>(ours)->mass(C, *rows);
      },
      &implicit, &is.C_lower, &is.C_upper, [] {}, &zero, work.data(), &lwork, iwork.data(), &liwork,
      reinterpret_cast<double*>(&equations), &ipar, &idid);
  result.ok = idid == 1;
  result.evaluations = iwork[13];
  result.jacobians = iwork[14];
  result.steps = iwork[16];
  result.factorizations = iwork[18];
  return result;
}

class MechanicalEquations final : public Equations {
 public:
  MechanicalEquations(const Mechanical& problem, Level level, Mass mass)
      : problem_(problem),
        positions_(level == Level::position),
        constant_(mass == Mass::constant_diagonal),
        n_(static_cast<int>(problem.sizes().v)),
        m_(static_cast<int>(problem.sizes().rows())),
        at_(problem.placement()),
        force_(n_) {}

  Shape shape() const override {
    Shape is;
    const int below = constant_ ? n_ : 2 * n_;  // where the equations of motion stand
    is.size = below + n_ + m_;
    is.second_order = below;
    is.shift = n_;
    is.lower = is.size;
    const int last = is.size - 2 * n_;  // accelerations, if they are unknowns, and multipliers
    is.index1 = positions_ ? n_ : 2 * n_;
    is.index2 = positions_ ? n_ : last;
    is.index3 = positions_ ? last : 0;
    return is;
  }
  Vector start(const State& from) {
    const auto q = from.y.head(n_), v = from.y.segment(n_, n_);
    Vector y(shape().size);
    y.head(2 * n_) << q, v;
    // Accelerations and multipliers that fit, once.
    problem_.place_at(*at_, from.t, q);
    Entries M, J;
    problem_.mass(*at_, M);
    problem_.jacobian(*at_, J);
    Matrix A = Matrix::Zero(n_ + m_, n_ + m_);
    for (std::size_t k = 0; k < M.size(); ++k) A(M.row(k), M.column(k)) += M.value(k);
    for (std::size_t k = 0; k < J.size(); ++k)
      A(n_ + J.row(k), J.column(k)) = A(J.column(k), n_ + J.row(k)) = J.value(k);
    Vector x(n_ + m_);
    problem_.force(*at_, v, s_, x.head(n_));
    problem_.bias(*at_, v, x.tail(m_));
    x.tail(m_) *= -1;
    x = A.partialPivLu().solve(x).eval();
    y.tail(constant_ ? m_ : n_ + m_) = x.tail(constant_ ? m_ : n_ + m_);
    return y;
  }
  void f(double t, const double* y, double* dy) override {
    place(t, y);
    const int below = constant_ ? n_ : 2 * n_;
    std::copy_n(y + n_, below, dy);
    Eigen::Map<Vector> motion(dy + below, n_), rows(dy + below + n_, m_);
    problem_.force(*at_, speed(y), s_, force_);
    problem_.jacobian(*at_, J_);
    const double* l = y + below + n_;
    motion = force_;
    for (std::size_t k = 0; k < J_.size(); ++k) motion[J_.column(k)] -= J_.value(k) * l[J_.row(k)];
    if (!constant_) {
      problem_.mass(*at_, M_);
      const double* a = y + 2 * n_;
      for (std::size_t k = 0; k < M_.size(); ++k) motion[M_.row(k)] -= M_.value(k) * a[M_.column(k)];
      motion *= -1;
    }
    if (positions_) {
      problem_.g(*at_, rows);
    } else {
      problem_.velocity_bias(*at_, rows);
      for (std::size_t k = 0; k < J_.size(); ++k) rows[J_.row(k)] += J_.value(k) * y[n_ + J_.column(k)];
    }
  }
  void jacobian(double t, const double* y, double* J, int rows) override {
    place(t, y);
    const int below = constant_ ? n_ : 2 * n_;
    const double sign = constant_ ? -1 : 1;
    const Eigen::Map<const Vector> a(y + 2 * n_, n_), l(y + below + n_, m_);
    if (constant_)  // K does not depend on accelerations then
      problem_.derivatives(*at_, speed(y), s_, force_, l, d_);
    else
      problem_.derivatives(*at_, speed(y), s_, a, l, d_);
    problem_.jacobian(*at_, J_);
    std::fill_n(J, static_cast<std::size_t>(rows) * static_cast<std::size_t>(shape().size), 0.);
    const auto put = [&](const Entries& from, int row, int column, double scale) {
      for (std::size_t k = 0; k < from.size(); ++k)
        J[row + from.row(k) + (column + from.column(k)) * rows] += scale * from.value(k);
    };
    put(d_.K, 0, 0, sign);
    put(d_.D, 0, n_, sign);
    if (!constant_) {
      problem_.mass(*at_, M_);
      put(M_, 0, 2 * n_, 1);
    }
    for (std::size_t k = 0; k < J_.size(); ++k)
      J[J_.column(k) + (below + n_ + J_.row(k)) * rows] += sign * J_.value(k);
    if (positions_) {
      put(J_, n_, 0, 1);
    } else {
      put(d_.B, n_, 0, 1);
      put(J_, n_, n_, 1);
    }
  }
  void mass(double* C, int rows) override {
    std::fill_n(C, rows * (n_ + m_), 0.);
    if (!constant_) return;
    Entries M;
    problem_.mass(*at_, M);
    for (std::size_t k = 0; k < M.size(); ++k) C[M.row(k) * rows] += M.value(k);
  }

 private:
  void place(double t, const double* y) { problem_.place_at(*at_, t, Eigen::Map<const Vector>(y, n_)); }
  Eigen::Map<const Vector> speed(const double* y) const { return {y + n_, n_}; }

  const Mechanical& problem_;
  bool positions_, constant_;
  int n_, m_;
  std::unique_ptr<Placement> at_;
  Entries M_, J_;
  Derivatives d_;
  Vector force_, s_;
};

class ImplicitEquations final : public Equations {
 public:
  ImplicitEquations(const Implicit& problem, Storage storage, const State& start)
      : problem_(problem), rest_(Vector::Zero(start.y.size())) {
    problem_.jacobians(start.t, start.y, rest_, F_y_, F_dy_);
    is_.size = is_.index1 = static_cast<int>(start.y.size());
    const auto widen = [](const Entries& entries, int& lower, int& upper) {
      for (std::size_t k = 0; k < entries.size(); ++k) {
        if (entries.value(k) == 0) continue;
        lower = std::max(lower, entries.row(k) - entries.column(k));
        upper = std::max(upper, entries.column(k) - entries.row(k));
      }
    };
    widen(F_dy_, is_.C_lower, is_.C_upper);
    widen(F_y_, is_.lower, is_.upper);
    scale_ = Vector::Constant(is_.size, -1);
    if (is_.C_lower + is_.C_upper == 0) {
      Vector C = Vector::Zero(is_.size);
      for (std::size_t k = 0; k < F_dy_.size(); ++k) C[F_dy_.row(k)] += F_dy_.value(k);
      is_.explicit_ = (C.array() != 0).all();
      if (is_.explicit_) scale_ = -C.cwiseInverse();
    }
    is_.lower = std::max(is_.lower, is_.C_lower), is_.upper = std::max(is_.upper, is_.C_upper);
    if (storage == Storage::full) is_.lower = is_.upper = is_.size;
  }
  Shape shape() const override { return is_; }
  void f(double t, const double* y, double* dy) override {
    Eigen::Map<Vector> r(dy, is_.size);
    problem_.F(t, Eigen::Map<const Vector>(y, is_.size), rest_, r);
    r.array() *= scale_.array();
  }
  void jacobian(double t, const double* y, double* J, int rows) override {
    problem_.jacobians(t, Eigen::Map<const Vector>(y, is_.size), rest_, F_y_, F_dy_);
    std::fill_n(J, rows * is_.size, 0.);
    const bool full = is_.lower >= is_.size;
    for (std::size_t k = 0; k < F_y_.size(); ++k) {
      const int i = F_y_.row(k), j = F_y_.column(k);
      const double value = F_y_.value(k);
      if (value != 0) J[(full ? i : i - j + is_.upper) + j * rows] += scale_[i] * value;
    }
  }
  void mass(double* C, int rows) override {
    std::fill_n(C, rows * is_.size, 0.);
    for (std::size_t k = 0; k < F_dy_.size(); ++k) {
      const int i = F_dy_.row(k), j = F_dy_.column(k);
      if (F_dy_.value(k) != 0) C[i - j + is_.C_upper + j * rows] += F_dy_.value(k);
    }
  }

 private:
  const Implicit& problem_;
  Shape is_;
  Vector rest_, scale_;
  Entries F_y_, F_dy_;
};

}  // namespace

FortranEnd radau5(const Mechanical& problem, Level level, Mass mass, const State& start, double end,
                  double tolerance) {
  MechanicalEquations equations(problem, level, mass);
  FortranEnd result = integrate(equations, start.t, equations.start(start), end, tolerance);
  result.y.conservativeResize(2 * problem.sizes().v);
  return result;
}

FortranEnd radau5(const Implicit& problem, Storage storage, const State& start, double end,
                  double tolerance) {
  ImplicitEquations equations(problem, storage, start);
  return integrate(equations, start.t, start.y, end, tolerance);
}

}  // namespace dalembert::bench
