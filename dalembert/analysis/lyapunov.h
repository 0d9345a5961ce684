// Lyapunov exponents of a motion, on the tangent space of its constraint manifold, by discrete QR.
//
//   W(t + h) = Q R,   S_i += ln |R_ii|,   W := Q;     lambda_i = mean of dS_i/dt
//
// after each step [BenettinEtAl1980; DieciRussellVanVleck1997]. The mean is weighted by w = 1 - cos(2 pi u), u = 0 ... 1 over the
// time: what comes and goes leaves it like T^-3 instead of T^-1, and where it matters, on chaotic motions, it costs a fifth of the
// accuracy. Means that change with the time like a + b/t (neighbours that part like a power of t do that, without
// chaos) have an error that reaches to a; those of both halves of the time lie within it, too. At least the error is the standard error of the means of 16 blocks, or of 4 where those agree ten
// times better than chance would have it: what comes and goes is then longer than the short ones.
#pragma once

#include <optional>
#include <vector>

#include "dalembert/analysis/tangent_flow.h"

namespace dalembert {

struct LyapunovOptions {
  TangentFlowOptions flow{};
  std::optional<int> count{};                ///< of leading exponents; all, unless given
  std::optional<double> end{};               ///< otherwise the problem's own
  std::optional<double> discard{};           ///< time before means begin; a tenth, unless given
  std::optional<double> interval{};          ///< between records; 1/4000 of the time, unless given
  std::function<void(double t)> progress{};  ///< told after each record
};

struct LyapunovExponent {
  double value = 0;     ///< weighted mean
  double error = 0;     ///< its standard error
  double plain = 0;     ///< S/t, without weights
  bool drifts = false;  ///< means change with the time like a + b/t: the error reaches to a
};

struct LyapunovSpectrum {
  std::vector<LyapunovExponent> exponents{};  ///< descending
  Eigen::Index dimension = 0;                 ///< of the tangent space
  std::vector<double> times{};                ///< of the records, the first being where means begin
  std::vector<Vector> sums{};                 ///< S, at each of them
  Outcome outcome = Outcome::ok;
  std::string message{};  ///< why it is not
  Statistics statistics{};

  bool complete() const { return static_cast<Eigen::Index>(exponents.size()) == dimension; }
  double sum() const;
  /// How many dimensions a small volume keeps filling [FredericksonEtAl1983]; none if the exponents do not say.
  std::optional<double> kaplan_yorke() const;
};

/// Throws Error for mistakes of the caller, and problems whose flow has no derivative.
LyapunovSpectrum lyapunov_spectrum(std::shared_ptr<const Problem>, const LyapunovOptions& = {});

/// What the leading exponent says of the motion, in one sentence.
std::string sentence(const LyapunovSpectrum&);

}  // namespace dalembert
