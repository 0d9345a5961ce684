// What `analyse modes` says about one state.
#pragma once

#include <optional>
#include <string>

#include "app/base_state.h"
#include "app/json.h"
#include "dalembert/analysis/energy_supply.h"
#include "dalembert/analysis/higher_terms.h"
#include "dalembert/analysis/linearisation.h"
#include "dalembert/analysis/modes.h"
#include "dalembert/observe/plot.h"

namespace dalembert::app {

struct ModesReport {
  ModesReport(const Mechanical&, const BaseState&, Time);

  const Mechanical& problem;
  std::string where;
  Linearisation linear;
  Modes modes;
  std::vector<std::string> names;     ///< of displacements, then of states
  std::vector<SoftDirection> soft{};  ///< of an equilibrium: where stiffness vanishes
  std::vector<Kink> kinks{};
  std::optional<Supply>
      supply{};  ///< of an equilibrium with the least energy: do forces put any in beside it?

  /// How much of each displacement and state a mode has, the largest one being 1.
  Eigen::VectorXcd shape(const Mode&) const;
  /// The displacements that no force resists: each with one of its own, in which the others have no part.
  Matrix loose() const;
  /// Is a displacement held where it is by rows of velocities, as friction that sticks does? It does not move, but nothing leads it back either.
  bool held(const Vector& displacement) const;
};

/// What is said of rows that follow from others but for the last digits of a drawing; empty where there are none. Like what a run warns of.
std::string rounded_rows(const Mechanical&, const State&);

/// "frame.theta1 1, fork.theta3 0.62 (31 deg)"
std::string words_of_shape(const Eigen::VectorXcd& shape, const std::vector<std::string>& names,
                           std::size_t most);
std::string words_of_fate(const Mode&);
/// What chains of zeros make of a small change: it grows like t^power. `of`: the displacement that grows, empty where it only moves on with the velocity that it was given.
struct Growth {
  int power = 0;
  std::string of{};
};
Growth zero_growth(const ModesReport&);
/// Like t exp(i w t), which is a motion where w has fewer shapes than copies.
bool grows_with_time(const Mode&);
/// "s", or "a + bi".
std::string text(std::complex<double>);
/// A sentence about the whole: stable, unstable, or neither.
std::string verdict(const ModesReport&);
bool unstable(const ModesReport&);

std::string text(const ModesReport&, const std::string& title);
Json to_json(const ModesReport&, const std::string& what);
Panel eigenvalue_panel(const ModesReport&, const std::string& what);

}  // namespace dalembert::app
