#include "dalembert/linear/saddle/multifrontal.h"

#include <algorithm>
#include <cmath>

#include "dalembert/core/index.h"

namespace dalembert {
namespace {

constexpr int small_front = 24;  // below, plain loops beat the library's product

}  // namespace

/// M_b = L L', and L^-1 G_b' in place of G_b'.
bool Multifrontal::form(const Element& e) {
  double* L = values_.data() + e.mass;
  const int s = e.size;
  for (int j = 0; j < s; ++j) {
    double d = L[j * s + j];
    for (int p = 0; p < j; ++p) d -= L[p * s + j] * L[p * s + j];
    if (!(d > 0)) return false;
    L[j * s + j] = d = std::sqrt(d);
    for (int i = j + 1; i < s; ++i) {
      double x = L[j * s + i];
      for (int p = 0; p < j; ++p) x -= L[p * s + i] * L[p * s + j];
      L[j * s + i] = x / d;
    }
  }
  for (int c = 0; c < e.rows; ++c) {
    double* y = values_.data() + e.jacobian + c * s;
    for (int i = 0; i < s; ++i) {
      double x = y[i];
      for (int p = 0; p < i; ++p) x -= L[p * s + i] * y[p];
      y[i] = x / L[i * s + i];
    }
  }
  return true;
}

/// (L^-1 G_b')' (L^-1 G_b') into the lower half of its front.
void Multifrontal::add(const Element& e, const Front& front) {
  const double* Y = values_.data() + e.jacobian;
  const std::int32_t* place = indices_.data() + e.places;
  for (int j = 0; j < e.rows; ++j) {
    const double* y = Y + j * e.size;
    double* column = column_of(front, place[j]);
    for (int i = j; i < e.rows; ++i) {
      double sum = 0;
      for (int p = 0; p < e.size; ++p) sum += Y[i * e.size + p] * y[p];
      column[place[i]] += sum;
    }
  }
}

void Multifrontal::add(const Front& child, const Front& parent) {
  const double* U = stack_.data() + child.update;
  const std::int32_t* place = indices_.data() + child.places;
  for (int j = 0; j < child.rows; ++j) {
    double* column = column_of(parent, place[j]);
    for (int i = j; i < child.rows; ++i) column[place[i]] += U[j * static_cast<std::int64_t>(child.rows) + i];
  }
}

/// Where the column of a scalar begins, as if row 0 were stored: in the panel if it is eliminated here, else among what is
/// left.
double* Multifrontal::column_of(const Front& front, int place) {
  if (place < front.pivots) return panels_.data() + front.panel + place * front.height();
  return stack_.data() + front.work + static_cast<std::int64_t>(place - front.pivots) * front.rows -
         front.pivots;
}

/// Cholesky on the panel, and what is left for the parent.
bool Multifrontal::eliminate(const Front& front) {
  const int k = front.pivots, r = front.rows;
  const auto f = static_cast<Eigen::Index>(front.height());
  double* A = panels_.data() + front.panel;
  const std::int32_t* z = indices_.data() + front.multipliers;
  for (int j = 0; j < k; ++j) {
    double* column = A + j * f;
    const double d = column[j], share = d / diagonal_[at(z[j])];
    if (!(share > 0)) return false;
    smallest_share_ = std::min(smallest_share_, share);
    const double root = std::sqrt(d), inverse = 1 / root;
    column[j] = root;
    for (Eigen::Index i = j + 1; i < f; ++i) column[i] *= inverse;
    for (int t = j + 1; t < k; ++t) {
      double* other = A + t * f;
      const double factor = column[t];
      for (Eigen::Index i = t; i < f; ++i) other[i] -= factor * column[i];
    }
  }
  if (r == 0) return true;
  Eigen::Map<Matrix> rest(stack_.data() + front.work, r, r);
  const auto L = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(A + k, r, k, Eigen::OuterStride<>(f));
  if (r > small_front) {
    rest.selfadjointView<Eigen::Lower>().rankUpdate(L, -1);
  } else {
    for (int j = 0; j < r; ++j)
      for (int p = 0; p < k; ++p) {
        const double* column = A + p * f + k;
        const double factor = column[j];
        double* other = stack_.data() + front.work + static_cast<std::int64_t>(j) * r;
        for (int i = j; i < r; ++i) other[i] -= factor * column[i];
      }
  }
  if (front.work != front.update)
    std::copy(stack_.begin() + front.work, stack_.begin() + front.work + static_cast<std::int64_t>(r) * r,
              stack_.begin() + front.update);
  return true;
}

bool Multifrontal::factor(const Entries& mass, const Entries& jacobian) {
  std::fill(values_.begin(), values_.end(), 0.0);
  std::fill(panels_.begin(), panels_.end(), 0.0);
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  for (std::size_t k = 0; k < mass.size(); ++k) values_[at(mass_slot_[k])] += mass.value(k);
  for (std::size_t k = 0; k < jacobian.size(); ++k) values_[at(jacobian_slot_[k])] += jacobian.value(k);
  if (!std::all_of(elements_.begin(), elements_.end(), [&](const Element& e) { return form(e); }))
    return false;
  // The diagonal of S is complete before the first pivot is judged by it.
  for (const Element& e : elements_) {
    const std::int32_t* z = indices_.data() + e.multipliers;
    for (int j = 0; j < e.rows; ++j) {
      const double* y = values_.data() + e.jacobian + j * e.size;
      for (int p = 0; p < e.size; ++p) diagonal_[at(z[j])] += y[p] * y[p];
    }
  }
  smallest_share_ = 1;
  for (const Front& front : fronts_) {
    std::fill_n(stack_.begin() + front.work, static_cast<std::int64_t>(front.rows) * front.rows, 0.0);
    for (const std::int32_t e : front.elements) add(elements_[at(e)], front);
    for (const std::int32_t c : front.children) add(fronts_[at(c)], front);
    if (!eliminate(front)) return false;
  }
  return true;
}

void Multifrontal::solve(Out x) {
  const auto m = static_cast<Eigen::Index>(multiplier_of_.size());
  for (Eigen::Index i = 0; i < m; ++i) z_[i] = -x[multiplier_of_[at(i)]];
  // u = L^-1 f stays in place of f.
  for (const Element& e : elements_) {
    const double *L = values_.data() + e.mass, *Y = values_.data() + e.jacobian;
    const std::int32_t *unknown = indices_.data() + e.unknowns, *z = indices_.data() + e.multipliers;
    for (int i = 0; i < e.size; ++i) {
      double u = x[unknown[i]];
      for (int p = 0; p < i; ++p) u -= L[p * e.size + i] * x[unknown[p]];
      x[unknown[i]] = u / L[i * e.size + i];
    }
    for (int j = 0; j < e.rows; ++j)
      for (int i = 0; i < e.size; ++i) z_[z[j]] += Y[j * e.size + i] * x[unknown[i]];
  }
  for (const Front& front : fronts_) {
    const double* A = panels_.data() + front.panel;
    const std::int32_t* z = indices_.data() + front.multipliers;
    for (int j = 0; j < front.pivots; ++j, A += front.height()) {
      const double y = z_[z[j]] /= A[j];
      for (int i = j + 1; i < front.height(); ++i) z_[z[i]] -= A[i] * y;
    }
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    const std::int32_t* z = indices_.data() + front->multipliers;
    for (int j = front->pivots - 1; j >= 0; --j) {
      const double* A = panels_.data() + front->panel + j * front->height();
      double y = z_[z[j]];
      for (int i = j + 1; i < front->height(); ++i) y -= A[i] * z_[z[i]];
      z_[z[j]] = y / A[j];
    }
  }
  for (const Element& e : elements_) {
    const double *L = values_.data() + e.mass, *Y = values_.data() + e.jacobian;
    const std::int32_t *unknown = indices_.data() + e.unknowns, *z = indices_.data() + e.multipliers;
    for (int j = 0; j < e.rows; ++j)
      for (int i = 0; i < e.size; ++i) x[unknown[i]] -= Y[j * e.size + i] * z_[z[j]];
    for (int i = e.size - 1; i >= 0; --i) {
      double a = x[unknown[i]];
      for (int p = i + 1; p < e.size; ++p) a -= L[i * e.size + p] * x[unknown[p]];
      x[unknown[i]] = a / L[i * e.size + i];
    }
  }
  for (Eigen::Index i = 0; i < m; ++i) x[multiplier_of_[at(i)]] = z_[i];
}

}  // namespace dalembert
