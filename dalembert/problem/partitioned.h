// A mechanical problem cut into fields, each to be advanced by its own method on its own grid:
//
//   M_jj x_j'' = f_j - J_j' lambda - sum_k M_jk x_k'',    0 = g(t, x_1, x_2, ...)
//
// The linear form [WangHouModnak2011, (1)] has M_jj = A_j(t), f_j = r_j - C_j(t) x_j, J_j = D_j(t) = B_j(t)'; the
// nonlinear form (57)-(59) is this one. Rows that see one field only belong to it; rows that see several are the
// interface. What a field needs of the others (their coordinates in f_j, M and J, their accelerations in rows it has to
// satisfy, the multipliers of rows it does not) is taken from the previous iterate.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dalembert/problem/mechanical.h"

namespace dalembert {

/// A mechanical problem and its fields.
class Partitioned final : public Problem {
 public:
  /// A part with its own method and mesh.
  struct Field {
    std::string name;
    std::vector<Eigen::Index> q, v, s{};  ///< entries of the whole
  };

  /// Throws Error unless every coordinate lies in exactly one field.
  Partitioned(std::shared_ptr<const Mechanical> whole, std::vector<Field> fields);

  Kind kind() const override { return Kind::partitioned; }
  Layout layout() const override { return whole_->layout(); }
  State start() const override { return whole_->start(); }
  double end() const override { return whole_->end(); }
  std::vector<double> breaks(double begin, double end) const override { return whole_->breaks(begin, end); }
  bool switches() const override { return whole_->switches(); }
  Piece piece(const State& state) const override { return whole_->piece(state); }
  std::map<std::string, double> small_entries() const override { return whole_->small_entries(); }
  std::optional<State> exact(double t) const override { return whole_->exact(t); }
  Fault diagnose(double t, In y) const override { return whole_->diagnose(t, y); }

  /// The same problem in one piece: what every formulation of mechanical problems accepts.
  const std::shared_ptr<const Mechanical>& whole() const { return whole_; }
  const std::vector<Field>& fields() const { return fields_; }
  /// Rows that a field sees, ascending, and fields that a row sees, ascending.
  const std::vector<Eigen::Index>& rows_of(std::size_t field) const { return rows_of_[field]; }
  const std::vector<std::size_t>& fields_of(Eigen::Index row) const {
    return fields_of_[static_cast<std::size_t>(row)];
  }
  /// Rows that see several fields.
  const std::vector<Eigen::Index>& interface() const { return interface_; }

 private:
  std::shared_ptr<const Mechanical> whole_;
  std::vector<Field> fields_;
  std::vector<std::vector<Eigen::Index>> rows_of_;
  std::vector<std::vector<std::size_t>> fields_of_;
  std::vector<Eigen::Index> interface_;
};

/// Two fields, x with the first `positions` coordinates and y with the others, of a problem with q' = v.
std::shared_ptr<const Partitioned> cut_in_two(std::shared_ptr<const Mechanical> whole,
                                              Eigen::Index positions);

}  // namespace dalembert
