// With c, s the cosine and sine of phi_i, h half a link, joint i above link i, and links counted from 1:
//
//   g_i = (x_i - h c_i - x_{i-1} - h c_{i-1},  y_i - h s_i - y_{i-1} - h s_{i-1})
//   G_i = d g_i:  +-1 for places, (h s, -h c) for the angles of both links
//   d/dphi (G' l)_phi = h (c l_x + s l_y) for either joint of the link
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/chain_rivals.h"
#include "dalembert/core/trigonometry.h"

namespace dalembert::bench {
namespace {

/// Column by column; the pattern is that of the first time.
class Columns {
 public:
  explicit Columns(int size) : column_(static_cast<std::size_t>(size)) {}
  void clear() {
    for (auto& each : column_) each.clear();
  }
  void add(int i, int j, double v) {
    auto& column = column_[static_cast<std::size_t>(j)];
    for (auto& entry : column)
      if (entry.row == i) {
        entry.value += v;
        return;
      }
    column.push_back({i, v});
  }
  std::size_t size() const {
    std::size_t sum = 0;
    for (const auto& each : column_) sum += each.size();
    return sum;
  }
  void write(SUNMatrix to) const {
    sunindextype* start = SM_INDEXPTRS_S(to);
    sunindextype* rows = SM_INDEXVALS_S(to);
    double* values = SM_DATA_S(to);
    sunindextype k = 0;
    for (std::size_t j = 0; j < column_.size(); ++j) {
      start[j] = k;
      for (const auto& entry : column_[j]) rows[k] = entry.row, values[k++] = entry.value;
    }
    start[column_.size()] = k;
  }
  Matrix dense() const {
    const auto n = static_cast<Eigen::Index>(column_.size());
    Matrix all = Matrix::Zero(n, n);
    for (std::size_t j = 0; j < column_.size(); ++j)
      for (const auto& entry : column_[j]) all(entry.row, static_cast<Eigen::Index>(j)) += entry.value;
    return all;
  }

 private:
  struct Entry {
    int row;
    double value;
  };
  std::vector<std::vector<Entry>> column_;
};

class Equations {
 public:
  Equations(const Chain& chain, ChainForm form) : is_(chain), ggl_(form == ChainForm::ggl), n_(chain.n) {
    turn_.resize(static_cast<std::size_t>(n_));
  }
  // Unknowns and equations in the same places: q, v, l, mu of the links one after the other, for little fill.
  int width() const { return ggl_ ? 10 : 8; }
  int size() const { return width() * n_; }
  int q(int i) const { return width() * i; }
  int v(int i) const { return width() * i + 3; }
  int l(int i) const { return width() * i + 6; }
  int mu(int i) const { return width() * i + 8; }

  void start(double* y, double* dy) const {
    const double length = is_.link_length(), angle = is_.lean - M_PI / 2;
    for (int i = 0; i < n_; ++i) {
      y[q(i)] = (i + .5) * length * std::cos(angle);
      y[q(i) + 1] = (i + .5) * length * std::sin(angle);
      y[q(i) + 2] = angle;
    }
    (void)dy;  // rest: accelerations are found by IDA
  }

  void residual(const double* y, const double* dy, double* r) {
    place(y);
    const double m = is_.link_mass(), I = is_.link_inertia();
    for (int i = 0; i < n_; ++i) {
      for (int k = 0; k < 3; ++k) r[q(i) + k] = dy[q(i) + k] - y[v(i) + k];
      r[v(i)] = m * dy[v(i)];
      r[v(i) + 1] = m * (dy[v(i) + 1] + is_.gravity);
      r[v(i) + 2] = I * dy[v(i) + 2];
    }
    for (int i = 0; i < n_; ++i) {
      add_transposed(i, y + l(i), r, &Equations::v, 1);
      if (ggl_) {
        add_transposed(i, y + mu(i), r, &Equations::q, -1);
        times_jacobian(i, y, &Equations::v, r + l(i));
        constraint(i, y, r + mu(i));
      } else {
        times_jacobian(i, dy, &Equations::v, r + l(i));
        for (const int j : {i - 1, i}) {
          if (j < 0) continue;
          const double w2 = y[v(j) + 2] * y[v(j) + 2];
          r[l(i)] += h() * at(j).cos * w2, r[l(i) + 1] += h() * at(j).sin * w2;
        }
      }
    }
  }

  void jacobian(double c, const double* y, const double* dy, Columns& J) {
    place(y);
    J.clear();
    const double m = is_.link_mass(), I = is_.link_inertia();
    for (int i = 0; i < n_; ++i) {
      for (int k = 0; k < 3; ++k) {
        J.add(q(i) + k, q(i) + k, c);
        J.add(q(i) + k, v(i) + k, -1);
        J.add(v(i) + k, v(i) + k, c * (k < 2 ? m : I));
      }
    }
    for (int i = 0; i < n_; ++i) {
      for (const int j : {i - 1, i}) {
        if (j < 0) continue;
        const double sign = j == i ? 1 : -1, s = at(j).sin, co = at(j).cos;
        J.add(v(j) + 2, q(j) + 2, h() * (co * y[l(i)] + s * y[l(i) + 1]));
        block(J, v(j), l(i), sign, j, 1, true);
        if (ggl_) {
          J.add(q(j) + 2, q(j) + 2, -h() * (co * y[mu(i)] + s * y[mu(i) + 1]));
          block(J, q(j), mu(i), sign, j, -1, true);
          block(J, l(i), v(j), sign, j, 1, false);
          J.add(l(i), q(j) + 2, h() * co * y[v(j) + 2]);
          J.add(l(i) + 1, q(j) + 2, h() * s * y[v(j) + 2]);
          block(J, mu(i), q(j), sign, j, 1, false);
        } else {
          const double w = y[v(j) + 2], alpha = dy[v(j) + 2];
          block(J, l(i), v(j), sign, j, c, false);
          J.add(l(i), q(j) + 2, h() * (co * alpha - s * w * w));
          J.add(l(i) + 1, q(j) + 2, h() * (s * alpha + co * w * w));
          J.add(l(i), v(j) + 2, 2 * h() * co * w);
          J.add(l(i) + 1, v(j) + 2, 2 * h() * s * w);
        }
      }
    }
  }
  bool differential(int place) const { return place % width() < 6; }

 private:
  double h() const { return is_.link_length() / 2; }
  const SinCos& at(int i) const { return turn_[static_cast<std::size_t>(i)]; }
  void place(const double* y) {
    for (int i = 0; i < n_; ++i) turn_[static_cast<std::size_t>(i)] = sin_cos(y[q(i) + 2]);
  }
  using Place = int (Equations::*)(int) const;
  void add_transposed(int i, const double* l, double* r, Place to, double scale) const {
    for (const int j : {i - 1, i}) {
      if (j < 0) continue;
      const double sign = j == i ? scale : -scale;
      double* row = r + (this->*to)(j);
      row[0] += sign * l[0], row[1] += sign * l[1];
      row[2] += scale * h() * (at(j).sin * l[0] - at(j).cos * l[1]);
    }
  }
  void times_jacobian(int i, const double* y, Place of, double* r) const {
    r[0] = r[1] = 0;
    for (const int j : {i - 1, i}) {
      if (j < 0) continue;
      const double sign = j == i ? 1 : -1;
      const double* u = y + (this->*of)(j);
      r[0] += sign * u[0] + h() * at(j).sin * u[2], r[1] += sign * u[1] - h() * at(j).cos * u[2];
    }
  }
  void constraint(int i, const double* y, double* r) const {
    r[0] = r[1] = 0;
    for (const int j : {i - 1, i}) {
      if (j < 0) continue;
      const double sign = j == i ? 1 : -1;
      r[0] += sign * y[q(j)] - h() * at(j).cos, r[1] += sign * y[q(j) + 1] - h() * at(j).sin;
    }
  }
  /// The block of G_i for link j, or its transpose.
  void block(Columns& J, int row, int column, double sign, int j, double scale, bool transposed) const {
    const auto put = [&](int r, int k, double v) {
      transposed ? J.add(row + k, column + r, scale * v) : J.add(row + r, column + k, scale * v);
    };
    put(0, 0, sign), put(1, 1, sign);
    put(0, 2, h() * at(j).sin), put(1, 2, -h() * at(j).cos);
  }

  const Chain& is_;
  bool ggl_;
  int n_;
  std::vector<SinCos> turn_;
};

struct Data {
  Equations equations;
  Columns columns;
  long evaluations = 0;
};

int residual(realtype, N_Vector y, N_Vector dy, N_Vector r, void* data) {
  auto& d = *static_cast<Data*>(data);
  ++d.evaluations;
  d.equations.residual(N_VGetArrayPointer(y), N_VGetArrayPointer(dy), N_VGetArrayPointer(r));
  return 0;
}
int jacobian(realtype, realtype c, N_Vector y, N_Vector dy, N_Vector, SUNMatrix J, void* data, N_Vector,
             N_Vector, N_Vector) {
  auto& d = *static_cast<Data*>(data);
  d.equations.jacobian(c, N_VGetArrayPointer(y), N_VGetArrayPointer(dy), d.columns);
  d.columns.write(J);
  return 0;
}

}  // namespace

RivalEnd chain_by_ida(const Chain& chain, ChainForm form, double tolerance) {
  Data data{Equations(chain, form), Columns(0)};
  const Equations& equations = data.equations;
  data.columns = Columns(equations.size());
  SUNContext context;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VNew_Serial(equations.size(), context), dy = N_VClone(y), id = N_VClone(y);
  N_VConst(0, y), N_VConst(0, dy);
  equations.start(N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  for (int i = 0; i < equations.size(); ++i) N_VGetArrayPointer(id)[i] = equations.differential(i) ? 1 : 0;
  data.equations.jacobian(1, N_VGetArrayPointer(y), N_VGetArrayPointer(dy), data.columns);
  SUNMatrix J = SUNSparseMatrix(equations.size(), equations.size(),
                                static_cast<sunindextype>(data.columns.size()), CSC_MAT, context);
  SUNLinearSolver klu = SUNLinSol_KLU(y, J, context);
  void* ida = IDACreate(context);
  IDAInit(ida, residual, 0, y, dy);
  IDASetUserData(ida, &data);
  IDASStolerances(ida, tolerance, tolerance);
  IDASetId(ida, id);
  IDASetSuppressAlg(ida, SUNTRUE);
  IDASetMaxNumSteps(ida, 10'000'000);
  IDASetErrFile(ida, nullptr);
  IDASetLinearSolver(ida, klu, J);
  IDASetJacFn(ida, jacobian);
  RivalEnd result;
  double t = 0;
  // At rest q' = 0 is right; v' and multipliers are consistent after this.
  int flag = IDACalcIC(ida, IDA_YA_YDP_INIT, 1e-4 * chain.end);
  IDASetStopTime(ida, chain.end);
  if (flag >= 0) flag = IDASolve(ida, chain.end, &t, y, dy, IDA_NORMAL);
  result.ok = flag >= 0;
  IDAGetNumSteps(ida, &result.steps);
  result.evaluations = data.evaluations;
  result.q.resize(3 * chain.n);
  for (int i = 0; i < chain.n; ++i)
    for (int k = 0; k < 3; ++k) result.q[3 * i + k] = N_VGetArrayPointer(y)[equations.q(i) + k];
  IDAFree(&ida);
  SUNLinSolFree(klu);
  SUNMatDestroy(J);
  for (N_Vector each : {y, dy, id}) N_VDestroy(each);
  SUNContext_Free(&context);
  return result;
}

double chain_jacobian_error(const Chain& chain, ChainForm form) {
  Equations equations(chain, form);
  const Eigen::Index size = equations.size();
  Vector y(size), dy(size), plus(size), minus(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto k = static_cast<double>(i);
    y[i] = std::cos(1 + 2.1 * k), dy[i] = std::sin(2 + 1.7 * k);
  }
  Columns columns(static_cast<int>(size));
  const double c = 10;
  equations.jacobian(c, y.data(), dy.data(), columns);
  const Matrix J = columns.dense();
  Matrix differences(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    const double step = 1e-6;
    const auto moved = [&](double by, Vector& r) {
      Vector at = y, rate = dy;
      at[j] += by, rate[j] += c * by;
      equations.residual(at.data(), rate.data(), r.data());
    };
    moved(step, plus), moved(-step, minus);
    differences.col(j) = (plus - minus) / (2 * step);
  }
  return ((J - differences).cwiseAbs().rowwise().maxCoeff().array() /
          J.cwiseAbs().rowwise().maxCoeff().array())
      .maxCoeff();
}

}  // namespace dalembert::bench
