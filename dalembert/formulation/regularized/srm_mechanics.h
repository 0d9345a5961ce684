// What the sequential regularizations of mechanical problems share: B = M^-1 W', S = J M^-1 W' and the weights E made of
// them, applied to vectors at one position. W is J unless the problem has ForceDirections. States s ride along, velocity-level rows have no position residual.
#pragma once

#include <memory>
#include <vector>

#include "dalembert/formulation/regularized/regularized_sequence.h"
#include "dalembert/linear/saddle/saddle_point.h"
#include "dalembert/problem/force_directions.h"

namespace dalembert {

class MechanicalRegularization : public Regularization {
 public:
  MechanicalRegularization(const Mechanical&, const Parameters&, Statistics&);
  const Problem& original() const final { return problem_; }
  void reset() override;
  void first(const State& original, Out c) const override { c = part_.multipliers(original.y); }

 protected:
  /// M, J, residuals and force of this point.
  void place(double t, In x) const;
  // With M and J of the last place(). Whatever cannot be solved comes back as NaN.
  void solve_mass(Out a) const;         ///< a = M^-1 a
  void solve_constraints(Out r) const;  ///< r = S^-1 r
  void direct(In l, Out a) const;       ///< a = B l
  const Entries& forces() const { return directions_ != nullptr ? W_ : J_; }
  void weigh(Weight, In r, Out e) const;  ///< e = E r
  /// v' = M^-1 (f - W'l), q' = N u, s' = k
  void move(In x, In l, In u, Out dx) const;

  /// S at the start, dense.
  Matrix constraint_mass() const;
  /// Eigenvalues mu of S E at the start.
  std::vector<std::complex<double>> eigenvalues(Weight) const;
  /// -mu/eps twice each: of a feedback of position and velocity errors.
  std::vector<std::complex<double>> feedback_spectrum(Weight) const;

  const Mechanical& problem_;
  Mechanical::Sizes n_;
  MechanicalState part_;
  Statistics& statistics_;
  double eps_;
  // The work space of this run.
  mutable std::unique_ptr<Placement> at_;
  const ForceDirections* directions_;  ///< nullptr: along J
  mutable Entries M_, J_, W_;
  mutable Vector g_;  ///< position residuals, zero in velocity-level rows
  mutable Vector w_;  ///< J v + w
  mutable Vector f_;

 private:
  void place_at_start();

  mutable SaddlePoint mass_, saddle_;
  Entries none_;
  mutable bool mass_factored_ = false, saddle_factored_ = false;
  mutable Vector a_, x_;
};

/// Both entries, to ode and to implicit, of a variant that is built from (problem, options, statistics); `what` says
/// what sets it apart.
template <class Variant>
std::vector<FormulationEntry> srm_entries(FormulationEntry what) {
  std::vector<FormulationEntry> all;
  std::vector<Parameter> options = sequence_options();
  what.options.insert(what.options.begin(), options.begin(), options.end());
  what.approximate = true;
  what.preference = -200;
  for (const Kind to : {Kind::ode, Kind::implicit}) {
    what.to = to;
    what.index = to == Kind::implicit ? 1 : 0;
    what.make = [to](const Problem& problem, const Parameters& given, Statistics& statistics) {
      return regularize(std::make_unique<Variant>(as<Mechanical>(problem), given, statistics), given, to);
    };
    all.push_back(what);
  }
  return all;
}

}  // namespace dalembert
