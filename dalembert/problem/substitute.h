// A mechanical problem in whose place another one of the same structure can be put: what was planned and allocated for the
// one serves the other.
#pragma once

#include <memory>
#include <utility>

#include "dalembert/problem/lasting_rank.h"
#include "dalembert/problem/mechanical.h"
#include "dalembert/problem/motion_sums.h"

namespace dalembert {

/// Of the same class, with the same sizes, labels and patterns of all matrices? Then what is prepared for one problem
/// serves the other.
bool same_structure(const Mechanical&, const Mechanical&);

class Substitute final : public Mechanical, public MotionSums, public LastingRank {
 public:
  explicit Substitute(std::shared_ptr<const Mechanical> problem) { exchange(std::move(problem)); }
  /// Of the same structure as the one before; placements made earlier serve the new one.
  void exchange(std::shared_ptr<const Mechanical> problem) {
    p_ = std::move(problem);
    sums_ = as<MotionSums>(p_.get());
  }
  const Mechanical& problem() const { return *p_; }

  Layout layout() const override { return p_->layout(); }
  Layout report() const override { return p_->report(); }
  void complete(State& report) const override { p_->complete(report); }
  State start() const override { return p_->start(); }
  double end() const override { return p_->end(); }
  std::map<std::string, double> small_entries() const override { return p_->small_entries(); }
  std::optional<State> exact(double t) const override { return p_->exact(t); }
  std::vector<double> breaks(double begin, double end) const override { return p_->breaks(begin, end); }
  bool switches() const override { return p_->switches(); }
  Piece piece(const State& state) const override { return p_->piece(state); }
  const Events* events() const override { return p_->events(); }
  Fault diagnose(double t, In y) const override { return p_->diagnose(t, y); }
  Sizes sizes() const override { return p_->sizes(); }
  std::unique_ptr<Placement> placement() const override { return p_->placement(); }
  void place(Placement& at) const override { p_->place(at); }
  void tangent(const Placement& at, In u, Out dq) const override { p_->tangent(at, u, dq); }
  void advance(const Placement& at, In u, Out q) const override { p_->advance(at, u, q); }
  void difference(In from, In to, Out u) const override { p_->difference(from, to, u); }
  void mass(const Placement& at, Entries& M) const override { p_->mass(at, M); }
  void force(const Placement& at, In v, In s, Out f) const override { p_->force(at, v, s, f); }
  void auxiliary(const Placement& at, In v, In s, Out ds) const override { p_->auxiliary(at, v, s, ds); }
  void jump(const Placement& before, const Placement& after, Out s) const override {
    p_->jump(before, after, s);
  }
  std::vector<Eigen::Index> turn_counters() const override { return p_->turn_counters(); }
  void g(const Placement& at, Out residual) const override { p_->g(at, residual); }
  void jacobian(const Placement& at, Entries& J) const override { p_->jacobian(at, J); }
  void velocity_bias(const Placement& at, Out w) const override { p_->velocity_bias(at, w); }
  void bias(const Placement& at, In v, Out bias) const override { p_->bias(at, v, bias); }
  std::optional<double> energy(const Placement& at, In v, In s) const override {
    return p_->energy(at, v, s);
  }
  double power(const Placement& at, In v, In s) const override { return p_->power(at, v, s); }
  bool conservative() const override { return p_->conservative(); }
  void derivatives(const Placement& at, In v, In s, In a, In l, Derivatives& d) const override {
    p_->derivatives(at, v, s, a, l, d);
  }
  bool plain() const override { return p_->plain(); }
  void kinematics(const Placement& at, In v, Kinematics& k) const override { p_->kinematics(at, v, k); }

  // What it may be besides.
  bool has_sums() const override { return sums_ != nullptr && sums_->has_sums(); }
  void sums(const Placement& at, In v, In s, In a, In l, Out motion, Out rows) const override {
    sums_->sums(at, v, s, a, l, motion, rows);
  }
  bool depend_on_time() const override { return sums_->depend_on_time(); }
  void rates(const Placement& at, In v, Out rows) const override { sums_->rates(at, v, rows); }
  bool differentiates_rows() const override { return sums_ != nullptr && sums_->differentiates_rows(); }
  void row_derivatives(const Placement& at, In v, In a, Entries& X) const override {
    sums_->row_derivatives(at, v, a, X);
  }
  bool rows_stay_independent() const override { return !rows_may_become_dependent(*p_); }

 private:
  std::shared_ptr<const Mechanical> p_;
  const MotionSums* sums_ = nullptr;
};

}  // namespace dalembert
