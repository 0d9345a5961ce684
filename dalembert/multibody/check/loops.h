// Which joints can share a load among themselves: those that lie on common loops of bodies and joints.
//
//   J'l = 0                 a load that joints keep up against each other, without any force from outside
//
// Such a load passes no joint whose removal would cut the mechanism in two, and none passes a body or the ground from one
// loop to another that shares nothing else with it: both follow from the balance of the bodies on one side. So J'l = 0
// falls apart into the blocks of the graph of bodies (and the ground) and joints, and the rank of a chain of 10^4 links
// is the sum of 10^4 small ranks. Rows that push two bodies without an equal push back, as gears do, lean on the ground
// too.
#pragma once

#include <vector>

#include "dalembert/multibody/mechanism.h"

namespace dalembert {

/// The joint of each row, those of velocity level last.
std::vector<Mechanism::Joint> joint_of_rows(const Mechanism&);

/// The bodies each joint has rows for, the ground left out; ascending.
std::vector<std::vector<int>> bodies_held(const Mechanism&);

/// Joints by loops: each joint is in one of them, ascending; a joint on no loop is alone.
std::vector<std::vector<Mechanism::Joint>> loops_of(const Mechanism&, const Placement&);

/// Bodies that joints and forces hold together, each in one group. `grounded`: it reaches the ground.
struct Group {
  std::vector<int> bodies;
  bool grounded = false;
};
std::vector<Group> groups_of(const Mechanism&, const State&);

}  // namespace dalembert
