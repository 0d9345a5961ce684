#include "dalembert/multibody/mechanism.h"

#include <algorithm>

namespace dalembert {

void Mechanism::g(const Placement& at, Out residual) const {
  for (const auto& rows : rows_) rows->g(at, residual);
}

void Mechanism::jacobian(const Placement& at, Entries& J) const {
  J.begin();
  for (const auto& rows : rows_) rows->jacobian(at, J);
  J.end();
}

void Mechanism::drive(const Placement& at, Out w) const {
  for (const auto& rows : rows_) rows->drive(at, w);
}

void Mechanism::bias(const Placement& at, In v, Out bias) const {
  for (const auto& rows : rows_) rows->bias(at, v, bias);
}

void Mechanism::force(const Placement& at, In v, In s, Out f) const {
  body_force(at, v, f);
  for (const auto& each : forces_) each->force(at, v, s, f);
}

void Mechanism::derivatives(const Placement& at, In v, In s, In, In l, Derivatives& d) const {
  for (Entries* block : {&d.K, &d.D, &d.S, &d.B, &d.k_q, &d.k_v, &d.k_s}) block->begin();
  body_derivatives(at, v, d);
  for (const auto& rows : rows_) {
    rows->curvature(at, l, d.K);
    rows->sway(at, v, d.B);
  }
  for (const auto& each : forces_) each->derivatives(at, v, s, d);
  for (Entries* block : {&d.K, &d.D, &d.S, &d.B, &d.k_q, &d.k_v, &d.k_s}) block->end();
}

std::optional<double> Mechanism::energy(const Placement& at, In v, In) const {
  double sum = body_energy(at, v);
  for (const auto& each : forces_) sum += each->potential(at);
  return sum;
}

double Mechanism::power(const Placement& at, In v, In s) const {
  double sum = 0;
  for (const auto& each : forces_) sum += each->power(at, v, s);
  return sum;
}

bool Mechanism::conservative() const {
  const auto gentle = [](const auto& each) { return each->conservative(); };
  return std::all_of(forces_.begin(), forces_.end(), gentle) &&
         std::all_of(rows_.begin(), rows_.end(), gentle);
}

Eigen::Index Mechanism::name_rows(Rows::Level level, const std::vector<RowName>& names) {
  auto& list = level == Rows::Level::position ? holonomic_ : nonholonomic_;
  const auto first = static_cast<Eigen::Index>(list.size());
  list.insert(list.end(), names.begin(), names.end());
  for (const auto& rows : rows_)
    if (rows->level() == Rows::Level::velocity) rows->before = static_cast<Eigen::Index>(holonomic_.size());
  return first;
}

void Mechanism::count_rows(Sizes& n) const {
  n.holonomic = static_cast<Eigen::Index>(holonomic_.size());
  n.nonholonomic = static_cast<Eigen::Index>(nonholonomic_.size());
}

void Mechanism::name_multipliers(Names& names) const {
  for (const RowName& row : holonomic_)
    names.lambda.push_back(row.label), names.lambda_units.push_back(row.unit);
  for (const RowName& row : nonholonomic_) names.mu.push_back(row.label), names.mu_units.push_back(row.unit);
}

}  // namespace dalembert
