// Columns that a page needs besides those of the run.
#include <algorithm>
#include <cmath>

#include "dalembert/multibody/reactions.h"
#include "dalembert/page/scene.h"
#include "dalembert/problem/drawable.h"

namespace dalembert {

namespace {

State row_of(const RunRecord& record, std::size_t row, Eigen::Index size) {
  const double* begin = record.values.data() + row * record.columns.size();
  return {record.times[row], Eigen::Map<const Vector>(begin, size)};
}

double size_of(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values)
    if (std::isfinite(x)) most = std::max(most, std::abs(x));
  return most;
}

/// The six components of one joint; those that are nothing but rounding are left out.
class JointColumns {
 public:
  JointColumns(const std::string& joint, int first, int dimension) : joint_(first), planar_(dimension == 2) {
    for (int i = 0; i < dimension; ++i)
      force_.push_back({{joint + ".force." + "xyz"[i], "N", "reaction"}, {}});
    for (int i = planar_ ? 2 : 0; i < 3; ++i)
      moment_.push_back(
          {{joint + ".moment" + (planar_ ? "" : std::string(".") + "xyz"[i]), "N m", "reaction"}, {}});
  }
  void add(MechanismView& view) {
    const Wrench w = view.reaction(joint_, MechanismView::On::b);
    for (std::size_t i = 0; i < force_.size(); ++i) force_[i].values.push_back(w.force[static_cast<int>(i)]);
    for (std::size_t i = 0; i < moment_.size(); ++i)
      moment_[i].values.push_back(w.moment[planar_ ? 2 : static_cast<int>(i)]);
  }
  void move_to(std::vector<DerivedColumn>& all) {
    double force = 0, moment = 0;
    for (const auto& each : force_) force = std::max(force, size_of(each.values));
    for (const auto& each : moment_) moment = std::max(moment, size_of(each.values));
    std::move(force_.begin(), force_.end(), std::back_inserter(all));
    if (moment > 1e-9 * force) std::move(moment_.begin(), moment_.end(), std::back_inserter(all));
  }

 private:
  int joint_;
  bool planar_;
  std::vector<DerivedColumn> force_, moment_;
};

std::vector<DerivedColumn> reactions(const RunRecord& record, const Mechanism& m) {
  const int dimension = is_planar(m) ? 2 : 3;
  std::vector<JointColumns> joints;
  for (std::size_t j = 0; j < m.joints().size(); ++j)
    if (m.joints()[j].kind != "drive" && m.joints()[j].kind != "oil")
      joints.emplace_back(m.joints()[j].name, static_cast<int>(j), dimension);
  MechanismView view(m);
  const Eigen::Index size = m.report().size();
  for (std::size_t row = 0; row < record.rows(); ++row) {
    view.look(row_of(record, row, size));
    for (JointColumns& joint : joints) joint.add(view);
  }
  std::vector<DerivedColumn> all;
  for (JointColumns& joint : joints) joint.move_to(all);
  return all;
}

std::vector<DerivedColumn> points(const RunRecord& record, const Problem& problem, const Drawable& drawable) {
  const Sketch sketch = drawable.sketch();
  const int dimension = sketch.planar ? 2 : 3;
  std::vector<DerivedColumn> all;
  for (const auto& point : sketch.points)
    for (int i = 0; i < dimension; ++i) all.push_back({{point + "." + "xyz"[i], "m", "point"}, {}});
  const Eigen::Index size = problem.report().size();
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const Eigen::Matrix3Xd at = drawable.sketch_points(row_of(record, row, size));
    for (std::size_t k = 0; k < all.size(); ++k)
      all[k].values.push_back(
          at(static_cast<Eigen::Index>(k) % dimension, static_cast<Eigen::Index>(k) / dimension));
  }
  return all;
}

}  // namespace

std::vector<DerivedColumn> derived_columns(const PageRun& run) {
  if (const auto* mechanism = mechanism_of(run)) return reactions(run.record, *mechanism);
  if (const auto* drawable = as<Drawable>(run.problem.get()))
    return points(run.record, *run.problem, *drawable);
  return {};
}

}  // namespace dalembert
