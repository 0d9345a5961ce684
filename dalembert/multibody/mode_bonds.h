// Contacts of a mode that bear a load together: those that are bonded, and those that they are tied to.
#pragma once

#include <algorithm>
#include <vector>

#include "dalembert/multibody/forces/stick_slip.h"
#include "dalembert/multibody/limit_load.h"
#include "dalembert/multibody/mechanism.h"

namespace dalembert {

/// A contact that gives way, and how.
struct Slip {
  std::size_t which;
  StickSlip::Regime way;
};

struct Mechanism::Bonds {
  std::vector<std::size_t> members;  ///< those that have rows first
  std::vector<std::size_t> broken;   ///< bonded ones that the mechanism, as it stands now, does not tie
  LimitLoad load;

  bool has(std::size_t contact) const {
    return std::find(members.begin(), members.end(), contact) != members.end();
  }
  bool breaks(std::size_t contact) const {
    return std::find(broken.begin(), broken.end(), contact) != broken.end();
  }
  /// Is it the one whose events are those of all?
  bool speaks(std::size_t contact) const { return members.front() == contact; }
  /// Of what they can bear
  double left() const { return until_slip - load.part; }
  std::vector<Slip> loose() const {
    std::vector<Slip> found;
    for (std::size_t k = 0; k < members.size(); ++k)
      if (const double rate = load.rates[static_cast<Eigen::Index>(k)]; rate != 0)
        found.push_back({members[k], slip_with(rate)});
    return found;
  }
};

}  // namespace dalembert
