// The point of a manifold that lies nearest to the origin.
//
//   minimise u'K u/2  subject to  c(u) = 0:     K u + C(u)'l = 0,  c(u) = 0,  C = c_u
//
// C is taken at the solution [MantegazzaMasarati2012, (121)]. The usual iteration, whose every step is as short as it
// can be, ends at a point of the manifold that is farther away by the square of the distance: it only serves to get
// there, damped, before Newton's iteration for the equations above.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "dalembert/core/outcome.h"
#include "dalembert/linear/entries.h"

namespace dalembert {

struct Manifold {
  Eigen::Index size = 0, rows = 0;
  std::function<void(In u, Out c)> value;
  std::function<void(In u, Entries& C)> gradient;  ///< always in the same order
  enum class Shape { flat, curved } shape = Shape::curved;
  /// Rows that may depend on each other are met by least squares, with a dense factorisation that finds their rank.
  enum class Rows { independent, dependent } are = Rows::independent;
  Vector sizes{};  ///< what counts as 1 in each row of c; empty: 1
  double dependent =
      0;  ///< unit rows that stick out by less follow from others, if rows may depend on each other
};

/// Residuals below this, relative to the sizes of rows, are rounding of given digits: what satisfies its constraints so far is
/// not moved.
inline constexpr double consistent = 1e-10;
/// Of unit rows: how far those that depend on others may stick out at such a point.
inline constexpr double sticking_out = 1e-8;

/// Entries of infinite weight are not moved: rows below those of the constraint hold them.
class KeptEntries {
 public:
  explicit KeptEntries(In weights) {
    for (Eigen::Index i = 0; i < weights.size(); ++i)
      if (std::isinf(weights[i])) entries_.push_back(i);
  }
  Eigen::Index size() const { return static_cast<Eigen::Index>(entries_.size()); }
  Eigen::Index operator[](Eigen::Index k) const { return entries_[static_cast<std::size_t>(k)]; }
  void value(In change, Out rows) const {
    for (Eigen::Index k = 0; k < size(); ++k) rows[k] = change[(*this)[k]];
  }
  void gradient(Eigen::Index row0, Entries& C) const {
    for (Eigen::Index k = 0; k < size(); ++k) C.add(row0 + k, (*this)[k], 1);
  }

 private:
  std::vector<Eigen::Index> entries_;
};
inline double finite_weight(double weight) {
  return std::isinf(weight) ? 0 : weight;
}

struct NearestPoint {
  Outcome outcome =
      Outcome::ok;  ///< singular, not_finite, or projection_failed where c(u) = 0 was not reached
  Vector u;         ///< in case of failure where c was smallest
  Vector residual;  ///< c(u)
};

/// K must be positive definite where C(u) du = 0. `scale` is a typical size of u, `tolerance` that of c over its sizes.
NearestPoint nearest_point(const Manifold&, const Entries& K, double scale, double tolerance);

}  // namespace dalembert
