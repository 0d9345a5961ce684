// baumgarte on index-2 problems: z eliminated by the constraint differentiated once, with feedback of its error
// [Baumgarte1972; AscherLin1997, (2.13)].
//
//   y' = f(t,y,z),   0 = g_y f(t,y,z) + g_t + alpha g
//
// Where g_y f_z is singular z is not determined, and explicit steps would jump over the place. Its determinant is watched: where
// that changes its sign, or its root comes down on a straight line through zero and up again, the run ends (option `watch`).
#include <cmath>
#include <limits>

#include "dalembert/constraints/hidden_constraint.h"
#include "dalembert/core/error.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/formulation/without_algebraic.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

namespace {

/// Has a determinant gone through zero, or so close by that nobody knows on which branch the motion went on?
class Passage {
 public:
  void step(double t, double determinant) {
    const double root = std::sqrt(std::abs(determinant));
    most_ = std::max(most_, root);
    least_ = std::min(least_, root);
    // The steepest way down points to the zero best: close to it a motion with errors passes beside.
    if (const double slope = (root_ - root) / (t - t_); root < root_ && slope > slope_) {
      slope_ = slope;
      zero_ = t + root / slope;
    }
    const double line = slope_ * (t - zero_);  // up again as it came down
    passed_ = passed_ || (least_ < close * most_ && root > 0.3 * line && root < 3 * line);
    t_ = t;
    root_ = root;
    if (sign_ == 0) sign_ = determinant;
  }
  void remember(Memory& memory) { memory(t_, root_, most_, least_, slope_, zero_, sign_, passed_); }
  bool seen(double determinant) const { return passed_ || sign_ * determinant < 0; }

 private:
  static constexpr double close = 1e-2;
  double t_ = 0, root_ = 0;                                            // of the last step
  double most_ = 0, least_ = std::numeric_limits<double>::infinity();  // of all roots
  double slope_ = 0, zero_ = std::numeric_limits<double>::infinity();
  double sign_ = 0;  // as it began
  bool passed_ = false;
};

class Eliminated final : public Ode {
 public:
  enum class Singularities { watched, jumped_over };
  Eliminated(const Hessenberg& problem, double alpha, Singularities singularities, Statistics& statistics)
      : problem_(problem),
        singularities_(singularities),
        n_(differential_size(problem.layout())),
        alpha_(alpha),
        hidden_(problem, statistics) {
    reset();
  }
  void reset() {
    const State start = problem_.start();
    passage_ = {};
    z_ = guess_ = start.y.tail(start.y.size() - n_);
    for (double& z : guess_)
      if (!std::isfinite(z)) z = 0;
  }
  void remember(Memory& memory) { memory(passage_, guess_); }
  const Hessenberg& problem() const { return problem_; }
  Layout layout() const override {
    const Layout all = problem_.layout();
    Layout kept;
    for (const auto& b : all.blocks())
      if (b.role == Role::differential) kept.add(b.name, b.size, b.role, 0, b.labels, b.units);
    return kept;
  }
  State start() const override {
    const State full = problem_.start();
    return {full.t, full.y.head(n_)};
  }
  double end() const override { return problem_.end(); }
  void f(double t, In y, Out dy) const override {
    z_ = guess_;  // the same for all of a step: f remembers nothing
    if (hidden_.solve(t, y, z_, dy, alpha_) != Outcome::ok || passage_.seen(hidden_.determinant()))
      dy.setConstant(not_a_number);
  }
  /// Newton's iteration starts from z of the last step, as other roots may be nearer to where the run began.
  void advance_guess(double t, In y) const {
    z_ = guess_;
    if (hidden_.solve(t, y, z_, dy_, alpha_) != Outcome::ok) return;
    guess_ = z_;
    if (singularities_ == Singularities::watched) passage_.step(t, hidden_.determinant());
  }
  Outcome algebraic(double t, In y, Out z) const {
    z = guess_;
    return hidden_.solve(t, y, z, dy_, 0);
  }
  Fault diagnose(double t, In y) const override {
    Vector all(n_ + z_.size());
    all << y, guess_;
    if (Fault fault = problem_.diagnose(t, all)) return fault;
    z_ = guess_;
    if (hidden_.solve(t, y, z_, dy_, alpha_) == Outcome::ok && passage_.seen(hidden_.determinant()))
      return {Outcome::singular, "g_y f_z becomes singular: the algebraic entries are not determined there"};
    return Ode::diagnose(t, y);
  }

 private:
  const Hessenberg& problem_;
  Singularities singularities_;
  Eigen::Index n_;
  double alpha_;
  // The work space of this run.
  mutable HiddenConstraint hidden_;
  mutable Passage passage_;
  mutable Vector guess_, z_, dy_ = Vector::Zero(n_);
};

class Index2Baumgarte final : public Formulation {
 public:
  Index2Baumgarte(const Hessenberg& problem, double alpha, Eliminated::Singularities singularities,
                  Statistics& statistics)
      : ode_(problem, alpha, singularities, statistics), alpha_(alpha) {}
  const Problem& original() const override { return ode_.problem(); }
  const Problem& rewritten() const override { return ode_; }
  void enter(const State& original, State& rewritten) const override {
    enter_without_algebraic(original, rewritten);
  }
  Outcome recover(const State& rewritten, State& original, Depth depth) const override {
    return recover_algebraic(rewritten, original, depth,
                             [this](double t, In y, Out z) { return ode_.algebraic(t, y, z); });
  }

  bool remember(Memory& memory) override {
    memory(ode_);
    return true;
  }
  bool reset() override {
    ode_.reset();
    return true;
  }
  bool renew(State& rewritten) const override {
    ode_.advance_guess(rewritten.t, rewritten.y);
    return false;
  }
  std::vector<std::complex<double>> added_spectrum() const override {
    const Eigen::Index m = ode_.problem().layout().size() - ode_.layout().size();
    return std::vector<std::complex<double>>(static_cast<std::size_t>(m), -alpha_);
  }

 private:
  Eliminated ode_;
  double alpha_;
};

}  // namespace

std::vector<FormulationEntry> formulations_in_baumgarte_hessenberg() {
  return {
      {.name = "baumgarte",
       .summary = "z eliminated by the differentiated constraint, with feedback of its error",
       .cite = "Baumgarte1972 AscherLin1997",
       .from = Kind::hessenberg,
       .to = Kind::ode,
       .preference = -60,  // after the half-explicit methods, which hold the constraint itself
       .drifts = false,
       .options = {{"alpha", 5, "1/s", "rate at which constraint errors decay"},
                   {"watch", 1, "", "1: end where z is not determined; 0: let steps jump over such places"}},
       .make = [](const Problem& problem, const Parameters& options, Statistics& statistics) {
         if (options["alpha"] < 0) throw Error("alpha must not be negative", "constraint errors would grow");
         return std::make_unique<Index2Baumgarte>(as<Hessenberg>(problem), options["alpha"],
                                                  options.count("watch", 0, 1) == 1
                                                      ? Eliminated::Singularities::watched
                                                      : Eliminated::Singularities::jumped_over,
                                                  statistics);
       }}};
}

}  // namespace dalembert
