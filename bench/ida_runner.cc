#include "bench/ida_runner.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>

#include "bench/models.h"

namespace dalembert::bench {
namespace {

/// The residual F(y,y') and the matrix F_y + c F_y' of one form of one model.
template <template <class> class Model, IdaForm form>
struct Equations {
  static constexpr int n = Model<double>::n, m = Model<double>::m;
  static constexpr bool full = form == IdaForm::index1_full;
  static constexpr int a_at = 2 * n, l_at = full ? 3 * n : 2 * n, size = l_at + m;

  static const double* acceleration(const double* y, const double* dy) { return full ? y + a_at : dy + n; }

  static void residual(const double* y, const double* dy, double* r) {
    const double *v = y + n, *a = acceleration(y, dy);
    const Model<double> at(y);
    for (int i = 0; i < n; ++i) r[i] = dy[i] - v[i];
    if constexpr (full)
      for (int i = 0; i < n; ++i) r[n + i] = dy[n + i] - a[i];
    at.balance(v, a, y + l_at, r + l_at - n);
    if constexpr (form == IdaForm::index2)
      at.turned(v, r + l_at);
    else
      at.bias(v, a, r + l_at);
  }

  /// J is zero on entry; column(j) points to its column j.
  template <class Column>
  static void jacobian(const double* y, const double* dy, double c, Column&& column) {
    using D = Dual<2 * n>;
    constexpr int balance_at = l_at - n, rows_at = l_at;
    std::array<D, n> q, v, balance;
    std::array<D, m> rows;
    for (int i = 0; i < n; ++i) {
      q[i] = D::variable(y[i], i);
      v[i] = D::variable(y[n + i], n + i);
    }
    const double* a = acceleration(y, dy);
    const Model<D> at(q.data());
    at.balance(v.data(), a, y + l_at, balance.data());
    if constexpr (form == IdaForm::index2)
      at.turned(v.data(), rows.data());
    else
      at.bias(v.data(), a, rows.data());

    for (int j = 0; j < 2 * n; ++j) {
      double* J = column(j);
      for (int i = 0; i < n; ++i) J[balance_at + i] = balance[i].gradient[j];
      for (int i = 0; i < m; ++i) J[rows_at + i] = rows[i].gradient[j];
    }
    // M and G, one column at a time: both are linear in their argument.
    const Model<double> here(y);
    const double a_scale = full ? 1 : c;
    for (int j = 0; j < n; ++j) {
      std::array<double, n> unit{}, mass;
      std::array<double, m> G;
      unit[j] = 1;
      here.mass(unit.data(), mass.data());
      here.turned(unit.data(), G.data());
      column(j)[j] += c;
      column(n + j)[j] -= 1;
      double* J = column(full ? a_at + j : n + j);
      if constexpr (full) {
        column(n + j)[n + j] += c;
        J[n + j] -= 1;
      }
      for (int i = 0; i < n; ++i) J[balance_at + i] += a_scale * mass[i];
      if constexpr (form != IdaForm::index2)
        for (int i = 0; i < m; ++i) J[rows_at + i] += a_scale * G[i];
      for (int i = 0; i < m; ++i) column(l_at + i)[balance_at + j] = G[i];
    }
  }

  static void start(const IdaStart& from, double* y, double* dy) {
    std::fill(dy, dy + size, 0.0);
    for (int i = 0; i < n; ++i) {
      y[i] = from.q[i];
      y[n + i] = dy[i] = from.v[i];
      dy[n + i] = from.a[i];
      if (full) y[a_at + i] = from.a[i];
    }
    for (int i = 0; i < m; ++i) y[l_at + i] = from.l[i];
  }
};

void check(int flag, const char* what) {
  if (flag < 0) throw std::runtime_error(std::string("IDA: ") + what);
}

template <class E>
IdaEnd run(const IdaStart& from, double end, double tolerance, IdaWork work) {
  SUNContext context;
  check(SUNContext_Create(nullptr, &context), "context");
  N_Vector y = N_VNew_Serial(E::size, context), dy = N_VClone(y), id = N_VClone(y);
  E::start(from, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  for (int i = 0; i < E::size; ++i) N_VGetArrayPointer(id)[i] = i < 2 * E::n ? 1 : 0;
  void* ida = IDACreate(context);
  check(IDAInit(
            ida,
            [](realtype, N_Vector at, N_Vector rate, N_Vector r, void*) {
              E::residual(N_VGetArrayPointer(at), N_VGetArrayPointer(rate), N_VGetArrayPointer(r));
              return 0;
            },
            0, y, dy),
        "init");
  check(IDASStolerances(ida, tolerance, tolerance), "tolerances");
  check(IDASetId(ida, id), "id");
  check(IDASetSuppressAlg(ida, SUNTRUE), "suppress");
  check(IDASetMaxNumSteps(ida, 10'000'000), "steps");
  check(IDASetStopTime(ida, end), "stop");
  check(IDASetErrFile(ida, nullptr), "errors");  // failures are in the return value
  SUNMatrix J = SUNDenseMatrix(E::size, E::size, context);
  SUNLinearSolver lu = SUNLinSol_Dense(y, J, context);
  check(IDASetLinearSolver(ida, lu, J), "linear solver");
  check(IDASetJacFn(ida,
                    [](realtype, realtype c, N_Vector at, N_Vector rate, N_Vector, SUNMatrix K, void*,
                       N_Vector, N_Vector, N_Vector) {
                      E::jacobian(N_VGetArrayPointer(at), N_VGetArrayPointer(rate), c,
                                  [K](int j) { return SM_COLUMN_D(K, j); });
                      return 0;
                    }),
        "jacobian");

  IdaEnd result;
  if (work == IdaWork::whole) {
    double t = 0;
    result.ok = IDASolve(ida, end, &t, y, dy, IDA_NORMAL) >= 0;
    result.q = Eigen::Map<const Vector>(N_VGetArrayPointer(y), E::n);
    IDAGetNumSteps(ida, &result.steps);
    IDAGetNumResEvals(ida, &result.residuals);
    IDAGetNumJacEvals(ida, &result.jacobians);
  }
  IDAFree(&ida);
  SUNLinSolFree(lu);
  SUNMatDestroy(J);
  for (N_Vector v : {y, dy, id}) N_VDestroy(v);
  SUNContext_Free(&context);
  return result;
}

template <class E>
double residual(const IdaStart& from) {
  std::array<double, E::size> y, dy, r;
  E::start(from, y.data(), dy.data());
  E::residual(y.data(), dy.data(), r.data());
  return largest(Eigen::Map<const Vector>(r.data(), E::size));
}

template <class E>
double jacobian_error(const IdaStart& from) {
  using Row = Eigen::Matrix<double, E::size, 1>;
  Row y, dy, plus, minus;
  E::start(from, y.data(), dy.data());
  const double c = 1000;
  Matrix J = Matrix::Zero(E::size, E::size), differences = J;
  E::jacobian(y.data(), dy.data(), c, [&](int j) { return J.col(j).data(); });
  for (int j = 0; j < E::size; ++j) {
    const double step = 1e-6 * (1 + std::abs(y[j]));
    const auto moved = [&](double by, Row& r) {
      Row at = y, rate = dy;
      at[j] += by;
      rate[j] += c * by;
      E::residual(at.data(), rate.data(), r.data());
    };
    moved(step, plus);
    moved(-step, minus);
    differences.col(j) = (plus - minus) / (2 * step);
  }
  return ((J - differences).cwiseAbs().rowwise().maxCoeff().array() /
          J.cwiseAbs().rowwise().maxCoeff().array())
      .maxCoeff();
}

/// Calls work with the equations of that problem and form.
template <template <class> class Model, class Work>
auto with_form(IdaForm form, Work&& work) {
  switch (form) {
    case IdaForm::index1_full:
      return work(Equations<Model, IdaForm::index1_full>{});
    case IdaForm::index1:
      return work(Equations<Model, IdaForm::index1>{});
    default:
      return work(Equations<Model, IdaForm::index2>{});
  }
}
template <class Work>
auto with_equations(const std::string& problem, IdaForm form, Work&& work) {
  if (problem == AndrewsModel<double>::name) return with_form<AndrewsModel>(form, work);
  if (problem == PendulumModel<double>::name) return with_form<PendulumModel>(form, work);
  throw std::runtime_error("IDA has no model of '" + problem + "'");
}

}  // namespace

IdaEnd ida_run(const std::string& problem, IdaForm form, const IdaStart& from, double end, double tolerance,
               IdaWork work) {
  return with_equations(problem, form, [&](auto e) { return run<decltype(e)>(from, end, tolerance, work); });
}

double ida_residual(const std::string& problem, IdaForm form, const IdaStart& from) {
  return with_equations(problem, form, [&](auto e) { return residual<decltype(e)>(from); });
}

double ida_jacobian_error(const std::string& problem, IdaForm form, const IdaStart& from) {
  return with_equations(problem, form, [&](auto e) { return jacobian_error<decltype(e)>(from); });
}

double sundials_slowness() {
  constexpr int size = 1000, rounds = 200;
  SUNContext context;
  check(SUNContext_Create(nullptr, &context), "context");
  N_Vector x = N_VNew_Serial(size, context), y = N_VClone(x), z = N_VClone(x);
  N_VConst(1, x);
  N_VConst(2, y);
  const double *px = N_VGetArrayPointer(x), *py = N_VGetArrayPointer(y);
  double* pz = N_VGetArrayPointer(z);
  const auto shortest = [](auto&& work) {
    using Clock = std::chrono::steady_clock;
    auto least = Clock::duration::max();
    for (int k = 0; k < rounds; ++k) {
      const auto begin = Clock::now();
      work();
      least = std::min(least, Clock::now() - begin);
    }
    return std::chrono::duration<double>(least).count();
  };
  const double theirs = shortest([&] { N_VLinearSum(.5, x, .25, y, z); });
  const double ours = shortest([&] {
    for (int i = 0; i < size; ++i) pz[i] = .5 * px[i] + .25 * py[i];
    asm volatile("" : : "r"(pz) : "memory");
  });
  for (N_Vector v : {x, y, z}) N_VDestroy(v);
  SUNContext_Free(&context);
  return theirs / ours;
}

}  // namespace dalembert::bench
