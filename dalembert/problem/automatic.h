// An implicit problem whose residual is written once, for any kind of number; its Jacobians are differentiated
// automatically.
//
//   class Oscillator : public Implicit {       // layout, start, end, ... and instead of F and jacobians:
//    public:
//     template <class T>
//     void residual(double t, const T* y, const T* dy, T* r) const {
//       r[0] = dy[0] - y[1];
//       r[1] = dy[1] + y[0] * y[0] * y[0];
//     }
//   };
//   std::make_shared<const AutomaticImplicit<Oscillator>>(...)
//
// The pattern is found once, when the problem is made, by tracing which unknowns each residual is computed from; a
// residual that branches is traced along the branches of the start. Columns of F_y and F_y' that meet in no row share
// a direction [CurtisPowellReid1974], and `width` directions share an evaluation.
#pragma once

#include <utility>
#include <vector>

#include "dalembert/linear/colouring.h"
#include "dalembert/problem/dual.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

/// A model with F and Jacobians made of its residual.
template <class Model, std::size_t width = 4>
class AutomaticImplicit final : public Model {
 public:
  template <class... Arguments>
  explicit AutomaticImplicit(Arguments&&... arguments)
      : Model(std::forward<Arguments>(arguments)...), colouring_(traced()) {}

  void F(double t, In y, In dy, Out residual) const override {
    this->Model::residual(t, y.data(), dy.data(), residual.data());
  }

  void jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const override {
    using Number = Dual<width>;
    const auto n = static_cast<std::size_t>(y.size());
    static thread_local std::vector<Number> work;  // grows to the largest problem of the thread, then stays
    if (work.size() < 3 * n) work.resize(3 * n);
    Number* const unknowns = work.data();  // y, then y': columns of F_y, then of F_y'
    Number* const r = unknowns + 2 * n;
    for (std::size_t j = 0; j < n; ++j) {
      unknowns[j] = y[static_cast<Eigen::Index>(j)];
      unknowns[n + j] = dy[static_cast<Eigen::Index>(j)];
    }
    F_y.begin();
    F_dy.begin();
    for (int first = 0; first < colouring_.colours(); first += static_cast<int>(width)) {
      const int last = std::min(first + static_cast<int>(width), colouring_.colours());
      point(unknowns, first, last, 1);
      this->Model::residual(t, unknowns, unknowns + n, r);
      point(unknowns, first, last, 0);
      for (int colour = first; colour < last; ++colour)
        for (const auto& [row, column] : colouring_.places(colour)) {
          const double gradient = r[row].gradient.d[static_cast<std::size_t>(colour - first)];
          if (column < static_cast<int>(n))
            F_y.add(row, column, gradient);
          else
            F_dy.add(row, column - static_cast<int>(n), gradient);
        }
    }
    F_y.end();
    F_dy.end();
  }

  /// How many directions F_y and F_y' need together.
  int colours() const { return colouring_.colours(); }

 private:
  /// Directions of the colours first, ..., last-1: set, or cleared.
  void point(Dual<width>* unknowns, int first, int last, double size) const {
    for (int colour = first; colour < last; ++colour)
      for (const int column : colouring_.columns(colour))
        unknowns[column].gradient.d[static_cast<std::size_t>(colour - first)] = size;
  }

  Colouring traced() const {
    const State start = this->Model::start();
    const int n = static_cast<int>(start.y.size());
    std::vector<Traced> y, dy, r(static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j) {
      y.emplace_back(start.y[j], Origins{{j}});
      dy.emplace_back(0, Origins{{n + j}});
    }
    this->Model::residual(start.t, y.data(), dy.data(), r.data());
    std::vector<Entries::Place> pattern;
    for (int row = 0; row < n; ++row)
      for (const int column : r[static_cast<std::size_t>(row)].gradient.of) pattern.push_back({row, column});
    return Colouring(n, 2 * n, std::move(pattern));
  }

  Colouring colouring_;
};

}  // namespace dalembert
