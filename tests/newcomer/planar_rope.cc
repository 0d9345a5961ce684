// A rope over a pulley: what one body goes down, the other one goes up.
//
//   constant - y_a - y_b = 0
#include "dalembert/model/element_entry.h"
#include "dalembert/multibody/planar/making.h"

namespace dalembert {

namespace {

/// In the displacements (x_a, y_a, phi_a, x_b, y_b, phi_b); see row_set.h.
struct Rope {
  static constexpr int rows = 1;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places{JacobianPlace{0, 1}, JacobianPlace{0, 4}};
  static constexpr std::array<HessianPlace, 0> hessian_places{};
  double constant;

  void value(const PlanarFrame& a, const PlanarFrame& b, double, double* g) const {
    g[0] = constant - a.y - b.y;
  }
  void jacobian(const PlanarFrame&, const PlanarFrame&, double* s) const { s[0] = s[1] = -1; }
  void hessian(const PlanarFrame&, const PlanarFrame&, double*) const {}
};

void build(const ElementKeys& of, Construction& c) {
  const auto [a, b] = of.bodies("bodies");
  PlanarMechanism& m = *c.planar;
  const State start = m.start();
  const auto height = [&](int body) {
    return body == m.ground ? 0 : start.y[m.bodies()[static_cast<std::size_t>(body)].q + 1];
  };
  m.begin_joint(of.name(), "rope", a, b, {});
  m.add_rows(Rope{height(a) + height(b)}, a, b, {{of.name() + ".tension", "N"}});
}

}  // namespace

std::vector<ElementEntry> elements_in_planar_rope() {
  return {{.section = "joint",
           .kind = "rope",
           .space = ElementEntry::Space::planar,
           .summary = "two bodies hang on a rope over a pulley: one goes up as the other goes down",
           .carries = "tension: force that pulls both bodies up",
           .keys = {{"bodies", Key::Type::bodies, "", "the two bodies"}},
           .example = "bodies = [\"left\", \"right\"]",
           .build = build}};
}

}  // namespace dalembert
