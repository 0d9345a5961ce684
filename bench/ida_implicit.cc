#include "bench/ida_implicit.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <stdexcept>

namespace dalembert::bench {
namespace {

void check(int flag, const char* what) {
  if (flag < 0) throw std::runtime_error(std::string("IDA: ") + what);
}

struct Model {
  const Implicit& problem;
  Eigen::Index n;
  Entries F_y{}, F_dy{};
};

Eigen::Map<Vector> values(N_Vector v, const Model& model) {
  return {N_VGetArrayPointer(v), model.n};
}

int residual(realtype t, N_Vector y, N_Vector dy, N_Vector r, void* data) {
  auto& model = *static_cast<Model*>(data);
  model.problem.F(t, values(y, model), values(dy, model), values(r, model));
  return 0;
}

int jacobian(realtype t, realtype c, N_Vector y, N_Vector dy, N_Vector, SUNMatrix J, void* data, N_Vector,
             N_Vector, N_Vector) {
  auto& model = *static_cast<Model*>(data);
  model.problem.jacobians(t, values(y, model), values(dy, model), model.F_y, model.F_dy);
  for (std::size_t k = 0; k < model.F_y.size(); ++k)
    SM_ELEMENT_D(J, model.F_y.row(k), model.F_y.column(k)) += model.F_y.value(k);
  for (std::size_t k = 0; k < model.F_dy.size(); ++k)
    SM_ELEMENT_D(J, model.F_dy.row(k), model.F_dy.column(k)) += c * model.F_dy.value(k);
  return 0;
}

}  // namespace

IdaState ida_solve(const Implicit& problem, const State& start, double end, double tolerance, IdaWork work) {
  Model model{problem, start.y.size()};
  SUNContext context;
  check(SUNContext_Create(nullptr, &context), "context");
  N_Vector y = N_VNew_Serial(model.n, context), dy = N_VClone(y), id = N_VClone(y);
  values(y, model) = start.y;
  problem.rate(start.t, start.y, values(dy, model));
  const Layout layout = problem.layout();
  for (const auto& block : layout.blocks())
    values(id, model).segment(block.offset, block.size).setConstant(block.role == Role::differential ? 1 : 0);
  void* ida = IDACreate(context);
  check(IDAInit(ida, residual, start.t, y, dy), "init");
  check(IDASetUserData(ida, &model), "data");
  check(IDASStolerances(ida, tolerance, tolerance), "tolerances");
  check(IDASetId(ida, id), "id");
  check(IDASetSuppressAlg(ida, SUNTRUE), "suppress");
  check(IDASetMaxNumSteps(ida, 10'000'000), "steps");
  check(IDASetStopTime(ida, end), "stop");
  check(IDASetErrFile(ida, nullptr), "errors");  // failures are in the return value
  SUNMatrix J = SUNDenseMatrix(model.n, model.n, context);
  SUNLinearSolver lu = SUNLinSol_Dense(y, J, context);
  check(IDASetLinearSolver(ida, lu, J), "linear solver");
  check(IDASetJacFn(ida, jacobian), "jacobian");

  IdaState result;
  if (work == IdaWork::whole) {
    double t = start.t;
    result.ok = IDASolve(ida, end, &t, y, dy, IDA_NORMAL) >= 0;
    IDAGetNumSteps(ida, &result.steps);
    IDAGetNumResEvals(ida, &result.residuals);
    IDAGetNumJacEvals(ida, &result.jacobians);
  }
  result.y = values(y, model);
  IDAFree(&ida);
  SUNLinSolFree(lu);
  SUNMatDestroy(J);
  for (N_Vector v : {y, dy, id}) N_VDestroy(v);
  SUNContext_Free(&context);
  return result;
}

}  // namespace dalembert::bench
