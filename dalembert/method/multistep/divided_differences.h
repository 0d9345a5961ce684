// The past of a multistep method with variable steps: modified divided differences, their prediction and their update.
//
//   psi_i = t_n - t_{n-1-i},   alpha_i = h/psi_i,   beta_i = prod_{j<i} psi_j(n)/psi_j(n-1),   phi*_i = beta_i phi_i,
//   sigma_i = i! prod_{1<=j<=i} alpha_j,   gamma_i = sum_{j<i} alpha_j/h
//
//   predictor  w(t_n - psi_i) = y_{n-1-i}, i = 0..k:   w(t_n) = sum phi*_i,   w'(t_n) = sum gamma_i phi*_i
//
// phi_i are the modified divided differences of y at t_{n-1} [BrenanCampbellPetzold1996, 5.2.1]. aim() and update()
// prepare what accept() makes true; nothing else changes the past.
#pragma once

#include <array>
#include <cstddef>

#include "dalembert/core/index.h"
#include "dalembert/core/memory.h"
#include "dalembert/core/vector.h"

namespace dalembert {

class DividedDifferences {
 public:
  static constexpr int highest = 5;  ///< order

  void bind(Eigen::Index size);  ///< allocates
  void forget();
  bool exist() const { return now_.exists; }

  /// A past of one value and its derivative, as if a step along it had come before.
  void begin(In y, In dy);
  /// A past of k+1 values in equal steps h, the newest last; they are overwritten.
  template <class Value>
  void take(int k, double h, Value&& value);

  /// The coefficients of a step h of order k.
  void aim(double h, int k);
  void predict(Out y, Out dy) const;
  double alpha(int i) const { return alpha_[at(i)]; }
  double sigma(int i) const { return sigma_[at(i)]; }
  /// d += phi*_i
  void add(int i, Out d) const { d += beta_[at(i)] * now_.phi[at(i)]; }
  /// phi_{k+1} as it was after the last step: that step's e, if its order was k.
  const Vector& last_correction() const { return now_.phi[at(next_.order + 1)]; }
  const Vector& last_value() const { return now_.phi[0]; }
  int last_order() const { return now_.order; }
  /// How many steps of this length and order in a row, this one included.
  int equal_steps() const { return next_.equal; }

  /// The differences at t_n for y = w(t_n) + e.
  void update(In e);
  /// The polynomial through the values at t_n, .., t_{n-k}, at t_n + x; after update(), before accept().
  void interpolate(double x, Out y) const;
  void accept();
  void remember(Memory& memory) { memory(now_, next_, rate_); }

 private:
  using Coefficients = std::array<double, highest + 2>;

  /// What is known after a step.
  struct Past {
    void remember(Memory& memory) { memory(exists, phi, psi, order, h, equal); }
    bool exists = false;
    std::array<Vector, highest + 2> phi;  // one more than the order of the step
    Coefficients psi{};
    int order = 0;
    double h = 0;
    int equal = 0;
  };
  Past now_, next_;
  Vector rate_;  // of a past of one value
  Coefficients alpha_{}, beta_{}, sigma_{}, gamma_{};
};

template <class Value>
void DividedDifferences::take(int k, double h, Value&& value) {
  // Backward differences are the modified divided differences of equal steps.
  for (int i = 0; i <= k; ++i) {
    copy(value(k), now_.phi[at(i)]);
    now_.psi[at(i)] = (i + 1) * h;
    for (int j = k; j > i; --j) value(j) -= value(j - 1);
  }
  now_.exists = true;
  now_.order = k;
  now_.h = h;
  now_.equal = k + 2;
}

}  // namespace dalembert
