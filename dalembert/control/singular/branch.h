// A mechanical problem close to positions where its rows become dependent: how near the next one is, and evaluations
// as accurate as rounding of the constraints allows.
//
//   A = D J K^-1/2 = sum_k sigma_k u_k (K^1/2 w_k)',   sigma the smallest,   sigma' = u' D (dJ/dt) w
//
// D scales every row by its largest length so far. Along a smooth motion through a singular position sigma passes zero
// with a slope: the position is about -sigma/sigma' ahead.
//
// K is the mass matrix, with more on the diagonal where a coordinate has little inertia for what the rows ask of it: what moves
// a light cart hides what else is in its rows, and they would look dependent where they are not.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "dalembert/core/memory.h"
#include "dalembert/core/outcome.h"
#include "dalembert/core/statistics.h"
#include "dalembert/linear/saddle/saddle_point.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

/// What was seen at one point.
struct RankCheck {
  void remember(Memory& memory) { memory(t, sigma, rate, pace, u, w, spread); }
  double t = 0;
  double sigma = std::numeric_limits<double>::infinity();
  double rate = 0;  ///< sigma'
  double pace = 0;  ///< a bound of |A'|
  Vector u, w;      ///< |u| = 1, w'Kw = 1
  double spread =
      0;  ///< the largest |w_i| for its velocity, |w_i|/(1 + |v_i|): how much rounding of the rows is felt
  /// Time until the rows become dependent, if sigma goes on as it does; negative: since.
  double ahead() const;
};

class Branch {
 public:
  /// A symmetric plan for the same problem is used instead of one of its own.
  Branch(const Mechanical&, Statistics&, const State& start, const SaddlePoint* planned = nullptr);

  const Mechanical& problem() const { return problem_; }
  const Mechanical::Sizes& sizes() const { return n_; }

  /// Factors at (t,q); everything below is about that point.
  Outcome factor(double t, In q);
  /// By inverse iteration, warm from the last check. sigma = 0 where the factors are singular.
  void check(In v, RankCheck&);
  /// The same at (t,q), which is factored with the first round: everything below is then about that point.
  void check(double t, In q, In v, RankCheck&);
  /// sigma' for other singular vectors.
  double rate(In v, In u, In w);
  /// +1 or -1 between two checks that belong together, 0 if their vectors have nothing in common. Between them the
  /// rows became dependent an odd number of times if it is -1.
  int orientation(const RankCheck& a, const RankCheck& b);

  /// Newton's method with fresh factors down to rounding of g; leaves the factors at the result. Returns how far q was
  /// moved in `moved`.
  Outcome project_position(double t, Out q, double* moved = nullptr);
  Outcome project_velocity(Out v);
  Outcome accelerate(In v, In s, Out a, Out multipliers);

  void remember(Memory&);

  /// Keeps the rows of a point in mind; change() bounds |A - A there| at another point from above.
  void remember(double t, In q);
  double change(double t, In q);

  /// What is lost when a scaled row is evaluated here.
  double noise() const;
  const Vector& scales() const { return scale_; }
  const Placement& here() const { return *at_; }
  const Entries& mass() const { return M_; }
  const Entries& metric() const { return raised_ ? K_ : M_; }
  const Entries& rows() const { return J_; }

 private:
  void measure_rows(const State& start);
  void move(double t, In q);  ///< places, and finds M, J and scales
  enum class Factors { at_hand, to_be_made };
  void iterate(Factors, In v, RankCheck&);
  void rescale();
  void balance();  ///< K from M and the scaled rows
  void visit_rows(double t, In q);
  double size(const std::vector<double>& entries);  ///< a bound of |D entries K^-1/2|
  enum class Metric { balanced, kinetic };          ///< K or M
  /// With the factors, and one step of refinement.
  Outcome solve(Out x, Metric = Metric::balanced);

  const Mechanical& problem_;
  Mechanical::Sizes n_;
  Statistics& statistics_;
  SaddlePoint saddle_;
  std::unique_ptr<Placement> at_, moved_;
  Entries M_, K_, J_, moved_J_;
  bool visited_ = false;  // moved_J_ is that of moved_
  Outcome factored_ = Outcome::singular;
  bool warm_ = false;    // u_ is of a point nearby
  bool raised_ = false;  // K is not M
  Vector scale_, row_length_, row_entry_, inverse_root_mass_;
  Vector added_;  // to the diagonal of M; empty before the first balance
  std::vector<bool> raised_here_;
  Vector generic_, u_, x_, right_, residual_, q_, g_, row_, difference_, row_sums_, column_sums_;
  std::vector<double> remembered_, slope_;  // entries of J
};

}  // namespace dalembert
