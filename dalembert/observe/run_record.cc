#include "dalembert/observe/run_record.h"

#include <algorithm>

namespace dalembert {

std::optional<std::size_t> RunRecord::find(const std::string& name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const RecordColumn& column) { return column.name == name; });
  if (found == columns.end()) return {};
  return static_cast<std::size_t>(found - columns.begin());
}

RunRecorder::RunRecorder(const Problem& problem, std::vector<Watch> watches, const Monitor* monitor,
                         std::vector<double> times)
    : watches_(std::move(watches)), monitor_(monitor), times_(std::move(times)), report_(problem.report()) {
  for (const Block& block : report_.blocks())
    for (Eigen::Index i = 0; i < block.size; ++i)
      record_.columns.push_back(
          {report_.label(block.offset + i), block.units[static_cast<std::size_t>(i)], block.name});
  for (const Watch& watch : watches_) record_.columns.push_back({watch.name, watch.unit, "watch"});
}

void RunRecorder::begin(const Problem& mode, const State& start) {
  reporter_.emplace(mode, report_);
  for (; next_ < times_.size() && times_[next_] <= start.t; ++next_)
    if (next_ == 0) add((*reporter_)(start));
  eventful_ = mode.events() != nullptr;
  if (monitor_ != nullptr) record_.readings.push_back(monitor_->reading());
}

void RunRecorder::step(const StepView& step) {
  for (const Watch& watch : watches_)
    if (watch.follow) watch.follow(step);
  if (monitor_ != nullptr) record_.readings.push_back(monitor_->reading());
  for (; next_ < times_.size() && times_[next_] <= step.end(); ++next_)
    add((*reporter_)(step.at(times_[next_], Depth::multipliers)));
  end_.reset();
  if (eventful_) end_ = (*reporter_)(step.at(step.end(), Depth::multipliers));
}

void RunRecorder::output(const State& state) {
  if (times_.empty()) add(state);
}

/// Where a motion jumps, both sides of the jump are kept.
void RunRecorder::event(const EventRecord& event, const State& after) {
  if (end_ && end_->t == event.t && (record_.times.empty() || record_.times.back() < event.t)) add(*end_);
  end_.reset();
  if (after.y.size() == reporter_->layout().size()) add((*reporter_)(after));
}

void RunRecorder::add(const State& state) {
  record_.times.push_back(state.t);
  record_.values.insert(record_.values.end(), state.y.begin(), state.y.end());
  for (const Watch& watch : watches_) record_.values.push_back(watch.value(state));
}

RunRecord RunRecorder::take(const Summary& summary) {
  const bool begun = summary.state.y.size() == report_.size();
  if (begun && (record_.times.empty() || record_.times.back() < summary.state.t)) add(summary.state);
  record_.summary = summary;
  if (monitor_ != nullptr) {
    record_.drift = monitor_->drift();
    record_.energy = monitor_->energy();
  }
  return std::move(record_);
}

}  // namespace dalembert
