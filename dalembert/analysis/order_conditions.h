// Order conditions of Runge-Kutta methods for y' = f(y) and of half-explicit ones for y' = f(y,z), 0 = g(y).
//
// The left-hand side of a tree's condition is a sum over an index for each vertex of the product of
//     b_i          i the root,
//     a_ij         meagre j directly above meagre i,       (with c_i for a j that has nothing above it)
//     a_{i+1,j}    meagre j directly above fat i,          (with c_{i+1} likewise)
//     omega_ij     fat j directly above meagre i;
// the right-hand side is right_side(tree), see trees.h. [BraseyHairer1993, section 3]
//
// Everything is computed in exact arithmetic from the text of the tableau. Decimals are taken by their
// digits, so the residual of rounded coefficients is exact as well; only the verdict on it needs a tolerance
// then.
#pragma once

#include <string>
#include <vector>

#include "dalembert/analysis/exact_tableau.h"
#include "dalembert/analysis/trees.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

struct Condition {
  std::string tree;     ///< "[t {t t}]"
  std::string formula;  ///< "sum b_i c_i omega_ij c_{j+1}^2"
  int order;
  Exact left, right;
  double tolerance = 0;  ///< 0: the coefficients are exact and so is the verdict

  double residual() const { return (left - right).to_double(); }
  bool holds() const;
  std::string left_text() const;  ///< exact where that is short, otherwise 17 digits
};

/// Those of exactly this order, for the step's result y_1.
std::vector<Condition> ode_conditions(const Tableau&, int order);
std::vector<Condition> index2_conditions(const Tableau&, int order, Selection = Selection::independent);
/// For the embedded solution; for index 2 with the conditions transversal to the manifold. Kind::ode or
/// Kind::hessenberg.
std::vector<Condition> embedded_conditions(const Tableau&, Kind, int order);
/// For z_1 = Z_s, in addition to those for Y_s.
std::vector<Condition> z_conditions(const Tableau&, int order);

/// The same for a tableau that need not be triangular, and for y' = f(y) alone.
std::vector<Condition> ode_conditions(const ExactTableau&, int order);

/// How far Butcher's simplifying assumptions hold:
///   B(k)  sum_i b_i c_i^{k-1} = 1/k                              C(k)  sum_j a_ij c_j^{k-1} = c_i^k/k for all i
///   D(k)  sum_i b_i c_i^{k-1} a_ij = b_j (1 - c_j^k)/k for all j
/// Together they say that the order is at least min(B, C + D + 1, 2 C + 2) [HairerWanner1996, IV.5]; it is B at most.
struct SimplifyingAssumptions {
  int B = 0, C = 0, D = 0;
  int order() const;
};
SimplifyingAssumptions simplifying_assumptions(const ExactTableau&);
/// By the simplifying assumptions where these decide, otherwise by all trees.
int order_of(const ExactTableau&);

/// Of a Rosenbrock method with exact derivatives: below a vertex with one branch beta_ij = alpha_ij + gamma_ij, below one with several alpha_ij
/// [HairerWanner1996, IV.7]. The coefficients are doubles, and the tolerance is that of their sums.
struct RosenbrockWeights {
  Matrix alpha, beta;
  Vector b;
};
std::vector<Condition> rosenbrock_conditions(const RosenbrockWeights&, int order);
/// The highest order up to `most` for which all of them hold.
int order_of(const RosenbrockWeights&, int most);

/// One condition for a given tree, whatever its root: y_1 for a meagre one, Z_s for a fat one.
Condition condition(const Tableau&, const Tree&);

/// The highest order for which all conditions up to it hold, for Kind::ode or Kind::hessenberg.
int order_of(const Tableau&, Kind);
int embedded_order_of(const Tableau&, Kind);

}  // namespace dalembert
