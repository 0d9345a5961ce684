// Bodies without mass or inertia are fine as long as joints and other bodies decide how they move.
//
//   Z'M Z u = 0,  J Z = 0          a motion that joints allow and that no inertia resists
#include <algorithm>
#include <cmath>

#include "dalembert/linear/rank.h"
#include "dalembert/multibody/check/chapters.h"
#include "dalembert/multibody/check/loops.h"
#include "dalembert/multibody/check/submechanism.h"

namespace dalembert::check {

using Eigen::Vector3d;

namespace {

constexpr Eigen::Index most_dense = 600;

bool turns(const Mechanism& m, const BodyRecord& body) {
  return body.velocities == (is_planar(m) ? 3 : 6);
}

bool weightless(const Mechanism& m, const BodyRecord& body) {
  if (!(body.mass > 0)) return true;
  if (!turns(m, body)) return false;
  if (is_planar(m)) return !(body.inertia(2, 2) > 0);
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(body.inertia).eigenvalues();
  return !(moments[0] > 1e-14 * std::abs(moments[2]));
}

/// Groups of bodies that joints hold together, the ground left out.
std::vector<std::vector<int>> islands(const Mechanism& m, const std::vector<std::vector<int>>& held) {
  std::vector<int> root(m.bodies().size());
  for (std::size_t i = 0; i < root.size(); ++i) root[i] = static_cast<int>(i);
  const auto find = [&](int v) {
    while (root[static_cast<std::size_t>(v)] != v) v = root[static_cast<std::size_t>(v)];
    return v;
  };
  for (const auto& bodies : held)
    for (const int b : bodies) root[static_cast<std::size_t>(find(b))] = find(bodies[0]);
  std::vector<std::vector<int>> all(m.bodies().size());
  for (std::size_t b = 0; b < root.size(); ++b)
    all[static_cast<std::size_t>(find(static_cast<int>(b)))].push_back(static_cast<int>(b));
  std::erase_if(all, [](const auto& island) { return island.empty(); });
  return all;
}

/// Orthonormal columns: motions of these bodies that joints allow and no inertia resists.
Matrix unresisted(const Mechanism& m, const Placement& where, const std::vector<Eigen::Index>& velocities,
                  const std::vector<bool>& rows) {
  Entries J, M;
  m.jacobian(where, J);
  m.mass(where, M);
  const auto n = static_cast<Eigen::Index>(velocities.size());
  std::vector<Eigen::Index> place(static_cast<std::size_t>(m.sizes().v), -1);
  for (Eigen::Index k = 0; k < n; ++k)
    place[static_cast<std::size_t>(velocities[static_cast<std::size_t>(k)])] = k;
  std::vector<Eigen::Index> row(rows.size(), -1);
  Eigen::Index count = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i]) row[i] = count++;
  Matrix held = Matrix::Zero(count, n), mass = Matrix::Zero(n, n);
  for (std::size_t k = 0; k < J.size(); ++k)
    if (const Eigen::Index i = row[static_cast<std::size_t>(J.row(k))]; i >= 0)
      held(i, place[static_cast<std::size_t>(J.column(k))]) += J.value(k);
  for (std::size_t k = 0; k < M.size(); ++k) {
    const Eigen::Index i = place[static_cast<std::size_t>(M.row(k))],
                       j = place[static_cast<std::size_t>(M.column(k))];
    if (i >= 0 && j >= 0) mass(i, j) += M.value(k);
  }
  const Matrix Z = count > 0 ? null_space(held, 1e-8) : Matrix(Matrix::Identity(n, n));
  if (Z.cols() == 0) return Matrix::Zero(n, 0);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(Z.transpose() * mass * Z));
  const double scale = std::max(mass.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  const Eigen::Index lost = (eigen.eigenvalues().array() <= 1e-13 * scale).count();
  return Z * eigen.eigenvectors().leftCols(lost);
}

}  // namespace

void examine_massless(const Mechanism& m, const State& state, Findings& into) {
  if (std::none_of(m.bodies().begin(), m.bodies().end(),
                   [&](const BodyRecord& body) { return weightless(m, body); }))
    return;
  const auto where = m.placed_at(state);
  const auto held = bodies_held(m);
  const auto owner = joint_of_rows(m);
  for (const auto& island : islands(m, held)) {
    if (std::none_of(island.begin(), island.end(),
                     [&](int b) { return weightless(m, m.bodies()[static_cast<std::size_t>(b)]); }))
      continue;
    std::vector<Eigen::Index> velocities;
    for (const int b : island) {
      const BodyRecord& body = m.bodies()[static_cast<std::size_t>(b)];
      for (int i = 0; i < body.velocities; ++i) velocities.push_back(body.v + i);
    }
    if (static_cast<Eigen::Index>(velocities.size()) > most_dense) {
      into.list.push_back({Finding::Severity::note, "not-examined",
                           "whether massless bodies can move was not examined: " +
                               std::to_string(island.size()) + " bodies hang together",
                           "examine a smaller model of the same kind"});
      continue;
    }
    std::vector<bool> rows(owner.size(), false);
    for (std::size_t i = 0; i < owner.size(); ++i) {
      const auto& bodies = held[static_cast<std::size_t>(owner[i])];
      rows[i] = !bodies.empty() && std::binary_search(island.begin(), island.end(), bodies[0]);
    }
    const Matrix free = unresisted(m, *where, velocities, rows);
    if (free.cols() == 0) continue;
    Eigen::Index first = 0;
    for (const int b : island) {
      const BodyRecord& body = m.bodies()[static_cast<std::size_t>(b)];
      const Matrix mine = free.middleRows(first, body.velocities);
      first += body.velocities;
      if (!weightless(m, body) || mine.norm() < 1e-6) continue;
      Matrix wrenches(6, mine.cols());
      Vector u = Vector::Zero(m.sizes().v);
      for (Eigen::Index k = 0; k < mine.cols(); ++k) {
        u.segment(body.v, body.velocities) = mine.col(k);
        const Twist move = twist_of(m, *where, u, b);
        wrenches.col(k) << move.velocity, move.spin;
      }
      const bool light = !(body.mass > 0);
      into.list.push_back(
          {Finding::Severity::error,
           "massless",
           "body " + body.name + " has no " + (light ? "mass" : "inertia") +
               " and is free to move: nothing resists its " + motions(m, wrenches),
           light ? "give it a mass, or hold it by joints" : "give it an inertia, or use a point mass",
           {},
           {body.name}});
    }
  }
}

}  // namespace dalembert::check
