// What the sequential regularizations of mechanical problems share: B = M^-1 J', S = J M^-1 J' and the weights E made of
// them, applied to vectors at one position. States s ride along, velocity-level rows have no position residual.
#pragma once

#include <memory>
#include <vector>

#include "dalembert/formulation/regularized_sequence.h"
#include "dalembert/linear/saddle_point.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

class MechanicalRegularization : public Regularization {
 public:
  MechanicalRegularization(const Mechanical&, const Parameters&, Statistics&);
  const Problem& original() const final { return problem_; }
  void first(const State& original, Out c) const override { c = part_.multipliers(original.y); }

 protected:
  /// M, J, residuals and force of this point.
  void place(double t, In x) const;
  // With M and J of the last place(). Whatever cannot be solved comes back as NaN.
  void solve_mass(Out a) const;           ///< a = M^-1 a
  void solve_constraints(Out r) const;    ///< r = S^-1 r
  void direct(In l, Out a) const;         ///< a = B l
  void weigh(Weight, In r, Out e) const;  ///< e = E r
  /// v' = M^-1 (f - J'l), q' = N u, s' = k
  void move(In x, In l, In u, Out dx) const;

  /// S at the start, dense.
  Matrix constraint_mass() const;
  /// Eigenvalues mu of S E at the start.
  std::vector<double> eigenvalues(Weight) const;

  const Mechanical& problem_;
  Mechanical::Sizes n_;
  MechanicalState part_;
  Statistics& statistics_;
  double eps_;
  // The work space of this run.
  mutable std::unique_ptr<Placement> at_;
  mutable Entries M_, J_;
  mutable Vector g_;  ///< position residuals, zero in velocity-level rows
  mutable Vector w_;  ///< J v + w
  mutable Vector f_;

 private:
  mutable SaddlePoint mass_, saddle_;
  Entries none_;
  mutable bool mass_factored_ = false, saddle_factored_ = false;
  mutable Vector a_, x_;
};

/// Both entries, to ode and to implicit, of a variant that is built from (problem, options, statistics).
template <class Variant>
std::vector<FormulationEntry> srm_entries(const char* name, const char* summary, const char* cite,
                                          const std::vector<Parameter>& more) {
  std::vector<FormulationEntry> all;
  std::vector<Parameter> options = sequence_options();
  options.insert(options.end(), more.begin(), more.end());
  for (const Kind to : {Kind::ode, Kind::implicit})
    all.push_back({.name = name,
                   .summary = summary,
                   .cite = cite,
                   .from = Kind::mechanical,
                   .to = to,
                   .index = to == Kind::implicit ? 1 : 0,
                   .approximate = true,
                   .preference = -200,
                   .drifts = false,
                   .options = options,
                   .make = [to](const Problem& problem, const Parameters& given, Statistics& statistics) {
                     return regularize(std::make_unique<Variant>(dynamic_cast<const Mechanical&>(problem),
                                                                 given, statistics),
                                       given, to);
                   }});
  return all;
}

}  // namespace dalembert
