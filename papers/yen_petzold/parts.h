// The pieces of the paper on coordinate splitting for highly oscillatory multibody systems, [YenPetzold1998].
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/run.h"
#include "dalembert/problem/mechanical.h"
#include "papers/paper.h"

namespace dalembert::yen_petzold {

std::vector<PaperPart> tables();    ///< Tables 5.1 to 5.4
std::vector<PaperPart> figures();   ///< Figures 5.1, 5.3, 5.4, 5.6
std::vector<PaperPart> theorems();  ///< Theorem 4.2 without a method, and a problem on which it holds
std::vector<PaperPart> bounds();    ///< Theorems 3.1 and 4.1, and (2.27), on the circle
std::vector<PaperPart>
appended();  ///< section 4: stretches as coordinates, the reduced potential, Lemmas 3.1 and 4.1
std::vector<PaperPart> decoupled();  ///< Algorithms 2.1 and 3.1 as printed, and why not

/// "GGL", "GGL*", "CS" or "CM" of the paper.
struct Iteration {
  std::string name, formulation;
  std::map<std::string, double> options;
};
/// What the error test looks at: positions only, X'q for CS and CM (5.1); positions and velocities, X'q and X'v but for GGL (5.2).
enum class Tested { positions, motion };
std::vector<Iteration> iterations(Tested);

struct Experiment {
  std::string problem;
  std::map<std::string, double> parameters;
  Iteration iteration;
  double tolerance;
  /// y' = 0 and lambda = 0 at the start, as one who calls DASSL may leave them.
  enum class Start { consistent, cold } start = Start::consistent;
  std::optional<double> end = {};  ///< else that of the problem
};
/// BDF of order up to 2 with the strategies of DASSL.
Summary solve(const Experiment&, const std::vector<Observer*>& = {});

/// Steps, residuals, Jacobians, failed error tests, failed convergence tests: "822/2534/337/78/0".
struct Counts {
  double steps = 0, residuals = 0, jacobians = 0, error_failures = 0, newton_failures = 0;
  std::string text() const;
};
Counts counts(const Statistics&);

/// The decoupled iteration in place of Newton's, on a problem with q' = v, a constant mass matrix and holonomic rows.
struct DecoupledRun {
  Vector q, v;
  Counts counts;
  Outcome outcome;
};
enum class Damping {
  right,   ///< with (I + Q'Q)^-1, (2.23) with its signs corrected
  printed  ///< without, (2.25)
};
DecoupledRun solve_decoupled(std::shared_ptr<const Mechanical>, const Vector& q0, double end,
                             double tolerance, Damping);
/// The same by cs or cm, whose matrix is the full one.
DecoupledRun solve_coupled(const std::shared_ptr<const Mechanical>&, const Vector& q0, double end,
                           double tolerance, const std::string& formulation);
/// A rod with its centre of mass on the unit circle and directed along the radius; inertia J.
std::shared_ptr<const Mechanical> make_rod(double J);

/// Spectral radius of I - J0^-1 J*, the rate of a simplified Newton iteration whose matrix is taken a distance d off the
/// solution: the mass on the circle at its equilibrium with stiffness Kn across and Kt along, BDF2.
struct Rates {
  double cs, cm;
};
Rates newton_rates(double Kn, double Kt, double d, double h = 0.1);
/// The same of any problem at rest in `solution` (q alone), the matrix taken at q.
Rates newton_rates(const Mechanical&, const Vector& solution, const Vector& q, double h = 0.1);
/// F_y + c F_y' of cs or cm there, c = 3/2h, all history at the solution.
Matrix newton_matrix(const Mechanical&, const std::string& formulation, const Vector& solution,
                     const Vector& q, double h);

}  // namespace dalembert::yen_petzold
