#include "bench/ida.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>

namespace dalembert::bench {
namespace {

void check(int flag, const char* what) {
  if (flag < 0) throw std::runtime_error(std::string("IDA: ") + what);
}

Eigen::Map<Vector> values(N_Vector v) {
  return {N_VGetArrayPointer(v), N_VGetLength(v)};
}

int residual(realtype t, N_Vector y, N_Vector dy, N_Vector r, void* equations) {
  static_cast<IdaEquations*>(equations)->residual(t, values(y), values(dy), values(r));
  return 0;
}

int jacobian(realtype t, realtype c, N_Vector y, N_Vector dy, N_Vector, SUNMatrix J, void* equations,
             N_Vector, N_Vector, N_Vector) {
  Eigen::Map<Matrix> matrix(SM_DATA_D(J), SM_ROWS_D(J), SM_COLUMNS_D(J));
  static_cast<IdaEquations*>(equations)->jacobian(t, c, values(y), values(dy), matrix);
  return 0;
}

}  // namespace

IdaEnd ida_solve(IdaEquations& equations, double begin, double end, double tolerance, IdaWork work) {
  SUNContext context;
  check(SUNContext_Create(nullptr, &context), "context");
  N_Vector y = N_VNew_Serial(equations.size(), context), dy = N_VClone(y), id = N_VClone(y);
  equations.start(values(y), values(dy));
  for (Eigen::Index i = 0; i < equations.size(); ++i) values(id)[i] = equations.differential(i) ? 1 : 0;
  void* ida = IDACreate(context);
  check(IDAInit(ida, residual, begin, y, dy), "init");
  check(IDASetUserData(ida, &equations), "data");
  check(IDASStolerances(ida, tolerance, tolerance), "tolerances");
  check(IDASetId(ida, id), "id");
  check(IDASetSuppressAlg(ida, SUNTRUE), "suppress");
  check(IDASetMaxNumSteps(ida, 10'000'000), "steps");
  check(IDASetStopTime(ida, end), "stop");
  check(IDASetErrFile(ida, nullptr), "errors");  // failures are in the return value
  SUNMatrix J = SUNDenseMatrix(equations.size(), equations.size(), context);
  SUNLinearSolver lu = SUNLinSol_Dense(y, J, context);
  check(IDASetLinearSolver(ida, lu, J), "linear solver");
  check(IDASetJacFn(ida, jacobian), "jacobian");

  IdaEnd result;
  if (work == IdaWork::whole) {
    double t = begin;
    result.ok = IDASolve(ida, end, &t, y, dy, IDA_NORMAL) >= 0;
    IDAGetNumSteps(ida, &result.steps);
    IDAGetNumResEvals(ida, &result.residuals);
    IDAGetNumJacEvals(ida, &result.jacobians);
  }
  result.y = values(y);
  IDAFree(&ida);
  SUNLinSolFree(lu);
  SUNMatDestroy(J);
  for (N_Vector v : {y, dy, id}) N_VDestroy(v);
  SUNContext_Free(&context);
  return result;
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
