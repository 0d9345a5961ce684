#include "dalembert/core/tolerance.h"

#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

void Tolerance::validate() const {
  const auto bad = [](double x) { return !std::isfinite(x) || x < 0; };
  if (bad(relative))
    throw Error("rtol is " + short_number(relative), "it must be a finite number, 0 or larger");
  if (bad(absolute))
    throw Error("atol is " + short_number(absolute), "it must be a finite number, 0 or larger");
  if (absolute == 0)
    throw Error("atol is 0", "components that pass through zero need a positive atol, for instance 1e-10");
  if (relative != 0 && relative < 1e-15)
    throw Error("rtol is below 1e-15", "double precision cannot hold it; take 1e-13 or larger, or 0");
}

}  // namespace dalembert
