#include "bench/ida_mechanical.h"

#include <array>
#include <memory>
#include <stdexcept>

#include "bench/models.h"

namespace dalembert::bench {
namespace {

/// One form of one model.
template <template <class> class Model, IdaForm form>
class Equations final : public IdaEquations {
 public:
  static constexpr int n = Model<double>::n, m = Model<double>::m;
  static constexpr bool full = form == IdaForm::index1_full;
  static constexpr int a_at = 2 * n, l_at = full ? 3 * n : 2 * n;

  explicit Equations(const IdaStart& from) : from_(from) {}

  Eigen::Index size() const override { return l_at + m; }
  bool differential(Eigen::Index i) const override { return i < 2 * n; }

  void residual(double, In values, In rates, Out residual) override {
    const double *y = values.data(), *dy = rates.data(), *v = y + n, *a = acceleration(y, dy);
    double* r = residual.data();
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

  void jacobian(double, double c, In values, In rates, Eigen::Ref<Matrix> matrix) override {
    using D = Dual<2 * n>;
    const double *y = values.data(), *dy = rates.data();
    const auto column = [&](int j) { return matrix.col(j).data(); };
    constexpr int balance_at = l_at - n, rows_at = l_at;
    std::array<D, n> q, v, balance;
    std::array<D, m> rows;
    for (int i = 0; i < n; ++i) {
      q[i] = variable<2 * n>(y[i], i);
      v[i] = variable<2 * n>(y[n + i], n + i);
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
      for (int i = 0; i < n; ++i) J[balance_at + i] = balance[i].gradient.d[j];
      for (int i = 0; i < m; ++i) J[rows_at + i] = rows[i].gradient.d[j];
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

  void start(Out y, Out dy) const override {
    dy.setZero();
    for (int i = 0; i < n; ++i) {
      y[i] = from_.q[i];
      y[n + i] = dy[i] = from_.v[i];
      dy[n + i] = from_.a[i];
      if (full) y[a_at + i] = from_.a[i];
    }
    for (int i = 0; i < m; ++i) y[l_at + i] = from_.l[i];
  }

 private:
  static const double* acceleration(const double* y, const double* dy) { return full ? y + a_at : dy + n; }

  const IdaStart& from_;
};

double largest_residual(IdaEquations& equations) {
  Vector y(equations.size()), dy = y, r = y;
  equations.start(y, dy);
  equations.residual(0, y, dy, r);
  return largest(r);
}

double jacobian_error(IdaEquations& equations) {
  const Eigen::Index size = equations.size();
  Vector y(size), dy(size), plus(size), minus(size);
  equations.start(y, dy);
  const double c = 1000;
  Matrix J = Matrix::Zero(size, size), differences = J;
  equations.jacobian(0, c, y, dy, J);
  for (Eigen::Index j = 0; j < size; ++j) {
    const double step = 1e-6 * (1 + std::abs(y[j]));
    const auto moved = [&](double by, Vector& r) {
      Vector at = y, rate = dy;
      at[j] += by;
      rate[j] += c * by;
      equations.residual(0, at, rate, r);
    };
    moved(step, plus);
    moved(-step, minus);
    differences.col(j) = (plus - minus) / (2 * step);
  }
  return ((J - differences).cwiseAbs().rowwise().maxCoeff().array() /
          J.cwiseAbs().rowwise().maxCoeff().array())
      .maxCoeff();
}

template <template <class> class Model>
std::unique_ptr<IdaEquations> in_form(IdaForm form, const IdaStart& from) {
  switch (form) {
    case IdaForm::index1_full:
      return std::make_unique<Equations<Model, IdaForm::index1_full>>(from);
    case IdaForm::index1:
      return std::make_unique<Equations<Model, IdaForm::index1>>(from);
    default:
      return std::make_unique<Equations<Model, IdaForm::index2>>(from);
  }
}

std::unique_ptr<IdaEquations> equations(const std::string& problem, IdaForm form, const IdaStart& from) {
  if (problem == AndrewsModel<double>::name) return in_form<AndrewsModel>(form, from);
  if (problem == PendulumModel<double>::name) return in_form<PendulumModel>(form, from);
  throw std::runtime_error("IDA has no model of '" + problem + "'");
}

}  // namespace

IdaEnd ida_run(const std::string& problem, IdaForm form, const IdaStart& from, double end, double tolerance,
               IdaWork work) {
  return ida_solve(*equations(problem, form, from), 0, end, tolerance, work);
}

double ida_residual(const std::string& problem, IdaForm form, const IdaStart& from) {
  return largest_residual(*equations(problem, form, from));
}

double ida_jacobian_error(const std::string& problem, IdaForm form, const IdaStart& from) {
  return jacobian_error(*equations(problem, form, from));
}

}  // namespace dalembert::bench
