// Any bytes as a model file: refused with places, or a mechanism all of whose terms can be evaluated.
#include <string>

#include "dalembert/model/model.h"
#include "fuzz/targets.h"

namespace dalembert::fuzz {

namespace {

/// Everything that a run asks of a mechanism, once to record patterns and once to overwrite.
void evaluate(const Mechanism& mechanism) {
  const auto n = mechanism.sizes();
  const MechanicalState part(n);
  const State state = mechanism.start();
  const Layout layout = mechanism.layout();
  promise(state.y.size() == part.size(), "a state has the size of its layout");
  const auto at = mechanism.placement();
  at->t = state.t;
  at->q = part.q(state.y);
  const Vector v = part.v(state.y), s = part.s(state.y), l = part.multipliers(state.y);
  Vector f(n.v), ds(n.s), g(n.holonomic), w(n.rows()), bias(n.rows());
  const Vector a = Vector::Zero(n.v);
  Entries M, J;
  Derivatives d;
  for (int pass = 0; pass < 2; ++pass) {
    mechanism.place(*at);
    mechanism.mass(*at, M);
    mechanism.force(*at, v, s, f);
    mechanism.auxiliary(*at, v, s, ds);
    mechanism.g(*at, g);
    mechanism.jacobian(*at, J);
    mechanism.velocity_bias(*at, w);
    mechanism.bias(*at, v, bias);
    mechanism.derivatives(*at, v, s, a, l, d);
    mechanism.energy(*at, v, s);
    mechanism.power(*at, v, s);
    at->t += .1;
    at->q.array() += .01;
  }
  for (std::size_t k = 0; k < J.size(); ++k)
    promise(J.row(k) >= 0 && J.row(k) < n.rows() && J.column(k) >= 0 && J.column(k) < n.v,
            "entries lie inside");
}

}  // namespace

void model(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most_bytes = 100'000, most_bodies = 1000;
  if (size > most_bytes) return;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const Model model = Model::from_text(text, "no-such-folder/fuzz.toml");
    promise(model.mechanism != nullptr, "a model has a mechanism");
    if (model.mechanism->bodies().size() > most_bodies) return;
    evaluate(*model.mechanism);
    for (const Watch& watch : model.watches) watch.value(model.mechanism->start());
  } catch (const ModelError& error) {
    promise(!error.complaints().empty(), "refusals are explained");
    for (const Complaint& complaint : error.complaints())
      promise(!complaint.what.empty() && complaint.sentence().size() < 5000, "complaints say what is wrong");
  }
}

}  // namespace dalembert::fuzz
