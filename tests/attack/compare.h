// What is right, how far a run may be from it, and how far it is.
//
//   truth     a tight run in short steps; where a run is far from it, confirmed by a tight run of another family
//   growth    the largest difference of runs whose starts are apart by delta (1 + |y|), over delta
//   allowed   1000 rtol max(growth, 1 + size), size being that of the group of numbers over the whole motion
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "tests/attack/trial.h"

namespace dalembert::attack {

using ByGroup = std::map<std::string, double>;

/// The worst number of a run.
struct Verdict {
  double excess = 0;  ///< difference over what is allowed
  std::string name{};
  double t = 0, value = 0, expected = 0;
  bool wrong() const { return !(excess <= 1); }
};

/// `range`, if it has rows, adds what each number may differ besides.
Verdict compare(const Table&, const Table& expected, const ByGroup& allowed,
                const std::vector<Vector>& range = {});

ByGroup sizes(const Table&);  ///< 1 + the largest of each group

/// What is looked at of a run.
using View = std::function<Table(const Table&)>;

/// Knows the motion of a model. Tight runs are made when they are needed: most runs are right, and need only one.
class Truth {
 public:
  Truth(const Model&, int pieces, View);
  const Table* table();                               ///< nullptr if no family comes to the end
  const std::string& outcomes() { return endings_; }  ///< of the families that were asked
  /// max(growth, 1 + size); none if families do not agree to this accuracy, or if motions from one place go far apart.
  std::optional<ByGroup> growth(double accuracy);
  /// None where growth() gives none. Forces and accelerations may jump where a law switches, and they may do so a little
  /// earlier or later.
  std::optional<Verdict> judge(const Table&, double tolerance);

 private:
  bool ask_next();
  void measure_growth();
  std::vector<Vector> changes(double beside);

  const Model& model_;
  int pieces_;
  View view_;
  std::size_t asked_ = 0;
  std::vector<Table> known_{};
  DrawnRun run_{};
  std::optional<ByGroup> growth_{};
  std::string endings_{};
};

/// An error of this many tolerances, times the growth, is wrong.
inline constexpr double generous = 1000;

}  // namespace dalembert::attack
