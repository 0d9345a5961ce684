// A run as a function of time: sol(t) is the complete state anywhere between the start of a run and its end.
//
// Each accepted step is kept as the polynomial through its states at the Chebyshev points
//
//   t_j = (a + b)/2 - (b - a)/2 cos(pi j/n),   j = 0 ... n,   n = 4, 8 or 16,
//
// evaluated by the barycentric formula [BerrutTrefethen2004, (5.4)]; n is the smallest that leaves nothing above rounding. Steps that
// are too long for any are kept in halves.
// So what is between the steps is the method's own dense output, whatever its order. Multipliers are no polynomials; 16 leaves
// of them far less than the error of a step.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/control/observer.h"
#include "dalembert/control/reporter.h"

namespace dalembert {

class Trajectory;

/// One entry of the state as a function of time. Looks at its trajectory, which has to outlive it.
class Component {
 public:
  double operator()(double t) const;  ///< where it jumps, the value after the jump
  double before(double t) const;      ///< where it jumps, the value before the jump
  const std::string& name() const { return name_; }
  const std::string& unit() const { return unit_; }

 private:
  friend Trajectory;
  Component(const Trajectory& of, Eigen::Index entry, std::string name, std::string unit)
      : of_(&of), entry_(entry), name_(std::move(name)), unit_(std::move(unit)) {}
  const Trajectory* of_;
  Eigen::Index entry_;
  std::string name_, unit_;
};

/// States are laid out as Problem::report() of the first mode; entries a later mode does not have are NaN. Events that
/// change the state, and changes of mode, are breaks: there the state has two values. Given to another run, it forgets the
/// one before.
class Trajectory final : public Observer {
 public:
  /// The state at t; at a break the one after it. Throws Error outside of [first(), last()].
  State operator()(double t) const;
  /// The same, but at a break the state before it.
  State before(double t) const;
  /// By label: sol["q.x"]. Throws Error with the nearest name.
  Component operator[](std::string_view label) const;
  /// A block at several times, one column for each: sol.block("q", times). Throws Error if there is no such block.
  Matrix block(std::string_view name, const std::vector<double>& times) const;

  const Layout& layout() const { return layout_; }
  double first() const;               ///< where the run began; throws Error if there was none
  double last() const;                ///< how far it came
  std::vector<double> times() const;  ///< where steps begin and end, ascending
  /// Where events changed the state or the mode; the same time several times if they did so several times.
  const std::vector<double>& breaks() const { return breaks_; }

  void begin(const Problem&, const State& start) override;
  void step(const StepView&) override;
  void event(const EventRecord&, const State& after) override;
  void end() override {
    if (ended_) *this = {};  // this run could not start
    ended_ = true;
    reporter_.reset();
  }

 private:
  friend Component;
  /// A step, or a single state of no length.
  struct Piece {
    double begin, end;
    Matrix values;  // a column per point
    bool ends_step = true;
  };
  enum class Side { before, after };
  const Piece& piece(double t, Side) const;
  State at(double t, Side) const;
  void add_point(const State&);
  void add_pieces(const StepView&, double a, double b, int halvings);

  Layout layout_;
  std::optional<Reporter> reporter_;  // of the current mode
  std::vector<Piece> pieces_;
  std::vector<double> breaks_;
  bool ended_ = false;
};

}  // namespace dalembert
