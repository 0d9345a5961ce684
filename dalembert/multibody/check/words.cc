// Joints, bodies and motions in words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dalembert/core/text.h"
#include "dalembert/multibody/check/chapters.h"

namespace dalembert::check {

using Eigen::Vector3d;

namespace {

constexpr double small = 1e-6;  // of a unit vector

/// Orthonormal columns that span those of A.
Matrix span(const Matrix& A) {
  if (A.size() == 0) return Matrix::Zero(A.rows(), 0);
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeThinU);
  const Vector& sigma = svd.singularValues();
  return svd.matrixU().leftCols((sigma.array() > small * std::max(sigma[0], 1e-300)).count());
}

/// Columns y, orthonormal: those with A y = 0, then the others.
std::pair<Matrix, Matrix> split(const Matrix& A) {
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeFullV);
  const Vector& sigma = svd.singularValues();
  const Eigen::Index rank = (sigma.array() > small).count();
  return {svd.matrixV().rightCols(A.cols() - rank), svd.matrixV().leftCols(rank)};
}

/// "along x", "along x and y", "in every direction across (1, 1, 0)"
std::string directions(const Matrix& basis, const std::string& along) {
  if (basis.cols() == 1) return " " + along + " " + direction(basis.col(0));
  if (basis.cols() == 3) return "";
  const Vector3d normal = Vector3d(basis.col(0)).cross(Vector3d(basis.col(1)));
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(normal[axis]) > 1 - small)
      return " " + along + (axis == 0 ? " y and z" : axis == 1 ? " x and z" : " x and y");
  return " " + along + " every direction across " + direction(normal);
}

}  // namespace

std::string number(double x) {
  return fmt::format("{:.3g}", x);
}

std::string list(const std::vector<std::string>& names, const std::string& last) {
  constexpr std::size_t most = 8;
  std::string all;
  const std::size_t shown = std::min(names.size(), names.size() > most + 1 ? most : names.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const bool final = i + 1 == shown && shown == names.size();
    all += (i == 0 ? "" : final ? last : ", ") + names[i];
  }
  return shown < names.size() ? all + last + std::to_string(names.size() - shown) + " more" : all;
}

bool is_drive(const JointRecord& joint) {
  return joint.kind == "drive";
}

std::vector<std::string> joint_names(const Mechanism& m, const std::vector<Mechanism::Joint>& which) {
  std::vector<std::string> names;
  for (const auto j : which) names.push_back(m.joints()[static_cast<std::size_t>(j)].name);
  return names;
}

std::string joints(const Mechanism& m, const std::vector<Mechanism::Joint>& which) {
  std::vector<std::string> held, driven;
  for (const auto j : which) {
    const JointRecord& joint = m.joints()[static_cast<std::size_t>(j)];
    (is_drive(joint) ? driven : held).push_back(joint.name);
  }
  const auto words = [](const std::vector<std::string>& names, const char* one) {
    return names.empty() ? std::string() : one + std::string(names.size() > 1 ? "s " : " ") + list(names);
  };
  const std::string first = words(held, "joint"), second = words(driven, "drive");
  return first + (first.empty() || second.empty() ? "" : " and ") + second;
}

std::string direction(const Vector3d& along) {
  Vector3d d = along.normalized();
  Eigen::Index most = 0;
  d.cwiseAbs().maxCoeff(&most);
  for (Eigen::Index i = 0; i < 3; ++i)  // of entries of the same size the first one is made positive
    if (std::abs(d[i]) > std::abs(d[most]) - small) {
      if (d[i] < 0) d = -d;
      break;
    }
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(d[axis]) > 1 - small) return std::string(1, "xyz"[axis]);
  std::string text = "(";
  for (int i = 0; i < 3; ++i) text += (i > 0 ? ", " : "") + number(std::abs(d[i]) < 5e-4 ? 0 : d[i]);
  return text + ")";
}

std::string motions(const Mechanism& m, const Matrix& wrenches) {
  const bool flat = is_planar(m);
  const Matrix all = span(wrenches);
  if (all.cols() == 0) return "nothing";
  std::vector<std::string> words;
  const auto [turns, rest] = split(all.topRows(3));
  const Matrix moments = span(all.bottomRows(3) * turns);
  Matrix arm = all.bottomRows(3) * rest;
  if (moments.cols() > 0) arm -= moments * (moments.transpose() * arm);
  if (rest.cols() > 0) {
    const auto [pure, mixed] = split(arm);
    const Matrix forces = span(all.topRows(3) * rest * pure);
    const bool every = forces.cols() == (flat ? 2 : 3);
    if (forces.cols() > 0) words.push_back("translation" + (every ? "" : directions(forces, "along")));
    for (Eigen::Index k = 0; k < mixed.cols(); ++k) {
      const Vector3d force = all.topRows(3) * rest * mixed.col(k), moment = arm * mixed.col(k);
      words.push_back("translation along " + direction(force) + " together with rotation" +
                      (flat ? "" : " about " + direction(moment)));
    }
  }
  if (moments.cols() > 0) words.push_back("rotation" + (flat ? "" : directions(moments, "about")));
  return list(words);
}

Vector3d point_of(const Mechanism& m, const Placement& at, Mechanism::Joint j, int body) {
  const JointRecord& joint = m.joints()[static_cast<std::size_t>(j)];
  const Pose pose = pose_of(m, at, body);
  if (joint.a == joint.b || (body != joint.a && body != joint.b)) return pose.r;  // a drive without geometry
  return pose.place(body == joint.b ? joint.on_b : joint.on_a);
}

int body_of(const Mechanism& m, Mechanism::Joint j, const std::vector<int>& held) {
  const JointRecord& joint = m.joints()[static_cast<std::size_t>(j)];
  if (joint.b >= 0) return joint.b;
  if (joint.a >= 0) return joint.a;
  return held.empty() ? -1 : held.back();
}

Matrix wrenches(const Mechanism& m, const Placement& at, const Entries& J, Mechanism::Joint j, int body) {
  const JointRecord& joint = m.joints()[static_cast<std::size_t>(j)];
  const Eigen::Index rows = joint.count + joint.count_velocity, holonomic = m.sizes().holonomic;
  const BodyRecord& of = m.bodies()[static_cast<std::size_t>(body)];
  const Vector3d arm = pose_of(m, at, body).r - point_of(m, at, j, body);
  Matrix columns = Matrix::Zero(of.velocities, rows);
  for (std::size_t k = 0; k < J.size(); ++k) {
    const Eigen::Index level =
        J.row(k) < holonomic ? J.row(k) - joint.first : J.row(k) - holonomic - joint.first_velocity;
    const Eigen::Index count = J.row(k) < holonomic ? joint.count : joint.count_velocity;
    const Eigen::Index column = J.column(k) - of.v;
    if (level < 0 || level >= count || column < 0 || column >= of.velocities) continue;
    columns(column, level + (J.row(k) < holonomic ? 0 : joint.count)) += J.value(k);
  }
  Matrix all(6, rows);
  Vector f = Vector::Zero(m.sizes().v);
  for (Eigen::Index i = 0; i < rows; ++i) {
    f.segment(of.v, of.velocities) = columns.col(i);
    const Wrench push = wrench_on(m, at, f, body).moved(arm);
    all.col(i) << push.force, push.moment;
  }
  return all;
}

}  // namespace dalembert::check
