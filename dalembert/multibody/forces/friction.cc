#include "dalembert/multibody/forces/friction.h"

#include "dalembert/core/error.h"

namespace dalembert {

Friction::Friction(const Constants& constants) : is_(constants) {
  if (is_.breakaway == 0) is_.breakaway = is_.coulomb;
  if (!(is_.viscous >= 0 && is_.coulomb >= 0))
    throw Error("friction is negative", "it acts against the motion by itself");
  if (!(is_.breakaway >= is_.coulomb))
    throw Error("friction at rest is below that of sliding", "give breakaway at least the value of coulomb");
  if (is_.breakaway > is_.coulomb && !(is_.stribeck > 0))
    throw Error("friction at rest never falls to that of sliding", "give the speed stribeck");
  if (is_.breakaway > 0 && !(is_.transition > 0))
    throw Error("dry friction without a transition jumps at rest",
                "give transition a speed well below those of interest");
}

}  // namespace dalembert
