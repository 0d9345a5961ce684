// How the next step follows from the error of this one.
#pragma once

#include <string>
#include <vector>

#include "dalembert/method/method.h"

namespace dalembert {

/// fixed: never changes the step.  i: h safety err^-k.  pi: h safety err^-(k - 3/4 beta) err_old^beta with
/// beta = k/5
/// [HairerNorsettWanner1993, II.4; Gustafsson1991], k being the exponent the attempt reports.
enum class Control { fixed, i, pi };

/// Proposes steps; remembers the error of the last one.
class Controller {
 public:
  explicit Controller(Control control) : control_(control) {}
  Control control() const { return control_; }

  double after_acceptance(double h, const Attempt&);
  /// Where a longer step from the same place was rejected before, what its error has become counts: next to stiffness it falls more
  /// slowly than by the order of the method.
  double after_rejection(double h, const Attempt&);
  /// The last rejection was not by the error that the method has estimated.
  void forget_rejection() { failed_ = {}; }
  /// No error is known: the attempt itself failed.
  double after_failure(double h) const { return h / 4; }
  void restart();
  void remember(Memory& memory) { memory(last_error_, rejected_); }

 private:
  static constexpr double safety = 0.9, least = 0.2, most = 5;
  Control control_;
  double last_error_ = 1e-4;
  bool rejected_ = false;
  struct Failed {
    double h = 0, error = 0;
  } failed_;  // the last step that was rejected, from where the next one begins
};

/// By name, for the command line; throws Error with the nearest name.
Control find_control(const std::string& name);
/// All names that find_control() knows.
const std::vector<std::string>& control_names();

}  // namespace dalembert
