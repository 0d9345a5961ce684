// Which weights, springs and motors push a mechanism that is not in balance.
#pragma once

#include <string>

#include "app/subject.h"
#include "dalembert/analysis/equilibrium.h"

namespace dalembert::app {

/// "motor with 1.56, against it weight with 0.18": shares of the force that is left, by name, largest first. "" if the subject is no file, or
/// forces are in balance. Forces are told from each other by leaving one after the other out of the file, `set` as it was given.
std::string pushing(const Subject&, const std::vector<std::string>& set, const Mechanical&,
                    const Equilibrium&);

}  // namespace dalembert::app
