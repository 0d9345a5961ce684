// A matrix written entry by entry, always in the same order.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

/// Problems write begin(); add(i,j,v) ...; end(). The first pass records the pattern, later passes only
/// overwrite values, so nothing is searched or allocated. Entries that meet at the same place add up.
class Entries {
 public:
  /// Where an entry stands.
  struct Place {
    int row, column;
  };

  void begin() { cursor_ = 0; }
  void add(Eigen::Index i, Eigen::Index j, double v) {
    if (recording_) {
      rows_.push_back(static_cast<int>(i));
      columns_.push_back(static_cast<int>(j));
      values_.push_back(v);
      return;
    }
    assert(cursor_ < values_.size() && rows_[cursor_] == i && columns_[cursor_] == j &&
           "entries must come in a fixed order");
    values_[cursor_++] = v;
  }
  /// `stamp` says whose values they are, for a writer whose values never change: see written().
  void end(std::uint64_t stamp = 0) {
    assert((recording_ || cursor_ == values_.size()) && "entries must be complete");
    constexpr std::size_t large = 1000;
    if (recording_ && values_.size() > large)
      rows_.shrink_to_fit(), columns_.shrink_to_fit(), values_.shrink_to_fit();
    recording_ = false;
    stamp_ = stamp;
  }

  /// Room for the next values, for a writer that has several of them at once: n places to be filled in the order of
  /// add(). nullptr while the pattern is recorded, which add() alone does.
  double* room(std::size_t n) {
    if (recording_) return nullptr;
    assert(cursor_ + n <= values_.size() && "entries must come in a fixed order");
    double* here = values_.data() + cursor_;
    cursor_ += n;
    return here;
  }
  /// Are these the values of the writer with that stamp, so that it has nothing to do?
  bool written(std::uint64_t stamp) const { return !recording_ && stamp_ == stamp; }
  /// The same places in the same order?
  bool same_pattern(const Entries& other) const { return rows_ == other.rows_ && columns_ == other.columns_; }

  /// All of it at once, for a small matrix whose pattern is a constant: one copy instead of a chain of add().
  template <std::size_t n>
  void write(const std::array<Place, n>& places, const std::array<double, n>& values) {
    begin();
    if (recording_) {
      reserve(n);
      for (std::size_t k = 0; k < n; ++k) add(places[k].row, places[k].column, values[k]);
    } else {
      assert(values_.size() == n && "entries must be complete");
      std::copy(values.begin(), values.end(), values_.begin());
      cursor_ = n;
    }
    end();
  }

  /// The values; the pattern has to be the same already.
  template <class Memory>
  void remember(Memory& memory) {
    const std::size_t size = values_.size();
    memory(values_);
    if (values_.size() != size) memory.refuse();
    if (memory.reading()) stamp_ = 0;
  }

  std::size_t size() const { return values_.size(); }
  int row(std::size_t k) const { return rows_[k]; }
  int column(std::size_t k) const { return columns_[k]; }
  double value(std::size_t k) const { return values_[k]; }
  const double* values() const { return values_.data(); }

  /// y += s A x. Neighbouring entries of one row are summed before they touch y.
  void multiply(In x, double s, Out y) const {
    for (std::size_t k = 0; k < values_.size();) {
      const int row = rows_[k];
      double sum = 0;
      for (; k < values_.size() && rows_[k] == row; ++k) sum += values_[k] * x[columns_[k]];
      y[row] += s * sum;
    }
  }
  /// y += s A' x
  void multiply_transposed(In x, double s, Out y) const {
    for (std::size_t k = 0; k < values_.size(); ++k) y[columns_[k]] += s * values_[k] * x[rows_[k]];
  }
  Matrix dense(Eigen::Index rows, Eigen::Index columns) const {
    Matrix a = Matrix::Zero(rows, columns);
    for (std::size_t k = 0; k < values_.size(); ++k) a(rows_[k], columns_[k]) += values_[k];
    return a;
  }

 private:
  void reserve(std::size_t n) {
    rows_.reserve(n);
    columns_.reserve(n);
    values_.reserve(n);
  }

  std::vector<int> rows_, columns_;
  std::vector<double> values_;
  std::size_t cursor_ = 0;
  bool recording_ = true;
  std::uint64_t stamp_ = 0;
};

}  // namespace dalembert
