// Jacobians of implicit problems that give nothing but F, by differences of as many evaluations as there are colours.
//
//   F_y e_j = (F(t, y + d_j e_j, y') - F(t, y, y')) / d_j,   d_j = sqrt(eps) max(|y_j|, typical size of y_j),
//
// the same for y' with longer steps, and all columns of one colour at once [CurtisPowellReid1974].
//
//   class Oscillator : public Implicit { ... };     // everything but jacobians()
//   std::make_shared<const DifferencedImplicit<Oscillator>>(...)
//
// A model that knows its pattern says `Pattern pattern() const`; one whose unknowns are not of size 1 says
// `Vector typical_sizes() const`. A pattern that is not given is probed when the problem is made.
#pragma once

#include <utility>
#include <vector>

#include "dalembert/linear/colouring.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

/// The places where F_y and F_y' may be other than zero.
struct Pattern {
  std::vector<Entries::Place> F_y, F_dy;
};

/// Finds on which unknowns each residual depends: what becomes NaN with them, or changes when they do (at the start and
/// at states around it). Misses what only happens elsewhere: a problem with such branches gives its pattern.
Pattern probed_pattern(const Implicit&);

/// The columns of F_y and F_y' in colours, and the differences that fill them.
class Differences {
 public:
  /// An empty vector of sizes: all are 1.
  Differences(Eigen::Index size, const Pattern&, Vector typical_sizes = {});
  /// One evaluation of F at (t,y,y') and one per colour; one more for each that leaves the domain of F.
  void jacobians(const Implicit&, double t, In y, In dy, Entries& F_y, Entries& F_dy) const;
  int colours() const { return colouring_.colours(); }

 private:
  Eigen::Index n_;
  Colouring colouring_;  // of [F_y F_y'], n x 2n
  Vector typical_;
};

/// A model with Jacobians made of its F.
template <class Model>
class DifferencedImplicit final : public Model {
 public:
  template <class... Arguments>
  explicit DifferencedImplicit(Arguments&&... arguments)
      : Model(std::forward<Arguments>(arguments)...),
        differences_(this->Model::layout().size(), pattern_of(*this), sizes_of(*this)) {}

  void jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const override {
    differences_.jacobians(*this, t, y, dy, F_y, F_dy);
  }
  /// How many evaluations F_y and F_y' need together, beside the one in the middle.
  int colours() const { return differences_.colours(); }

 private:
  static Pattern pattern_of(const auto& model) {
    if constexpr (requires { Pattern(model.pattern()); })
      return model.pattern();
    else
      return probed_pattern(model);
  }
  static Vector sizes_of(const auto& model) {
    if constexpr (requires { Vector(model.typical_sizes()); })
      return model.typical_sizes();
    else
      return {};
  }

  Differences differences_;
};

}  // namespace dalembert
