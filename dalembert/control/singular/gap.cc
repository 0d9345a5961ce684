#include "dalembert/control/singular/gap.h"

#include <algorithm>
#include <cmath>

namespace dalembert {

namespace {

/// A = D J L^-T at the point of the branch, decomposed, for K or M = L L'.
struct Decomposition {
  Matrix L, U, V;
  Vector sigma, scale;
  Eigen::Index rank_above(double small) const {
    Eigen::Index rank = sigma.size();
    while (rank > 0 && sigma[rank - 1] < std::min(small, .1)) --rank;  // rows have about unit length
    return rank;
  }
  Vector right(Eigen::Index k) const {  ///< w_k = L^-T v_k
    return L.transpose().triangularView<Eigen::Upper>().solve(V.col(k));
  }
};

Decomposition decompose(Branch& branch, const Entries& metric) {
  const Mechanical::Sizes& n = branch.sizes();
  Decomposition d;
  const Matrix M = metric.dense(n.v, n.v);
  Eigen::LLT<Matrix> factors(M);
  if (factors.info() != Eigen::Success)  // massless coordinates: any metric tells dependent rows
    factors.compute(M + 1e-6 * (1 + M.diagonal().maxCoeff()) * Matrix::Identity(n.v, n.v));
  d.L = factors.matrixL();
  d.scale = branch.scales();
  const Matrix J = branch.rows().dense(n.rows(), n.v);
  const Matrix A = d.L.triangularView<Eigen::Lower>().solve((d.scale.asDiagonal() * J).transpose());
  const Eigen::BDCSVD<Matrix> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  d.V = svd.matrixU();
  d.U = svd.matrixV();
  d.sigma = svd.singularValues();
  return d;
}

/// |U2' D g| after Newton's steps with the large singular values.
double unremoved(Branch& branch, const Decomposition& d, Eigen::Index rank) {
  const Mechanical& problem = branch.problem();
  const Mechanical::Sizes& n = branch.sizes();
  const auto at = problem.placement();
  at->t = branch.here().t;
  at->q = branch.here().q;
  Vector residual = Vector::Zero(n.rows()), q(n.q);
  const auto evaluate = [&] {
    problem.place(*at);
    Vector g(n.holonomic);
    problem.g(*at, g);
    residual.head(n.holonomic) = g;
    residual.array() *= d.scale.array();
  };
  for (int round = 0; round < 4; ++round) {
    evaluate();
    const Vector y = (d.U.leftCols(rank).transpose() * residual).cwiseQuotient(d.sigma.head(rank));
    const Vector step = d.L.transpose().triangularView<Eigen::Upper>().solve(d.V.leftCols(rank) * y);
    problem.advance(*at, -step, q);
    at->q = q;
  }
  evaluate();
  return (d.U.rightCols(d.sigma.size() - rank).transpose() * residual).norm();
}

}  // namespace

Gap find_gap(Branch& branch, const BranchPath& path, double begin, double end, double t, double small) {
  const Mechanical::Sizes& n = branch.sizes();
  Vector q(n.q), v(n.v);
  Gap gap;
  for (int round = 0; round < 8; ++round) {
    path(t, q, v);
    branch.factor(t, q);  // may be singular: only its rows are used
    const Decomposition d = decompose(branch, branch.metric());
    const Eigen::Index rank = d.rank_above(small);
    gap.t = t;
    gap.lost = d.sigma.size() - rank;
    gap.size = gap.lost > 0 ? unremoved(branch, d, rank) : 0;
    gap.shares = (gap.lost > 0 ? d.U.rightCols(gap.lost) : d.U.rightCols(1)).rowwise().norm();
    gap.shares /= gap.shares.maxCoeff();
    const Eigen::Index last = d.sigma.size() - 1;
    const double rate = branch.rate(v, d.U.col(last), d.right(last));
    const double most = .3 * (end - begin), wanted = rate == 0 ? 0 : -d.sigma[last] / rate;
    const double next = std::clamp(t + std::clamp(wanted, -most, most), begin, end), change = next - t;
    gap.t = t = next;
    // The path is as exact there as here, and so is the gap.
    if (std::abs(change) < 1e-5 * (end - begin)) break;
  }
  return gap;
}

void least_multipliers(Branch& branch, double t, In q, In v, In s, In a, Out multipliers) {
  constexpr double vanishes = 1e-10, uncertain = 1e-7;
  const Mechanical::Sizes& n = branch.sizes();
  branch.factor(t, q);
  const Decomposition d = decompose(branch, branch.mass());
  Vector f(n.v);
  branch.problem().force(branch.here(), v, s, f);
  branch.mass().multiply(a, -1, f);
  // J'l = f - M a:  A'(l/D) = L^-1 (f - M a)
  const Vector load = d.L.triangularView<Eigen::Lower>().solve(f);
  Vector l = Vector::Zero(n.rows());
  for (Eigen::Index k = 0; k < d.sigma.size() && d.sigma[k] > vanishes; ++k)
    l += d.U.col(k) * (d.V.col(k).dot(load) * d.sigma[k] / (d.sigma[k] * d.sigma[k] + uncertain * uncertain));
  multipliers = l.cwiseProduct(d.scale);
}

}  // namespace dalembert
