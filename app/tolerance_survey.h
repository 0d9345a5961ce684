// How errors follow tolerances, over many problems and pairs: the runs, each with its error against a motion that two families
// agree on.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "dalembert/control/run.h"

namespace dalembert::app {

/// Every other subject is for finding constants of methods; the others judge them.
enum class Half { calibration, judged };
std::string name(Half);

struct SurveyOptions {
  std::vector<std::string> subjects{};  ///< as the command line names them
  std::vector<std::string> pairs{};     ///< "auto", "radau", "ggl+radau"
  std::vector<double> tolerances{};     ///< relative and absolute ones
  double limit = 20;                    ///< processor seconds for one run
  /// What is made of a tolerance: one run, or as many as it takes to be that accurate.
  enum class Made { run, accurate_run } made = Made::run;
  std::function<void(const std::string&)> progress{};
  const std::atomic<bool>* interrupt = nullptr;
};

/// One run. Errors are |difference|/(1 + |value|) of the blocks that carry history.
struct SurveyedRun {
  std::string subject, pair;
  Half half = Half::calibration;
  double rtol = 0;
  /// Errors at the end, and the largest over the motion, between steps; NaN: refused.
  double end = not_a_number, along = not_a_number;
  double growth = not_a_number;  ///< by which the problem multiplies errors; NaN: not measured
  std::string formulation{}, method{};
  Statistics statistics{};
  double seconds = 0;
  Outcome outcome = Outcome::ok;
  std::string message{};
  /// It ended, and if an accuracy was asked for, that was reached as far as it knows.
  bool delivered = false;
};

/// A subject and what errors were measured against.
struct SurveyedSubject {
  std::string name;
  Half half = Half::calibration;
  double doubt = 0;  ///< of the motion: runs with tolerances below three times this are not made
  double growth = not_a_number;
  std::vector<std::string> families{};
  std::string why_not{};  ///< it is left out
};

struct Survey {
  std::vector<SurveyedSubject> subjects{};
  std::vector<SurveyedRun> runs{};
};

/// Pairs that a problem does not have are left out. Throws Error for names that nothing has.
Survey survey_tolerances(const SurveyOptions&);

/// The catalogue and the models that come with the program.
std::vector<std::string> all_subjects();

}  // namespace dalembert::app
