// The rounds of the shuffle algorithm, the finite eigenvalues, and the structure that holds whatever the numbers are (pencil.h).
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/analysis/modes.h"
#include "dalembert/analysis/pencil.h"
#include "dalembert/linear/decompositions.h"
#include "dalembert/linear/rank.h"

namespace dalembert {

namespace {

constexpr double vanishing = 1e-9;  // singular values beside the largest one
constexpr double large_part = .1;   // of an equation in a combination

/// Rows of [E A] and columns of [E; A] of like size.
struct Scaled {
  explicit Scaled(const Pencil& pencil)
      : E(pencil.E), A(pencil.A), rows(Vector::Ones(E.rows())), columns(Vector::Ones(E.cols())) {
    const auto root = [](double size) { return size > 0 ? 1 / std::sqrt(size) : 1.; };
    for (int round = 0; round < 8; ++round) {
      for (Eigen::Index i = 0; i < E.rows(); ++i) {
        const double factor = root(std::max(E.row(i).cwiseAbs().maxCoeff(), A.row(i).cwiseAbs().maxCoeff()));
        E.row(i) *= factor, A.row(i) *= factor, rows[i] *= factor;
      }
      for (Eigen::Index j = 0; j < E.cols(); ++j) {
        const double factor = root(std::max(E.col(j).cwiseAbs().maxCoeff(), A.col(j).cwiseAbs().maxCoeff()));
        E.col(j) *= factor, A.col(j) *= factor, columns[j] *= factor;
      }
    }
  }
  Matrix E, A;
  Vector rows, columns;
};

std::vector<std::string> large_parts(const Matrix& combinations, const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (Eigen::Index i = 0; i < combinations.rows(); ++i)
    if (combinations.row(i).norm() > large_part) all.push_back(names[static_cast<std::size_t>(i)]);
  return all;
}

}  // namespace

KroneckerForm kronecker_form(const Pencil& pencil) {
  KroneckerForm form;
  Scaled p(pencil);
  const Eigen::Index n = p.E.rows();
  if (n == 0) return form;
  Matrix held(0, n);
  Matrix origin = Matrix::Identity(n, n);  // which equations each row is made of
  for (form.index = 0;; ++form.index) {
    const Eigen::JacobiSVD<Matrix> svd(p.E, Eigen::ComputeFullU);
    const Vector& sigma = svd.singularValues();
    const Eigen::Index rank = (sigma.array() > vanishing * std::max(1e-300, sigma[0])).count(),
                       open = n - rank;
    form.rounds.push_back({sigma, rank});
    if (open == 0) break;
    const Matrix U = svd.matrixU(), Ut = U.transpose();
    const Matrix mixed = origin * U;
    form.rounds.back().equations = large_parts(mixed.rightCols(open), pencil.equations);
    Matrix algebraic = Ut.bottomRows(open) * p.A;
    for (Eigen::Index i = 0; i < open; ++i)
      if (const double length = algebraic.row(i).norm(); length > vanishing) algebraic.row(i) /= length;
    form.blocks.push_back(open);
    if (form.index >= n || numerical_rank(algebraic, vanishing) < open) {
      form.regular = false;
      return form;
    }
    held.conservativeResize(held.rows() + open, n);
    held.bottomRows(open) = algebraic;
    p.E = (Ut * p.E).eval();
    p.A = (Ut * p.A).eval();
    p.E.bottomRows(open) = algebraic;
    p.A.bottomRows(open).setZero();
    origin = mixed;
  }
  for (std::size_t k = 0; k + 1 < form.blocks.size(); ++k) form.blocks[k] -= form.blocks[k + 1];

  const Matrix V = null_space(held, vanishing);
  form.flow = V.transpose() * p.E.partialPivLu().solve(p.A * V);
  form.finite = modes_of(form.flow).values();
  form.solutions = p.columns.asDiagonal() * V;
  return form;
}

SchurForm schur_form(const Pencil& pencil) {
  SchurForm form;
  const Eigen::Index n = pencil.E.rows();
  if (n == 0) return form;
  Eigen::RealQZ<Matrix> qz(static_cast<int>(n));
  qz.compute(pencil.A, pencil.E);
  form.Q = qz.matrixQ(), form.T = qz.matrixS(), form.S = qz.matrixT(), form.Z = qz.matrixZ().transpose();
  const Eigen::GeneralizedEigenSolver<Matrix> solver(pencil.A, pencil.E, false);
  for (Eigen::Index i = 0; i < n; ++i)
    form.alpha.push_back(solver.alphas()[i]), form.beta.push_back(solver.betas()[i]);
  return form;
}

namespace {

constexpr int absent = std::numeric_limits<int>::min() / 4;

/// The unknown of each equation for which the sum of orders is largest (Hungarian algorithm); empty if there is no choice at all.
std::vector<int> assignment(const std::vector<std::vector<int>>& order) {
  const std::size_t n = order.size();
  constexpr long far = 1'000'000;
  const auto cost = [&](std::size_t i, std::size_t j) {
    return order[i][j] == absent ? far : -static_cast<long>(order[i][j]);
  };
  std::vector<long> u(n + 1, 0), v(n + 1, 0);
  std::vector<std::size_t> row(n + 1, 0), way(n + 1, 0);
  for (std::size_t i = 1; i <= n; ++i) {
    row[0] = i;
    std::size_t column = 0;
    std::vector<long> least(n + 1, std::numeric_limits<long>::max());
    std::vector<bool> used(n + 1, false);
    do {
      used[column] = true;
      std::size_t next = 0;
      long delta = std::numeric_limits<long>::max();
      for (std::size_t j = 1; j <= n; ++j) {
        if (used[j]) continue;
        const long slack = cost(row[column] - 1, j - 1) - u[row[column]] - v[j];
        if (slack < least[j]) least[j] = slack, way[j] = column;
        if (least[j] < delta) delta = least[j], next = j;
      }
      for (std::size_t j = 0; j <= n; ++j) {
        if (used[j])
          u[row[j]] += delta, v[j] -= delta;
        else
          least[j] -= delta;
      }
      column = next;
    } while (row[column] != 0);
    for (; column != 0; column = way[column]) row[column] = row[way[column]];
  }
  std::vector<int> chosen(n, -1);
  for (std::size_t j = 1; j <= n; ++j) chosen[row[j] - 1] = static_cast<int>(j - 1);
  for (std::size_t i = 0; i < n; ++i)
    if (order[i][static_cast<std::size_t>(chosen[i])] == absent) return {};
  return chosen;
}

}  // namespace

StructuralIndex structural_index(const std::vector<Pencil>& pencils) {
  StructuralIndex found;
  const auto n = pencils.empty() ? 0 : static_cast<std::size_t>(pencils.front().E.rows());
  std::vector<std::vector<int>> order(n, std::vector<int>(n, absent));
  for (const Pencil& p : pencils)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
        if (p.E(row, column) != 0)
          order[i][j] = 1;
        else if (p.A(row, column) != 0)
          order[i][j] = std::max(order[i][j], 0);
      }
  found.solved_for = assignment(order);
  if (found.solved_for.empty() && n > 0) {
    found.regular = false;
    return found;
  }
  std::vector<int>&c = found.equations, &d = found.unknowns;
  c.assign(n, 0), d.assign(n, 0);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i)
        if (order[i][j] != absent) d[j] = std::max(d[j], order[i][j] + c[i]);
    for (std::size_t i = 0; i < n; ++i) {
      const auto j = static_cast<std::size_t>(found.solved_for[i]);
      if (const int needed = d[j] - order[i][j]; needed != c[i]) c[i] = needed, again = true;
    }
  }
  if (n == 0) return found;
  const bool algebraic = *std::min_element(d.begin(), d.end()) == 0;
  found.index = *std::max_element(c.begin(), c.end()) + (algebraic ? 1 : 0);
  return found;
}

}  // namespace dalembert
