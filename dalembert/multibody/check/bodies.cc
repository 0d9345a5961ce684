// Masses and inertias as they are given, and bodies that nothing holds.
//
//   I1 + I2 >= I3                 principal moments of inertia of anything made of positive masses, in any order
//   I about m r^2                 with r the distance of its joints from its centre of mass
#include <algorithm>
#include <cmath>

#include "dalembert/multibody/check/chapters.h"
#include "dalembert/multibody/check/loops.h"

namespace dalembert::check {

using Eigen::Vector3d;

namespace {

// Of an inertia, compared with m r^2. What is meant as a point on an arm has next to none; a bar with a joint in a wrong
// place has a few thousandths.
constexpr double too_much = 100, little = 1e-2, next_to_none = 1e-4;
constexpr double densest = 23e3;  // kg/m^3, osmium

bool turns(const Mechanism& m, const BodyRecord& body) {
  return body.velocities == (is_planar(m) ? 3 : 6);
}

class Bodies {
 public:
  Bodies(const Mechanism& m, Findings& into) : m_(m), into_(into), reach_(m.bodies().size(), 0) {
    for (const JointRecord& joint : m_.joints()) {
      if (is_drive(joint) || joint.kind == "gear") continue;
      if (joint.a >= 0) reach(joint.a) = std::max(reach(joint.a), joint.on_a.norm());
      if (joint.b >= 0) reach(joint.b) = std::max(reach(joint.b), joint.on_b.norm());
    }
  }

  void look(std::size_t i) {
    const BodyRecord& body = m_.bodies()[i];
    if (!std::isfinite(body.mass) || !body.inertia.allFinite()) {
      say(Finding::Severity::error, "mass", body, "has a mass or inertia that is not a number",
          "check the expressions it is computed from");
      return;
    }
    if (body.mass < 0)
      say(Finding::Severity::error, "mass", body, "has the negative mass " + number(body.mass) + " kg",
          "give a positive mass");
    if (!turns(m_, body)) return;
    is_planar(m_) ? planar_inertia(body) : spatial_inertia(body);
    if (body.mass > 0) proportions(i);
  }

 private:
  void say(Finding::Severity severity, const char* topic, const BodyRecord& body, const std::string& what,
           const std::string& hint) {
    into_.list.push_back({severity, topic, "body " + body.name + " " + what, hint, {}, {body.name}});
  }

  void planar_inertia(const BodyRecord& body) {
    if (body.inertia(2, 2) < 0)
      say(Finding::Severity::error, "inertia", body,
          "has the negative inertia " + number(body.inertia(2, 2)) + " kg m^2", "give a positive inertia");
  }

  void spatial_inertia(const BodyRecord& body) {
    const Eigen::Matrix3d& I = body.inertia;
    const double size = I.cwiseAbs().maxCoeff();
    if ((I - I.transpose()).cwiseAbs().maxCoeff() > 1e-9 * size) {
      say(Finding::Severity::error, "inertia", body, "has an inertia matrix that is not symmetric",
          "give the same products of inertia above and below the diagonal");
      return;
    }
    const Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(I).eigenvalues();
    const std::string all = number(moments[0]) + ", " + number(moments[1]) + ", " + number(moments[2]);
    if (moments[0] < -1e-9 * size)
      say(Finding::Severity::error, "inertia", body, "has a negative principal moment of inertia: " + all,
          "an inertia matrix is positive definite; check the signs of its products of inertia");
    else if (moments[0] + moments[1] < (1 - 1e-6) * moments[2])
      say(Finding::Severity::warning, "inertia", body,
          "has principal moments of inertia " + all +
              " kg m^2: no real body has one larger than the sum "
              "of the two others",
          "check the inertia, its order (Ixx, Iyy, Izz) and its units");
  }

  /// Compared with what its joints say about its size.
  void proportions(std::size_t i) {
    const BodyRecord& body = m_.bodies()[i];
    const double r = reach_[i];
    const double most = body.inertia.cwiseAbs().maxCoeff(), usual = body.mass * r * r;
    if (!(r > 0) || most == 0) return;
    const std::string numbers = number(most) + " kg m^2, where its mass " + number(body.mass) +
                                " kg and its joints, " + number(r) + " m away, suggest about " +
                                number(usual / 3);
    if (most > too_much * usual)
      say(Finding::Severity::warning, "units", body, "has the inertia " + numbers,
          "check the units: lengths are in m, masses in kg (1 kg mm^2 = 1e-6 kg m^2)");
    else if (most < little * usual && most > next_to_none * usual)
      say(Finding::Severity::warning, "units", body, "has the small inertia " + numbers,
          "check the places of its joints; nothing is wrong if it is a small weight on a long arm");
    else if (most < little * usual)
      say(Finding::Severity::note, "units", body, "has the small inertia " + numbers,
          "nothing is wrong if it is a small weight on a long arm");
  }

  double& reach(int body) { return reach_[static_cast<std::size_t>(body)]; }

  const Mechanism& m_;
  Findings& into_;
  std::vector<double> reach_;  ///< distance of its joints from its centre of mass
};

}  // namespace

void examine_bodies(const Mechanism& m, const State& start, Findings& into) {
  Bodies bodies(m, into);
  for (std::size_t i = 0; i < m.bodies().size(); ++i) bodies.look(i);

  const auto box = bounding_box(m, *m.placed_at(start));
  const double size = box.isEmpty() ? 0 : box.sizes().maxCoeff();
  for (const BodyRecord& body : m.bodies())
    if (size > 0 && body.mass > 4.2 * densest * size * size * size)
      into.list.push_back({Finding::Severity::warning,
                           "units",
                           "body " + body.name + " weighs " + number(body.mass) +
                               " kg, more than solid metal as large as the whole mechanism (" + number(size) +
                               " m)",
                           "check the units: lengths are in m, masses in kg",
                           {},
                           {body.name}});

  for (const Group& group : groups_of(m, start)) {
    if (group.grounded) continue;
    std::vector<std::string> names;
    for (const int b : group.bodies) names.push_back(m.bodies()[static_cast<std::size_t>(b)].name);
    if (names.size() == 1)
      into.list.push_back({Finding::Severity::warning,
                           "unreachable",
                           "no joint, spring or damper reaches body " + names[0] + ": it flies freely",
                           "connect it, or leave it out",
                           {},
                           names});
    else
      into.list.push_back({Finding::Severity::note,
                           "floating",
                           "bodies " + list(names) + " hang together but not on the ground",
                           "connect one of them to \"ground\" unless they are meant to fly",
                           {},
                           names});
  }
}

}  // namespace dalembert::check
