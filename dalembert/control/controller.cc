#include "dalembert/control/controller.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dalembert/core/error.h"

namespace dalembert {

double Controller::after_acceptance(double h, const Attempt& attempt) {
  failed_ = {};
  if (control_ == Control::fixed) return h;
  if (attempt.next) return *attempt.next;
  const double error = std::max(attempt.error, 1e-10), k = attempt.exponent, beta = k / 5;
  double factor = control_ == Control::i
                      ? safety * std::pow(error, -k)
                      : safety * std::pow(error, -(k - 0.75 * beta)) * std::pow(last_error_, beta);
  factor = std::clamp(factor, least, most);
  if (rejected_) factor = std::min(factor, 1.0);  // just too large: do not grow at once
  rejected_ = false;
  last_error_ = std::max(error, 1e-4);
  return h * factor;
}

double Controller::after_rejection(double h, const Attempt& attempt) {
  const Failed before = std::exchange(failed_, {h, attempt.error});
  rejected_ = true;
  if (attempt.next) return *attempt.next;
  double factor = safety * std::pow(attempt.error, -attempt.exponent);
  if (before.h > h && before.error > attempt.error) {
    constexpr double aim = 0.5;  // of what is allowed
    const double seen = std::log(before.h / h) / std::log(before.error / attempt.error);
    if (seen > 2 * attempt.exponent) factor = std::min(factor, std::pow(attempt.error / aim, -seen));
  }
  return h * std::clamp(factor, least, 1.0);
}

void Controller::restart() {
  last_error_ = 1e-4;
  rejected_ = false;
  failed_ = {};
}

const std::vector<std::string>& control_names() {
  static const std::vector<std::string> names = {"fixed", "i", "pi"};
  return names;
}

Control find_control(const std::string& name) {
  const auto& names = control_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw unknown("controller", name, names);
  return static_cast<Control>(found - names.begin());
}

}  // namespace dalembert
