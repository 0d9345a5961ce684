// One run of a prepared solver: from a start, mode after mode, pair after pair, to a summary.
#pragma once

#include <chrono>

#include "dalembert/control/added_stability.h"
#include "dalembert/control/integrate.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/control/solver.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/substitute.h"

namespace dalembert {

/// What was made for one problem, and serves further runs.
struct PreparedPair {
  const Problem* problem = nullptr;
  std::unique_ptr<Formulation> formulation;
  std::unique_ptr<Method> method;
  double shortfall = 1;  // of the method, because of rounding
};

/// What a solver keeps from run to run.
struct SolverStore {
  SolverStore(std::shared_ptr<const Problem> problem, RunOptions given)
      : options(std::move(given)), setup(std::move(problem), options) {}

  RunOptions options;
  RunSetup setup;
  ProblemFamily family;
  std::shared_ptr<Substitute> substitute;  // in whose place problems with other parameters are put
  Statistics statistics;                   // formulations and methods write here, run after run
  CouplingReport coupling;
  PreparedPair prepared;  // for setup.problem
  int preparations = 0;
};

/// One run.
class Session {
 public:
  Session(SolverStore& kept, const std::map<std::string, double>& start,
          const std::vector<Observer*>& observers)
      : kept_(kept),
        options_(kept.options),
        setup_(kept.setup),
        observers_(observers),
        problem_(setup_.problem),
        state_(problem_->start()),
        changed_(!start.empty()),
        controller_(setup_.control) {
    for (const Observer* o : observers)
      if (o == nullptr) throw Error("one of the observers is a null pointer", "leave it out");
    change_start(start, problem_->layout(), state_);
    begin_ = state_.t;
    kept_.statistics = {};
    kept_.coupling = {};
    summary_.formulation = setup_.pair.formulation->name;
    summary_.method = setup_.pair.method->name;
    summary_.why = setup_.why;
    summary_.layout = problem_->report();
  }

  Summary run();

 private:
  double seconds() const;  ///< so far
  void run_modes();
  StartReport begin_mode(bool first);
  Ending integrate_rows(bool dependent);
  Ending integrate_mode(const Problem&, const State& from, const std::vector<Observer*>&);
  Ending integrate_pair(const RunSetup&, const Problem&, const Ending& so_far, const std::vector<Observer*>&,
                        HandOver);
  /// Whose turn it is: that of the chosen pair, or of those for stiff motions; `settled` goes on to the end of the run.
  enum class Turn { own, first_stiff, second_stiff, first_again, settled };
  struct Plan {
    Turn turn = Turn::own;
    HandOver hand_over{};
    void remember(Memory& memory) {
      memory(turn, hand_over.when_stiff, hand_over.when_suspected, hand_over.after_steps,
             hand_over.unless_longer, hand_over.unless_cheaper);
    }
  };
  const RunSetup& setup_of(Turn) const;
  bool same_equations(Turn) const;
  Plan own_turn() const;
  std::optional<Plan> next_turn(const Ending&);
  Plan change_to(Turn, const char* why, HandOver, const Ending&);
  bool may_change_pair() const;
  bool remember(Memory&);
  void take_up();
  void find_stiff_setups();
  void prepare(const RunSetup&, const Problem& mode, PreparedPair&);
  void warn_of_rounding(const Redundancy&, const RedundancyReport&);
  void warn_once(const std::string& sentence);
  void warn_before(const Problem& mode, const Formulation&, const State& from);
  bool fixed() const { return controller_.control() == Control::fixed; }
  bool projects(const RunSetup& setup) const {
    return options_.projection == Projection::on ||
           (options_.projection == Projection::automatic && setup.pair.formulation->drifts);
  }
  /// Formulations that pass singular positions by themselves need nobody to watch for them, unless they are to stop.
  Singular singular(const RunSetup& setup) const {
    const bool passes = setup.pair.formulation->crosses && options_.singular == Singular::watch;
    return rank_changes_ && !passes ? options_.singular : Singular::ignore;
  }
  void warn_after();
  void explain_chatter();
  void judge();
  void report();

  SolverStore& kept_;
  const RunOptions& options_;
  const RunSetup& setup_;
  const std::vector<Observer*>& observers_;
  std::shared_ptr<const Problem> problem_;  // the current mode
  State state_;
  double begin_ = 0;
  bool changed_;  // the start is not the problem's own
  Controller controller_;
  std::optional<AddedStability> added_;
  std::optional<std::vector<RunSetup>> stiff_setups_;  // for motions that are stiff, once there was a need
  std::optional<Turn> settled_;                        // who of them goes on to the end
  Plan plan_;
  double shortfall_ = 1;    // of the method that went last
  bool suspected_ = false;  // it was, once
  bool probed_ = false;
  std::int64_t next_probe_ = 400;  // steps of the chosen pair, after which the other is tried
  bool rank_changes_ = true;       // rows do not depend on each other everywhere
  bool shown_start_ = false;
  std::optional<RowsInUse> rows_;           // that the current mode is integrated on
  std::optional<Memory> resuming_;          // where the run goes on, until it does
  std::optional<RedundancyReport> report_;  // of the current mode
  const std::chrono::steady_clock::time_point clock_ = std::chrono::steady_clock::now();
  double seconds_before_ = 0;  // of the run that is resumed
  Ending ending_;
  Summary summary_;
};

}  // namespace dalembert
