// An elastic mount between two bodies in space.
#include "dalembert/model/element_entry.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  const auto [a, b] = of.bodies("bodies");
  SpatialBushing bushing{.a = a, .b = b, .at_a = of.vector("at"), .at_b = of.vector("at")};
  if (of.has("at_b")) bushing.at_b = of.vector("at_b");
  const auto read = [&](const std::string& key, Eigen::Matrix<double, 6, 6>& matrix) {
    if (!of.has(key)) return;
    const Eigen::MatrixXd given = of.matrix(key);
    if (given.rows() == 6 && given.cols() == 6)
      matrix = given;
    else
      of.complain(key, "a bushing in space needs a 6x6 matrix",
                  "give six rows of six numbers, or six numbers for a diagonal");
  };
  read("stiffness", bushing.stiffness);
  read("damping", bushing.damping);
  const Eigen::Vector3d x = of.vector("x"), y = of.vector("y"), z = x.cross(y);
  if (!(z.norm() > 1e-12 * x.norm() * y.norm())) {
    of.complain("y", "the axes x and y of the bushing are not across each other",
                "leave them out, or give two directions");
    return;
  }
  bushing.axes << x.normalized(), z.cross(x).normalized(), z.normalized();
  c.spatial->bushing(of.name(), bushing);
}

}  // namespace

std::vector<ElementEntry> elements_in_spatial_bushing() {
  return {{.section = "force",
           .kind = "bushing",
           .space = ElementEntry::Space::spatial,
           .summary = "two bodies held together elastically, against displacement and rotation",
           .carries = "",
           .keys = {{"bodies", Key::Type::bodies, "", "the two bodies; displacement is seen from the first"},
                    {"at", Key::Type::vector, "m", "the common point, in the ground frame at the start"},
                    {"at_b", Key::Type::vector, "m", "that of the second body, if it starts loaded", "-"},
                    {"stiffness", Key::Type::matrix, "N/m, N m/rad",
                     "6x6, of displacement x, y, z and rotation vector; six numbers for a diagonal"},
                    {"damping", Key::Type::matrix, "N s/m, N m s/rad", "6x6, of their rates", "-"},
                    {"x", Key::Type::vector, "", "its first axis at the start", "[1, 0, 0]"},
                    {"y", Key::Type::vector, "", "its second axis, as far as it is across the first",
                     "[0, 1, 0]"}},
           .example = "bodies = [\"ground\", \"engine\"]\nat = [0, 0, 0.4]\n"
                      "stiffness = [2e5, 2e5, 5e5, 800, 800, 400]\ndamping = [300, 300, 600, 2, 2, 1]",
           .build = build}};
}

}  // namespace dalembert
