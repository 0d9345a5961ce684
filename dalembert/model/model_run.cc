#include "dalembert/model/model_run.h"

#include <algorithm>
#include <cmath>

#include "dalembert/model/reference_check.h"
#include "dalembert/multibody/pose.h"
#include "dalembert/observe/balance.h"
#include "dalembert/observe/monitor.h"

namespace dalembert {

namespace {

/// Keeps the greatest kinetic energy.
class Speedometer final : public Observer {
 public:
  void begin(const Problem& problem, const State& start) override {
    problem_ = as_mechanical(problem);
    if (problem_ == nullptr) return;
    at_ = problem_->placement();
    kinetic(start);
  }
  void step(const StepView& step) override {
    if (problem_ != nullptr) kinetic(step.at(step.end(), Depth::coordinates));
  }

  double fastest() const { return fastest_; }

 private:
  void kinetic(const State& state) {
    const auto n = problem_->sizes();
    at_->t = state.t;
    at_->q = state.y.head(n.q);
    problem_->place(*at_);
    problem_->mass(*at_, M_);
    Mv_.setZero(n.v);
    M_.multiply(state.y.segment(n.q, n.v), 1, Mv_);
    fastest_ = std::max(fastest_, Mv_.dot(state.y.segment(n.q, n.v)) / 2);
  }

  const Mechanical* problem_ = nullptr;
  std::unique_ptr<Placement> at_;
  Entries M_;
  Vector Mv_;
  double fastest_ = 0;
};

}  // namespace

double size_of(const Mechanism& mechanism) {
  const auto box = bounding_box(mechanism, *mechanism.placed_at(mechanism.start()));
  const double size = box.isEmpty() ? 0 : box.diagonal().norm();
  return size > 0 ? size : 1;
}

ModelRun run_model(const Model& model, const RunOptions& options) {
  Speedometer speedometer;
  ReferenceCheck check(model, options.tolerance.relative);
  Monitor monitor(options.tolerance);
  WatchFollower follower(model.watches);
  ModelRun result{.summary = run(model.problem(), options, {&monitor, &follower, &speedometer, &check}),
                  .size = size_of(*model.mechanism)};
  weigh(monitor, result.summary);
  const auto n = model.mechanism->sizes();
  result.bodies = static_cast<Eigen::Index>(model.mechanism->bodies().size());
  result.joints = static_cast<Eigen::Index>(model.mechanism->joints().size());
  if (const auto& drift = monitor.drift()) {
    const auto& redundancy = result.summary.redundancy;
    result.degrees_of_freedom = redundancy ? redundancy->degrees_of_freedom : n.v - n.rows();
    result.drift = drift->position / result.size;
  }
  if (const auto& energy = monitor.energy())
    result.energy = energy->error() == 0
                        ? 0  // at rest, too
                        : std::abs(energy->error()) / (speedometer.fastest() + std::abs(energy->work));
  for (const Comparison& each : check.compared()) {
    result.error = result.error && *result.error >= each.error ? *result.error : each.error;
    if (result.within > 0 && each.error / each.within <= result.excess) continue;
    result.within = each.within;
    result.excess = each.error / each.within;
  }
  return result;
}

}  // namespace dalembert
