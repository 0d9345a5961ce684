// Problems whose equations are functions of Python or C.
#pragma once

#include <memory>
#include <vector>

#include "dalembert/linear/entries.h"
#include "dalembert/problem/from_functions.h"
#include "python/src/endings.h"
#include "python/src/function.h"

namespace dalembert::python {

/// An event, as SciPy describes it: what crosses zero, which way, and after how many times the run ends (0: never).
struct Happening {
  std::string name;
  Function value;
  Direction direction = Direction::either;
  int ends_after = 0;
};

/// What the caller has given, shared with the problem that evaluates it. Runs that go backwards have s = -t as their time.
struct Equations {
  double begin = 0, end = 1;
  bool backwards = false, no_time = false;  // the last: the start alone is asked for, whatever end is here
  Vector y, rate;                           ///< at the start; the rate may be empty
  Matrix mass;                              ///< of M y' = f; empty: the identity
  std::vector<int> index{};                 ///< of each entry of an implicit problem; empty: it is found
  std::vector<Entries::Place> sparsity{};   ///< where f_y may be other than 0; empty: everywhere
  Function f, jacobian, rows;               ///< rows: 0 = g
  Eigen::Index row_count = 0;               ///< of them
  Function mass_function, bias, energy;
  std::vector<Happening> events{};
  mutable std::int64_t jacobians = 0;  // by differences, or given

  double sign() const { return backwards ? -1 : 1; }
};

/// A problem, and what there is to count.
struct FunctionProblem {
  std::shared_ptr<const Problem> problem;
  std::shared_ptr<const Equations> equations;
  Doubt doubt{};             ///< of what was given, along the run; none: there is nothing to doubt
  bool interpreted() const;  ///< does an evaluation need the interpreter?
};

/// M y' = f(t,y) with a regular M, and perhaps 0 = g(t,y) that every solution keeps.
FunctionProblem ode_of(std::shared_ptr<Equations>);
/// M y' = f(t,y) with a singular M, or F(t,y,y') = 0 if there is none.
FunctionProblem implicit_of(std::shared_ptr<Equations>);
/// q' = v, M v' = f(t,q,v) - G'lambda, 0 = g(t,q); y is (q,v).
FunctionProblem mechanical_of(std::shared_ptr<Equations>);

/// As the library wants them, for a state that begins with y (or q and v).
std::vector<EventFunction> events_of(const std::shared_ptr<const Equations>&, Eigen::Index n, Eigen::Index v);

void bind_problems(py::module_&);

}  // namespace dalembert::python
