// A problem that is not rewritten: its state is its own.
#pragma once

#include "dalembert/formulation/formulation.h"
#include "dalembert/formulation/without_algebraic.h"

namespace dalembert {

class Unchanged : public Formulation, public SameEntries {
 public:
  explicit Unchanged(const Problem& problem) : problem_(problem) {}
  const Problem& original() const override { return problem_; }
  const Problem& rewritten() const override { return problem_; }
  void enter(const State& original, State& rewritten) const override { rewritten = original; }
  Outcome recover(const State& rewritten, State& original, Depth) const override {
    original = rewritten;
    return Outcome::ok;
  }
  bool reset() override { return true; }
  bool remember(Memory&) override { return true; }

 private:
  const Problem& problem_;
};

}  // namespace dalembert
