// Degrees of freedom by rank, loop by loop; which reactions are determined; massless bodies that can move.
#include "dalembert/linear/rank.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <optional>

#include "dalembert/core/index.h"
#include "dalembert/multibody/check/loops.h"
#include "dalembert/multibody/check/redundant_joints.h"

namespace dalembert::check {

namespace {

constexpr double suspicious = 1e-7;       // of a unit row: looked at more closely
constexpr Eigen::Index most_dense = 600;  // rows or velocities of a loop
constexpr Eigen::Index most_sparse = 60000;
constexpr int most_loops = 40;  // that are described

/// The rows of one loop, of unit length, with the columns they have.
struct LoopRows {
  std::vector<Eigen::Triplet<double>> entries;  ///< column, row
  Eigen::Index rows = 0, columns = 0;

  Eigen::Index rank() const {
    if (rows == 0 || columns == 0) return 0;
    if (std::max(rows, columns) <= most_dense) {
      Matrix dense = Matrix::Zero(rows, columns);
      for (const auto& each : entries) dense(each.col(), each.row()) += each.value();
      return numerical_rank(dense, suspicious);
    }
    // J J' with a shift that is far below what counts: a pivot is the square of what a row adds to those before it.
    constexpr double shift = 1e-14, least = 1e-10;
    Eigen::SparseMatrix<double> J_t(columns, rows), gram;
    J_t.setFromTriplets(entries.begin(), entries.end());
    gram = J_t.transpose() * J_t;
    for (int i = 0; i < gram.cols(); ++i) gram.coeffRef(i, i) += shift;
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(gram);
    return (factors.vectorD().array() > least).count();
  }
};

std::vector<LoopRows> rows_by_loop(const Mechanism& m, const Entries& J,
                                   const std::vector<std::vector<Mechanism::Joint>>& loops) {
  const auto n = m.sizes();
  std::vector<std::size_t> loop_of(m.joints().size());
  for (std::size_t l = 0; l < loops.size(); ++l)
    for (const auto j : loops[l]) loop_of[at(j)] = l;
  const auto owner = joint_of_rows(m);
  Vector length = Vector::Zero(n.rows());
  for (std::size_t k = 0; k < J.size(); ++k) length[J.row(k)] += J.value(k) * J.value(k);
  std::vector<LoopRows> all(loops.size());
  std::vector<Eigen::Index> row(at(n.rows()));
  for (Eigen::Index i = 0; i < n.rows(); ++i) row[at(i)] = all[loop_of[at(owner[at(i)])]].rows++;
  // Columns are numbered as they are met; a body may be in several loops.
  std::vector<std::vector<std::size_t>> by_loop(loops.size());
  for (std::size_t k = 0; k < J.size(); ++k) by_loop[loop_of[at(owner[at(J.row(k))])]].push_back(k);
  std::vector<Eigen::Index> column(at(n.v), -1);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    for (const std::size_t k : by_loop[l]) {
      Eigen::Index& j = column[at(J.column(k))];
      if (j < 0) j = all[l].columns++;
      if (const double size = std::sqrt(length[J.row(k)]); size > 0)
        all[l].entries.emplace_back(static_cast<int>(j), static_cast<int>(row[at(J.row(k))]),
                                    J.value(k) / size);
    }
    for (const std::size_t k : by_loop[l]) column[at(J.column(k))] = -1;
  }
  return all;
}

void say_singular(const Mechanism& m, const Submechanism& part, const Redundancy& found, Findings& into) {
  const auto few = sharing(m, part, loads_here(part).columns);
  into.list.push_back(
      {Finding::Severity::warning, "singular",
       "the start is a singular position: there the rows of " + joints(m, few) + " have rank " +
           std::to_string(found.rank_here) + ", around it " + std::to_string(found.rank),
       "several motions may leave from it; begin elsewhere, or give velocities that choose one",
       joint_names(m, few)});
}

void name_reactions(const Mechanism& m, const std::vector<bool>& unique, Findings& into) {
  const Layout layout = m.layout();
  const auto n = m.sizes();
  const Eigen::Index first = MechanicalState(n).differential();
  for (const JointRecord& joint : m.joints()) {
    Findings::Reaction reaction{.joint = joint.name};
    const auto look = [&](Eigen::Index row) {
      if (unique[at(row)]) return;
      const std::string label = layout.label(first + row);
      reaction.not_unique.push_back(label.substr(label.find('.') + 1));
    };
    for (Eigen::Index i = 0; i < joint.count; ++i) look(joint.first + i);
    for (Eigen::Index i = 0; i < joint.count_velocity; ++i) look(n.holonomic + joint.first_velocity + i);
    const auto lost = static_cast<Eigen::Index>(reaction.not_unique.size());
    reaction.unique = lost == 0                                   ? Findings::Reaction::Unique::all
                      : lost < joint.count + joint.count_velocity ? Findings::Reaction::Unique::some
                                                                  : Findings::Reaction::Unique::none;
    into.reactions.push_back(std::move(reaction));
  }
}

void say_freedom(const Mechanism& m, Findings& into) {
  if (into.degrees_of_freedom != 0 || m.bodies().empty() || into.has("overdriven")) return;
  const bool driven = into.counts.drives > 0;
  into.list.push_back({Finding::Severity::note, "rigid",
                       driven ? "the drives determine the whole motion: no degree of freedom is left"
                              : "nothing can move: the joints hold every body",
                       driven ? "" : "free a joint if it is meant to move"});
}

}  // namespace

void examine_rank(const Mechanism& m, const State& state, Findings& into) {
  const auto n = m.sizes();
  const auto where = m.placed_at(state);
  Entries J;
  m.jacobian(*where, J);
  for (std::size_t k = 0; k < J.size(); ++k)
    if (!std::isfinite(J.value(k))) return;  // assembly has said so
  const auto loops = loops_of(m, *where);
  const auto rows = rows_by_loop(m, J, loops);
  std::vector<bool> unique(at(n.rows()), true);
  int described = 0;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    if (std::max(rows[l].rows, rows[l].columns) > most_sparse) {
      into.list.push_back(
          {Finding::Severity::note, "not-examined",
           "the rank was not examined: one loop has " + std::to_string(loops[l].size()) + " joints",
           "examine a smaller model of the same kind"});
      return;
    }
    const Eigen::Index here = rows[l].rank();
    if (here == rows[l].rows) {
      into.rank += here, into.rank_here += here;
      continue;
    }
    if (std::max(rows[l].rows, rows[l].columns) > most_dense || described == most_loops) {
      into.rank += here, into.rank_here += here, into.redundant += rows[l].rows - here;
      const auto names = joint_names(m, loops[l]);
      into.list.push_back({Finding::Severity::warning, "redundant",
                           std::to_string(rows[l].rows - here) + " rows of joints " + list(names) +
                               " follow from others; which ones was not examined",
                           "examine a smaller model of the same kind", names});
      continue;
    }
    ++described;
    const Submechanism part(m, loops[l], state);
    const Redundancy found = find_redundancy(part, part.start());
    into.rank += found.rank, into.rank_here += found.rank_here;
    into.redundant += static_cast<Eigen::Index>(found.dependent.size());
    for (Eigen::Index i = 0; i < found.rows; ++i)
      unique[at(part.rows()[at(i)])] = std::binary_search(found.unique.begin(), found.unique.end(), i);
    if (!found.dependent.empty()) describe_redundancy(m, part, found, into);
    if (found.rank_here < found.rank) say_singular(m, part, found, into);
  }
  into.ranked = true;
  into.degrees_of_freedom = n.v - into.rank;
  name_reactions(m, unique, into);
  say_freedom(m, into);
}

}  // namespace dalembert::check
