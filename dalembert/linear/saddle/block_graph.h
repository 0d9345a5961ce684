// The blocks of [M G'; G 0]: bodies (unknowns coupled by M), joints (rows of G), and which of them meet.
//
// A block has at most six unknowns, so larger pieces of M are cut into blocks that are neighbours.
#pragma once

#include <cstddef>
#include <vector>

#include "dalembert/linear/entries.h"

namespace dalembert {

struct BlockGraph {
  std::vector<std::vector<int>> unknowns;    ///< of each block; 0..n-1 coordinates, n..n+m-1 multipliers
  std::vector<std::vector<int>> neighbours;  ///< of each block, in increasing order
  std::vector<int> block, place;             ///< of each unknown: its block and where it stands in there
  int bodies = 0;                            ///< blocks 0..bodies-1 are bodies, the others joints

  int size() const { return static_cast<int>(unknowns.size()); }
  int size(int v) const { return static_cast<int>(unknowns[static_cast<std::size_t>(v)].size()); }
};

/// Bodies are what M couples; adjacent rows on the same bodies are a joint.
BlockGraph blocks_by_mass(int n, int m, const Entries& mass, const Entries& jacobian);

/// As above, but coordinates that follow each other and meet the same joints are one body, even if M does not
/// couple them: x, y and angle of a planar body with its diagonal mass matrix.
BlockGraph blocks_by_joint(int n, int m, const Entries& mass, const Entries& jacobian);

/// As above, but large bodies are cut in two where M does not couple the halves: places and rotations of a spatial body,
/// three and three. Two small pivots cost less than a large one.
BlockGraph blocks_by_half(int n, int m, const Entries& mass, const Entries& jacobian);

}  // namespace dalembert
