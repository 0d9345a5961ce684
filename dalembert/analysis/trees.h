// Rooted trees that index the Taylor coefficients of y' = f(y), and of the index-2 problem y' = f(y,z), 0 =
// g(y).
//
// Index 2: a meagre vertex stands for f, a fat one for (-g_y f_z)^-1 g. Order = meagre vertices - fat
// vertices.
//   - above a meagre vertex: any vertices (derivatives of f with respect to y and z);
//   - above a fat vertex: meagre vertices only (g depends on y alone), at least two of them. With a single
//   one, i fat
//     above h and j above i, the sum over i of omega_hi a_{i+1,j} is the identity: another tree's condition.
// With these rules there are 1, 2, 8, 36, 181 trees with a meagre root of order 1..5. Still redundant are
// trees in which some meagre vertex j carries a fat vertex k and nothing else: the sum over j of a_ij
// omega_jk (a_{i+1,j} omega_jk above a fat vertex, b_j omega_jk at the root) cuts both vertices out. The
// independent rest counts 1, 1, 4, 14, 56.
//
// The right-hand side of a tree's order condition is the product over its vertices of 1/r (meagre) and r + 1
// (fat), r = order of the part of the tree from that vertex upwards.
//
// In brackets: t is a meagre vertex with nothing above it, [..] any other meagre vertex, {..} a fat one.
//
// [HairerLubichRoche1989, section 5], [BraseyHairer1993, section 3]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dalembert/analysis/exact.h"

namespace dalembert {

enum class Vertex { meagre, fat };
enum class Selection { independent, all };  ///< without or with the redundant trees

struct Tree {
  Vertex root = Vertex::meagre;
  std::vector<Tree> above;  ///< canonical: t first, then [..], then {..}; each by order, bushy ones first

  /// Reads bracket notation into canonical form; throws Error.
  static Tree parse(std::string_view text);
  bool is_leaf() const { return above.empty(); }
};

int order(const Tree&);
std::string text(const Tree&);
Exact right_side(const Tree&);

std::vector<Tree> ode_trees(int order);           ///< all vertices meagre
std::vector<Tree> y_trees(int order, Selection);  ///< index 2, root meagre
std::vector<Tree> z_trees(int order, Selection);  ///< index 2, root fat
/// The trees [{..}] that are redundant for y_1 but not for an embedded solution, which leaves the manifold g
/// = 0.
std::vector<Tree> transversal_trees(int order);

}  // namespace dalembert
