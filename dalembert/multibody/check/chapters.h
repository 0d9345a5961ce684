// The chapters of an examination (findings.h). Each adds what it has found.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dalembert/multibody/check/findings.h"
#include "dalembert/multibody/pose.h"

namespace dalembert::check {

/// Masses and inertias, units that look wrong, bodies that nothing holds.
void examine_bodies(const Mechanism&, const State&, Findings&);

/// Puts the bodies together. Returns the state it ends with; findings say what had to be moved, or what does not fit.
State assemble(const Mechanism&, Findings&);

/// Rank, redundant joints, singular positions, reactions, drives that push against joints, massless bodies.
void examine_rank(const Mechanism&, const State&, Findings&);

/// Massless bodies that nothing holds: their accelerations are not determined.
void examine_massless(const Mechanism&, const State&, Findings&);

// Words.
std::string list(const std::vector<std::string>& names, const std::string& last = " and ");
std::string number(double);
/// "joint a", "joints a and b", "drive d": what the records of these numbers are.
std::string joints(const Mechanism&, const std::vector<Mechanism::Joint>&);
std::vector<std::string> joint_names(const Mechanism&, const std::vector<Mechanism::Joint>&);
bool is_drive(const JointRecord&);

/// A set of wrenches as the motions they hold: "translation along z, rotation about x and y".
std::string motions(const Mechanism&, const Matrix& wrenches);
/// A direction of the ground frame: "x", "-y", "(0.6, 0.8, 0)".
std::string direction(const Eigen::Vector3d&);

/// Wrenches (force, moment about the joint's point; 6 x rows) with which the rows of a joint push the body that is told.
Matrix wrenches(const Mechanism&, const Placement&, const Entries& J, Mechanism::Joint, int body);
/// Where the joint is, on the body that is told.
Eigen::Vector3d point_of(const Mechanism&, const Placement&, Mechanism::Joint, int body);
/// Its body b, or a if b is the ground; -1 if it holds none.
int body_of(const Mechanism&, Mechanism::Joint, const std::vector<int>& held);

}  // namespace dalembert::check
