// A pull of constant size between two points, as of a weight on a long rope.
#include "dalembert/model/elements/forces/coordinate.h"
#include "dalembert/multibody/forces/force_element.h"

namespace dalembert {

namespace {

/// F = pull, along the distance between the points; its potential is pull times that distance.
class ConstantPull final : public ForceElement {
 public:
  explicit ConstantPull(double pull) : pull_(pull) {}
  void respond(const Input&, Response& out) const override { out.F = pull_; }
  Energy energy(const Input& in) const override { return {.value = pull_ * in.c, .gradient_c = pull_}; }
  bool conservative() const override { return true; }

 private:
  double pull_;
};

}  // namespace

std::vector<ElementEntry> elements_in_constant_pull() {
  std::vector<Key> keys = end_keys();
  keys.push_back({"pull", Key::Type::number, "N", "the force that pulls the ends together"});
  return {
      {.section = "force",
       .kind = "constant-pull",
       .space = ElementEntry::Space::both,
       .summary = "two points pulled together by a force of constant size",
       .carries = "",
       .keys = keys,
       .example = "from = { body = \"ground\", at = [0, 1] }\nto = { body = \"bob\", at = [0, 0] }\npull = 5",
       .build = [](const ElementKeys& of, Construction& c) {
         c.mechanism().add_force(of.name(), length_between(of, c),
                                 std::make_shared<ConstantPull>(of.number("pull")));
       }}};
}

}  // namespace dalembert
