#include "dalembert/method/partitioned/relaxation.h"

#include <cmath>

namespace dalembert {

namespace {

constexpr std::size_t most_columns = 24;  // older differences say little about this window
constexpr double dependent = 1e-9;        // of the longest column: below it a difference is rounding

}  // namespace

void Relaxation::bind(Relaxing how, double omega, std::vector<Entry> entries) {
  how_ = how;
  first_omega_ = how == Relaxing::none ? 1 : omega;
  entries_ = std::move(entries);
  deciding_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i] == Entry::decides) deciding_.push_back(static_cast<Eigen::Index>(i));
  wanted_ = last_h_ = Vector::Zero(static_cast<Eigen::Index>(entries_.size()));
  r_ = last_r_ = Vector::Zero(static_cast<Eigen::Index>(deciding_.size()));
  forget();
}

void Relaxation::forget() {
  dR_.clear();
  dH_.clear();
  kept_ = 0;
  kept_omega_ = first_omega_;
  begin();
}

void Relaxation::begin() {
  dR_.resize(kept_);
  dH_.resize(kept_);
  omega_ = kept_omega_;
  factor_ = 0;
  has_last_ = false;
}

void Relaxation::keep() {
  kept_omega_ = omega_;
  if (dR_.size() > most_columns) {
    const auto surplus = static_cast<std::ptrdiff_t>(dR_.size() - most_columns);
    dR_.erase(dR_.begin(), dR_.begin() + surplus);
    dH_.erase(dH_.begin(), dH_.begin() + surplus);
  }
  kept_ = dR_.size();
}

void Relaxation::next(Vector& u, const Vector& h) {
  for (std::size_t i = 0; i < deciding_.size(); ++i)
    r_[static_cast<Eigen::Index>(i)] = h[deciding_[i]] - u[deciding_[i]];
  if (has_last_) {
    const double before = last_r_.squaredNorm();
    factor_ = before > 0 ? r_.dot(last_r_) / before : 0;
  }
  if (how_ == Relaxing::quasi_newton) {
    quasi_newton(u, h);
  } else {
    if (how_ == Relaxing::aitken && has_last_) {
      const double change = (r_ - last_r_).squaredNorm();
      if (change > 0) omega_ *= -last_r_.dot(r_ - last_r_) / change;
    }
    wanted_ = u + omega_ * (h - u);
  }
  for (Eigen::Index i = 0; i < u.size(); ++i)
    u[i] = entries_[static_cast<std::size_t>(i)] == Entry::replaced ? h[i] : wanted_[i];
  last_r_ = r_;
  last_h_ = h;
  has_last_ = true;
}

void Relaxation::quasi_newton(const Vector& u, const Vector& h) {
  if (has_last_ && (r_ - last_r_).norm() > dependent * last_r_.norm()) {
    dR_.emplace_back(r_ - last_r_);
    dH_.emplace_back(h - last_h_);
  }
  if (dR_.empty()) {
    wanted_ = u + omega_ * (h - u);
    return;
  }
  // The newest differences first: pivoting keeps the order of what is nearly dependent.
  const auto columns = static_cast<Eigen::Index>(std::min(dR_.size(), most_columns));
  R_.resize(r_.size(), columns);
  Vector length(columns);
  for (Eigen::Index k = 0; k < columns; ++k) {
    R_.col(k) = dR_[dR_.size() - 1 - static_cast<std::size_t>(k)];
    length[k] = R_.col(k).norm();
    R_.col(k) /= length[k];
  }
  Eigen::ColPivHouseholderQR<Matrix> factors(R_);
  factors.setThreshold(dependent);
  const Vector alpha = factors.solve(-r_);
  wanted_ = h;
  for (Eigen::Index k = 0; k < columns; ++k)
    wanted_ += alpha[k] / length[k] * dH_[dH_.size() - 1 - static_cast<std::size_t>(k)];
}

}  // namespace dalembert
