// Bodies and point masses in space.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/elements/bodies/body_keys.h"

namespace dalembert {

namespace {

using namespace body_key;

Eigen::Matrix3d inertia(const ElementKeys& of) {
  const Eigen::MatrixXd given = of.matrix("inertia");
  if (given.rows() != 3 || given.cols() != 3)
    of.complain("inertia", "inertia is not 3 by 3", "give [Ixx, Iyy, Izz] or three rows of three numbers");
  else if (!(given - given.transpose()).isZero(1e-9 * given.cwiseAbs().maxCoeff()))
    of.complain("inertia", "inertia is not symmetric", "Ixy and Iyx are the same number");
  else if (given.diagonal().minCoeff() < 0)
    of.complain("inertia", "a moment of inertia is negative", "it is a sum of squares");
  else
    return (given + given.transpose()) / 2;
  return Eigen::Matrix3d::Identity();
}

ElementEntry rigid() {
  return {.section = "body",
          .kind = "rigid",
          .space = ElementEntry::Space::spatial,
          .summary = "a rigid body: x, y, z and a unit quaternion",
          .carries = "",
          .keys = {mass(),
                   {"inertia",
                    Key::Type::matrix,
                    "kg m^2",
                    "about the centre of mass, in the body frame",
                    "",
                    {},
                    Key::Frame::body},
                   position(),
                   {"orientation", Key::Type::orientation, "", "of the body", "[1, 0, 0, 0]"},
                   velocity(),
                   {"spin",
                    Key::Type::vector,
                    "rad/s",
                    "angular velocity, in the body frame",
                    "0",
                    {},
                    Key::Frame::body},
                   shape()},
          .example =
              "name = \"top\"\nmass = 1\ninertia = [0.2, 0.2, 0.1]\nposition = [0, 0, 1]\n"
              "orientation = { axis = [1, 0, 0], angle = \"30 deg\" }\nspin = [0, 0, 100]",
          .build = [](const ElementKeys& of, Construction& c) {
            const std::vector<double> e = of.numbers("orientation");
            c.spatial->body({.name = of.name(),
                             .mass = of.number("mass"),
                             .inertia = inertia(of),
                             .position = of.vector("position"),
                             .orientation = {e[0], e[1], e[2], e[3]},
                             .velocity = of.vector("velocity"),
                             .spin = of.vector("spin")});
          }};
}

ElementEntry point() {
  return {.section = "body",
          .kind = "point",
          .space = ElementEntry::Space::spatial,
          .summary = "a point mass: x, y and z",
          .carries = "",
          .keys = {mass(), position(), velocity(), shape()},
          .example = "name = \"bob\"\nkind = \"point\"\nmass = 1\nposition = [1, 0, 0]",
          .build = [](const ElementKeys& of, Construction& c) {
            c.spatial->point({.name = of.name(),
                              .mass = of.number("mass"),
                              .position = of.vector("position"),
                              .velocity = of.vector("velocity")});
          }};
}

}  // namespace

std::vector<ElementEntry> elements_in_spatial_body() {
  return {rigid(), point()};
}

}  // namespace dalembert
