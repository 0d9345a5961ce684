// |p_b - p_a|, to be measured: in the plane and in space the same, made of the rod that would hold it.
#pragma once

namespace dalembert {

/// With l l_i = D . D_i, which is what a rod of length l says, the second derivative is (D . D_i)_j / l - l_i l_j / l.
template <class Rod, class Frame>
struct LengthOf {
  static constexpr int rows = 1;
  static constexpr bool holonomic = true;
  static constexpr auto jacobian_places = Rod::jacobian_places;
  static constexpr auto hessian_places = Rod::hessian_places;
  static constexpr int columns = static_cast<int>(jacobian_places.size());
  decltype(Rod::on_a) on_a, on_b;

  void value(const Frame& a, const Frame& b, double, double* g) const { *g = rod(a, b).length; }
  void jacobian(const Frame& a, const Frame& b, double* s) const { rod(a, b).jacobian(a, b, s); }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    const Rod is = rod(a, b);
    double s[columns];
    is.jacobian(a, b, s);
    is.hessian(a, b, h);
    for (int i = 0; i < columns; ++i)
      for (int j = 0; j < columns; ++j) h[columns * i + j] -= s[i] * s[j] / is.length;
  }

 private:
  Rod rod(const Frame& a, const Frame& b) const { return {on_a, on_b, Rod::distance(a, on_a, b, on_b)}; }
};

}  // namespace dalembert
