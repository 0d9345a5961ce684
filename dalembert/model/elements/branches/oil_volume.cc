// What keeps oil: a volume by its compressibility, an accumulator by its gas.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/multibody/network/electrical.h"
#include "dalembert/multibody/network/hydraulic.h"

namespace dalembert {

namespace {

constexpr int ground = Network::ground;

Key at_node() {
  return {"node", Key::Type::node, "Pa", "where it is connected"};
}

Key start() {
  return {"pressure", Key::Type::number, "Pa", "at the start; 0 unless another volume there says otherwise",
          "-"};
}

void build_accumulator(const ElementKeys& of, Construction& c) {
  const auto begins = number_if_given(of, "pressure");
  const double filling = of.number("filling");
  if (begins.value_or(0) < filling) {
    of.complain("pressure", "an accumulator below the pressure that it was filled with is empty",
                "begin with a pressure above filling");
    return;
  }
  network(c).store(of.name(), {of.node("node"), ground},
                   std::make_shared<Accumulator>(Accumulator::Constants{.volume = of.number("volume"),
                                                                        .filling = filling,
                                                                        .exponent = of.number("exponent"),
                                                                        .ambient = of.number("ambient")},
                                                 begins));
}

}  // namespace

std::vector<ElementEntry> elements_in_oil_volume() {
  return {{.section = "branch",
           .kind = "volume",
           .space = ElementEntry::Space::both,
           .summary = "a volume of oil that gives way a little: what hoses and blocks hold",
           .carries = "",
           .keys = {at_node(), positive_key("volume", "m^3", "of the oil"),
                    positive_key("bulk_modulus", "Pa", "of the oil", "1.5e9"), start()},
           .example = "node = \"a\"\nvolume = \"0.2 l\"\npressure = \"30 bar\"",
           .build =
               [](const ElementKeys& of, Construction& c) {
                 network(c).store(of.name(), {of.node("node"), ground},
                                  std::make_shared<Capacity>(of.number("volume") / of.number("bulk_modulus"),
                                                             number_if_given(of, "pressure")));
               }},
          {.section = "branch",
           .kind = "accumulator",
           .space = ElementEntry::Space::both,
           .summary = "gas behind a membrane, p V^n = constant; a run ends where it is empty",
           .carries = "",
           .keys = {at_node(), positive_key("volume", "m^3", "of the gas while there is no oil"),
                    positive_key("filling", "Pa", "pressure of the gas then, above the tank"),
                    positive_key("exponent", "", "n: 1 for slow changes, 1.4 for fast ones", "1.4"),
                    positive_key("ambient", "Pa", "absolute pressure of the tank", "101325"), start()},
           .example = "node = \"supply\"\nvolume = \"1 l\"\nfilling = \"60 bar\"\npressure = \"100 bar\"",
           .build = build_accumulator}};
}

}  // namespace dalembert
