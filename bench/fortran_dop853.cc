#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/fortran.h"

extern "C" {
using Dop853Function = void(const int* n, const double* t, const double* y, double* dy, double* ours, int*);
void dop853_(const int* n, Dop853Function*, double* t, double* y, const double* end, const double* rtol,
             const double* atol, const int* itol, void (*solout)(), const int* iout, double* work,
             const int* lwork, int* iwork, const int* liwork, double* ours, int* ipar, int* idid);
void dec_(const int* n, const int* rows, double* A, int* pivots, int* failed);
void sol_(const int* n, const int* rows, const double* A, double* b, const int* pivots);
}

namespace dalembert::bench {
namespace {

/// y = (q,v), y' = (v,a).
class Accelerations {
 public:
  explicit Accelerations(const Mechanical& problem)
      : problem_(problem),
        n_(static_cast<int>(problem.sizes().v)),
        size_(n_ + static_cast<int>(problem.sizes().rows())),
        at_(problem.placement()),
        A_(size_, size_),
        x_(size_),
        pivots_(static_cast<std::size_t>(size_)) {}

  void operator()(double t, const double* y, double* dy) {
    problem_.place_at(*at_, t, Eigen::Map<const Vector>(y, n_));
    const Eigen::Map<const Vector> v(y + n_, n_);
    problem_.mass(*at_, M_);
    problem_.jacobian(*at_, J_);
    A_.setZero();
    for (std::size_t k = 0; k < M_.size(); ++k) A_(M_.row(k), M_.column(k)) += M_.value(k);
    for (std::size_t k = 0; k < J_.size(); ++k) {
      A_(n_ + J_.row(k), J_.column(k)) += J_.value(k);
      A_(J_.column(k), n_ + J_.row(k)) += J_.value(k);
    }
    problem_.force(*at_, v, s_, x_.head(n_));
    problem_.bias(*at_, v, x_.tail(size_ - n_));
    x_.tail(size_ - n_) *= -1;
    int failed = 0;
    dec_(&size_, &size_, A_.data(), pivots_.data(), &failed);
    sol_(&size_, &size_, A_.data(), x_.data(), pivots_.data());
    std::copy_n(y + n_, n_, dy);
    std::copy_n(x_.data(), n_, dy + n_);
  }

 private:
  const Mechanical& problem_;
  int n_, size_;
  std::unique_ptr<Placement> at_;
  Entries M_, J_;
  Matrix A_;
  Vector x_, s_;
  std::vector<int> pivots_;
};

double first_step(Accelerations& rate, double t, const Vector& y, double length, double tolerance) {
  const Eigen::ArrayXd scale = tolerance * (1 + y.array().abs());
  Vector dy(y.size()), later(y.size());
  rate(t, y.data(), dy.data());
  const double state = (y.array() / scale).matrix().norm(), slope = (dy.array() / scale).matrix().norm();
  const double euler = std::min(length, slope > 1e-10 && state > 1e-10 ? .01 * state / slope : 1e-6 * length);
  const Vector moved = y + euler * dy;
  rate(t + euler, moved.data(), later.data());
  const double curvature = ((later - dy).array() / scale).matrix().norm() / euler;
  return std::min({100 * euler, std::pow(.01 / std::max(slope, curvature), 1 / 8.), length});
}

}  // namespace

FortranEnd dop853(const Mechanical& problem, const State& start, double end, double tolerance) {
  const int n = static_cast<int>(2 * problem.sizes().v), zero = 0;
  Accelerations rate(problem);
  FortranEnd result;
  result.y = start.y.head(n);
  const int lwork = 11 * n + 21, liwork = 21;
  std::vector<double> work(static_cast<std::size_t>(lwork), 0.);
  std::vector<int> iwork(static_cast<std::size_t>(liwork), 0);
  work[6] = first_step(rate, start.t, result.y, end - start.t, tolerance);
  iwork[2] = -1;  // prints nothing
  iwork[3] = -1;  // does not look for stiffness
  double t = start.t;
  int idid = 0, ipar = 0;
  dop853_(
      &n,
      [](const int*, const double* at, const double* y, double* dy, double* ours, int*) {
        (*reinterpret_cast<Accelerations*>(ours))(*at, y, dy);
      },
      &t, result.y.data(), &end, &tolerance, &tolerance, &zero, [] {}, &zero, work.data(), &lwork,
      iwork.data(), &liwork, reinterpret_cast<double*>(&rate), &ipar, &idid);
  result.ok = idid == 1;
  result.evaluations = result.factorizations = iwork[16] + 2;
  result.steps = iwork[18];
  return result;
}

}  // namespace dalembert::bench
