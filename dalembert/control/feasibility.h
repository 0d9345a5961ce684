// What keeps a formulation and a method from solving a problem together, if anything does.
#pragma once

#include "dalembert/control/pairs.h"

namespace dalembert {

/// From none to the one that comes first: later ones stand in the way only of pairs that passed those before.
enum class Obstacle {
  none,
  claim,         ///< they run together, but nobody claims that they converge at this index
  directions,    ///< constraint forces along other directions than the gradients
  prediction,    ///< the formulation needs a predicted solution, which the method does not make
  method_kind,   ///< the method does not accept what the formulation leads to
  problem_kind,  ///< the formulation rewrites problems of another kind
};

/// Does it rewrite problems of this kind? A partitioned problem is a mechanical one as long as nobody cuts it.
bool takes(const FormulationEntry&, const Problem&);
Obstacle obstacle(const Problem&, const FormulationEntry&, const MethodEntry&);

/// The same for one problem and formulation and many methods: what the method has no part in is found once.
class Feasibility {
 public:
  Feasibility(const Problem&, const FormulationEntry&);
  Obstacle with(const MethodEntry&) const;

 private:
  const FormulationEntry& formulation_;
  bool taken_, directed_;
  int index_;
};

}  // namespace dalembert
