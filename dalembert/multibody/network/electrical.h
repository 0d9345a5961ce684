// Branches of electrical networks [Krause1986; HairerLubichRoche1989]. u is the voltage between the first two nodes.
//
//   resistor     I = u/R, or a law of u and t       inductor     L i' = u
//   source       I = law of t                       diode        I = Is (exp(u/V) - 1)
//   transistor   g = Is (exp((uB - uE)/V) - 1):     IB = (1 - alpha) g, IC = alpha g, IE = -g
//   transformer  u01 = n u23, I2 = -n I0            motor        L i' = u - R i - k c', F = -k i
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "dalembert/multibody/network/branch.h"

namespace dalembert {

/// A current that depends on the voltage.
class Resistor final : public Branch {
 public:
  /// A law of the voltage and t.
  explicit Resistor(Law law) : law_(std::move(law)) {}
  explicit Resistor(double resistance) : resistance_(resistance) {}
  void respond(const Input& in, Response& out) const override {
    const Number u = in.u[0] - in.u[1];
    out.I[0] = law_ ? applied<2>(law_, {u, in.t}) : u / resistance_;
    out.I[1] = -out.I[0];
  }
  bool linear() const override { return !law_; }
  /// A law may be that of a battery.
  double supplied(const Input& in, const Response& out) const override {
    return std::max(0., (in.u[1].value - in.u[0].value) * out.I[0].value);
  }

 private:
  Law law_;
  double resistance_ = 0;
};

/// A current that is a function of time.
class CurrentSource final : public Branch {
 public:
  explicit CurrentSource(Law current) : current_(std::move(current)) {}
  void respond(const Input& in, Response& out) const override {
    out.I[0] = current_(&in.t);
    out.I[1] = -out.I[0];
  }
  bool resists() const override { return false; }
  double supplied(const Input& in, const Response& out) const override {
    return (in.u[1].value - in.u[0].value) * out.I[0].value;
  }

 private:
  Law current_;
};

/// With its current as state.
class Inductor final : public Branch {
 public:
  Inductor(double inductance, double current) : inductance_(inductance), current_(current) {}
  void respond(const Input& in, Response& out) const override {
    out.I[0] = in.s;
    out.I[1] = -in.s;
    out.k = (in.u[0] - in.u[1]) / inductance_;
  }
  std::optional<StateName> state() const override { return StateName{"current", "A", current_}; }
  bool resists() const override { return false; }
  Energy energy(double i) const override { return {inductance_ * i * i / 2, inductance_ * i}; }
  bool linear() const override { return true; }
  bool conservative() const override { return true; }

 private:
  double inductance_, current_;
};

/// exp(x) - 1 of a junction. Above 300, where no current is, its tangent: Newton's method must find currents wherever it begins.
inline Branch::Number junction(const Branch::Number& x) {
  constexpr double far = 300;
  if (x.value > far) return std::exp(far) * (x - (far - 1)) - 1;
  Branch::Number y(std::expm1(x.value));
  y.gradient = std::exp(x.value) * x.gradient;
  return y;
}

/// Lets current through in one direction.
class Diode final : public Branch {
 public:
  Diode(double saturation, double thermal) : saturation_(saturation), thermal_(thermal) {}
  void respond(const Input& in, Response& out) const override {
    out.I[0] = saturation_ * junction((in.u[0] - in.u[1]) / thermal_);
    out.I[1] = -out.I[0];
  }

 private:
  double saturation_, thermal_;
};

/// npn, in forward direction: its nodes are base, collector and emitter.
class Transistor final : public Branch {
 public:
  Transistor(double gain, double saturation, double thermal)
      : gain_(gain), saturation_(saturation), thermal_(thermal) {}
  void respond(const Input& in, Response& out) const override {
    const Number g = saturation_ * junction((in.u[0] - in.u[2]) / thermal_);
    out.I[0] = (1 - gain_) * g;
    out.I[1] = gain_ * g;
    out.I[2] = -g;
  }
  /// Base and emitter hold each other; the collector is fed, as by a source.
  std::vector<std::array<int, 2>> paths() const override { return {{0, 2}}; }

 private:
  double gain_, saturation_, thermal_;
};

/// Ideal: u01 = n u23, with the current through its first winding as unknown.
class Transformer final : public Branch {
 public:
  explicit Transformer(double ratio) : ratio_(ratio) {}
  void respond(const Input& in, Response& out) const override {
    out.row = in.u[0] - in.u[1] - ratio_ * (in.u[2] - in.u[3]);
    out.I = {in.j, -in.j, -ratio_ * in.j, ratio_ * in.j};
  }
  bool has_unknown() const override { return true; }
  std::vector<std::array<int, 2>> paths() const override { return {{0, 1}, {2, 3}}; }
  bool linear() const override { return true; }
  bool conservative() const override { return true; }

 private:
  double ratio_;
};

/// The winding of a motor that turns a joint: k is torque per current and voltage per speed, behind its gear. Without inductance
/// its current has no state, without resistance too it is an unknown.
class Winding final : public Branch {
 public:
  Winding(double constant, double resistance, double inductance, double current)
      : constant_(constant), resistance_(resistance), inductance_(inductance), current_(current) {}
  void respond(const Input& in, Response& out) const override {
    const Number left = in.u[0] - in.u[1] - constant_ * in.rate;
    const Number i = inductance_ > 0 ? in.s : resistance_ > 0 ? left / resistance_ : in.j;
    if (inductance_ > 0)
      out.k = (left - resistance_ * i) / inductance_;
    else if (resistance_ == 0)
      out.row = left;
    out.I[0] = i;
    out.I[1] = -i;
    out.F = -constant_ * i;
  }
  std::optional<StateName> state() const override {
    if (!(inductance_ > 0)) return {};
    return StateName{"current", "A", current_};
  }
  bool has_unknown() const override { return inductance_ == 0 && resistance_ == 0; }
  bool resists() const override { return inductance_ == 0; }
  Energy energy(double i) const override { return {inductance_ * i * i / 2, inductance_ * i}; }
  bool linear() const override { return true; }
  bool conservative() const override { return resistance_ == 0; }

 private:
  double constant_, resistance_, inductance_, current_;
};

/// A constant capacity: a capacitor, a volume of oil.
class Capacity final : public Store {
 public:
  Capacity(double capacity, std::optional<double> start) : capacity_(capacity), start_(start) {}
  Number capacity(const Number&, const Number&) const override { return capacity_; }
  Energy energy(double u, double) const override { return {capacity_ * u * u / 2, capacity_ * u, 0}; }
  std::optional<double> start() const override { return start_; }
  bool conservative() const override { return true; }

 private:
  double capacity_;
  std::optional<double> start_;
};

}  // namespace dalembert
