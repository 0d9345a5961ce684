// The matrix pencil s E - A of equations linearised at one state, E y' = A y [MantegazzaMasarati2012, (82), (104)]: is it regular, how
// many eigenvalues are finite, and of which index is it?
//
// The shuffle algorithm [Luenberger1978]: where E has no full rank, rows are combined until those of E that can vanish do,
//
//   [E1] y' = [A1] y         and what is left without derivatives is differentiated:    [E1] y' = [A1] y
//   [0 ]      [A2]                                                                      [A2]      [0 ]
//
// until E is regular, after as many rounds as the index. Coefficients that are small count (a capacitor of 2e-12 F is one): the rank is that of E scaled by
// itself, and only what rounding could have made is zero (known_rank.h). d_k rows are differentiated in round k: d_k - d_(k+1) blocks at infinity
// have size k. All that was differentiated, together, holds a solution on a subspace with basis V; E^-1 A on it has the
// finite eigenvalues and nothing else. What is differentiated again and again without end is a singular pencil.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/problem/mechanical.h"

namespace dalembert {

struct Pencil {
  Matrix E, A;
  std::vector<std::string> unknowns, equations;

  /// Without unknowns that only their own equations contain; these go with them. Throws Error if others contain them, too.
  Pencil without(const std::vector<std::string>& unknowns) const;
};

/// Of a problem of kind ode, hessenberg or implicit, at a complete state.
Pencil pencil_of(const Problem&, const State&);

/// At which level constraints of position are taken: g = 0, or differentiated once or twice.
enum class ConstraintLevel { position, velocity, acceleration };
/// Of a mechanical problem, in displacements, velocities, states and multipliers: (q, v, s, lambda, mu) as they are named there.
Pencil pencil_of(const Mechanical&, const State&, ConstraintLevel);

struct KroneckerForm {
  struct Round {
    Vector singular_values;  ///< of E, its rows and columns scaled alike
    Eigen::Index rank = 0;
    double doubt = 0;  ///< what is below may be zero
    std::vector<std::string>
        equations{};  ///< in the combinations that are differentiated; those with large parts
  };
  std::vector<Round> rounds;  ///< the last one found E regular
  bool regular = true;
  int index = 0;                             ///< as many rounds as there were before that
  std::vector<Eigen::Index> blocks;          ///< at infinity: so many of size 1, 2, ...
  std::vector<std::complex<double>> finite;  ///< by growing real part
  Matrix solutions;                          ///< V: E y' = A y has solutions through these only
  Matrix flow;                               ///< R with y = V x, x' = R x
  Matrix doubt;                              ///< by how much rounding can have changed each of its entries
  /// What it would be if singular values between rounding and 1e-9 were zero, where that is something else: it cannot be told.
  std::shared_ptr<const KroneckerForm> other{};

  bool same_structure(const KroneckerForm&) const;  ///< the same blocks at infinity
};

KroneckerForm kronecker_form(const Pencil&, const std::function<void(const std::string&)>& progress = {});

/// E = Q S Z', A = Q T Z' with triangular S and T (T with blocks of two for pairs): the decomposition (105).
struct SchurForm {
  Matrix Q, S, T, Z;
  std::vector<std::complex<double>> alpha;
  std::vector<double> beta;  ///< eigenvalues alpha/beta
};
SchurForm schur_form(const Pencil&);

/// Which unknowns and derivatives each equation contains: the signature method [Pryce2001]. It holds for all numbers but special ones; where those
/// cancel, the pencil has another index, or is singular.
struct StructuralIndex {
  bool regular = true;  ///< each equation can be given an unknown of its own
  int index = 0;
  std::vector<int> equations;   ///< c: how often each is to be differentiated
  std::vector<int> unknowns;    ///< d: the highest derivative of each that then occurs
  std::vector<int> solved_for;  ///< the unknown that each equation is given
};
/// Of the places that are not zero in one of the pencils, which belong to several states of one problem.
StructuralIndex structural_index(const std::vector<Pencil>&);

}  // namespace dalembert
