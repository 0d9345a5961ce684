#include "dalembert/method/multistep/divided_differences.h"

#include <algorithm>

namespace dalembert {

void DividedDifferences::bind(Eigen::Index size) {
  for (auto* past : {&now_, &next_}) past->phi.fill(Vector::Zero(size));
  rate_ = Vector::Zero(size);
  forget();
}

void DividedDifferences::forget() {
  now_.exists = false;
  now_.order = 0;
  now_.h = 0;
  now_.equal = 0;
}

void DividedDifferences::begin(In y, In dy) {
  copy(y, now_.phi[0]);
  copy(dy, rate_);
}

void DividedDifferences::aim(double h, int k) {
  if (!now_.exists) {
    now_.psi[0] = h;
    now_.phi[1] = h * rate_;
  }
  next_.exists = true;
  next_.order = k;
  next_.h = h;
  next_.equal = h == now_.h && k == now_.order ? std::min(now_.equal + 1, now_.order + 2) : 1;
  next_.psi[0] = h;
  alpha_[0] = beta_[0] = sigma_[0] = 1;
  gamma_[0] = 0;
  for (int i = 1; i <= k; ++i) {
    const double before = now_.psi[at(i - 1)];
    next_.psi[at(i)] = before + h;
    alpha_[at(i)] = h / next_.psi[at(i)];
    beta_[at(i)] = beta_[at(i - 1)] * next_.psi[at(i - 1)] / before;
    sigma_[at(i)] = i * sigma_[at(i - 1)] * alpha_[at(i)];
    gamma_[at(i)] = gamma_[at(i - 1)] + alpha_[at(i - 1)] / h;
  }
}

void DividedDifferences::predict(Out y, Out dy) const {
  y.setZero();
  dy.setZero();
  for (int i = 0; i <= next_.order; ++i) {
    y += beta_[at(i)] * now_.phi[at(i)];
    dy += (gamma_[at(i)] * beta_[at(i)]) * now_.phi[at(i)];
  }
}

void DividedDifferences::update(In e) {
  const int k = next_.order;
  copy(e, next_.phi[at(k + 1)]);
  for (int i = k; i >= 0; --i) next_.phi[at(i)] = next_.phi[at(i + 1)] + beta_[at(i)] * now_.phi[at(i)];
}

void DividedDifferences::interpolate(double x, Out y) const {
  double product = 1, factor = x / next_.psi[0];
  copy(next_.phi[0], y);
  for (int i = 1; i <= next_.order; ++i) {
    product *= factor;
    factor = (x + next_.psi[at(i - 1)]) / next_.psi[at(i)];
    y += product * next_.phi[at(i)];
  }
}

void DividedDifferences::accept() {
  std::swap(now_, next_);
}

}  // namespace dalembert
