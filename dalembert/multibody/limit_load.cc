#include "dalembert/multibody/limit_load.h"

#include <limits>
#include <vector>

namespace dalembert {

namespace {

/// Maximises sum m y under y_b = L y and sum F |y| <= 1, with y = p - n and p, n >= 0. Columns: p, n, and what is left of 1; rows: one
/// for each tied contact, and the sum. Begins at y = 0; Bland's rule: it ends.
class Simplex {
 public:
  Simplex(In m, const Matrix& L, In F)
      : all_(F.size()), tied_(L.rows()), table_(Matrix::Zero(tied_ + 2, 2 * all_ + 2)) {
    const Eigen::Index free = all_ - tied_, sum = tied_;
    for (Eigen::Index b = 0; b < tied_; ++b) {
      table_.row(b).head(free) = -L.row(b);
      table_(b, free + b) = 1;
      table_.row(b).segment(all_, all_) = -table_.row(b).head(all_);
      basis_.push_back(free + b);
    }
    table_.row(sum).head(all_) = F.transpose();
    table_.row(sum).segment(all_, all_) = F.transpose();
    table_(sum, 2 * all_) = table_(sum, 2 * all_ + 1) = 1;
    basis_.push_back(2 * all_);
    for (Eigen::Index b = 0; b < tied_; ++b) table_.row(sum) -= F[free + b] * table_.row(b);
    gain().head(free) = m.transpose();
    gain().segment(all_, free) = -m.transpose();
  }

  /// False: the gain has no limit.
  bool solve() {
    constexpr double nothing = 1e-12;
    for (;;) {
      Eigen::Index enter = 0;
      while (enter < 2 * all_ + 1 && !(gain()[enter] > nothing)) ++enter;
      if (enter == 2 * all_ + 1) return true;
      Eigen::Index leave = -1;
      double least = 0;
      for (Eigen::Index k = 0; k <= tied_; ++k) {
        if (!(table_(k, enter) > nothing)) continue;
        const double ratio = right(k) / table_(k, enter);
        const bool first = leave < 0 || ratio < least || (ratio == least && basis_of(k) < basis_of(leave));
        if (first) least = ratio, leave = k;
      }
      if (leave < 0) return false;
      pivot(leave, enter);
    }
  }

  double gained() const { return -table_(tied_ + 1, 2 * all_ + 1); }
  Vector rates() const {
    Vector y = Vector::Zero(all_);
    for (Eigen::Index k = 0; k <= tied_; ++k)
      if (const Eigen::Index of = basis_of(k); of < 2 * all_) y[of % all_] += (of < all_ ? 1 : -1) * right(k);
    return y;
  }
  /// The gains of p and n are +-mu - rho F.
  Vector shares() const {
    return (table_.row(tied_ + 1).head(all_) - table_.row(tied_ + 1).segment(all_, all_)).transpose() / 2;
  }

 private:
  Matrix::RowXpr gain() { return table_.row(tied_ + 1); }
  double right(Eigen::Index k) const { return table_(k, 2 * all_ + 1); }
  Eigen::Index basis_of(Eigen::Index k) const { return basis_[static_cast<std::size_t>(k)]; }
  void pivot(Eigen::Index leave, Eigen::Index enter) {
    table_.row(leave) /= table_(leave, enter);
    for (Eigen::Index k = 0; k < table_.rows(); ++k)
      if (k != leave) table_.row(k) -= table_(k, enter) * Eigen::RowVectorXd(table_.row(leave));
    basis_[static_cast<std::size_t>(leave)] = enter;
  }

  Eigen::Index all_, tied_;
  Matrix table_;  // the last row: gains; the last column: right-hand sides
  std::vector<Eigen::Index> basis_;
};

}  // namespace

LimitLoad limit_load(In carried, const Matrix& levers, In limits) {
  const double load = largest(carried), strength = largest(limits);
  LimitLoad found;
  found.rates = found.shares = Vector::Zero(limits.size());
  if (load == 0) return found;
  const auto nothing_holds = [&] {
    found.part = std::numeric_limits<double>::infinity();
    found.rates.head(carried.size()) = carried;
    found.rates.tail(levers.rows()) = levers * carried;
  };
  if (!(strength > 0)) {
    nothing_holds();
    return found;
  }
  Simplex simplex(carried / load, levers, limits / strength);
  if (!simplex.solve()) {
    nothing_holds();
    return found;
  }
  found.part = simplex.gained() * load / strength;
  found.rates = simplex.rates();
  const double fastest = largest(found.rates);
  for (double& rate : found.rates)
    if (std::abs(rate) <= 1e-9 * fastest) rate = 0;
  found.shares = simplex.shares() * load;
  return found;
}

}  // namespace dalembert
