// Both ask for parts of the problem by number, in one function:
//
//   1  f, M, q' (PHEM56 also G)     2  q'       3  g_t     4  g      5  f, -bias     6  G, g_t
//   7  f, M, -bias                  8  f, M     9  M      10  g_t, G, M, q'         11  g_t, G, M
#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/fortran.h"

extern "C" {
using Parts = void(const int* part, const int* nq, const int* nv, const int* nu, const int* nl,
                   const int* rows_of_G, const int*, const int* rows_of_M, const int*, const int*, int*, int*,
                   int*, int*, int*, int*, const double* t, const double* q, const double* v, const double*,
                   const double*, double* g, double* G, double* f, double* minus_bias, double* g_t, double*,
                   double* dq, double*, double* M);
using HalfExplicitCode = void(const int* nq, const int* nv, const int* nu, const int* nl, Parts*, double* t,
                              double* q, double* v, double* u, double* a, double* l, const double* end,
                              double* h, const double* rtol, const double* atol, const int* itol,
                              void (*solout)(), const int* iout, double* work, const int* lwork, int* iwork,
                              const int* liwork, int* idid);
HalfExplicitCode hem5_, phem56_;
}

namespace dalembert::bench {
namespace {

struct Run {
  const Mechanical* problem;
  HalfExplicit code;
  std::unique_ptr<Placement> at;
  Entries M, J;
  Vector s;
};
thread_local Run* running = nullptr;  // they hand nothing through

/// Written in the order that M and J come in; the rest is zero.
void fill(const Entries& from, int rows, int columns, int stride, double* to) {
  for (int j = 0; j < columns; ++j) std::fill_n(to + j * stride, rows, 0.);
  for (std::size_t k = 0; k < from.size(); ++k) to[from.row(k) + from.column(k) * stride] += from.value(k);
}

void parts(const int* part, const int* nq, const int* nv, const int*, const int* nl, const int* rows_of_G,
           const int*, const int* rows_of_M, const int*, const int*, int*, int*, int*, int*, int*, int*,
           const double* t, const double* q, const double* v, const double*, const double*, double* g,
           double* G, double* f, double* minus_bias, double* g_t, double*, double* dq, double*, double* M) {
  if (*part == 0) return;  // first-order states, of which there are none
  Run& run = *running;
  const Mechanical& problem = *run.problem;
  const Eigen::Map<const Vector> speed(v, *nv);
  const auto is = [&](auto... which) { return ((*part == which) || ...); };
  if (is(1, 2, 10)) std::copy_n(v, *nv, dq);
  if (is(2)) return;
  problem.place_at(*run.at, *t, Eigen::Map<const Vector>(q, *nq));
  if (is(1, 5, 7, 8)) problem.force(*run.at, speed, run.s, Eigen::Map<Vector>(f, *nv));
  if (is(1, 7, 8, 9, 10, 11)) {
    problem.mass(*run.at, run.M);
    fill(run.M, *nv, *nv, *rows_of_M, M);
  }
  if (is(6, 10, 11) || (is(1) && run.code == HalfExplicit::phem56)) {
    problem.jacobian(*run.at, run.J);
    fill(run.J, *nl, *nv, *rows_of_G, G);
  }
  if (is(3, 6, 10, 11)) problem.velocity_bias(*run.at, Eigen::Map<Vector>(g_t, *nl));
  if (is(4)) problem.g(*run.at, Eigen::Map<Vector>(g, *nl));
  if (is(5, 7)) {
    problem.bias(*run.at, speed, Eigen::Map<Vector>(minus_bias, *nl));
    Eigen::Map<Vector>(minus_bias, *nl) *= -1;
  }
}

}  // namespace

FortranEnd half_explicit(HalfExplicit code, const Mechanical& problem, const State& start, double end,
                         double tolerance) {
  const int n = static_cast<int>(problem.sizes().v), m = static_cast<int>(problem.sizes().rows()), zero = 0;
  Run run{&problem, code, problem.placement(), {}, {}, {}};
  running = &run;
  const int nm = n + m, lwork = 200 * nm + 20 * nm * nm + 1000, liwork = 200 * nm + 20 * nm * nm + 1000;
  std::vector<double> work(static_cast<std::size_t>(lwork), 0.);
  std::vector<int> iwork(static_cast<std::size_t>(liwork), 0);
  FortranEnd result;
  result.y = start.y.head(2 * n);
  Vector a = Vector::Zero(n), l = Vector::Zero(m);
  double t = start.t, u = 0, h = 1e-3 * (end - start.t);
  int idid = 0;
  (code == HalfExplicit::hem5 ? hem5_ : phem56_)(
      &n, &n, &zero, &m, parts, &t, result.y.data(), result.y.data() + n, &u, a.data(), l.data(), &end, &h,
      &tolerance, &tolerance, &zero, [] {}, &zero, work.data(), &lwork, iwork.data(), &liwork, &idid);
  result.ok = std::abs(t - end) <= 1e-12 * std::abs(end);  // idid is not set by either
  result.steps = iwork[31];
  result.evaluations = iwork[33];
  result.jacobians = iwork[34];
  result.factorizations = iwork[36];
  return result;
}

}  // namespace dalembert::bench
