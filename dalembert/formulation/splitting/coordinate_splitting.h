// cs and cm: coordinate splitting. No multipliers among the unknowns (q, v, s); the equations of motion are projected
// along the constraints [YenPetzold1998, (2.1), (3.2)]:
//
//   P_G (N^+ q' - v) = 0,   g(t,q) = 0                n_v - holonomic, holonomic rows
//   Z'(q' - N N^+ q') = 0                             n_q - n_v rows: what the tangent cannot reach, as it is
//   P_J (M v' - f) = 0,     J v + w = 0               n_v - rows of J, rows of J
//   s' - k = 0
//
// P_G and P_J belong to G and to J = [G; A] (coordinate_partition.h). cs takes P at q and differentiates it: P K holds the
// derivative of J's. cm freezes P at the predicted q, or with the Jacobian. Newton's matrix is the full one, [P J1;
// (Jv+w)_q J; G 0]; differs from [YenPetzold1998, (2.17), Algorithms 2.1 and 3.1], whose decoupled iteration ends at
// P J1^-1 r = 0 instead of P r = 0.
#pragma once

#include "dalembert/formulation/by_index/implicit_form.h"
#include "dalembert/formulation/splitting/coordinate_partition.h"

namespace dalembert {

/// Where P is evaluated.
enum class Projector { at_q, at_predictor, with_jacobian };

class CoordinateSplitting : public ImplicitForm {
 public:
  CoordinateSplitting(Projector projector, const Mechanical& problem, const Parameters& options,
                      Statistics& statistics);

  void F(double t, In y, In dy, Out residual) const override;
  void jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const override;
  void prepare(double t, Out y, Out /*dy*/) const override {
    if (projector_ != Projector::at_predictor) return;
    place(t, part_.q(y));
    frozen_J_ = J_;
    frozen_ = true;
    place_projectors();
  }
  void change_tests(Out error, Out newton) const override;
  void reset() override {
    ImplicitForm::reset();
    split_at_start();
  }
  void remember(Memory& memory) override {
    memory(frozen_);
    if (frozen_ && frozen_J_.size() == 0) frozen_J_ = J_;  // its pattern
    memory(frozen_J_, G_split_, J_split_);
  }
  std::string equation(Eigen::Index i) const override;

 private:
  // Where the rows begin: projected rates, out of tangent, positions; projected motion, velocities; s.
  Eigen::Index out0() const { return n_.v - n_.holonomic; }
  Eigen::Index g0() const { return n_.q - n_.holonomic; }
  Eigen::Index motion0() const { return n_.q; }
  Eigen::Index velocity0() const { return n_.q + n_.v - n_.rows(); }

  CoordinatePartition& of_J() const { return n_.nonholonomic > 0 ? J_split_ : G_split_; }
  /// Of the J that P belongs to: a Jacobian made in the middle of an iteration must not move a frozen P.
  void choose_splits() const;
  void split_at_start();
  void magnify(const CoordinatePartition&, Out tests) const;
  void place_projectors() const {
    G_split_.place(J_);
    if (n_.nonholonomic > 0) J_split_.place(J_);
  }
  void slip(In y, In dy) const;  ///< rho_ = N^+ q' - v, u_ = N^+ q'
  void put_projected(Entries& to, const CoordinatePartition&, const Entries& block, Eigen::Index row0,
                     Eigen::Index col0, double scale, Matrix& dense) const;
  void put_out_of_tangent(Entries& F_y, Entries& F_dy) const;
  void put_rates(Entries& F_y, Entries& F_dy) const;

  Projector projector_;
  mutable Entries frozen_J_;  // at the predictor, once there was one
  mutable bool frozen_ = false;
  CoordinatePartition::Basis basis_;
  enum class Tested { motion, free_positions, free_motion, magnified } error_test_;
  mutable CoordinatePartition G_split_, J_split_;
  mutable Matrix Z_, N_dense_, N_basis_, E_;  // of the rows out of tangent
  mutable Matrix on_q_, on_v_, on_s_;         // blocks before they are projected
  mutable Entries along_, C_, rates_, identity_;
  mutable Derivatives bent_;
  mutable Vector rho_, u_, r_, s1_, s2_, dq_, column_, work_, factors_;
};

/// The options of cs, which cm has too.
std::vector<Parameter> splitting_options();

}  // namespace dalembert
