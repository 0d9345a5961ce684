// What is asked of a run, as far as anybody said: [run] of a model file, a command line, a program. Settings are read once,
// merged once, and made into RunOptions once they meet a problem.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dalembert/control/run.h"

namespace dalembert {

/// When a run reports: so many pieces of equal length, at a distance in time, after each step, or at given times.
struct OutputSetting {
  enum class By { pieces, distance, steps, times };
  By by = By::pieces;
  double value = 0;          ///< of pieces and distance
  std::vector<double> at{};  ///< of times
  bool operator==(const OutputSetting&) const = default;
  /// A number alone: so many pieces if it is whole, however it is written, and a distance otherwise.
  static OutputSetting of(double number);
  /// Throws Error if there are none, or more than anybody reads, or one outside of the run.
  std::vector<double> times(double begin, double end) const;
};

/// Names and meanings are those of [run] and of the command line. What nobody said is left open.
struct RunSettings {
  std::optional<std::string> formulation{};
  /// Of a partitioned problem that is not taken in one piece: the methods of its fields, "trapezoid:10,rk4:20".
  std::optional<std::string> method{};
  std::map<std::string, std::variant<double, std::string>> options{};  ///< a choice by its name, or a number
  std::optional<double> rtol{}, atol{};                                ///< atol is rtol unless given
  std::map<std::string, double> atol_of{};                             ///< of blocks and entries, by name
  std::optional<double> step{}, max_step{};
  std::optional<Control> controller{};  ///< fixed if a step is given, pi otherwise
  std::optional<double> end{};
  std::optional<OutputSetting> output{};
  std::optional<Projection> project{};
  std::optional<Singular> singular{};
  std::optional<double> dependent{};      ///< StartOptions::dependent
  std::map<std::string, double> start{};  ///< initial values, by label
  std::vector<std::string> keep{};        ///< labels of initial values that are not to be moved
  std::optional<std::int64_t> most_steps{};

  bool operator==(const RunSettings&) const = default;
};

/// The words for Projection: on, off, auto. Throws Error for others.
Projection find_projection(const std::string& name);

/// The words for Singular: watch, ignore, stop. Throws Error for others.
Singular find_singular(const std::string& name);

/// `over` where it says something, `under` elsewhere. A pair (with its options), tolerances, and a step with its
/// controller are taken as a whole: half of it belongs to nothing else.
RunSettings merge(const RunSettings& over, const RunSettings& under);

/// Settings that met a problem.
struct ResolvedRun {
  RunOptions options;
  Choice choice;  ///< of the pair
};
/// Throws Error for what cannot be meant: unknown names, impossible pairs, bad tolerances, an end before the start.
ResolvedRun resolve(const RunSettings&, const Problem&);

}  // namespace dalembert
