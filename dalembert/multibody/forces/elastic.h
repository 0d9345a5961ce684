// Bodies held elastically: what would be the rows of a joint is a deformation z(q) here.
//
//   f = -J'(K z + C J v),  J = dz/dq,   U = z'K z/2
//
// A kind is the same as that of rows (row_set.h), so a hinge becomes a bushing by being given a stiffness.
#pragma once

#include <algorithm>

#include "dalembert/multibody/row_set.h"

namespace dalembert {

template <class Space, class Kind>
class ElasticSet final : public Forces {
 public:
  static constexpr int deformations = Kind::rows, count = 2 * Space::coordinates;
  using Square = Eigen::Matrix<double, deformations, deformations>;
  struct Element {
    Kind kind;
    Ends<Space::coordinates> ends;
    Square stiffness, damping;  ///< K symmetric
  };
  std::vector<Element> elements;

  void force(const Placement& at, In v, In /*s*/, Out f) const override {
    for (const Element& e : elements) {
      const State now(e, at, v);
      const Displacements pull = now.J.transpose() * now.F;
      for (int i = 0; i < count; ++i)
        if (const Eigen::Index k = e.ends.coordinate(i); k >= 0) f[k] -= pull[i];
    }
  }
  void derivatives(const Placement& at, In v, In /*s*/, Derivatives& d) const override {
    double h[Kind::hessian_places.size() + 1];
    for (const Element& e : elements) {
      const State now(e, at, v);
      e.kind.hessian(Space::frame(at, e.ends.a.body), Space::frame(at, e.ends.b.body), h);
      Square2 K = Square2::Zero();
      Gradient J_v = Gradient::Zero();  // d(J v)/dq
      for (std::size_t k = 0; k < Kind::hessian_places.size(); ++k) {
        const HessianPlace& hessian = Kind::hessian_places[k];
        K(hessian.i, hessian.j) += now.F[hessian.row] * h[k];
        J_v(hessian.row, hessian.j) += h[k] * now.u[hessian.i];
      }
      const Gradient F_q = e.stiffness * now.J + e.damping * J_v, F_v = e.damping * now.J;
      K += now.J.transpose() * F_q;
      const Square2 D = now.J.transpose() * F_v;
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j) {
          const Eigen::Index row = e.ends.coordinate(i), column = e.ends.coordinate(j);
          if (row < 0 || column < 0) continue;
          d.K.add(row, column, K(i, j));
          d.D.add(row, column, D(i, j));
        }
    }
  }
  double potential(const Placement& at) const override {
    double sum = 0;
    for (const Element& e : elements) {
      const Deformations z = deformation(e, at);
      sum += z.dot(e.stiffness * z) / 2;
    }
    return sum;
  }
  double power(const Placement& at, In v, In /*s*/) const override {
    double sum = 0;
    for (const Element& e : elements) {
      const State now(e, at, v);
      sum -= now.rate.dot(e.damping * now.rate);
    }
    return sum;
  }
  std::string refusal(const Placement& at, In /*s*/) const override {
    if constexpr (requires(const Kind& kind, const double* z) { kind.refusal(z); })
      for (const Element& e : elements)
        if (std::string why = e.kind.refusal(deformation(e, at).data()); !why.empty()) return why;
    return {};
  }
  bool conservative() const override {
    return std::all_of(elements.begin(), elements.end(),
                       [](const Element& e) { return e.damping.isZero(0); });
  }

 private:
  using Deformations = Eigen::Matrix<double, deformations, 1>;
  using Displacements = Eigen::Matrix<double, count, 1>;
  using Gradient = Eigen::Matrix<double, deformations, count>;
  using Square2 = Eigen::Matrix<double, count, count>;

  static Deformations deformation(const Element& e, const Placement& at) {
    Deformations z;
    e.kind.value(Space::frame(at, e.ends.a.body), Space::frame(at, e.ends.b.body), at.t, z.data());
    return z;
  }

  /// An element at one state: J, J v and what it bears.
  struct State {
    State(const Element& e, const Placement& at, In v) {
      double s[Kind::jacobian_places.size()];
      e.kind.jacobian(Space::frame(at, e.ends.a.body), Space::frame(at, e.ends.b.body), s);
      for (std::size_t k = 0; k < Kind::jacobian_places.size(); ++k)
        J(Kind::jacobian_places[k].row, Kind::jacobian_places[k].column) += s[k];
      e.ends.local(v, u.data());
      rate = J * u;
      F = e.stiffness * deformation(e, at) + e.damping * rate;
    }
    Gradient J = Gradient::Zero();
    Displacements u;
    Deformations rate, F;
  };
};

}  // namespace dalembert
