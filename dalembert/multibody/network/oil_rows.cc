#include "dalembert/multibody/network/oil_rows.h"

#include <algorithm>

namespace dalembert {

namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// Adds up what the parts of a node say, column by column: two cylinders may push one body.
template <class Each>
Vector added(const OilRows::Node& node, Each&& each) {
  Vector sum = Vector::Zero(static_cast<Eigen::Index>(node.columns.size()));
  double values[Measure::most];
  for (const OilRows::Part& part : node.parts) {
    each(*part.measure, values);
    for (std::size_t i = 0; i < part.to.size(); ++i)
      if (part.to[i] != nowhere) sum[static_cast<Eigen::Index>(part.to[i])] -= part.area * values[i];
  }
  return sum;
}

}  // namespace

void OilRows::hold(Node node) {
  for (Part& part : node.parts)
    for (int i = 0; i < part.measure->count; ++i) {
      const Eigen::Index column = part.measure->columns[static_cast<std::size_t>(i)];
      const auto known = std::find(node.columns.begin(), node.columns.end(), column);
      part.to.push_back(column < 0 ? nowhere : static_cast<std::size_t>(known - node.columns.begin()));
      if (column >= 0 && known == node.columns.end()) node.columns.push_back(column);
    }
  nodes_.push_back(std::move(node));
}

bool OilRows::conservative() const {
  return std::all_of(nodes_.begin(), nodes_.end(), [](const Node& each) { return each.flows.empty(); });
}

void OilRows::g(const Placement& at, Out residual) const {
  if (level() == Level::velocity) return;
  for (const Node& node : nodes_) {
    double& sum = residual[node.row] = 0;
    for (const Part& part : node.parts) sum -= part.area * (part.measure->value(at) - part.start);
  }
}

void OilRows::jacobian(const Placement& at, Entries& J) const {
  for (const Node& node : nodes_) {
    const Vector row = added(node, [&](const Measure& m, double* values) { m.gradient(at, values); });
    for (std::size_t k = 0; k < node.columns.size(); ++k)
      J.add(multiplier(node.row), node.columns[k], row[static_cast<Eigen::Index>(k)]);
  }
}

void OilRows::velocity_bias(const Placement& at, Out w) const {
  for (const Node& node : nodes_) {
    double& sum = w[multiplier(node.row)] = 0;
    for (const Flow& each : node.flows) sum -= each.sign * each.flow(&at.t);
  }
}

void OilRows::bias(const Placement& at, In v, Out bias) const {
  double hessian[Measure::most * Measure::most], by_q[Measure::most];
  for (const Node& node : nodes_) {
    double& sum = bias[multiplier(node.row)] = 0;
    for (const Flow& each : node.flows) {
      double rate = 0;
      each.flow(&at.t, &rate);
      sum -= each.sign * rate;
    }
    for (const Part& part : node.parts) {
      MeasureState(*part.measure, at, v).rate_gradient(at, v, hessian, by_q);
      sum -= part.area * part.measure->rate(by_q, v);
    }
  }
}

void OilRows::geometric_stiffness(const Placement& at, In l, Entries& K) const {
  double hessian[Measure::most * Measure::most];
  for (const Node& node : nodes_)
    for (const Part& part : node.parts) {
      const Measure& m = *part.measure;
      m.hessian(at, hessian);
      for (int i = 0; i < m.count; ++i)
        for (int j = 0; j < m.count; ++j) {
          const Eigen::Index row = m.columns[static_cast<std::size_t>(i)],
                             column = m.columns[static_cast<std::size_t>(j)];
          if (row >= 0 && column >= 0)
            K.add(row, column, -l[multiplier(node.row)] * part.area * hessian[i * m.count + j]);
        }
    }
}

void OilRows::velocity_jacobian(const Placement& at, In v, Entries& B) const {
  double hessian[Measure::most * Measure::most];
  for (const Node& node : nodes_) {
    const Vector row = added(node, [&](const Measure& m, double* values) {
      MeasureState(m, at, v).rate_gradient(at, v, hessian, values);
    });
    for (std::size_t k = 0; k < node.columns.size(); ++k)
      B.add(multiplier(node.row), node.columns[k], row[static_cast<Eigen::Index>(k)]);
  }
}

}  // namespace dalembert
