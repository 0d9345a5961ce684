// The velocity-level form of a mechanical problem, of index 2 with y = (q, v, s) and z = (lambda, mu):
//
//   q' = N v,   v' = M^-1 (f - J'z),   s' = k,   0 = J v + w
//
// As an Hessenberg problem it serves every method of that kind. Half-explicit methods know it by its class and solve the
// linear stage system [M J1'; J2 0] instead of iterating in z [BraseyHairer1993, (5.5)]; M may then be singular.
#pragma once

#include "dalembert/constraints/mechanics.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {

class VelocityLevel final : public Hessenberg, private Invariant {
 public:
  VelocityLevel(const Mechanical&, Statistics&);

  Mechanics& mechanics() const { return mechanics_; }
  void reset();  ///< as if just made
  const MechanicalState& parts() const { return part_; }

  Layout layout() const override { return mechanics_.problem().layout(); }
  State start() const override { return mechanics_.problem().start(); }
  double end() const override { return mechanics_.problem().end(); }
  void f(double t, In y, In z, Out dy) const override;
  void g(double t, In y, Out residual) const override;
  void f_y(double t, In y, In z, Entries&) const override;
  void f_z(double t, In y, In z, Entries&) const override;
  void g_y(double t, In y, Entries&) const override;
  void g_t(double t, In y, Out rate) const override;
  const Invariant* invariant() const override { return mechanics_.sizes().rows() > 0 ? this : nullptr; }
  Outcome project(double t, Out y) const override;
  Fault diagnose(double t, In y) const override { return mechanics_.problem().diagnose(t, y); }

 private:
  MechanicalState part_;
  mutable Mechanics mechanics_;  // the work space of this run
  mutable std::unique_ptr<Placement> at_;
  mutable Entries M_, J_;
  mutable SaddlePoint inverse_mass_;  // only bound when a general method asks for f
  mutable bool bound_ = false;
};

class Index2Formulation final : public Formulation {
 public:
  Index2Formulation(const Mechanical& problem, Statistics& statistics)
      : index2_(problem, statistics), a_(Vector::Zero(problem.sizes().v)) {}
  const Problem& original() const override { return index2_.mechanics().problem(); }
  const Problem& rewritten() const override { return index2_; }
  void enter(const State& original, State& rewritten) const override { rewritten = original; }
  Outcome recover(const State& rewritten, State& original, Depth) const override;
  bool reset() override {
    index2_.reset();
    return true;
  }
  bool remember(Memory&) override { return true; }

 private:
  VelocityLevel index2_;
  mutable Vector a_;
};

}  // namespace dalembert
