#include "dalembert/sweep/worker.h"

#include "dalembert/problem/substitute.h"

namespace dalembert {

namespace {

bool of_the_state(const std::string& name) {
  return name.find('.') != std::string::npos;
}

}  // namespace

Values varied_start(const Values& varied, const RunOptions& options) {
  Values start = options.start;
  for (const auto& [name, value] : varied)
    if (of_the_state(name)) start[name] = value;
  return start;
}

SweepProblem Worker::problem(const Values& varied) {
  Values parameters;
  for (const auto& [name, value] : varied)
    if (!of_the_state(name)) parameters[name] = value;
  return make_(parameters);
}

Summary Worker::run(const SweepProblem& made, const Values& varied, Observer& observer) {
  const Values start = varied_start(varied, options_);
  if (made.options) return Solver(made.problem, *made.options).run(start, {&observer});
  const auto mechanical = std::dynamic_pointer_cast<const Mechanical>(made.problem);
  if (mechanical && !prepared_) prepare();
  if (mechanical && first_ && same_structure(*first_, *mechanical)) {
    prepared_->exchange(mechanical);
    return prepared_->run(start, {&observer});
  }
  return Solver(made.problem, options_).run(start, {&observer});
}

/// The plan of the elimination is made on the matrices of the first run, so that is the same one in all threads: with the parameters
/// as they are in the file or the catalogue, where there is such a problem, whatever is varied.
void Worker::prepare() {
  first_ = std::dynamic_pointer_cast<const Mechanical>(make_({}).problem);
  if (!first_) return;
  prepared_.emplace(first_, options_);
  prepared_->exchange(first_);
  prepared_->run(options_.start);
}

}  // namespace dalembert
