// The ring modulator: four diodes in a ring mix a slow signal with a fast one. Seven voltages, eight currents.
//
//   C U1' = I1 - I3/2 + I4/2 + I7 - U1/R                 Lh I1' = -U1
//   C U2' = I2 - I5/2 + I6/2 + I8 - U2/R                 Lh I2' = -U2
//   Cs U3' = I3 - q(D1) + q(D4)                          Ls2 I3' = U1/2 - U3 - Rg2 I3
//   Cs U4' = -I4 + q(D2) - q(D3)                         Ls3 I4' = -U1/2 + U4 - Rg3 I4
//   Cs U5' = I5 + q(D1) - q(D3)                          Ls2 I5' = U2/2 - U5 - Rg2 I5
//   Cs U6' = -I6 - q(D2) + q(D4)                         Ls3 I6' = -U2/2 + U6 - Rg3 I6
//   Cp U7' = -U7/Rp + q(D1) + q(D2) - q(D3) - q(D4)      Ls1 I7' = -U1 + Uin1(t) - (Ri + Rg1) I7
//                                                        Ls1 I8' = -U2 - (Rc + Rg1) I8
//   D1 = U3 - U5 - U7 - Uin2,  D2 = -U4 + U6 - U7 - Uin2,  D3 = U4 + U5 + U7 + Uin2,  D4 = -U3 - U6 + U7 + Uin2
//
// with q(D) = gamma (exp(delta D) - 1), Uin1 = 0.5 V sin(2000 pi t), Uin2 = 2 V sin(20000 pi t). With the parasitic
// capacity Cs the solution rings at 30 Mrad/s. With Cs = 0 the equations of U3, ..., U6 are algebraic and add up, with
// alternating signs, to I3 + I4 + I5 + I6 = 0: U3, ..., U6 are of index 2. Data of [MazziaMagherini2008] II-3. The digits
// in exact() are ours (Radau IIA of order 9 in extended precision), good to 1e-11, except U3, ..., U6: these are the
// printed ones, and with the ringing in them good to 2e-10.
#include <cmath>
#include <numbers>

#include "dalembert/core/error.h"
#include "dalembert/problem/automatic.h"
#include "dalembert/problem/catalogue.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

const std::vector<Parameter> parameters = {{"Cs", 2e-12, "F", "capacity beside each diode; 0 gives index 2"}};

class RingModulator : public Implicit {
 public:
  explicit RingModulator(const Parameters& p) : Cs_(p["Cs"]), published_(defaults(p, parameters)) {
    if (!(Cs_ >= 0)) throw Error("a capacity Cs cannot be negative", "set Cs to 0 or more");
  }

  Layout layout() const override {
    const std::vector<std::string> volts(4, "V"), amperes(8, "A");
    return Layout()
        .add("U", 2, Role::differential, 1, {"U1", "U2"}, {"V", "V"})
        .add("Us", 4, Cs_ > 0 ? Role::differential : Role::algebraic, Cs_ > 0 ? 1 : 2,
             {"U3", "U4", "U5", "U6"}, volts)
        .add("Up", 1, Role::differential, 1, {"U7"}, {"V"})
        .add("I", 8, Role::differential, 1, {}, amperes);
  }
  State start() const override { return {0, Vector::Zero(15)}; }
  double end() const override { return 1e-3; }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    return digits_at(t, {{1e-3,
                          {-2.33905735844e-2, -7.36748548605e-3, 0.2582956709291169, -0.4064465721283450,
                           -0.4039455665149794, 0.2607966765422943, 0.1106761861273, 2.93990434243539e-7,
                           -2.84002993296e-8, 7.26719826728e-4, 7.92948719704e-4, -7.25528349578e-4,
                           -7.94140196854e-4, 7.0884954168753e-5, 2.3900590752776e-5}}});
  }

  template <class T>
  void residual(double t, const T* y, const T* dy, T* r) const {
    using std::exp;
    constexpr double C = 1.6e-8, Cp = 1e-8, Lh = 4.45, Ls1 = .002, Ls2 = 5e-4, Ls3 = 5e-4, R = 25000, Rp = 50,
                     Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50, Rc = 600, gamma = 40.67286402e-9,
                     delta = 17.7493332;
    const double pi = std::numbers::pi, Uin1 = .5 * std::sin(2000 * pi * t),
                 Uin2 = 2 * std::sin(20000 * pi * t);
    const auto q = [](const T& D) -> T { return gamma * (exp(delta * D) - 1); };
    const auto U = [&](int i) -> const T& { return y[i - 1]; };  // counted as above
    const auto I = [&](int i) -> const T& { return y[i + 6]; };
    const T q1 = q(U(3) - U(5) - U(7) - Uin2), q2 = q(U(6) - U(4) - U(7) - Uin2),
            q3 = q(U(4) + U(5) + U(7) + Uin2), q4 = q(U(7) - U(3) - U(6) + Uin2);
    r[0] = C * dy[0] - (I(1) - .5 * I(3) + .5 * I(4) + I(7) - U(1) / R);
    r[1] = C * dy[1] - (I(2) - .5 * I(5) + .5 * I(6) + I(8) - U(2) / R);
    r[2] = Cs_ * dy[2] - (I(3) - q1 + q4);
    r[3] = Cs_ * dy[3] - (q2 - q3 - I(4));
    r[4] = Cs_ * dy[4] - (I(5) + q1 - q3);
    r[5] = Cs_ * dy[5] - (q4 - q2 - I(6));
    r[6] = Cp * dy[6] - (q1 + q2 - q3 - q4 - U(7) / Rp);
    r[7] = Lh * dy[7] + U(1);
    r[8] = Lh * dy[8] + U(2);
    r[9] = Ls2 * dy[9] - (.5 * U(1) - U(3) - Rg2 * I(3));
    r[10] = Ls3 * dy[10] - (U(4) - .5 * U(1) - Rg3 * I(4));
    r[11] = Ls2 * dy[11] - (.5 * U(2) - U(5) - Rg2 * I(5));
    r[12] = Ls3 * dy[12] - (U(6) - .5 * U(2) - Rg3 * I(6));
    r[13] = Ls1 * dy[13] - (Uin1 - U(1) - (Ri + Rg1) * I(7));
    r[14] = Ls1 * dy[14] + U(2) + (Rc + Rg1) * I(8);
  }

 private:
  double Cs_;
  bool published_;  // the reference digits hold for these parameters
};

}  // namespace

std::vector<ProblemEntry> problems_in_ring_modulator() {
  return {{"ring-modulator",
           "four diodes mix two signals: stiff and ringing, or of index 2 without parasitic capacity",
           Kind::implicit, "MazziaMagherini2008", parameters,
           [](const Parameters& p) { return std::make_shared<const AutomaticImplicit<RingModulator>>(p); }}};
}

}  // namespace dalembert
