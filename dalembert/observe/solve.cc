#include "dalembert/observe/solve.h"

#include "dalembert/observe/balance.h"

namespace dalembert {

Solution solve(std::shared_ptr<const Problem> problem, const RunOptions& options,
               const std::vector<Observer*>& observers) {
  Solution solution{.problem = problem, .summary = {}, .trajectory = {}};
  Monitor monitor(options.tolerance);
  std::vector<Observer*> all = {&solution.trajectory, &monitor};
  all.insert(all.end(), observers.begin(), observers.end());
  solution.summary = run(std::move(problem), options, all);
  weigh(monitor, solution.summary);
  solution.drift = monitor.drift();
  solution.energy = monitor.energy();
  return solution;
}

}  // namespace dalembert
