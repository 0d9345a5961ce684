// What lies between the nodes of a network. A branch takes currents out of its nodes, a store keeps what flows into it:
//
//   I_k = I_k(t, u, s, j, c, c')     from node k into the branch
//   s' = k(t, u, s, j, c, c')        its state, if it has one: the current of an inductor
//   0 = row(t, u, s, j, c, c')       its equation, if it has an unknown j of its own: the current of a transformer
//   f = -F(t, u, s, j, c, c') dc/dq  along the measure c it is attached to: a motor, a piston
//   I = C(u, c) u'                   of a store, u = u_0 - u_1
//
// u are potentials of nodes: voltages against the ground in V and currents in A, or pressures above that of the tank in Pa
// and flows in m^3/s.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/multibody/forces/force_element.h"
#include "dalembert/multibody/law.h"
#include "dalembert/problem/dual.h"

namespace dalembert {

/// A law between nodes.
class Branch {
 public:
  static constexpr int most = 6;  ///< nodes
  /// With derivatives by the potentials, then by s, j, c and c'.
  using Number = Dual<most + 4>;
  /// What a law sees.
  struct Input {
    double t = 0;
    std::array<Number, most> u{};
    Number s{}, j{}, c{}, rate{};
  };
  /// What it answers; the parts that a branch does not have stay 0.
  struct Response {
    std::array<Number, most> I{};
    Number k{}, row{}, F{};
  };
  /// What is kept in the state, with its derivative.
  struct Energy {
    double value = 0, gradient = 0;
  };

  virtual ~Branch() = default;
  virtual void respond(const Input&, Response&) const = 0;
  virtual std::optional<StateName> state() const { return {}; }
  virtual bool has_unknown() const { return false; }
  /// Pairs of its nodes that a current can flow between.
  virtual std::vector<std::array<int, 2>> paths() const { return {{0, 1}}; }
  /// Do the potentials of its paths change its currents at once? Not those of an inductor or a source.
  virtual bool resists() const { return true; }
  /// Are all its answers sums of constants times what it sees? Then it is asked once.
  virtual bool linear() const { return false; }
  virtual Energy energy(double /*s*/) const { return {}; }
  virtual bool conservative() const { return false; }  ///< it takes from the nodes what it keeps
  /// What comes into the network through it from outside, as power. What it takes from its nodes besides, and neither keeps nor
  /// hands on to its measure, becomes heat.
  virtual double supplied(const Input&, const Response&) const { return 0; }
  /// I_0 = -I_1 = volume c' + flow(t) and F = -volume (u_0 - u_1): what no pressure changes.
  struct Given {
    double volume = 0;
    Law flow{};
  };
  virtual std::optional<Given> given() const { return {}; }
};

/// A capacity between two nodes.
class Store {
 public:
  using Number = Dual<2>;  ///< with derivatives by u and c
  virtual ~Store() = default;
  virtual Number capacity(const Number& u, const Number& c) const = 0;
  /// What is kept, with its derivatives; by_u is C u.
  struct Energy {
    double value = 0, by_u = 0, by_c = 0;
  };
  virtual Energy energy(double u, double c) const = 0;
  /// Why it has no capacity here, if it has none: "is empty".
  virtual std::string refusal(double /*u*/, double /*c*/) const { return {}; }
  virtual std::optional<double> start() const = 0;     ///< u, if it is given
  virtual bool conservative() const { return false; }  ///< neither t nor c matters
};

/// A law of the numbers of a branch.
template <std::size_t n>
Branch::Number applied(const Law& law, const std::array<Branch::Number, n>& to) {
  double x[n], gradient[n] = {};
  for (std::size_t i = 0; i < n; ++i) x[i] = to[i].value;
  Branch::Number result(law(x, gradient));
  for (std::size_t i = 0; i < n; ++i)
    if (gradient[i] != 0) result.gradient = result.gradient + gradient[i] * to[i].gradient;
  return result;
}

}  // namespace dalembert
