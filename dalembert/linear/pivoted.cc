#include "dalembert/linear/pivoted.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <type_traits>

#include "dalembert/linear/klu_names.h"
#include "dalembert/linear/paired_unknowns.h"
#include "dalembert/linear/planned_lu.h"
#include "dalembert/linear/small_lu.h"

namespace dalembert {
namespace {

constexpr double singular_pivot = PlannedLu<double>::singular_pivot;  // on a matrix of entries up to 1
constexpr double largest_scaled = 4;                                  // by scales of an earlier matrix
constexpr double worst_growth = 1e-4;      // of max|a_ij| / max|u_ij| by columns, before KLU must pivot anew
constexpr Eigen::Index always_dense = 60;  // below, the overhead of sparsity is the larger one
constexpr Eigen::Index never_dense = 400;
constexpr double dense_fill = 0.3;

Backend choose(Eigen::Index size, std::size_t entries) {
  const double fill = static_cast<double>(entries) / (static_cast<double>(size) * static_cast<double>(size));
  return size <= always_dense || (size <= never_dense && fill > dense_fill) ? Backend::dense
                                                                            : Backend::sparse;
}

/// The power of two that brings a number to [1,2).
double power_of_two(double largest) {
  // The exponent turned around, in the bits of the number: scaling is a good part of the work on small matrices.
  const auto exponent = std::bit_cast<std::uint64_t>(largest) >> 52;
  if (exponent == 0 || exponent > 2045) return std::ldexp(1.0, -std::ilogb(largest));
  return std::bit_cast<double>((2046 - exponent) << 52);
}

}  // namespace

template <class Scalar>
struct BasicFactors<Scalar>::Dense {
  Dense(Eigen::Index size, Pairs which, const std::vector<int>& column_start,
        const std::vector<int>& row_of) {
    if (which == Pairs::solved_first)
      pairs.bind(size, column_start, row_of);
    else
      pairs.leave(size);
    n = pairs.rest();
    right.setZero(n);
    ones.setOnes(n);
    if (n <= always_dense) {
      small.emplace(n);
    } else {
      scaled.setZero(n, n);
      large = Eigen::PartialPivLU<Square>(n);
    }
  }
  void clear() { small ? small->clear() : void(scaled.setZero()); }
  void factor() { small ? small->factor() : void(large.compute(scaled)); }
  Scalar pivot(Eigen::Index k) const { return small ? small->pivot(k) : large.matrixLU()(k, k); }

  using Square = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  PairedUnknowns<Scalar> pairs;
  Eigen::Index n = 0;  // of what is left by them
  std::optional<SmallLu<Scalar>> small;
  Square scaled;
  Eigen::PartialPivLU<Square> large;
  Eigen::Matrix<Scalar, Eigen::Dynamic, 1> right;
  Vector ones;
};

template <class Scalar>
struct BasicFactors<Scalar>::Planned {
  Planned(Eigen::Index size, const std::vector<int>& column_start, const std::vector<int>& row_of)
      : lu(static_cast<int>(size), column_start, row_of), scaled(row_of.size()) {}

  PlannedLu<Scalar> lu;
  std::vector<Scalar> scaled;
};

template <class Scalar>
struct BasicFactors<Scalar>::Sparse {
  Sparse(std::vector<int>& column_start, std::vector<int>& row_of) : scaled(row_of.size()) {
    klu_defaults(&common);
    common.scale = -1;            // done here, so that pivots can be judged alike for both backends
    common.tol = 0.1;             // prefer the diagonal less than KLU would: here it is often zero or small
    common.halt_if_singular = 0;  // a pivot of zero is found by looking at the pivots
    symbolic =
        klu_analyze(static_cast<int>(column_start.size()) - 1, column_start.data(), row_of.data(), &common);
  }
  ~Sparse() {
    Klu<Scalar>::free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  std::vector<Scalar> scaled;
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

template <class Scalar>
BasicFactors<Scalar>::BasicFactors() = default;
template <class Scalar>
BasicFactors<Scalar>::~BasicFactors() = default;
template <class Scalar>
BasicFactors<Scalar>::BasicFactors(BasicFactors&&) noexcept = default;
template <class Scalar>
BasicFactors<Scalar>& BasicFactors<Scalar>::operator=(BasicFactors&&) noexcept = default;

template <class Scalar>
void BasicFactors<Scalar>::bind(Eigen::Index size, const std::vector<Position>& pattern, Backend backend,
                                Pairs pairs) {
  size_ = size;
  pairs_ = pairs;
  const auto columns = static_cast<std::size_t>(size);
  // By columns, and by rows within one: sorted by counting, first by the one and then by the other.
  std::vector<std::size_t> by_row(pattern.size()), order(pattern.size()), first;
  const auto sort = [&](const auto& number_of, const auto& from, auto& to) {
    first.assign(columns + 1, 0);
    for (const Position& each : pattern) ++first[static_cast<std::size_t>(number_of(each)) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t k = from(i);
      to[first[static_cast<std::size_t>(number_of(pattern[k]))]++] = k;
    }
  };
  sort([](const Position& p) { return p.row; }, [](std::size_t i) { return i; }, by_row);
  sort([](const Position& p) { return p.column; }, [&](std::size_t i) { return by_row[i]; }, order);
  const auto key = [&](std::size_t k) { return std::pair(pattern[k].column, pattern[k].row); };

  place_.assign(pattern.size(), 0);
  column_start_.assign(columns + 1, 0);
  row_of_.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || key(order[i]) != key(order[i - 1])) {
      row_of_.push_back(pattern[order[i]].row);
      ++column_start_[static_cast<std::size_t>(pattern[order[i]].column) + 1];
    }
    place_[order[i]] = static_cast<int>(row_of_.size()) - 1;
  }
  std::partial_sum(column_start_.begin(), column_start_.end(), column_start_.begin());
  make_room(backend == Backend::automatic ? choose(size, row_of_.size()) : backend);
}

template <class Scalar>
void BasicFactors<Scalar>::make_room(Backend backend) {
  values_.assign(row_of_.size(), Scalar(0));
  row_scale_ = column_scale_ = Vector::Ones(size_);
  work_.setZero(size_);
  if (!std::is_same_v<Scalar, double>) both_.setZero(size_);
  culprit_.reset();
  chosen_for_.clear();
  backend_ = backend;
  const bool dense = backend_ == Backend::dense,
             planned = dense && pairs_ == Pairs::solved_first && size_ <= always_dense;
  planned_ = planned ? std::make_unique<Planned>(size_, column_start_, row_of_) : nullptr;
  dense_ = dense && !planned ? std::make_unique<Dense>(size_, pairs_, column_start_, row_of_) : nullptr;
  if (planned) chosen_for_.reserve(values_.size());  // nothing allocates later
  sparse_ = backend_ == Backend::sparse ? std::make_unique<Sparse>(column_start_, row_of_) : nullptr;
}

template <class Scalar>
void BasicFactors<Scalar>::reset() {
  culprit_.reset();
  chosen_for_.clear();
  if (planned_) planned_->lu.forget();
  if (sparse_) Klu<Scalar>::free_numeric(&sparse_->numeric, &sparse_->common);
}

template <class Scalar>
template <class Other>
void BasicFactors<Scalar>::follow(const BasicFactors<Other>& other) {
  if (!planned_ || planned_->lu.planned() || !other.planned_ || !other.planned_->lu.planned()) return;
  planned_->lu.follow(other.planned_->lu);
  row_scale_ = other.row_scale_;
  column_scale_ = other.column_scale_;
  chosen_for_.assign(other.chosen_for_.begin(), other.chosen_for_.end());
}

template <class Scalar>
void BasicFactors<Scalar>::clear() {
  std::fill(values_.begin(), values_.end(), Scalar(0));
}

/// Finds R and C, and with them empty rows, empty columns and numbers that are none.
template <class Scalar>
std::optional<Outcome> BasicFactors<Scalar>::scale() {
  const auto invert = [&](Vector& largest_of) {
    for (Eigen::Index i = 0; i < size_; ++i) {
      if (largest_of[i] == 0) {
        culprit_ = i;
        return false;
      }
      largest_of[i] = power_of_two(largest_of[i]);
    }
    return true;
  };
  // On small matrices this is a good part of the work: plain arrays, and no number is fetched twice because another was written.
  const Scalar* __restrict values = values_.data();
  const int* __restrict row_of = row_of_.data();
  double* __restrict rows = row_scale_.data();
  row_scale_.setZero();
  double sum = 0;
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const double a = magnitude(values[k]);
    sum += a * 0;
    rows[row_of[k]] = std::max(rows[row_of[k]], a);
  }
  if (sum != 0) return Outcome::not_finite;
  if (!invert(row_scale_)) return Outcome::singular;
  const int* __restrict start = column_start_.data();
  for (Eigen::Index j = 0; j < size_; ++j) {
    double largest = 0;
    for (int k = start[j]; k < start[j + 1]; ++k)
      largest = std::max(largest, rows[row_of[k]] * magnitude(values[k]));
    column_scale_[j] = largest;
  }
  if (!invert(column_scale_)) return Outcome::singular;
  return std::nullopt;
}

template <class Scalar>
Outcome BasicFactors<Scalar>::factor() {
  culprit_.reset();
  if (planned_) return factor_planned();
  if (const std::optional<Outcome> failed = scale()) return *failed;
  return dense_ ? factor_dense() : factor_sparse();
}

/// R A C, entry by entry. false: one of them is large, or no number.
template <class Scalar>
bool BasicFactors<Scalar>::put_scaled(Scalar* scaled) const {
  bool fits = true;
  const int* __restrict start = column_start_.data();
  const int* __restrict row_of = row_of_.data();
  const double* __restrict rows = row_scale_.data();
  const Scalar* __restrict values = values_.data();
  for (Eigen::Index j = 0; j < size_; ++j) {
    const double scale = column_scale_[j];
    for (int k = start[j]; k < start[j + 1]; ++k) {
      scaled[k] = rows[row_of[k]] * values[k] * scale;
      fits &= magnitude(scaled[k]) <= largest_scaled;
    }
  }
  return fits;
}

template <class Scalar>
Outcome BasicFactors<Scalar>::factor_planned() {
  Planned& planned = *planned_;
  Scalar* const scaled = planned.scaled.data();
  // Scales last as long as nothing is large by them: what has become small makes pivots small, and these are looked at.
  if (planned.lu.planned() && put_scaled(scaled) && planned.lu.factor(scaled)) return Outcome::ok;
  if (const std::optional<Outcome> failed = scale()) return *failed;
  put_scaled(scaled);
  if (planned.lu.planned() && planned.lu.factor(scaled)) return Outcome::ok;
  if (planned.lu.plan(scaled)) {
    chosen_for_.assign(values_.begin(), values_.end());
    return Outcome::ok;
  }
  chosen_for_.clear();
  culprit_ = planned.lu.culprit();
  return Outcome::singular;
}

template <class Scalar>
Outcome BasicFactors<Scalar>::factor_dense() {
  Dense& dense = *dense_;
  dense.clear();
  const auto each = [&](auto&& visit) {
    const int* start = column_start_.data();
    const int* row_of = row_of_.data();
    const double* rows = row_scale_.data();
    for (Eigen::Index j = 0; j < size_; ++j) {
      const double scale = column_scale_[j];
      for (int k = start[j]; k < start[j + 1]; ++k)
        visit(k, row_of[k], j, rows[row_of[k]] * values_[static_cast<std::size_t>(k)] * scale);
    }
  };
  const auto fill = [&](auto&& add) {
    if (dense.pairs.empty()) {
      each([&](int, int i, Eigen::Index j, Scalar value) { add(i, j, value); });
      return;
    }
    Scalar* scaled = dense.pairs.values();
    each([&](int k, int, Eigen::Index, Scalar value) { scaled[k] = value; });
    dense.pairs.reduce(add);
  };
  if (dense.small)
    fill([&](Eigen::Index i, Eigen::Index j, Scalar value) { dense.small->add(i, j, value); });
  else
    fill([&](Eigen::Index i, Eigen::Index j, Scalar value) { dense.scaled(i, j) += value; });
  dense.factor();
  for (Eigen::Index k = 0; k < dense.n; ++k) {
    if (!(magnitude(dense.pivot(k)) > singular_pivot)) {
      culprit_ = dense.pairs.column(k);
      return Outcome::singular;
    }
  }
  return Outcome::ok;
}

template <class Scalar>
Outcome BasicFactors<Scalar>::factor_sparse() {
  Sparse& klu = *sparse_;
  if (!klu.symbolic) return Outcome::singular;
  put_scaled(klu.scaled.data());
  int* start = column_start_.data();
  int* rows = row_of_.data();
  double* a = reals(klu.scaled.data());
  const auto tiny = [&]() -> std::optional<Eigen::Index> {
    const auto* pivots = static_cast<const Scalar*>(klu.numeric->Udiag);
    for (Eigen::Index k = 0; k < size_; ++k)
      if (!(magnitude(pivots[k]) > singular_pivot)) return klu.symbolic->Q[k];
    return std::nullopt;
  };
  if (klu.numeric && Klu<Scalar>::refactor(start, rows, a, klu.symbolic, klu.numeric, &klu.common) &&
      klu.common.status == KLU_OK && !tiny() &&
      Klu<Scalar>::growth(start, rows, a, klu.symbolic, klu.numeric, &klu.common) &&
      klu.common.rgrowth > worst_growth)
    return Outcome::ok;
  Klu<Scalar>::free_numeric(&klu.numeric, &klu.common);
  klu.numeric = Klu<Scalar>::factor(start, rows, a, klu.symbolic, &klu.common);
  chosen_for_ = values_;
  if (!klu.numeric) {
    culprit_ = klu.common.singular_col;
    return Outcome::singular;
  }
  culprit_ = tiny();
  return culprit_ ? Outcome::singular : Outcome::ok;
}

template <class Scalar>
void BasicFactors<Scalar>::solve(Unknowns x) const {
  const double *R = row_scale_.data(), *C = column_scale_.data();
  if (planned_) {
    planned_->lu.solve([&](int i) { return R[i] * x[i]; }, [&](int i, Scalar value) { x[i] = C[i] * value; });
    return;
  }
  if (dense_ && dense_->pairs.empty() && dense_->small) {
    dense_->small->solve(x.data(), R, C);
    return;
  }
  if (dense_) {
    Dense& dense = *dense_;
    dense.pairs.right_side(x, R, dense.right.data());
    if (dense.small) {
      dense.small->solve(dense.right.data(), dense.ones.data(), dense.ones.data());
      dense.pairs.complete(dense.right.data(), C, x);
    } else {
      work_.head(dense.n) = dense.large.solve(dense.right);
      dense.pairs.complete(work_.data(), C, x);
    }
    return;
  }
  work_.array() = row_scale_.array() * x.array();
  Klu<Scalar>::solve(sparse_->symbolic, sparse_->numeric, static_cast<int>(size_), 1, reals(work_.data()),
                     &sparse_->common);
  x.array() = column_scale_.array() * work_.array();
}

template <class Scalar>
void BasicFactors<Scalar>::solve(Out re, Out im) const requires(!std::is_same_v<Scalar, double>) {
  if (planned_) {
    const double *R = row_scale_.data(), *C = column_scale_.data();
    planned_->lu.solve(
        [&](int i) { return Scalar(R[i] * re[i], R[i] * im[i]); },
        [&](int i, Scalar value) { re[i] = C[i] * value.real(), im[i] = C[i] * value.imag(); });
    return;
  }
  both_.real() = re, both_.imag() = im;
  solve(both_);
  re = both_.real(), im = both_.imag();
}

template class BasicFactors<double>;
template class BasicFactors<std::complex<double>>;
template void BasicFactors<std::complex<double>>::follow(const BasicFactors<double>&);
template void BasicFactors<std::complex<double>>::follow(const BasicFactors<std::complex<double>>&);

}  // namespace dalembert
