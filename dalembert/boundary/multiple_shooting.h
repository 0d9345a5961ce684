// Multiple shooting with Newton's method [AscherMattheijRussell1995, 4.3].
//
//   unknown   S_0 ... S_{K-1}, the states where the K segments begin
//   0 = h(t0, S_0),   0 = Phi_k(S_k) - S_{k+1},  k < K-1,   0 = b(S_0, Phi_{K-1}(S_{K-1}))
//
// Phi_k follows the equations over segment k with a method of the registry on a fixed grid, so that it is a smooth
// function of S_k and its differences are worth something.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dalembert/boundary/boundary_problem.h"
#include "dalembert/boundary/shooting_equations.h"
#include "dalembert/method/method.h"

namespace dalembert {

/// How Newton's iteration ended.
struct ShootingEnd {
  Outcome outcome = Outcome::ok;
  std::string message{};
  int iterations = 0;
  double residual = 0;  ///< the largest one left
};

class MultipleShooting {
 public:
  /// Keeps references to all of them.
  MultipleShooting(const BoundaryProblem&, const ShootingEquations&, const MethodEntry&, const Grid&,
                   int segments, Statistics&);

  /// Starts from the states held; a Jacobian that still serves is kept from call to call.
  ShootingEnd solve();

  /// The states at the nodes, one column each; the guess at first.
  Matrix& nodes() { return S_; }

  /// Follows all segments from their nodes: x at every grid point.
  Outcome follow(GridFunction& x);

  /// Over how many whole intervals the equations were followed so far.
  double trajectories() const { return static_cast<double>(steps_) / grid_.steps; }

  /// Do the conditions determine the motion on the constraints, near the states held? One sentence, and outcome
  /// undecided (not unique) or inconsistent_boundary, if not. Meant for direct equations, which stay on the constraints.
  ShootingEnd check_fit();

 private:
  struct Residual {
    Outcome outcome = Outcome::ok;
    double t = 0;  ///< where it failed
    Vector value{};
    double size = 0;
  };
  Outcome segment(int k, In from, Vector& to, double& t, Matrix* visited = nullptr);
  Residual evaluate(const Matrix& S);
  bool differentiate();  ///< Jacobians of segments, h and b at S_; false if an evaluation failed
  Matrix assembled() const;
  Residual approach(Residual);
  std::vector<Eigen::Index> redundant_conditions() const;
  int first(int k) const { return static_cast<int>(static_cast<long>(grid_.steps) * k / segments_); }
  Eigen::Index unknowns() const { return S_.size(); }
  ShootingEnd ended(Outcome, const Residual&, int iterations) const;
  std::string worst_equation(const Vector& value) const;

  const BoundaryProblem& problem_;
  const ShootingEquations& equations_;
  Grid grid_;
  int segments_;
  std::unique_ptr<Method> method_;
  Eigen::Index n_, rows_, conditions_;
  Matrix S_;
  State from_, to_;
  std::vector<Matrix> segment_x_;  // Phi_k'
  Matrix H_, b0_, b1_;             // h_x at the start, b by its first and second argument
  Eigen::PartialPivLU<Matrix> lu_;
  bool jacobian_serves_ = false;
  long steps_ = 0;
};

}  // namespace dalembert
