#include "dalembert/model/model_run.h"

#include <algorithm>
#include <cmath>

#include "dalembert/multibody/pose.h"
#include "dalembert/observe/balance.h"
#include "dalembert/observe/monitor.h"

namespace dalembert {

namespace {

/// Compares with the digits of the file, and keeps the greatest kinetic energy.
class Judge final : public Observer {
 public:
  explicit Judge(const Model& model, double rtol) : model_(model), rtol_(rtol) {}

  void begin(const Problem& problem, const State& start) override {
    problem_ = as_mechanical(problem);
    layout_ = problem.report();
    if (problem_ == nullptr) return;
    at_ = problem_->placement();
    kinetic(start);
  }
  void step(const StepView& step) override {
    if (problem_ != nullptr) kinetic(step.at(step.end(), Depth::coordinates));
  }
  void output(const State& state) override {
    const auto known = model_.mechanism->exact(state.t);
    const auto reference =
        std::find_if(model_.references.begin(), model_.references.end(), [&](const auto& each) {
          return std::abs(each.t - state.t) <= 1e-12 * std::max(1., std::abs(state.t));
        });
    if (!known || reference == model_.references.end()) return;
    const double within = reference->within.value_or(100 * rtol_);
    for (const auto& [block, e] : block_errors(*model_.mechanism, state, layout_, *known)) {
      if (!(e <= error_)) error_ = e;
      if (e / within <= excess_) continue;
      excess_ = e / within;
      within_ = within;
    }
    ++compared_;
  }

  double fastest() const { return fastest_; }
  void tell(ModelRun& result) const {
    if (compared_ > 0) result.error = error_;
    result.within = within_;
    result.excess = excess_;
  }

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

  const Model& model_;
  double rtol_;
  const Mechanical* problem_ = nullptr;
  Layout layout_;
  std::unique_ptr<Placement> at_;
  Entries M_;
  Vector Mv_;
  int compared_ = 0;
  double fastest_ = 0, error_ = 0, excess_ = -1, within_ = 0;
};

}  // namespace

double size_of(const Mechanism& mechanism) {
  const auto box = bounding_box(mechanism, *mechanism.placed_at(mechanism.start()));
  const double size = box.isEmpty() ? 0 : box.diagonal().norm();
  return size > 0 ? size : 1;
}

ModelRun run_model(const Model& model, RunOptions options) {
  const double end = options.end.value_or(model.mechanism->end());
  for (const auto& reference : model.references)
    if (reference.t <= end) options.outputs.push_back(reference.t);
  std::sort(options.outputs.begin(), options.outputs.end());
  Judge judge(model, options.tolerance.relative);
  Monitor monitor(options.tolerance);
  WatchFollower follower(model.watches);
  ModelRun result{.summary = run(model.problem(), options, {&monitor, &follower, &judge}),
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
                        : std::abs(energy->error()) / (judge.fastest() + std::abs(energy->work));
  judge.tell(result);
  return result;
}

}  // namespace dalembert
