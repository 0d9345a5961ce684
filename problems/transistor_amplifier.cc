// The two-transistor amplifier: eight node voltages, a constant capacitance matrix of rank 5, index 1.
//
//   C1 (U1'-U2') + (U1-Ue(t))/R0 = 0                       C1 (U2'-U1') + U2/R + (U2-Ub)/R + (1-alpha) g(U2-U3) = 0
//   C2 U3' + U3/R - g(U2-U3) = 0                           C3 (U4'-U5') + (U4-Ub)/R + alpha g(U2-U3) = 0
//   C3 (U5'-U4') + U5/R + (U5-Ub)/R + (1-alpha) g(U5-U6) = 0
//   C4 U6' + U6/R - g(U5-U6) = 0                           C5 (U7'-U8') + (U7-Ub)/R + alpha g(U5-U6) = 0
//   C5 (U8'-U7') + U8/R = 0
//
// with g(U) = beta (exp(U/UF) - 1), Ue(t) = a sin(2 pi w t), Ck = k C. Each line is the sum of the currents that leave a
// node. Data of [MazziaMagherini2008] II-14, after [HairerLubichRoche1989]. The digits in exact() are ours: Radau IIA
// of order 9 in extended precision; the printed ones agree to all places but the last two.
#include <cmath>
#include <numbers>

#include "dalembert/problem/automatic.h"
#include "dalembert/problem/catalogue.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

const std::vector<Parameter> parameters = {{"Ub", 6, "V", "operating voltage"},
                                           {"UF", .026, "V", "thermal voltage of the transistors"},
                                           {"alpha", .99, "", "amplification of the transistors"},
                                           {"beta", 1e-6, "A", "saturation current of the transistors"},
                                           {"R0", 1000, "Ohm", "resistance of the source"},
                                           {"R", 9000, "Ohm", "every other resistance"},
                                           {"C", 1e-6, "F", "capacitor k has k C"},
                                           {"a", .1, "V", "amplitude of the signal"},
                                           {"w", 100, "Hz", "frequency of the signal"}};

class TransistorAmplifier : public Implicit {
 public:
  explicit TransistorAmplifier(const Parameters& p)
      : Ub_(p["Ub"]),
        UF_(p.positive("UF")),
        alpha_(p["alpha"]),
        beta_(p["beta"]),
        R0_(p.positive("R0")),
        R_(p.positive("R")),
        C_(p.positive("C")),
        a_(p["a"]),
        w_(2 * std::numbers::pi * p["w"]),
        published_(defaults(p, parameters)) {}

  Layout layout() const override {
    return Layout().add("U", 8, Role::differential, 1, {}, std::vector<std::string>(8, "V"));
  }
  std::string equation(Eigen::Index i) const override {
    return "the sum of currents at node U" + std::to_string(i + 1);
  }
  State start() const override {
    State state{0, Vector(8)};
    state.y << 0, Ub_ / 2, Ub_ / 2, Ub_, Ub_ / 2, Ub_ / 2, Ub_, 0;
    return state;
  }
  double end() const override { return .2; }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    return digits_at(
        t, {{.2,
             {-5.562145012262674e-03, 3.00652247190304231, 2.84995878860812840, 2.92642253620625348,
              2.70461786501056651, 2.76183777839314478, 4.77092763161677180, 1.23699586809154749}}});
  }

  template <class T>
  void residual(double t, const T* U, const T* dU, T* r) const {
    using std::exp;
    const double Ue = a_ * std::sin(w_ * t);
    const T g1 = beta_ * (exp((U[1] - U[2]) / UF_) - 1), g2 = beta_ * (exp((U[4] - U[5]) / UF_) - 1);
    const T c1 = C_ * (dU[0] - dU[1]), c3 = 3 * C_ * (dU[3] - dU[4]), c5 = 5 * C_ * (dU[6] - dU[7]);
    r[0] = c1 + (U[0] - Ue) / R0_;
    r[1] = -c1 + (2 * U[1] - Ub_) / R_ + (1 - alpha_) * g1;
    r[2] = 2 * C_ * dU[2] + U[2] / R_ - g1;
    r[3] = c3 + (U[3] - Ub_) / R_ + alpha_ * g1;
    r[4] = -c3 + (2 * U[4] - Ub_) / R_ + (1 - alpha_) * g2;
    r[5] = 4 * C_ * dU[5] + U[5] / R_ - g2;
    r[6] = c5 + (U[6] - Ub_) / R_ + alpha_ * g2;
    r[7] = -c5 + U[7] / R_;
  }

 private:
  double Ub_, UF_, alpha_, beta_, R0_, R_, C_, a_, w_;
  bool published_;  // the reference digits hold for these parameters
};

}  // namespace

std::vector<ProblemEntry> problems_in_transistor_amplifier() {
  return {{"transistor-amplifier", "two transistors amplify a sine: eight node voltages, index 1, stiff",
           Kind::implicit, "MazziaMagherini2008", parameters, [](const Parameters& p) {
             return std::make_shared<const AutomaticImplicit<TransistorAmplifier>>(p);
           }}};
}

}  // namespace dalembert
