// A mechanical problem with rows that follow from its own: copies, multiples and sums of them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/problem/events.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert::testing {

/// One more row: the sum of multiples of rows of the same level (both holonomic, or both at velocity level).
struct MoreRow {
  std::string name;
  std::vector<std::pair<Eigen::Index, double>> of;  ///< counted over all rows, holonomic first
  double shift = 0;                                 ///< added to g of a holonomic row: a conflict
};

class RepeatedRows : public Mechanical {
 public:
  /// Holonomic rows first: holonomic, more holonomic, nonholonomic, more nonholonomic.
  RepeatedRows(std::shared_ptr<const Problem> problem, std::vector<MoreRow> more)
      : owner_(std::move(problem)), p_(as<Mechanical>(*owner_)), n_(p_.sizes()) {
    for (auto& row : more)
      (row.of.front().first < n_.holonomic ? more_g_ : more_A_).push_back(std::move(row));
    all_ = n_;
    all_.holonomic += static_cast<Eigen::Index>(more_g_.size());
    all_.nonholonomic += static_cast<Eigen::Index>(more_A_.size());
    for (Eigen::Index i = 0; i < n_.holonomic; ++i) rows_.push_back({{i, 1}});
    for (const auto& row : more_g_) rows_.push_back(row.of);
    for (Eigen::Index i = n_.holonomic; i < n_.rows(); ++i) rows_.push_back({{i, 1}});
    for (const auto& row : more_A_) rows_.push_back(row.of);
  }

  Sizes sizes() const override { return all_; }
  Layout layout() const override {
    const Layout mine = p_.layout();
    Layout all;
    for (const Block& b : mine.blocks()) {
      const auto* more = b.name == "lambda" ? &more_g_ : b.name == "mu" ? &more_A_ : nullptr;
      std::vector<std::string> labels = b.labels;
      for (std::size_t i = 0; more != nullptr && i < more->size(); ++i) labels.push_back((*more)[i].name);
      all.add(b.name, static_cast<Eigen::Index>(labels.size()), b.role, b.index, labels, b.units);
    }
    return all;
  }
  State start() const override {
    const State own = p_.start();
    State state{own.t, Vector::Zero(MechanicalState(all_).size())};
    const Eigen::Index n = MechanicalState(n_).differential();
    state.y.head(n) = own.y.head(n);
    return state;
  }
  double end() const override { return p_.end(); }

  std::unique_ptr<Placement> placement() const override { return p_.placement(); }
  void place(Placement& at) const override { p_.place(at); }
  void tangent(const Placement& at, In u, Out dq) const override { p_.tangent(at, u, dq); }
  void advance(const Placement& at, In u, Out q) const override { p_.advance(at, u, q); }
  void difference(In from, In to, Out u) const override { p_.difference(from, to, u); }
  void mass(const Placement& at, Entries& M) const override { p_.mass(at, M); }
  void force(const Placement& at, In v, In s, Out f) const override { p_.force(at, v, s, f); }
  void auxiliary(const Placement& at, In v, In s, Out ds) const override { p_.auxiliary(at, v, s, ds); }
  void g(const Placement& at, Out residual) const override {
    Vector own(n_.holonomic);
    p_.g(at, own);
    for (Eigen::Index i = 0; i < all_.holonomic; ++i) residual[i] = combine(i, own);
    for (std::size_t i = 0; i < more_g_.size(); ++i)
      residual[n_.holonomic + static_cast<Eigen::Index>(i)] += more_g_[i].shift;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    Entries own;
    p_.jacobian(at, own);
    put_rows(own, J);
  }
  void velocity_bias(const Placement& at, Out w) const override {
    Vector own(n_.rows());
    p_.velocity_bias(at, own);
    for (Eigen::Index i = 0; i < all_.rows(); ++i) w[i] = combine(i, own);
  }
  void bias(const Placement& at, In v, Out bias) const override {
    Vector own(n_.rows());
    p_.bias(at, v, own);
    for (Eigen::Index i = 0; i < all_.rows(); ++i) bias[i] = combine(i, own);
  }
  std::optional<double> energy(const Placement& at, In v, In s) const override { return p_.energy(at, v, s); }
  double power(const Placement& at, In v, In s) const override { return p_.power(at, v, s); }
  bool conservative() const override { return p_.conservative(); }
  void derivatives(const Placement& at, In v, In s, In a, In l, Derivatives& d) const override {
    Vector own = Vector::Zero(n_.rows());
    for (Eigen::Index i = 0; i < all_.rows(); ++i)
      for (const auto& [row, factor] : rows_[static_cast<std::size_t>(i)]) own[row] += factor * l[i];
    Derivatives e;
    p_.derivatives(at, v, s, a, own, e);
    for (const auto& [from, to] : {std::pair(&e.K, &d.K),
                                   {&e.D, &d.D},
                                   {&e.S, &d.S},
                                   {&e.k_q, &d.k_q},
                                   {&e.k_v, &d.k_v},
                                   {&e.k_s, &d.k_s}}) {
      to->begin();
      for (std::size_t k = 0; k < from->size(); ++k) to->add(from->row(k), from->column(k), from->value(k));
      to->end();
    }
    put_rows(e.B, d.B);
  }
  bool plain() const override { return p_.plain(); }
  void kinematics(const Placement& at, In v, Kinematics& k) const override { p_.kinematics(at, v, k); }

 private:
  double combine(Eigen::Index i, const Vector& own) const {
    double sum = 0;
    for (const auto& [row, factor] : rows_[static_cast<std::size_t>(i)]) sum += factor * own[row];
    return sum;
  }
  void put_rows(const Entries& own, Entries& to) const {
    to.begin();
    for (Eigen::Index i = 0; i < all_.rows(); ++i)
      for (const auto& [row, factor] : rows_[static_cast<std::size_t>(i)])
        for (std::size_t k = 0; k < own.size(); ++k)
          if (own.row(k) == row) to.add(i, own.column(k), factor * own.value(k));
    to.end();
  }

  std::shared_ptr<const Problem> owner_;
  const Mechanical& p_;
  Sizes n_, all_;
  std::vector<MoreRow> more_g_, more_A_;
  std::vector<std::vector<std::pair<Eigen::Index, double>>> rows_;
};

}  // namespace dalembert::testing
