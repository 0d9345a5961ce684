// Branches of hydraulic networks [Merritt1967]. u is the pressure between the first two nodes, in Pa; currents are flows in m^3/s.
//
//   orifice      I = K u/(u^2 + soft^2)^(1/4)                the root of u, laminar below `soft`
//   valve edge   K times an opening, (sqrt(x^2 + e^2) +- x)/2 at the spool x(t, c, c', signal) with underlap e
//   pipe         (rho l/A) I' = u - R I,  R = 128 mu l/(pi d^4)    laminar; without density I = u/R
//   pump         I = flow(t) + D c' + leak u                 out of the first node, into the second; torque F = -D u
//   piston       I = A c', F = -A u0                         with the chamber C = (V + A (c - c0))/E
//   accumulator  C = dV/dp of p V^n = constant, p = u + ambient
#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "dalembert/core/text.h"
#include "dalembert/multibody/network/branch.h"

namespace dalembert {

/// The root law, smooth at 0.
inline Branch::Number orifice_flow(const Branch::Number& u, double soft) {
  return u / sqrt(sqrt(u * u + soft * soft));
}

/// A sharp edge.
class Orifice final : public Branch {
 public:
  Orifice(double flow, double soft) : flow_(flow), soft_(soft) {}
  void respond(const Input& in, Response& out) const override {
    out.I[0] = flow_ * orifice_flow(in.u[0] - in.u[1], soft_);
    out.I[1] = -out.I[0];
  }

 private:
  double flow_, soft_;
};

/// One of the edges of a valve. Nodes 2 and 3, if there are any, are the signal; no current flows there.
class ValveEdge final : public Branch {
 public:
  enum class Opens { forwards, backwards };
  struct Constants {
    double flow = 0, soft = 0, underlap = 0;
  };
  /// The spool is a law of t, the measure, its rate and the signal.
  ValveEdge(const Constants& is, Law spool, Opens opens)
      : is_(is), spool_(std::move(spool)), sign_(opens == Opens::forwards ? 1 : -1) {}
  void respond(const Input& in, Response& out) const override {
    const Number x = sign_ * applied<4>(spool_, {in.t, in.c, in.rate, in.u[2] - in.u[3]});
    const Number root = sqrt(x * x + is_.underlap * is_.underlap);
    // (root + x)/2 without the difference of two large numbers
    const Number open = x.value > 0 ? (root + x) / 2 : is_.underlap * is_.underlap / (2 * (root - x));
    out.I[0] = is_.flow * open * orifice_flow(in.u[0] - in.u[1], is_.soft);
    out.I[1] = -out.I[0];
  }

 private:
  Constants is_;
  Law spool_;
  double sign_;
};

/// A round pipe with laminar flow.
class Pipe final : public Branch {
 public:
  struct Constants {
    double length = 0, diameter = 0, viscosity = 0, density = 0, flow = 0;
  };
  explicit Pipe(const Constants& is)
      : resistance_(128 * is.viscosity * is.length / (std::numbers::pi * std::pow(is.diameter, 4))),
        inertance_(is.density * is.length / (std::numbers::pi * is.diameter * is.diameter / 4)),
        start_(is.flow) {}
  void respond(const Input& in, Response& out) const override {
    const Number u = in.u[0] - in.u[1];
    out.I[0] = inertance_ > 0 ? in.s : u / resistance_;
    out.I[1] = -out.I[0];
    if (inertance_ > 0) out.k = (u - resistance_ * in.s) / inertance_;
  }
  std::optional<StateName> state() const override {
    if (!(inertance_ > 0)) return {};
    return StateName{"flow", "m^3/s", start_};
  }
  bool resists() const override { return inertance_ == 0; }
  bool linear() const override { return true; }
  Energy energy(double flow) const override { return {inertance_ * flow * flow / 2, inertance_ * flow}; }

 private:
  double resistance_, inertance_, start_;
};

/// From the first node to the second, whatever the pressures, but for a leak.
class Pump final : public Branch {
 public:
  /// `flow` is a law of t; displacement belongs to the joint that drives it.
  Pump(Law flow, double displacement, double leak)
      : flow_(std::move(flow)), displacement_(displacement), leak_(leak) {}
  void respond(const Input& in, Response& out) const override {
    const Number u = in.u[0] - in.u[1];
    out.I[0] = flow_(&in.t) + displacement_ * in.rate + leak_ * u;
    out.I[1] = -out.I[0];
    out.F = -displacement_ * u;
  }
  bool resists() const override { return leak_ > 0; }
  double supplied(const Input& in, const Response&) const override {
    return (in.u[1].value - in.u[0].value) * flow_(&in.t);
  }
  std::optional<Given> given() const override {
    if (leak_ > 0) return {};
    return Given{displacement_, flow_};
  }

 private:
  Law flow_;
  double displacement_, leak_;
};

/// One side of a piston; a negative area is that of the side that pulls.
class Piston final : public Branch {
 public:
  explicit Piston(double area) : area_(area) {}
  void respond(const Input& in, Response& out) const override {
    out.I[0] = area_ * in.rate;
    out.F = -area_ * in.u[0];
  }
  std::vector<std::array<int, 2>> paths() const override { return {}; }
  bool resists() const override { return false; }
  bool linear() const override { return true; }
  bool conservative() const override { return true; }
  std::optional<Given> given() const override { return Given{area_, {}}; }

 private:
  double area_;
};

/// The oil beside a piston; a piston beyond the end of its chamber has no equation.
class Chamber final : public Store {
 public:
  struct Constants {
    double area = 0;    ///< m^2, with the sign of its piston
    double volume = 0;  ///< m^3, where the measure is `at`
    double at = 0, bulk_modulus = 0;
  };
  Chamber(const Constants& is, std::optional<double> start) : is_(is), start_(start) {}
  Number capacity(const Number&, const Number& c) const override {
    const Number volume = is_.volume + is_.area * (c - is_.at);
    if (!(volume.value > 0)) return std::numeric_limits<double>::quiet_NaN();
    return volume / is_.bulk_modulus;
  }
  std::string refusal(double, double c) const override {
    if (is_.volume + is_.area * (c - is_.at) > 0) return {};
    return "has no room left: its piston has come to the end";
  }
  Energy energy(double u, double c) const override {
    const double C = (is_.volume + is_.area * (c - is_.at)) / is_.bulk_modulus;
    return {C * u * u / 2, C * u, is_.area * u * u / (2 * is_.bulk_modulus)};
  }
  std::optional<double> start() const override { return start_; }

 private:
  Constants is_;
  std::optional<double> start_;
};

/// Gas above oil. Below the pressure that it was filled with there is no oil in it, and no equation.
class Accumulator final : public Store {
 public:
  struct Constants {
    double volume = 0;    ///< m^3, of the gas before oil comes
    double filling = 0;   ///< Pa, its pressure then
    double exponent = 1;  ///< n
    double ambient = 0;   ///< Pa: the pressure of the tank
  };
  Accumulator(const Constants& is, std::optional<double> start) : is_(is), start_(start) {}
  Number capacity(const Number& u, const Number&) const override {
    if (u.value < is_.filling) return std::numeric_limits<double>::quiet_NaN();
    const Number p = u + is_.ambient;
    return is_.volume / is_.exponent * pow((is_.filling + is_.ambient) / p, 1 / is_.exponent) / p;
  }
  std::string refusal(double u, double) const override {
    if (u >= is_.filling) return {};
    return "is empty: the pressure has fallen to that of its filling, " + short_number(is_.filling) + " Pa";
  }
  /// u C integrated from the filling on
  Energy energy(double u, double) const override {
    const double first = is_.filling + is_.ambient, p = u + is_.ambient, n = is_.exponent;
    const double rest = std::pow(first / p, 1 / n);  // of the volume of gas
    const double compressed = n == 1 ? std::log(p / first) : (std::pow(p / first, 1 - 1 / n) - 1) / (n - 1);
    return {is_.volume * (first * compressed - is_.ambient * (1 - rest)), u * is_.volume / n * rest / p, 0};
  }
  std::optional<double> start() const override { return start_; }
  bool conservative() const override { return true; }

 private:
  Constants is_;
  std::optional<double> start_;
};

}  // namespace dalembert
