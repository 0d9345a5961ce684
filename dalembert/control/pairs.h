// Kinds are nodes, formulations are edges, methods accept nodes: which pairs can solve a problem, and why others cannot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/core/tolerance.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/method/method.h"

namespace dalembert {

/// A formulation, and a method for what comes out of it.
struct Pair {
  const FormulationEntry* formulation;
  const MethodEntry* method;
};

/// The index of the implicit problem a formulation makes of this one; 0 for other kinds.
int rewritten_index(const FormulationEntry&, const Problem&);

/// Can this pair follow a tolerance on this problem? Otherwise it needs a fixed step.
bool adapts(const Pair&, const Problem&);

/// A pair that cannot solve a problem, and the reason.
struct Impossible {
  std::string formulation, method, why;
};

/// All pairs a method makes a claim for. A pair that is possible but without a claim (trapezoid at index 3) is among the
/// impossible ones; asked for by both names it runs, and is watched.
std::vector<Pair> feasible_pairs(const Problem&);
/// The same for formulations that approximate: never chosen, only taken when asked for by name.
std::vector<Pair> approximate_pairs(const Problem&);
/// All pairs that cannot, each with its reason.
std::vector<Impossible> impossible_pairs(const Problem&);

/// Where the choice is open the highest is taken: explicit before implicit, then as methods and formulations say themselves.
int recommendation(const Pair&, const Problem&, const Tolerance&);

/// The pair that was chosen, and the reason.
struct Choice {
  Pair pair;
  std::string why;  ///< one sentence
};
/// Does this name leave the choice open? "auto" and "" do.
bool leaves_open(const std::string& name);

/// What was asked for.
struct PairRequest {
  std::string formulation, method;
  std::optional<Choice> answer{};  ///< where the choice was made already, for the same problem and tolerance
};
/// The answer that the request has, or one is found. Throws Error for unknown names and impossible pairs, with the reason and a feasible proposal.
Choice choose_pair(const Problem&, const PairRequest&, const Tolerance&);

}  // namespace dalembert
