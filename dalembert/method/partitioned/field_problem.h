// One field of a partitioned problem, the others given: a mechanical problem like any other.
//
//   M_jj x_j'' = f_j(t, x_j, x_j'; x_k(t), x_k'(t)) - M_jk x_k''(t) - J_cj' l_c - J_rj' lambda_r(t)
//   0 = J_cj x_j'' + [ J_ck x_k''(t) + bias_c ]
//
// Rows c are imposed on this field: its own, and those of the interface that it carries [WangHouModnak2011, (3) and
// (55)]. Rows r are imposed on another one and felt as a given force (4), (56). What the others did comes from traces.
#pragma once

#include "dalembert/method/partitioned/trace.h"
#include "dalembert/problem/partitioned.h"

namespace dalembert {

/// How the values of a field lie in its trace: q, v, s, accelerations, multipliers of all rows it sees.
struct FieldShape {
  FieldShape(const Partitioned&, std::size_t field);
  Eigen::Index q, v, s, rows;
  Eigen::Index size() const { return q + 2 * v + s + rows; }
  auto positions(auto&& x) const { return x.segment(0, q); }
  auto velocities(auto&& x) const { return x.segment(q, v); }
  auto states(auto&& x) const { return x.segment(q + v, s); }
  auto accelerations(auto&& x) const { return x.segment(q + v + s, v); }
  auto multipliers(auto&& x) const { return x.segment(q + 2 * v + s, rows); }
  Eigen::Index differential() const { return q + v + s; }
};

class FieldProblem final : public Mechanical {
 public:
  /// `carriers` names the field each row of the whole is imposed on.
  FieldProblem(const Partitioned&, std::size_t field, std::vector<std::size_t> carriers);

  /// From now on the others do what is written here. Placements made before are renewed when they are next used.
  void listen(const std::vector<Trace>& traces);
  /// Forces are those of what this field itself did before, in the previous iterate, which has to outlive their use
  /// [WangHouModnak2011, 6]: what is nonlinear in them becomes a given function of time.
  void recall(const Trace& before) { before_ = &before; }
  /// The multipliers of all rows this field sees: its own from `own`, the given ones as given at the placement.
  void all_multipliers(const Placement&, In own, Out all) const;

  Sizes sizes() const override { return n_; }
  Layout layout() const override;
  State start() const override;
  double end() const override { return whole_.end(); }
  std::unique_ptr<Placement> placement() const override;
  void place(Placement&) const override;
  void tangent(const Placement&, In u, Out dq) const override;
  void advance(const Placement&, In u, Out q) const override;
  bool plain() const override { return whole_.plain(); }
  void mass(const Placement&, Entries& M) const override;
  void force(const Placement&, In v, In s, Out f) const override;
  void auxiliary(const Placement&, In v, In s, Out ds) const override;
  void g(const Placement&, Out residual) const override;
  void jacobian(const Placement&, Entries& J) const override;
  void velocity_bias(const Placement&, Out w) const override;
  void bias(const Placement&, In v, Out bias) const override;

 private:
  struct Here;
  const Here& here(const Placement&) const;
  void fill(const Here&) const;
  void put_own(const Here&, In v, In s) const;

  const Partitioned& all_;
  const Mechanical& whole_;
  std::size_t field_;
  const Partitioned::Field& mine_;
  std::vector<std::size_t> carriers_;
  std::vector<FieldShape> shapes_;
  Sizes n_;
  std::vector<Eigen::Index> rows_;               // of the whole, imposed here
  std::vector<Eigen::Index> v_here_, row_here_;  // of each entry of the whole; `elsewhere` if it is not here
  std::vector<Eigen::Index> given_;              // rows seen and imposed elsewhere
  const std::vector<Trace>* traces_ = nullptr;
  const Trace* before_ = nullptr;  // nullptr: forces are those of now
  unsigned epoch_ = 0;             // counts listen()
};

}  // namespace dalembert
