// F(t,y,y') = 0 and M y' = f(t,y) with a singular M, from functions.
#include <cmath>

#include "dalembert/analysis/pencil.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "python/src/difference_columns.h"
#include "python/src/problems.h"

namespace dalembert::python {

namespace {

/// All places: what is not seen at one state may be there at another.
Pattern dense_pattern(Eigen::Index n) {
  Pattern all;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      all.F_y.push_back({i, j});
      all.F_dy.push_back({i, j});
    }
  return all;
}

class FunctionImplicit final : public ImplicitFrame {
 public:
  FunctionImplicit(std::shared_ptr<const Equations> e, Layout layout)
      : ImplicitFrame(e->begin, e->y,
                      {.end = e->end, .layout = std::move(layout), .events = events_of(e, e->y.size(), 0)}),
        e_(std::move(e)),
        n_(e_->y.size()),
        differences_(n_, dense_pattern(n_)),
        columns_(n_, e_->sparsity) {}

  void F(double t, In y, In dy, Out r) const override {
    if (e_->mass.size() == 0) return e_->f(e_->sign() * t, y, e_->sign() * dy, r);
    e_->f(e_->sign() * t, y, r);
    r = e_->sign() * (e_->mass * dy) - r;
  }
  void jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const override {
    ++e_->jacobians;
    if (e_->mass.size() == 0) return differences_.jacobians(*this, t, y, dy, F_y, F_dy);
    write(-f_y(e_->sign() * t, y), F_y);
    write(e_->sign() * e_->mass, F_dy);
  }
  /// The rate that was given says which of several solutions is meant; entries that F does not contain the rates of have none.
  void rate(double t, In y, Out dy) const override {
    Implicit::rate(t, y, dy);
    if (e_->rate.size() == 0 || t != e_->begin) return;
    Entries F_y, F_dy;
    Vector given = e_->sign() * e_->rate;
    jacobians(t, y, given, F_y, F_dy);
    const Matrix part = F_dy.dense(n_, n_);
    for (Eigen::Index j = 0; j < n_; ++j)
      if (part.col(j).isZero(0) && std::isfinite(dy[j])) given[j] = dy[j];
    dy = given;
  }
  Fault diagnose(double t, In y) const override {
    if (Fault fault = Problem::diagnose(t, y)) return fault;
    Vector r(n_);
    F(t, y, Vector::Zero(n_), r);
    for (Eigen::Index i = 0; i < n_; ++i)
      if (!std::isfinite(r[i]))
        return {Outcome::not_finite, "equation " + std::to_string(i) + " is not finite"};
    return ImplicitFrame::diagnose(t, y);
  }
  std::string equation(Eigen::Index i) const override { return "equation " + std::to_string(i); }

 private:
  Matrix f_y(double t, In y) const {
    Matrix all = Matrix::Zero(n_, n_);
    if (e_->jacobian) {
      e_->jacobian.matrix(t, y, all);
      return all;
    }
    columns_(
        y, [&](In at, Out r) { e_->f(t, at, r); }, [&](int i, int j, double value) { all(i, j) = value; });
    return all;
  }
  static void write(const Matrix& values, Entries& matrix) {
    matrix.begin();
    for (Eigen::Index i = 0; i < values.rows(); ++i)
      for (Eigen::Index j = 0; j < values.cols(); ++j) matrix.add(i, j, values(i, j));
    matrix.end();
  }

  std::shared_ptr<const Equations> e_;
  Eigen::Index n_;
  Differences differences_;    // of F(t,y,y')
  DifferenceColumns columns_;  // of f(t,y), beside a mass
};

/// Runs of entries with the same role and index: y, z, y2, z2, ...; labels are numbers.
Layout layout_of(const std::vector<Role>& roles, const std::vector<int>& index) {
  Layout all;
  std::size_t begin = 0;
  int met[2] = {0, 0};
  for (std::size_t i = 1; i <= roles.size(); ++i) {
    if (i < roles.size() && roles[i] == roles[begin] && index[i] == index[begin]) continue;
    std::vector<std::string> labels;
    for (std::size_t k = begin; k < i; ++k) labels.push_back(std::to_string(k));
    const bool algebraic = roles[begin] == Role::algebraic;
    const int number = ++met[algebraic ? 1 : 0];
    all.add((algebraic ? "z" : "y") + (number > 1 ? std::to_string(number) : ""),
            static_cast<Eigen::Index>(i - begin), roles[begin], index[begin], labels);
    begin = i;
  }
  return all;
}

/// The rate that was given, or one that is found; an Error where it is given and F is not zero.
Vector checked_rate(const FunctionImplicit& trial, const Equations& e) {
  const Eigen::Index n = e.y.size();
  Vector dy = Vector::Zero(n), r(n);
  if (e.rate.size() == 0) {
    trial.rate(e.begin, e.y, dy);
    return dy;
  }
  dy = e.sign() * e.rate;
  trial.F(e.begin, e.y, dy, r);
  Entries F_y, F_dy;
  trial.jacobians(e.begin, e.y, dy, F_y, F_dy);
  const Vector size =
      F_y.dense(n, n).cwiseAbs() * e.y.cwiseAbs() + F_dy.dense(n, n).cwiseAbs() * dy.cwiseAbs();
  for (Eigen::Index i = 0; i < n; ++i)
    if (!(std::abs(r[i]) <= 1e-6 * (1 + size[i])))
      throw Error("F(t0, y0, yp0) is " + short_number(r[i]) + " in equation " + std::to_string(i) + ", not 0",
                  "leave yp0 out to have it found, with y0 moved where that is needed");
  return dy;
}

/// Of each entry, where nobody said: algebraic entries have the index of the equations at the start.
std::vector<int> found_index(const FunctionImplicit& trial, const std::vector<Role>& roles,
                             const State& start) {
  const Pencil pencil = pencil_of(trial, start);
  int index = 1;
  if (pencil.E.allFinite() && pencil.A.allFinite())
    if (const KroneckerForm form = kronecker_form(pencil); form.regular) index = std::max(1, form.index);
  if (index > 2)
    throw Error(
        "these equations have index " + std::to_string(index) + " at the start",
        "say with index which index each entry has (positions 1, velocities 2, multipliers 3), or take "
        "solve_mechanical");
  std::vector<int> all;
  for (const Role role : roles) all.push_back(role == Role::algebraic ? index : 1);
  return all;
}

}  // namespace

FunctionProblem implicit_of(std::shared_ptr<Equations> e) {
  const auto n = static_cast<std::size_t>(e->y.size());
  const std::vector<Role> all_differential(n, Role::differential);
  const FunctionImplicit trial(e, layout_of(all_differential, std::vector<int>(n, 1)));
  const Vector rate = checked_rate(trial, *e);
  Entries F_y, F_dy;
  trial.jacobians(e->begin, e->y, rate, F_y, F_dy);
  const Matrix part = F_dy.dense(e->y.size(), e->y.size());
  std::vector<Role> roles;
  for (Eigen::Index j = 0; j < e->y.size(); ++j)
    roles.push_back(part.col(j).isZero(0) ? Role::algebraic : Role::differential);
  if (e->index.empty()) e->index = found_index(trial, roles, {e->begin, e->y});
  if (e->index.size() == 1 && n > 1) {
    const int index = e->index.front();
    e->index.clear();
    for (const Role role : roles) e->index.push_back(role == Role::algebraic ? index : 1);
  }
  return {std::make_shared<const FunctionImplicit>(e, layout_of(roles, e->index)), e};
}

}  // namespace dalembert::python
