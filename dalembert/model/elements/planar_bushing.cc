// A bushing in the plane.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_bushing() {
  return {{.section = "force",
           .kind = "bushing",
           .space = ElementEntry::Space::planar,
           .summary = "a point of one body held elastically near a point of another, with a torsion spring",
           .carries = {},
           .keys = {{"from", Key::Type::end, "m", "a point of the body whose axes the bushing has"},
                    {"to", Key::Type::end, "m", "the point that is held; without load the two meet"},
                    {"stiffness", Key::Type::matrix, "N/m, N m",
                     "of both displacements and the angle: three numbers, or a "
                     "symmetric matrix"},
                    {"damping", Key::Type::matrix, "N s/m, N m s", "likewise", "[0, 0, 0]"},
                    {"along", Key::Type::vector, "",
                     "the first axis at the start; it is fixed to the first body", "[1, 0]"}},
           .example = "from = { body = \"ground\", at = [0, 0] }\nto = { body = \"crank\", at = [0, 0] }\n"
                      "stiffness = [1e4, 1e5, 20]\ndamping = [10, 10, 0.1]",
           .build = [](const Fields& of, Construction& c) {
             const Attachment from = of.end("from"), to = of.end("to");
             const Eigen::MatrixXd K = of.matrix("stiffness"), C = of.matrix("damping");
             for (const auto& [key, matrix] : {std::pair{"stiffness", &K}, std::pair{"damping", &C}})
               if (matrix->rows() != 3 || matrix->cols() != 3)
                 return of.complain(key, "a bushing in the plane has three directions",
                                    "give [x, y, angle] or three rows");
             c.planar->bushing(of.name(), {.a = from.body,
                                           .b = to.body,
                                           .at_a = flat(from.at),
                                           .at_b = flat(to.at),
                                           .along = flat(of.vector("along")),
                                           .stiffness = K,
                                           .damping = C});
           }}};
}

}  // namespace dalembert
