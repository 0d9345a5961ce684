#include "dalembert/constraints/interface_compliance.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "dalembert/core/error.h"

namespace dalembert {

std::vector<Matrix> interface_compliances(const Partitioned& problem, const State& state) {
  const Mechanical& whole = *problem.whole();
  const Mechanical::Sizes n = whole.sizes();
  const auto at = whole.placed_at(state);
  Entries mass, rows;
  whole.mass(*at, mass);
  whole.jacobian(*at, rows);
  const Matrix M = mass.dense(n.v, n.v), J = rows.dense(n.rows(), n.v);
  const auto& interface = problem.interface();
  std::vector<Matrix> all;
  for (std::size_t j = 0; j < problem.fields().size(); ++j) {
    const auto& v = problem.fields()[j].v;
    std::vector<Eigen::Index> own;
    for (const Eigen::Index r : problem.rows_of(j))
      if (problem.fields_of(r).size() == 1) own.push_back(r);
    const auto nv = static_cast<Eigen::Index>(v.size()), m = static_cast<Eigen::Index>(own.size());
    Matrix saddle = Matrix::Zero(nv + m, nv + m);
    saddle.topLeftCorner(nv, nv) = M(v, v);
    saddle.topRightCorner(nv, m) = J(own, v).transpose();
    saddle.bottomLeftCorner(m, nv) = J(own, v);
    const Matrix D = J(interface, v);
    Matrix right = Matrix::Zero(nv + m, D.rows());
    right.topRows(nv) = D.transpose();
    const Eigen::FullPivLU<Matrix> factors(saddle);
    if (!factors.isInvertible())
      throw Error("field '" + problem.fields()[j].name + "' alone has no unique accelerations",
                  "cut the problem elsewhere: each field needs a mass for every motion it can make");
    all.emplace_back(D * factors.solve(right).topRows(nv));
  }
  return all;
}

std::vector<std::complex<double>> limit_factors(const Partitioned& problem,
                                                const std::vector<Matrix>& compliances,
                                                const std::vector<std::size_t>& carriers) {
  const auto& interface = problem.interface();
  const auto m = static_cast<Eigen::Index>(interface.size());
  Matrix P(m, m), Q = Matrix::Zero(m, m);
  for (const Matrix& S : compliances) Q += S;
  for (Eigen::Index r = 0; r < m; ++r)
    P.row(r) = compliances[carriers[static_cast<std::size_t>(interface[static_cast<std::size_t>(r)])]].row(r);
  Q -= P;
  const Eigen::FullPivLU<Matrix> factors(P);
  if (!factors.isInvertible()) return {};
  const Eigen::VectorXcd values = (-factors.solve(Q)).eval().eigenvalues();
  std::vector<std::complex<double>> all(values.begin(), values.end());
  std::sort(all.begin(), all.end(), [](auto a, auto b) { return std::abs(a) > std::abs(b); });
  return all;
}

std::vector<std::size_t> carried_by_first(const Partitioned& problem) {
  std::vector<std::size_t> all;
  for (Eigen::Index r = 0; r < problem.whole()->sizes().rows(); ++r)
    all.push_back(problem.fields_of(r).front());
  return all;
}

std::vector<std::size_t> carried_by_last(const Partitioned& problem) {
  std::vector<std::size_t> all;
  for (Eigen::Index r = 0; r < problem.whole()->sizes().rows(); ++r)
    all.push_back(problem.fields_of(r).back());
  return all;
}

}  // namespace dalembert
