// A bushing in the plane.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_bushing() {
  return {
      {.section = "force",
       .kind = "bushing",
       .space = ElementEntry::Space::planar,
       .summary = "a point of one body held elastically near a point of another, with a torsion spring",
       .carries = {},
       .keys =
           {{"bodies", Key::Type::bodies, "", "the two bodies; the bushing has the axes of the first"},
            {"at", Key::Type::vector, "m", "the common point, in the ground frame at the start"},
            {"at_b", Key::Type::vector, "m", "that of the second body, if it starts under load", "-"},
            {"stiffness", Key::Type::matrix, "N/m, N m/rad",
             "of both displacements and the angle: a symmetric 3x3 matrix, or three numbers for a diagonal"},
            {"damping", Key::Type::matrix, "N s/m, N m s/rad", "likewise", "[0, 0, 0]"},
            {"along", Key::Type::vector, "", "the first axis at the start", "[1, 0]"}},
       .example = "bodies = [\"ground\", \"crank\"]\nat = [0, 0]\nstiffness = [1e4, 1e5, 20]\ndamping = [10, "
                  "10, 0.1]",
       .build = [](const ElementKeys& of, Construction& c) {
         const auto [a, b] = of.bodies("bodies");
         const Eigen::MatrixXd K = of.matrix("stiffness"), C = of.matrix("damping");
         for (const auto& [key, matrix] : {std::pair{"stiffness", &K}, std::pair{"damping", &C}})
           if (matrix->rows() != 3 || matrix->cols() != 3)
             return of.complain(key, "a bushing in the plane has a 3x3 matrix",
                                "give three rows of three numbers, or three numbers for a diagonal");
         c.planar->bushing(of.name(), {.a = a,
                                       .b = b,
                                       .at_a = flat(of.vector("at")),
                                       .at_b = flat(of.vector(of.has("at_b") ? "at_b" : "at")),
                                       .along = flat(of.vector("along")),
                                       .stiffness = K,
                                       .damping = C});
       }}};
}

}  // namespace dalembert
