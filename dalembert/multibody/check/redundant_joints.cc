#include "dalembert/multibody/check/redundant_joints.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dalembert/core/index.h"
#include "dalembert/multibody/check/loops.h"

namespace dalembert::check {

using Eigen::Vector3d;

namespace {

constexpr double counts = 1e-6;  // an entry of a load on rows of unit length

/// Rows of unit length, where the part begins.
Matrix unit_rows(const Submechanism& part, Vector& length) {
  const State start = part.start();
  const auto n = part.sizes();
  const auto where = part.placed_at(start);
  Entries J;
  part.jacobian(*where, J);
  Matrix rows = J.dense(n.rows(), n.v);
  length = rows.rowwise().norm();
  for (Eigen::Index i = 0; i < n.rows(); ++i)
    if (length[i] > 0) rows.row(i) /= length[i];
  return rows;
}

Eigen::Index dimension(const Matrix& A) {
  if (A.size() == 0) return 0;
  const Vector sigma = Eigen::JacobiSVD<Matrix>(A).singularValues();
  return (sigma.array() > counts).count();
}

/// Loads that have no joint in common with others are told one by one.
std::vector<std::vector<Eigen::Index>> separate(const Mechanism& m, const Submechanism& part,
                                                const Matrix& columns) {
  std::vector<std::vector<Eigen::Index>> groups;
  std::vector<std::vector<Mechanism::Joint>> members;
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    std::vector<Eigen::Index> group = {c};
    std::vector<Mechanism::Joint> mine = sharing(m, part, columns.col(c));
    for (std::size_t k = groups.size(); k-- > 0;) {
      std::vector<Mechanism::Joint> both;
      std::set_intersection(mine.begin(), mine.end(), members[k].begin(), members[k].end(),
                            std::back_inserter(both));
      if (both.empty()) continue;
      group.insert(group.begin(), groups[k].begin(), groups[k].end());
      std::vector<Mechanism::Joint> all;
      std::set_union(mine.begin(), mine.end(), members[k].begin(), members[k].end(), std::back_inserter(all));
      mine = all;
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(k));
      members.erase(members.begin() + static_cast<std::ptrdiff_t>(k));
    }
    std::sort(group.begin(), group.end());
    groups.push_back(std::move(group));
    members.push_back(std::move(mine));
  }
  return groups;
}

class RedundancyFindings {
 public:
  RedundancyFindings(const Mechanism& m, const Submechanism& part, const Loads& loads, Findings& into)
      : m_(m),
        part_(part),
        loads_(loads),
        into_(into),
        where_(m.placed_at(State{part.start().t, whole_q()})),
        held_(bodies_held(m)),
        owner_(joint_of_rows(m)) {
    m_.jacobian(*where_, J_);
  }

  /// Loads in which drives have no share are told first: they are those of the joints alone.
  void report(const Matrix& loads) {
    std::vector<Eigen::Index> driven;
    for (std::size_t i = 0; i < part_.rows().size(); ++i)
      if (is_drive(record(owner_[at(part_.rows()[i])]))) driven.push_back(static_cast<Eigen::Index>(i));
    if (driven.empty() || loads.cols() == 0) {
      report_joints(loads);
      return;
    }
    const Eigen::JacobiSVD<Matrix> svd(Matrix(loads(driven, Eigen::all)), Eigen::ComputeFullV);
    const Eigen::Index rank = (svd.singularValues().array() > counts).count();
    const Matrix without = loads * svd.matrixV().rightCols(loads.cols() - rank);
    Matrix with = loads * svd.matrixV().leftCols(rank);
    if (without.cols() > 0) with -= without * without.colPivHouseholderQr().solve(with);
    report_joints(without);
    for (Eigen::Index c = 0; c < with.cols(); ++c) report_one(with.col(c));
  }

 private:
  void report_joints(const Matrix& loads) {
    for (const auto& group : separate(m_, part_, loads)) {
      const Matrix some = loads(Eigen::all, group);
      const auto all = sharing(m_, part_, some);
      if (all.empty()) continue;
      const auto told = superfluous(all, some);
      if (dimension(rows_of(told, some)) == some.cols())
        report(told, all, some);
      else  // no joint takes part in all of it
        for (Eigen::Index c = 0; c < some.cols(); ++c) report_one(some.col(c));
    }
  }
  void report_one(const Matrix& load) {
    const auto all = sharing(m_, part_, load);
    if (!all.empty()) report(superfluous(all, load), all, load);
  }

  Vector whole_q() const { return part_.around().y.head(m_.sizes().q); }

  /// Of the loads, what a joint carries: rows of unit length.
  Matrix rows_of(Mechanism::Joint j, const Matrix& loads) const {
    std::vector<Eigen::Index> mine;
    for (std::size_t i = 0; i < part_.rows().size(); ++i)
      if (owner_[at(part_.rows()[i])] == j) mine.push_back(static_cast<Eigen::Index>(i));
    return loads(mine, Eigen::all);
  }
  Vector lengths_of(Mechanism::Joint j) const {
    std::vector<Eigen::Index> mine;
    for (std::size_t i = 0; i < part_.rows().size(); ++i)
      if (owner_[at(part_.rows()[i])] == j) mine.push_back(static_cast<Eigen::Index>(i));
    return loads_.length(mine);
  }

  /// The one that could go: with a share in all of it, best if it does nothing else; a drive, or the last joint.
  Mechanism::Joint superfluous(const std::vector<Mechanism::Joint>& all, const Matrix& loads) const {
    Mechanism::Joint best = all.back();
    Eigen::Index most = -1;
    for (const auto j : all) {
      const Matrix mine = rows_of(j, loads);
      const Eigen::Index share = dimension(mine);
      const Eigen::Index merit = 4 * share + (is_drive(record(j)) ? 2 : 0) + (mine.rows() == share ? 1 : 0);
      if (merit >= most) best = j, most = merit;
    }
    return best;
  }

  void report(Mechanism::Joint told, const std::vector<Mechanism::Joint>& all, const Matrix& loads) {
    std::vector<Mechanism::Joint> others = all;
    std::erase(others, told);
    const int body = common_body(told, others);
    std::string what, hint;
    const std::string motion =
        (body < 0 ? "" : "body " + m_.bodies()[at(body)].name + "'s ") + motion_words(told, body, loads);
    const double t = conflict_time(loads);
    const bool against = std::isfinite(t);
    if (is_drive(record(told))) {
      what = "drive " + record(told).name + " prescribes what " + joints(m_, others) + " already " +
             (others.size() == 1 ? "fixes" : "fix") + ": " + motion;
      hint = against ? "they disagree from t = " + number(t) + " s on: remove the drive, or free a joint"
                     : "remove the drive";
    } else if (others.empty()) {
      what = "joint " + record(told).name + " says the same thing twice: " + motion;
      hint = "use a joint of another kind";
    } else if (others.size() == 1) {
      what = "joints " + record(others[0]).name + " and " + record(told).name + " both fix " + motion;
      hint = proposal(told, loads);
    } else {
      what =
          "joint " + record(told).name + " repeats what " + joints(m_, others) + " already hold: " + motion;
      hint = proposal(told, loads);
    }
    std::vector<Mechanism::Joint> named = {told};
    named.insert(named.end(), others.begin(), others.end());
    into_.list.push_back(
        {against ? Finding::Severity::error : Finding::Severity::warning,
         against ? "overdriven" : "redundant", what, hint, joint_names(m_, named),
         body < 0 ? std::vector<std::string>{} : std::vector<std::string>{m_.bodies()[at(body)].name}});
  }

  const JointRecord& record(Mechanism::Joint j) const { return m_.joints()[at(j)]; }

  /// Between two joints the body both hold, else one of the joint that is told.
  int common_body(Mechanism::Joint told, const std::vector<Mechanism::Joint>& others) const {
    if (others.size() == 1)
      for (const int b : held_[at(told)])
        if (std::binary_search(held_[at(others[0])].begin(), held_[at(others[0])].end(), b)) return b;
    return body_of(m_, told, held_[at(told)]);
  }

  Matrix carried(Mechanism::Joint j, int body, const Matrix& loads) const {
    const Vector length = lengths_of(j);
    Matrix multipliers = rows_of(j, loads);
    for (Eigen::Index i = 0; i < length.size(); ++i)
      if (length[i] > 0) multipliers.row(i) /= length[i];
    return wrenches(m_, *where_, J_, j, body) * multipliers;
  }

  std::string motion_words(Mechanism::Joint j, int body, const Matrix& loads) const {
    if (body < 0) return "nothing";
    return motions(m_, carried(j, body, loads));
  }

  /// When driven rows ask for something else than the others; infinity: never, as far as was looked.
  double conflict_time(const Matrix& loads) const {
    const State start = part_.start();
    const auto here = part_.placement();
    here->q = start.y.head(part_.sizes().q);
    for (const double part : {0., 1e-3, .01, .1, .37, 1.}) {
      here->t = start.t + part * (part_.end() - start.t);
      part_.place(*here);
      Vector w(part_.sizes().rows());
      part_.velocity_bias(*here, w);
      for (Eigen::Index i = 0; i < w.size(); ++i)
        if (loads_.length[i] > 0) w[i] /= loads_.length[i];
      if (largest(loads.transpose() * w) > counts * (1 + largest(w))) return here->t;
    }
    return std::numeric_limits<double>::infinity();
  }

  /// A joint that holds less, and with it nothing twice.
  std::string proposal(Mechanism::Joint j, const Matrix& loads) const;

  const Mechanism& m_;
  const Submechanism& part_;
  const Loads& loads_;
  Findings& into_;
  std::unique_ptr<Placement> where_;
  Entries J_;
  std::vector<std::vector<int>> held_;
  std::vector<Mechanism::Joint> owner_;
};

/// The wrenches a kind of joint holds with, in a frame whose z is its axis; 6 x rows.
struct Held {
  const char* kind;
  const char* needs;  ///< "axis": known only of a joint that has one
  std::vector<int> components;
};
const std::vector<Held>& kinds_in_space() {
  static const std::vector<Held> all = {
      {"revolute", "axis", {0, 1, 2, 3, 4}}, {"prismatic", "axis", {0, 1, 3, 4, 5}},
      {"cylindrical", "axis", {0, 1, 3, 4}}, {"spherical", "", {0, 1, 2}},
      {"planar", "axis", {2, 3, 4}},         {"point-on-line", "axis", {0, 1}}};
  return all;
}
/// The axis of these is in the plane and called z: it is what a slider moves along.
const std::vector<Held>& kinds_in_the_plane() {
  static const std::vector<Held> all = {
      {"revolute", "", {0, 2}}, {"prismatic", "axis", {0, 4}}, {"slot", "axis", {0}}};
  return all;
}

std::string RedundancyFindings::proposal(Mechanism::Joint j, const Matrix& loads) const {
  const std::string compliance =
      "make " + record(j).name +
      " a bushing if the loads it carries matter: rigid joints do not determine them";
  const int body = body_of(m_, j, held_[at(j)]);
  if (body < 0) return compliance;
  const Matrix all = wrenches(m_, *where_, J_, j, body), stress = carried(j, body, loads);
  const Eigen::Index rows = all.cols(), extra = loads.cols();
  if (dimension(rows_of(j, loads)) < extra) return compliance;
  if (rows == extra) return "joint " + record(j).name + " can be left out";
  const Vector3d given = pose_of(m_, *where_, record(j).a).R * record(j).axis_a;
  const bool flat = is_planar(m_), axis = given.norm() > 0 && !(flat && record(j).kind == "revolute");
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
  if (axis) {
    frame.col(2) = given.normalized();
    frame.col(1) = flat ? Vector3d(Vector3d::UnitZ()) : Vector3d(frame.col(2).unitOrthogonal());
    frame.col(0) = frame.col(1).cross(frame.col(2));
  } else if (flat) {
    frame << 1, 0, 0, 0, 0, 1, 0, 1, 0;  // x, z, y: moments about the second
  }
  for (const Held& held : flat ? kinds_in_the_plane() : kinds_in_space()) {
    if (static_cast<Eigen::Index>(held.components.size()) != rows - extra || held.kind == record(j).kind ||
        (held.needs[0] != 0 && !axis))
      continue;
    Matrix less = Matrix::Zero(6, rows - extra);
    for (std::size_t k = 0; k < held.components.size(); ++k) {
      const int c = held.components[k];
      less.block(c < 3 ? 0 : 3, static_cast<Eigen::Index>(k), 3, 1) = frame.col(c % 3);
    }
    Matrix with(6, rows + less.cols()), both(6, rows);
    with << all, less;
    both << less, stress;
    if (dimension(with) == dimension(all) && dimension(both) == rows)
      return "make " + record(j).name + " a " + held.kind + " joint, which leaves that free";
  }
  return compliance;
}

}  // namespace

std::vector<Mechanism::Joint> sharing(const Mechanism& m, const Submechanism& part, const Matrix& columns) {
  const auto owner = joint_of_rows(m);
  std::vector<Mechanism::Joint> all;
  for (Eigen::Index i = 0; i < columns.rows(); ++i)
    if (columns.row(i).cwiseAbs().maxCoeff() > counts) all.push_back(owner[at(part.rows()[at(i)])]);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Loads lasting_loads(const Submechanism& part, const Redundancy& found) {
  Loads loads;
  const Matrix rows = unit_rows(part, loads.length);
  const auto independent = found.independent();
  const auto count = static_cast<Eigen::Index>(found.dependent.size());
  loads.columns = Matrix::Zero(rows.rows(), count);
  if (independent.empty() || count == 0) {
    for (Eigen::Index c = 0; c < count; ++c) loads.columns(found.dependent[at(c)].row, c) = 1;
    return loads;
  }
  const Matrix kept = rows(independent, Eigen::all).transpose();
  const Eigen::ColPivHouseholderQR<Matrix> qr(kept);
  for (Eigen::Index c = 0; c < count; ++c) {
    const auto& d = found.dependent[at(c)];
    const Vector share = qr.solve(rows.row(d.row).transpose());
    loads.columns(d.row, c) = 1;
    for (std::size_t k = 0; k < independent.size(); ++k)
      if (std::binary_search(d.on.begin(), d.on.end(), independent[k]))
        loads.columns(independent[k], c) = -share[static_cast<Eigen::Index>(k)];
  }
  return loads;
}

Loads loads_here(const Submechanism& part) {
  Loads loads;
  const Matrix rows = unit_rows(part, loads.length);
  const Eigen::BDCSVD<Matrix> svd(rows, Eigen::ComputeFullU);
  const Eigen::Index rank = (svd.singularValues().array() > 1e-8).count();
  loads.columns = svd.matrixU().rightCols(rows.rows() - rank);
  return loads;
}

void describe_redundancy(const Mechanism& m, const Submechanism& part, const Redundancy& found,
                         Findings& into) {
  const Loads loads = lasting_loads(part, found);
  RedundancyFindings(m, part, loads, into).report(loads.columns);
}

}  // namespace dalembert::check
