// A run that is prepared once and made many times: with other initial values, with other parameters.
//
//   Solver solver(problem, {.tolerance = {1e-8, 1e-8}});
//   for (double x : starts) use(solver.run({{"q.x", x}}));
//
// The choice of the pair and its options are made once; so are formulation and method, their work space, and the plan of the
// elimination, which stays the one of the first problem as long as it suits: with other parameters a run may differ in rounding from
// that of a solver made for them. Before each run they forget the one before: a run made again is the same run, bit by bit. A solver belongs to
// one thread; problems are shared between them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/control/run.h"

namespace dalembert {

using Values = std::map<std::string, double>;  ///< by name

/// A problem for each set of parameters; those that are not named have their own values.
using ProblemFamily = std::function<std::shared_ptr<const Problem>(const Values& parameters)>;

struct SolverStore;  // session.h

/// A prepared run.
class Solver {
 public:
  /// Both throw Error for mistakes of the caller, as run() does.
  Solver(std::shared_ptr<const Problem>, RunOptions);
  Solver(ProblemFamily, RunOptions);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// From the start of the problem, with the changes that the options name.
  Summary run(const std::vector<Observer*>& = {});
  /// From other initial values, by label ("q.x"), instead of those that the options name.
  Summary run(const Values& start, const std::vector<Observer*>& = {});
  /// Of the family, the problem with these parameters; runs that name none go on with them.
  Summary run(const Values& start, const Values& parameters, const std::vector<Observer*>& = {});

  /// Goes on with another problem. What is prepared stays where it is of the same structure, and is made anew where not.
  void exchange(std::shared_ptr<const Problem>);

  const Pair& pair() const;
  const std::string& why() const;  ///< the pair was chosen
  /// How often formulation and method were made: once, unless the structure changes, or one of them cannot be used again.
  int preparations() const;

 private:
  SolverStore& kept() const;

  std::unique_ptr<SolverStore> kept_;
};

}  // namespace dalembert
