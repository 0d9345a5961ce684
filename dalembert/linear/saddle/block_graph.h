// The blocks of [M G'; G 0]: bodies (unknowns coupled by M), joints (rows of G), and which of them meet.
//
// A block has at most six unknowns, so larger pieces of M are cut into blocks that are neighbours.
#pragma once

#include <cstddef>
#include <vector>

#include "dalembert/linear/entries.h"
#include "dalembert/linear/saddle/few.h"

namespace dalembert {

struct BlockGraph {
  std::vector<Few> unknowns;      ///< of each block; 0..n-1 coordinates, n..n+m-1 multipliers
  std::vector<Few> neighbours;    ///< of each block, in increasing order
  std::vector<int> block, place;  ///< of each unknown: its block and where it stands in there
  int bodies = 0;                 ///< blocks 0..bodies-1 are bodies, the others joints

  int size() const { return static_cast<int>(unknowns.size()); }
  int size(int v) const { return static_cast<int>(unknowns[static_cast<std::size_t>(v)].size()); }
};

/// Adjacent rows on the same bodies are a joint; coordinates that M couples are one body, and so are those that follow each other and
/// meet the same joints, even if M does not couple them: x, y and angle of a planar body with its diagonal mass matrix.
BlockGraph blocks_by_joint(int n, int m, const Entries& mass, const Entries& jacobian);

enum class Cuts { few, all };
/// All that differ of: the one above; the same with large bodies cut in two where M does not couple the halves, as places and rotations
/// of a spatial body, three and three, because two small pivots cost less than a large one; and, of all, bodies that are just what M
/// couples.
std::vector<BlockGraph> ways_to_cut(int n, int m, const Entries& mass, const Entries& jacobian, Cuts);

}  // namespace dalembert
