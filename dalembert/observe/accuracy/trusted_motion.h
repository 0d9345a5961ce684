// A motion that two families of pairs agree on: what errors of other runs are measured against.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/observe/certify/recording.h"

namespace dalembert {

/// A recording of one family, and how far the nearest other one is from it.
struct TrustedMotion {
  std::optional<Recording> recording{};
  double doubt = 0;  ///< largest |difference|/(1 + |value|) along both
  std::vector<std::string> families{};
  std::string why_not{};  ///< there is none
};

/// Families run at the tightest tolerance one after the other, each for `limit` seconds at most, until two of them are nearer to
/// each other than `enough`. If none are, it is the nearest two whose doubt is below `most`.
TrustedMotion trusted_motion(const std::shared_ptr<const Problem>&, const RunOptions&, double enough,
                             double most, double limit);

}  // namespace dalembert
