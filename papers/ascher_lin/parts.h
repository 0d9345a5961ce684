// The pieces of the paper on sequential regularization, [AscherLin1997].
//
// How its numbers come about (found by trial: the text leaves it open): Heun's method with constant steps, what an iterate
// carries taken at mesh points, first iterates from multipliers that are zero, Baumgarte's method with rate 1/h.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "dalembert/control/run.h"
#include "papers/paper.h"

namespace dalembert::ascher_lin {

/// One run of Heun's method with constant steps.
struct Experiment {
  std::string problem, formulation;
  std::map<std::string, double> options;
  double step = 1e-3, end = 1;
  std::map<std::string, double> parameters = {};
  std::string method = "heun";
};
Summary solve(const Experiment&, const std::vector<Observer*>&);

/// sequential regularization from zero multipliers
std::map<std::string, double> srm(double eps, int iterates, std::map<std::string, double> more = {});

/// Errors and drifts at chosen times, NaN where the run did not get to.
struct Measured {
  std::vector<double> x, v;                ///< largest errors; of index-2 problems there is no v
  std::vector<double> position, velocity;  ///< largest residuals
};
Measured measure(const Experiment&, const std::vector<double>& times);

/// Within 2 % or one unit in the last digit that is printed (".11e-7").
bool agrees(const std::string& printed, double ours);

/// Order in eps of iterate s, from the largest error of a run to t = 1.
struct Rate {
  int iterate;
  std::vector<double> eps, error;
  double order = 0;  ///< slope between the last two
};
/// Problem, formulation and options as given, steps of rk4 that fit eps. `from`: where the layer after the start is gone.
std::vector<Rate> measure_rates(const Experiment&, double from, double largest_eps, int iterates = 4);

/// The motion of the slider crank, up to `end`: largest difference of phi1 from the motion of one degree of freedom,
/// largest |phi1'|, and the extremes of the slider's acceleration.
struct CrankRun {
  Summary summary;
  double error = 0, speed = 0, lowest = 0, highest = 0;
  std::vector<double> t, theta1, theta2, rate1, rate2, acceleration;  ///< at the outputs
};
CrankRun run_crank(const std::string& problem, const std::map<std::string, double>& parameters, int iterates,
                   double end, int outputs);
/// The same with options of a run, steps as they say.
CrankRun run_crank(const std::string& problem, const std::map<std::string, double>& parameters,
                   RunOptions options, double end, int outputs);

PaperPart table_61();
PaperPart table_62();
PaperPart table_63();
PaperPart table_64();
PaperPart table_65();
PaperPart figure_61();
PaperPart figure_62();
PaperPart rates();
PaperPart remark_41();
PaperPart drifts_of_iterates();
PaperPart drift_equations();
PaperPart perturbation();
PaperPart equation_31();
PaperPart equation_33();
PaperPart example_21();
PaperPart example_65();

}  // namespace dalembert::ascher_lin
