// Partitioned iteration over windows [WangHouModnak2011]: every field crosses [t, t+H] with its own method in its own
// substeps, given what the others did in the previous iterate, until nothing changes.
//
//   splitting   last: interface rows imposed on the last field they see (3), (4); first: on the first one (55), (56);
//               weighted: theta times the one plus 1-theta times the other; alternating: one after the other
//   guess       constant: everything as at t (23); extrapolated: quadratics through the window before
//   terms       previous: forces of a field are those of its own previous iterate, so that its equations are linear (6)
//   stop        all changes of positions, velocities and interface multipliers at t+H below atol + rtol |value|
//   check       the multipliers of the original equations at the state found: increments may vanish at a wrong answer
//
// The error estimate is the largest of the fields' own, or what it takes to close the gaps that are left of the interface.
#pragma once

#include <memory>
#include <vector>

#include "dalembert/method/partitioned/field_run.h"
#include "dalembert/method/partitioned/relaxation.h"

namespace dalembert {

enum class Splitting { last, first, weighted, alternating };
enum class Guess { constant, extrapolated };
enum class Stop { converged, count };  ///< count: after so many sweeps, tested by nothing (loose coupling)
enum class Sweep { gauss_seidel, jacobi };  ///< in turn, or all at once in threads

struct CouplingScheme {
  std::vector<FieldMethod> methods;  ///< one per field
  Splitting splitting = Splitting::last;
  double theta = 0.9;
  Relaxing relaxing = Relaxing::quasi_newton;
  double omega = 0.5;
  Guess guess = Guess::extrapolated;
  Sweep sweep = Sweep::gauss_seidel;
  Terms terms = Terms::now;
  Stop stop = Stop::converged;
  double accuracy = 1;   ///< of the iteration, in tolerances of the run
  int iterations = 100;  ///< per window, at most; with Stop::count exactly

  /// From the options and fields of a setting; throws Error for what does not fit.
  static CouplingScheme read(const Partitioned&, const Setting&);
  static std::vector<Parameter> options();
};

class WindowIteration final : public Method {
 public:
  void bind(const Problem&, const Setting&) override;
  Attempt attempt(const State& from, double h, State& to) override;
  void accept() override;
  void restart() override;
  void interpolate(double theta, State&) override;

 private:
  using Traces = std::vector<Trace>;
  struct Side {  // one assignment of rows to fields, and the fields that go with it
    std::vector<std::size_t> carriers, order;
    std::vector<std::unique_ptr<FieldRun>> fields;
  };

  void make_side(Side&, Splitting, const Setting&);
  bool begin_window(const State& from, double h);
  void extrapolate(double h);
  Attempt iterate(double h);
  Attempt sweep_all(double h);
  Attempt sweep_side(Side&, double h, const Traces& in, Traces& out);
  Attempt failed(std::size_t field, Attempt) const;
  std::vector<Relaxation::Entry> entries() const;
  double difference(const std::vector<Vector>& ends, std::vector<double>& parts) const;
  static void ends(const Traces&, std::vector<Vector>&);
  void put(std::size_t field, In values, State&) const;
  void reach_end();
  Outcome find_closed_end();
  void close();
  bool shorter_may_do() const;
  bool consistent();
  Attempt converged_falsely();
  Attempt diverged(double h, const std::string& what) const;
  std::string remedy() const;
  static void flatten(const Traces&, Vector&);
  static void unflatten(const Vector&, Traces&);

  const Partitioned* problem_ = nullptr;
  CouplingScheme scheme_;
  ErrorScale tolerance_, of_the_run_;  // of the iteration, and of the motion
  bool closes_ = false;                // the gaps that are left of the interface
  Precision precision_ = Precision::tolerance;
  Statistics* statistics_ = nullptr;
  CouplingReport own_report_;
  CouplingReport* report_ = nullptr;
  std::vector<FieldShape> shapes_;
  std::unique_ptr<Mechanics> mechanics_;  // of the whole: the start and the check
  Side last_, first_;
  Traces in_, out_, other_, before_;  // what goes in, what comes out, and the window before
  // At the end of the window: what went in, what came out last, and first.
  std::vector<Vector> in_ends_, last_ends_, first_ends_;
  bool has_before_ = false;
  Relaxation relaxation_;
  Vector u_, h_, moved_, end_a_, closed_a_, check_a_, check_l_, row_, force_;
  double kept_h_ = 0;
  double longest_ = 0;  // window that was tried
  double gap_ = 0;      // between end_ and closed_, of what the run allows
  Entries M_, J_;
  State start_, end_, closed_;  // of the window; its end on all rows
  WindowRecord window_;
};

}  // namespace dalembert
