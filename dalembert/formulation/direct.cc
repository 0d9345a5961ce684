// direct: the problem as it stands, for problems that are already of a kind a method accepts.
#include "dalembert/formulation/formulation.h"
#include "dalembert/nonlinear/hidden_constraint.h"

namespace dalembert {

namespace {

class Direct : public Formulation {
 public:
  explicit Direct(const Problem& problem) : problem_(problem) {}
  const Problem& original() const override { return problem_; }
  const Problem& rewritten() const override { return problem_; }
  void enter(const State& original, State& rewritten) const override { rewritten = original; }
  Outcome recover(const State& rewritten, State& original, Depth) const override {
    original = rewritten;
    return Outcome::ok;
  }

 private:
  const Problem& problem_;
};

/// z of a step is the one of its last stage; asked for, it is computed with the accuracy of y [BraseyHairer1993, (3.6)].
class DirectIndex2 final : public Direct {
 public:
  DirectIndex2(const Index2& problem, Statistics& statistics)
      : Direct(problem),
        hidden_(problem, statistics),
        n_(differential_size(problem.layout())),
        dy_(Vector::Zero(n_)) {}
  Outcome recover(const State& rewritten, State& original, Depth depth) const override {
    original = rewritten;
    if (depth == Depth::coordinates) return Outcome::ok;
    return hidden_.solve(original.t, original.y.head(n_), original.y.tail(original.y.size() - n_), dy_);
  }

 private:
  mutable HiddenConstraint hidden_;  // the work space of this run
  Eigen::Index n_;
  mutable Vector dy_;
};

FormulationEntry direct(
    Kind kind, bool drifts,
    std::function<std::unique_ptr<Formulation>(const Problem&, const Parameters&, Statistics&)> make) {
  return {.name = "direct",
          .summary = "the equations as they stand",
          .cite = "",
          .from = kind,
          .to = kind,
          .drifts = drifts,
          .options = {},
          .make = std::move(make)};
}

}  // namespace

std::vector<FormulationEntry> formulations_in_direct() {
  return {
      direct(Kind::ode, false,
             [](const Problem& p, const Parameters&, Statistics&) { return std::make_unique<Direct>(p); }),
      direct(Kind::index2, true, [](const Problem& p, const Parameters&, Statistics& s) {
        return std::make_unique<DirectIndex2>(dynamic_cast<const Index2&>(p), s);
      })};
}

}  // namespace dalembert
