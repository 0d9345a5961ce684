#include "dalembert/observe/certify/recording.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "dalembert/core/text.h"

namespace dalembert {

namespace {

Sample sample(const State& state, const std::vector<Watch>& watches) {
  Sample s{state.t, Vector(state.y.size() + static_cast<Eigen::Index>(watches.size()))};
  s.values.head(state.y.size()) = state.y;
  for (std::size_t i = 0; i < watches.size(); ++i)
    s.values[state.y.size() + static_cast<Eigen::Index>(i)] = watches[i].value(state);
  return s;
}

class Recorder final : public Observer {
 public:
  Recorder(const std::vector<Watch>& watches, double limit) : watches_(watches), limit_(limit) {}
  void step(const StepView&) override {
    late_ = static_cast<double>(std::clock() - begun_) > limit_ * CLOCKS_PER_SEC;
  }
  void output(const State& state) override { samples.push_back(sample(state, watches_)); }
  Outcome status() const override { return late_ ? Outcome::interrupted : Outcome::ok; }
  std::string trouble() const override { return "took longer than " + short_number(limit_) + " s"; }

  std::vector<Sample> samples;

 private:
  const std::vector<Watch>& watches_;
  double limit_;
  std::clock_t begun_ = std::clock();  // of the processor: others may keep the machine busy
  bool late_ = false;
};

}  // namespace

double Recording::size(Eigen::Index entry) const {
  std::vector<double> all;
  for (const Sample& s : samples)
    if (std::isfinite(s.values[entry])) all.push_back(std::abs(s.values[entry]));
  if (all.empty()) return 0;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

Recording record(const std::shared_ptr<const Problem>& problem, const RunOptions& options,
                 const std::vector<Watch>& watches, double limit, const std::vector<Observer*>& others) {
  WatchFollower follower(watches);
  Recorder recorder(watches, limit);
  std::vector<Observer*> all = {&follower, &recorder};
  all.insert(all.end(), others.begin(), others.end());
  Recording recording{run(problem, options, all), {}};
  recording.samples = std::move(recorder.samples);
  const State& end = recording.summary.state;
  if (!recording.samples.empty() && recording.samples.back().t == end.t) recording.samples.pop_back();
  recording.samples.push_back(sample(end, watches));
  return recording;
}

}  // namespace dalembert
