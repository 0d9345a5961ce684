// What a mechanical problem turns into heat, where it knows that better than the signs of its forces tell: a resistor does not
// push anything.
#pragma once

#include "dalembert/problem/mechanical.h"

namespace dalembert {

class Dissipation {
 public:
  virtual ~Dissipation() = default;
  /// Power, of everything outside of the potential. The rest of power() is put in from outside.
  virtual double dissipation(const Placement&, In v, In s) const = 0;
};

}  // namespace dalembert
