#include "dalembert/formulation/null_space/row_choice.h"

#include <algorithm>

#include "dalembert/linear/rank.h"

namespace dalembert {

RowChoice::RowChoice(const Matrix& J, Eigen::Index holonomic)
    : rows_(J.rows()), first_(holonomic), rest_(J.transpose()) {
  found_.reserve(static_cast<std::size_t>(rows_));
  choose(J);
  kept_ = found_;
  std::sort(kept_.begin(), kept_.end());
  for (const Eigen::Index row : kept_)
    if (row < first_) kept_holonomic_.push_back(row);
}

Outcome RowChoice::choose(const Matrix& J) {
  if (!J.allFinite()) return Outcome::not_finite;
  rest_ = J.transpose();
  for (Eigen::Index i = 0; i < rows_; ++i)
    if (const double length = rest_.col(i).norm(); length > 0) rest_.col(i) /= length;
  found_.clear();
  const Eigen::Index positions = pick(0, first_);
  pick(first_, rows_);
  if (found_.size() != kept_.size() || positions != static_cast<Eigen::Index>(kept_holonomic_.size()))
    return Outcome::singular;
  std::copy(found_.begin(), found_.end(), kept_.begin());
  std::sort(kept_.begin(), kept_.end());
  std::copy_n(kept_.begin(), positions, kept_holonomic_.begin());
  return Outcome::ok;
}

/// The row that stands out most from those found before, again and again.
Eigen::Index RowChoice::pick(Eigen::Index begin, Eigen::Index end) {
  Eigen::Index count = 0;
  while (begin < end && static_cast<Eigen::Index>(found_.size()) < rest_.rows()) {
    Eigen::Index best = 0;
    const double length = rest_.middleCols(begin, end - begin).colwise().norm().maxCoeff(&best);
    if (!(length > rank_tolerance)) break;
    best += begin;
    found_.push_back(best);
    ++count;
    rest_.col(best) /= length;
    for (Eigen::Index j = 0; j < rows_; ++j)
      if (j != best) rest_.col(j) -= rest_.col(best).dot(rest_.col(j)) * rest_.col(best);
    rest_.col(best).setZero();
  }
  return count;
}

}  // namespace dalembert
