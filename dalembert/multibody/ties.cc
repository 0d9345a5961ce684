#include "dalembert/multibody/ties.h"

#include "dalembert/linear/decompositions.h"

namespace dalembert {

namespace {
constexpr double nothing = 1e-9;   // of its own length is left of a row
constexpr double parallel = 1e-7;  // of its length, a row is off the direction of another
}  // namespace

Ties::Ties(const Matrix& contacts, const Matrix& others) : left_(contacts), length_(contacts.rows()) {
  for (Eigen::Index i = 0; i < contacts.rows(); ++i) length_[i] = contacts.row(i).norm();
  if (others.rows() == 0 || contacts.rows() == 0) return;
  const Matrix span = others.transpose();
  const auto basis = span.colPivHouseholderQr();
  for (Eigen::Index i = 0; i < contacts.rows(); ++i) {
    const Vector own = contacts.row(i).transpose();
    left_.row(i) -= (span * basis.solve(own)).transpose();
  }
}

bool Ties::held(std::size_t contact) const {
  const auto i = static_cast<Eigen::Index>(contact);
  return left_.row(i).norm() <= nothing * length_[i];
}

std::optional<double> Ties::lever(std::size_t contact, std::size_t by) const {
  if (held(contact) || held(by)) return {};
  const auto i = static_cast<Eigen::Index>(contact), j = static_cast<Eigen::Index>(by);
  const double lever = left_.row(i).dot(left_.row(j)) / left_.row(j).squaredNorm();
  if ((left_.row(i) - lever * left_.row(j)).norm() > parallel * left_.row(i).norm()) return {};
  return lever;
}

}  // namespace dalembert
