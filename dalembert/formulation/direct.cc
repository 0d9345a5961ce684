// direct: the problem as it stands, for problems that are already of a kind a method accepts.
#include "dalembert/formulation/formulation.h"

namespace dalembert {

namespace {

class Direct final : public Formulation {
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

FormulationEntry direct(Kind kind, bool drifts) {
  return {.name = "direct",
          .summary = "the equations as they stand",
          .cite = "",
          .from = kind,
          .to = kind,
          .drifts = drifts,
          .options = {},
          .make = [](const Problem& problem, const Parameters&, Statistics&) {
            return std::make_unique<Direct>(problem);
          }};
}

}  // namespace

std::vector<FormulationEntry> formulations_in_direct() {
  return {direct(Kind::ode, false), direct(Kind::index2, true)};
}

}  // namespace dalembert
