#include "dalembert/multibody/forces/motor.h"

#include <utility>

#include "dalembert/core/error.h"

namespace dalembert {

Motor::Motor(const Constants& constants, Law voltage) : is_(constants), voltage_(std::move(voltage)) {
  if (!(is_.inductance > 0))
    throw Error("the winding of a motor has no inductance", "give inductance a positive value");
  if (!(is_.resistance >= 0)) throw Error("the resistance of a motor is negative", "give resistance in Ohm");
  if (is_.ratio == 0) throw Error("the gear ratio of a motor is 0", "leave ratio out where there is no gear");
}

}  // namespace dalembert
