// A number measured between two bodies: a length, an angle, a displacement along an axis. Drives prescribe measures,
// springs, motors and cylinders act along them, watches print them.
//
//   c(q),   gradient_i = dc/dq_i,   hessian_ij = d gradient_i/dq_j
//
// where q_i are displacements of body a, then of body b (row_set.h). A measure is made of a kind of row that has one row.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "dalembert/multibody/row_set.h"

namespace dalembert {

/// A number between two bodies, with its derivatives.
class Measure {
 public:
  static constexpr int most = 12;  ///< displacements of two bodies in space
  virtual ~Measure() = default;
  virtual double value(const Placement&) const = 0;
  virtual void gradient(const Placement&, double* gradient) const = 0;
  virtual void hessian(const Placement&, double* hessian) const = 0;  ///< count x count, row by row

  double rate(const double* gradient, In v) const {
    double sum = 0;
    for (int i = 0; i < count; ++i)
      if (const Eigen::Index k = columns[static_cast<std::size_t>(i)]; k >= 0) sum += gradient[i] * v[k];
    return sum;
  }

  std::string name, unit;  ///< "angle", "rad"
  bool cyclic = false;     ///< an angle that is known up to full turns only
  int count = 0;
  std::array<Eigen::Index, most> columns{};  ///< of the mechanism's velocities; -1: does not move
};

/// The measure that a kind of geometry defines in the plane or in space.
template <class Space, class Kind>
class MeasureOf final : public Measure {
 public:
  MeasureOf(std::string what, std::string in, const Kind& kind, const Ends<Space::coordinates>& ends)
      : kind_(kind), ends_(ends) {
    static_assert(Kind::rows == 1 && Kind::holonomic);
    name = std::move(what), unit = std::move(in);
    if constexpr (requires { Kind::cyclic; }) cyclic = Kind::cyclic;
    count = 2 * Space::coordinates;
    for (int i = 0; i < count; ++i) columns[static_cast<std::size_t>(i)] = ends.coordinate(i);
  }
  double value(const Placement& at) const override {
    double c = 0;
    kind_.value(a(at), b(at), at.t, &c);
    return c;
  }
  void gradient(const Placement& at, double* gradient) const override {
    double s[Kind::jacobian_places.size()];
    kind_.jacobian(a(at), b(at), s);
    std::fill_n(gradient, count, 0.);
    for (std::size_t k = 0; k < Kind::jacobian_places.size(); ++k)
      gradient[Kind::jacobian_places[k].column] += s[k];
  }
  void hessian(const Placement& at, double* hessian) const override {
    double h[Kind::hessian_places.size() + 1];
    kind_.hessian(a(at), b(at), h);
    std::fill_n(hessian, count * count, 0.);
    for (std::size_t k = 0; k < Kind::hessian_places.size(); ++k)
      hessian[Kind::hessian_places[k].i * count + Kind::hessian_places[k].j] += h[k];
  }

 private:
  const auto& a(const Placement& at) const { return Space::frame(at, ends_.a.body); }
  const auto& b(const Placement& at) const { return Space::frame(at, ends_.b.body); }

  Kind kind_;
  Ends<Space::coordinates> ends_;
};

/// Shared between the mechanism and its modes.
using MeasurePtr = std::shared_ptr<const Measure>;

}  // namespace dalembert
