// The pieces of the notes on systems of differential-algebraic equations, [MantegazzaMasarati2012].
#pragma once

#include <string>
#include <vector>

#include "dalembert/control/run.h"
#include "papers/paper.h"

namespace dalembert::mantegazza_masarati {

/// A pair to run on the pendulum, and what an independent program found with steps of 0.0025.
struct PendulumCase {
  std::string label;  ///< as in the table: "index 3, BDF2"
  PairRequest request;
  std::map<std::string, double> options;
  Projection projection = Projection::off;
  double error_q = 0, error_lambda = 0;  ///< largest on [1, 10]; 0: it diverges
  double position = 0, velocity = 0;     ///< largest residuals of the constraint and of its derivative
  double order_q = 0, order_v = 0, order_lambda = 0;
  double wrong = 0;  ///< the error of q where no step helps; 0: the pair is right
};
const std::vector<PendulumCase>& pendulum_cases();

struct PendulumResult {
  Outcome outcome = Outcome::ok;
  std::string message;
  double error_q = 0, error_v = 0, error_lambda = 0, position = 0, velocity = 0;
};
PendulumResult run_pendulum(const PendulumCase&, double h);

/// Spectral radius of one step of a method on an undamped oscillation with this w h.
double spectral_radius(const std::string& method, const std::map<std::string, double>& options, double wh);

PaperPart pendulum();
PaperPart stability();
PaperPart baumgarte();
PaperPart exercises();

}  // namespace dalembert::mantegazza_masarati
