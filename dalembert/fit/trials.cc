#include "dalembert/fit/trials.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <thread>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

/// "parameter 'l' is -0.3" -> "parameter 'l' is #"
std::string without_numbers(const std::string& text) {
  std::string all;
  for (const char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    const bool after = !all.empty() && all.back() == '#';
    if (digit && !all.empty() && all.back() == '-') all.pop_back();
    if (digit && !after) all += '#';
    if (!digit && !(after && std::string("+-.e").find(c) != std::string::npos)) all += c;
  }
  return all;
}

}  // namespace

void add(Failures& all, const Failures& more) {
  for (const auto& [pattern, failure] : more) {
    Failure& mine = all[pattern];
    if (mine.runs == 0) mine.first = failure.first;
    mine.runs += failure.runs;
  }
}

Trials::Trials(const TrialTask& task) : task_(task) {
  const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  workers_.resize(static_cast<std::size_t>(task.threads > 0 ? task.threads : cores));
}

Trials::~Trials() = default;

bool Trials::interrupted() const {
  return task_.options.interrupt != nullptr && task_.options.interrupt->load();
}

Trials::Trial Trials::make(Worker& worker, const Vector& point) const {
  Trial trial;
  try {
    const Values varied = from_box(task_.unknowns, point);
    SweepProblem made = worker.problem(varied);
    if (made.options && task_.options.end) made.options->end = task_.options.end;
    Summary summary;
    trial.given = task_.measure(made, [&](Observer& observer) -> const Summary& {
      summary = worker.run(made, varied, observer);
      if (!good(summary.outcome))
        throw Error(summary.message.empty() ? std::string(name(summary.outcome)) : summary.message);
      return summary;
    });
    if (!trial.given->allFinite()) throw Error("what is measured is not a number");
  } catch (const Error& error) {
    trial.given.reset();
    trial.trouble = error.what();
  }
  return trial;
}

std::vector<std::optional<Vector>> Trials::at(const std::vector<Vector>& points) {
  std::vector<Trial> trials(points.size());
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> broken(workers_.size());
  const auto work = [&](std::size_t thread) {
    try {
      for (std::size_t k; !interrupted() && (k = next++) < points.size();) {
        if (!workers_[thread]) workers_[thread] = std::make_unique<Worker>(task_.makers, task_.options);
        trials[k] = make(*workers_[thread], points[k]);
      }
    } catch (...) {
      broken[thread] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < std::min(workers_.size(), points.size()); ++k)
      others.emplace_back([&, k] { work(k); });
    work(0);
  }
  for (const auto& why : broken)
    if (why) std::rethrow_exception(why);
  // A run that was cut short is no result.
  if (interrupted()) return std::vector<std::optional<Vector>>(points.size());
  std::vector<std::optional<Vector>> all;
  for (Trial& trial : trials) {
    ++runs_;
    if (!trial.given) add(failures_, {{without_numbers(trial.trouble), {trial.trouble, 1}}});
    all.push_back(std::move(trial.given));
  }
  return all;
}

std::optional<Matrix> differences(const BoxFunction& f, const Vector& u, const Vector& value,
                                  const Vector& steps) {
  const Eigen::Index n = u.size();
  const auto moved = [&](Eigen::Index k, double by) {
    Vector v = u;
    v[k] += by;
    return v;
  };
  const auto inside = [&](Eigen::Index k, double by) { return u[k] + by >= 0 && u[k] + by <= 1; };
  // Both sides of all at once, as far as they are inside; then what is still missing.
  std::vector<Vector> points;
  std::vector<std::pair<Eigen::Index, double>> of;
  const auto ask = [&](Eigen::Index k, double by) {
    if (!inside(k, by)) return;
    points.push_back(moved(k, by));
    of.emplace_back(k, by);
  };
  for (Eigen::Index k = 0; k < n; ++k) {
    ask(k, steps[k]);
    ask(k, -steps[k]);
  }
  std::map<std::pair<Eigen::Index, double>, Vector> known;
  const auto answer = [&] {
    const auto given = f(points);
    for (std::size_t i = 0; i < given.size(); ++i)
      if (given[i]) known[of[i]] = *given[i];
    points.clear();
    of.clear();
  };
  answer();
  const auto look = [&](Eigen::Index k, double by) -> const Vector* {
    const auto found = known.find({k, by});
    return found == known.end() ? nullptr : &found->second;
  };
  for (Eigen::Index k = 0; k < n; ++k) {
    const bool up = look(k, steps[k]) != nullptr, down = look(k, -steps[k]) != nullptr;
    if (up != down) ask(k, up ? 2 * steps[k] : -2 * steps[k]);
  }
  if (!points.empty()) answer();
  Matrix J(value.size(), n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double h = steps[k];
    const Vector *up = look(k, h), *down = look(k, -h);
    if (up != nullptr && down != nullptr) {
      J.col(k) = (*up - *down) / (2 * h);
    } else if (up == nullptr && down == nullptr) {
      return {};
    } else {
      const double side = up != nullptr ? h : -h;
      const Vector& one = up != nullptr ? *up : *down;
      const Vector* two = look(k, 2 * side);
      J.col(k) =
          two != nullptr ? Vector((-3 * value + 4 * one - *two) / (2 * side)) : Vector((one - value) / side);
    }
  }
  return J;
}

}  // namespace dalembert
