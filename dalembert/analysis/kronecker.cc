// The rounds of the shuffle algorithm, the finite eigenvalues, and the structure that numbers in general would have (pencil.h).
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/analysis/known_rank.h"
#include "dalembert/analysis/modes.h"
#include "dalembert/analysis/pencil.h"
#include "dalembert/linear/decompositions.h"

namespace dalembert {

namespace {

constexpr double entry_error = 1e-13;  // of a pencil, beside the entry
constexpr double unclear =
    1e-9;  // singular values that are neither zero nor clear of it are between the doubt and this
constexpr double large_part = .1;  // of an equation in a combination

std::vector<std::string> large_parts(Matrix combinations, const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (Eigen::Index j = 0; j < combinations.cols(); ++j) combinations.col(j).normalize();
  for (Eigen::Index i = 0; i < combinations.rows(); ++i)
    if (combinations.row(i).norm() > large_part) all.push_back(names[static_cast<std::size_t>(i)]);
  return all;
}

/// Equations with what their coefficients are known to, and what each is made of.
struct Shuffled {
  Matrix E, A, E_doubt, A_doubt, origin;

  /// Each of these rows becomes the combination of all rows with the weights of its column, which its own E vanishes in; differentiated.
  void differentiate(const Matrix& weights, const std::vector<Eigen::Index>& rows) {
    const Matrix combined = weights.transpose() * A, doubts = weights.cwiseAbs().transpose() * A_doubt,
                 made_of = origin * weights;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto j = static_cast<Eigen::Index>(k);
      E.row(rows[k]) = combined.row(j), E_doubt.row(rows[k]) = doubts.row(j);
      A.row(rows[k]).setZero(), A_doubt.row(rows[k]).setZero();
      origin.col(rows[k]) = made_of.col(j);
    }
  }
};

/// With singular values below `least` taken for zero. `clear`: none is between that and `unclear`.
struct Shuffle {
  KroneckerForm form;
  bool clear = true;
};
Shuffle shuffle(const Pencil& pencil, double least, const std::function<void(const std::string&)>& progress) {
  Shuffle whole;
  KroneckerForm& form = whole.form;
  const auto rank_of = [&](const Matrix& A, const Matrix& doubt) {
    KnownRank known = known_rank(A, doubt, least);
    for (const double value : known.singular_values)
      if (value > known.doubt && value <= unclear) whole.clear = false;
    return known;
  };
  const Eigen::Index n = pencil.E.rows();
  if (n == 0) return whole;
  Shuffled p{pencil.E, pencil.A, entry_error * pencil.E.cwiseAbs(), entry_error * pencil.A.cwiseAbs(),
             Matrix::Identity(n, n)};
  Matrix held(0, n), held_doubt(0, n);
  for (form.index = 0;; ++form.index) {
    if (progress) progress(fmt::format("round {}: the rank of {} x {} coefficients", form.index + 1, n, n));
    const KnownRank known = rank_of(p.E.transpose(), p.E_doubt.transpose());
    const Eigen::Index open = n - known.rank;
    form.rounds.push_back({known.singular_values, known.rank, known.doubt});
    if (open == 0) break;
    form.rounds.back().equations = large_parts(p.origin * known.null, pencil.equations);
    form.blocks.push_back(open);
    p.differentiate(known.null, known.unit);
    const Matrix algebraic = p.E(known.unit, Eigen::all), doubt = p.E_doubt(known.unit, Eigen::all);
    if (form.index >= n || rank_of(algebraic, doubt).rank < open) {
      form.regular = false;
      return whole;
    }
    held.conservativeResize(held.rows() + open, n), held_doubt.conservativeResize(held.rows(), n);
    held.bottomRows(open) = algebraic, held_doubt.bottomRows(open) = doubt;
  }
  for (std::size_t k = 0; k + 1 < form.blocks.size(); ++k) form.blocks[k] -= form.blocks[k + 1];

  const KnownRank on = rank_of(held, held_doubt);
  const Matrix inverse = inverse_of(p.E);
  const Matrix flow = inverse * p.A * on.null,
               doubt = inverse.cwiseAbs() * (p.A_doubt + p.E_doubt * inverse.cwiseAbs() * p.A.cwiseAbs()) *
                       on.null.cwiseAbs();
  form.flow = flow(on.unit, Eigen::all);
  form.doubt = doubt(on.unit, Eigen::all);
  form.finite = modes_of(form.flow, form.doubt, progress).values();
  form.solutions = on.null;
  return whole;
}

}  // namespace

bool KroneckerForm::same_structure(const KroneckerForm& that) const {
  return regular == that.regular && index == that.index && blocks == that.blocks;
}

KroneckerForm kronecker_form(const Pencil& pencil, const std::function<void(const std::string&)>& progress) {
  auto [form, clear] = shuffle(pencil, 0, progress);
  if (clear) return form;
  const KroneckerForm other = shuffle(pencil, unclear, progress).form;
  if (!form.same_structure(other)) form.other = std::make_shared<const KroneckerForm>(other);
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
