#include "dalembert/multibody/ties.h"

#include <cmath>

#include "dalembert/linear/decompositions.h"

namespace dalembert {

namespace {
// Of its length, a row is off those of others, where methods leave the bodies off their joints by a tolerance; and redundant rows are off
// each other.
constexpr double in_span = 1e-7, redundant = 1e-6;
}  // namespace

Ties::Ties(const Matrix& contacts, const Matrix& others)
    : left_(contacts), alpha_(Matrix::Zero(others.rows(), contacts.rows())), length_(contacts.rows()) {
  for (Eigen::Index i = 0; i < contacts.rows(); ++i) length_[i] = contacts.row(i).norm();
  if (others.rows() == 0 || contacts.rows() == 0) return;
  Matrix span = others.transpose();
  Vector scale = Vector::Ones(span.cols());
  for (Eigen::Index k = 0; k < span.cols(); ++k)
    if (const double length = span.col(k).norm(); length > 0) scale[k] = 1 / length;
  span *= scale.asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<Matrix> basis;  // the one that solves with its threshold
  basis.setThreshold(redundant);
  basis.compute(span);
  for (Eigen::Index i = 0; i < contacts.rows(); ++i) {
    const Vector own = contacts.row(i).transpose();
    const Vector in_units = basis.solve(own);
    left_.row(i) -= (span * in_units).transpose();
    alpha_.col(i) = scale.cwiseProduct(in_units);
  }
}

bool Ties::held(std::size_t contact) const {
  const auto i = static_cast<Eigen::Index>(contact);
  return left_.row(i).norm() <= in_span * length_[i];
}

std::optional<double> Ties::rate(std::size_t contact, In w) const {
  if (!held(contact)) return {};
  return -alpha_.col(static_cast<Eigen::Index>(contact)).dot(w);
}

std::optional<Vector> Ties::levers(std::size_t contact, const std::vector<std::size_t>& by) const {
  if (by.empty() || held(contact)) return {};
  Matrix rows(left_.cols(), static_cast<Eigen::Index>(by.size()));
  for (std::size_t k = 0; k < by.size(); ++k)
    rows.col(static_cast<Eigen::Index>(k)) = left_.row(static_cast<Eigen::Index>(by[k])).transpose();
  const Vector own = left_.row(static_cast<Eigen::Index>(contact)).transpose();
  Vector levers = rows.colPivHouseholderQr().solve(own);
  if ((own - rows * levers).norm() > in_span * own.norm()) return {};
  for (Eigen::Index k = 0; k < levers.size(); ++k)
    if (std::abs(levers[k]) * rows.col(k).norm() <= in_span * own.norm()) levers[k] = 0;
  return levers;
}

}  // namespace dalembert
