#include "dalembert/sweep/sweep.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/memory.h"

namespace dalembert {

namespace {

constexpr std::size_t furthest_ahead = 4096;  // rows that wait for a slow one

/// One thread's solver, and what is kept of its runs.
class Measurer {
 public:
  explicit Measurer(const SweepTask& task) : task_(task), worker_(task.makers, task.options) {}

  SweepRow run(std::size_t number) {
    SweepRow row;
    row.number = number;
    row.values.assign(task_.quantities.size(), std::numeric_limits<double>::quiet_NaN());
    try {
      const Values varied = task_.design.values(number);
      const SweepProblem made = worker_.problem(varied);
      Measurement measurement(*made.problem, made.watches, task_.quantities);
      const Summary summary = worker_.run(made, varied, measurement);
      row.outcome = name(summary.outcome);
      row.steps = summary.statistics.steps;
      row.warnings = summary.warnings;
      if (!summary.start_message.empty()) row.warnings.push_back(summary.start_message);
      if (summary.redundancy)
        for (const std::string& sentence : in_words(*summary.redundancy)) row.warnings.push_back(sentence);
      if (dalembert::good(summary.outcome))
        row.values = measurement.values(summary);
      else
        row.message = summary.message.empty() ? row.outcome : summary.message;
    } catch (const Error& error) {
      row.outcome = "refused";
      row.message = error.what();
    }
    return row;
  }

 private:
  const SweepTask& task_;
  Worker worker_;
};

/// Gives numbers out and takes rows back, which leave it in order.
class Desk {
 public:
  Desk(const SweepTask& task, const std::function<void(const SweepRow&)>& told)
      : end_(task.design.cases.size()),
        next_(task.first),
        due_(task.first),
        waiting_(task.made),
        made_(task.made),
        ahead_(task.ahead),
        told_(told),
        stop_(task.options.interrupt) {
    std::erase_if(waiting_, [&](const auto& one) { return one.first < due_ || one.first >= end_; });
    skip_made();
    tell();
  }

  std::optional<std::size_t> take() {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [&] { return over() || next_ < due_ + furthest_ahead; });
    return taken();
  }

  /// The same without waiting: nothing also means that a slow row is waited for.
  std::optional<std::size_t> take_now() {
    const std::lock_guard lock(mutex_);
    if (next_ >= due_ + furthest_ahead) return {};
    return taken();
  }
  bool all_taken() {
    const std::lock_guard lock(mutex_);
    return over() || next_ >= end_;
  }

  /// From outside.
  bool stopped() const { return stop_ != nullptr && stop_->load(); }

  void give(SweepRow row) {
    const std::lock_guard lock(mutex_);
    const auto [mine, added] = waiting_.emplace(row.number, std::move(row));
    if (ahead_ && mine->first != due_ && mine->second.outcome != name(Outcome::interrupted))
      ahead_(mine->second);
    tell();
    moved_.notify_all();
  }

  void fail() {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    moved_.notify_all();
  }

  std::exception_ptr failure() const { return failure_; }

 private:
  bool over() const { return failure_ || cut_ || stopped(); }

  void skip_made() {
    while (made_.contains(next_)) ++next_;
  }
  std::optional<std::size_t> taken() {
    if (over() || next_ >= end_) return {};
    const std::size_t mine = next_++;
    skip_made();
    return mine;
  }

  /// Those whose turn has come.
  void tell() {
    while (!failure_ && !waiting_.empty() && waiting_.begin()->first == due_) {
      const SweepRow first = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      ++due_;
      // A run that was cut short is not a result.
      if (first.outcome == name(Outcome::interrupted)) cut_ = true;
      if (cut_) break;
      try {
        told_(first);
      } catch (...) {
        failure_ = std::current_exception();
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable moved_;
  std::size_t end_, next_, due_;
  std::map<std::size_t, SweepRow> waiting_;
  const std::map<std::size_t, SweepRow>& made_;
  const std::function<void(const SweepRow&)>& ahead_;
  bool cut_ = false;
  const std::function<void(const SweepRow&)>& told_;
  const std::atomic<bool>* stop_;
  std::exception_ptr failure_;
};

void work(const SweepTask& task, Desk& desk) {
  try {
    Measurer worker(task);
    while (const auto number = desk.take()) desk.give(worker.run(*number));
  } catch (...) {
    desk.fail();
  }
}

template <class Thing>
std::string written_down(Thing thing) {
  Memory memory;
  memory(thing);
  return memory.bytes();
}

template <class Thing>
Thing read_back(const std::string& bytes) {
  Memory memory(bytes);
  Thing thing{};
  memory(thing);
  return thing;
}

/// Hands cases to the others one by one, so that slow runs do not keep fast ones waiting; an empty letter sends them home.
void lead(Crew& crew, Desk& desk) {
  using Clock = std::chrono::steady_clock;
  constexpr auto patience = std::chrono::milliseconds(300);
  std::optional<Clock::time_point> stopped;
  std::vector<int> idle;
  for (int k = 1; k < crew.size(); ++k) idle.push_back(k);
  for (;;) {
    while (!idle.empty()) {
      const auto number = desk.take_now();
      if (!number) break;
      crew.send(idle.back(), written_down(*number));
      idle.pop_back();
    }
    if (const auto letter = crew.receive(Crew::Wait::no)) {
      desk.give(read_back<SweepRow>(letter->bytes));
      idle.push_back(letter->from);
    } else if (desk.all_taken() && static_cast<int>(idle.size()) == crew.size() - 1) {
      break;
    } else if (desk.stopped() && Clock::now() - *(stopped ? stopped : stopped = Clock::now()) > patience) {
      break;  // who has not answered by now may be lost, and what was made is to be kept
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
  for (const int k : idle) crew.send(k, {});
}

/// Shows mistakes of the caller: names that are not known.
Measurement first_measurement(const SweepTask& task) {
  if (task.design.cases.empty()) throw Error("the sweep has no run", "vary a parameter");
  const SweepProblem made = task.makers()({});
  State start = made.problem->start();
  change_start(varied_start(task.design.values(0), task.options), made.problem->layout(), start);
  return {*made.problem, made.watches, task.quantities};
}

}  // namespace

void sweep(const SweepTask& task, const std::function<void(const SweepRow&)>& told) {
  first_measurement(task);
  if (task.first >= task.design.cases.size()) return;
  const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto left = static_cast<int>(std::min<std::size_t>(task.design.cases.size() - task.first, 4096));
  const int threads = std::min(task.threads > 0 ? task.threads : cores, left);
  Desk desk(task, told);
  {
    std::vector<std::jthread> others;
    for (int k = task.crew != nullptr ? 0 : 1; k < threads; ++k)
      others.emplace_back([&] { work(task, desk); });
    task.crew != nullptr ? lead(*task.crew, desk) : work(task, desk);
  }
  if (desk.failure()) std::rethrow_exception(desk.failure());
}

void follow(const SweepTask& task) {
  Measurer worker(task);
  for (;;) {
    const auto letter = task.crew->receive(Crew::Wait::yes);
    if (!letter || letter->bytes.empty()) return;
    task.crew->send(0, written_down(worker.run(read_back<std::size_t>(letter->bytes))));
  }
}

std::vector<std::string> units(const SweepTask& task) {
  return first_measurement(task).units();
}

}  // namespace dalembert
