// Some joints of a mechanism with the bodies they hold, as a problem of its own: whatever asks for the rank of rows or
// puts bodies together can be asked about a loop of a large mechanism alone.
#pragma once

#include <vector>

#include "dalembert/multibody/mechanism.h"

namespace dalembert {

class Submechanism final : public Mechanical {
 public:
  /// Bodies it does not hold stay where they are in `around`, a state of the whole.
  Submechanism(const Mechanism& whole, std::vector<Mechanism::Joint> joints, State around);

  const std::vector<Mechanism::Joint>& joints() const { return joints_; }
  const State& around() const { return around_; }
  /// A state of the whole, with the bodies of the part where they are in a state of the part.
  State widen(const State&) const;
  /// Where a row of the part is among those of the whole.
  const std::vector<Eigen::Index>& rows() const { return rows_; }
  const std::vector<Eigen::Index>& velocities() const { return velocities_; }

  Sizes sizes() const override { return n_; }
  Layout layout() const override;
  State start() const override;
  double end() const override { return whole_.end(); }
  bool plain() const override { return whole_.plain(); }
  std::unique_ptr<Placement> placement() const override;
  void place(Placement&) const override;
  void tangent(const Placement&, In u, Out dq) const override;
  void advance(const Placement&, In u, Out q) const override;
  void difference(In from, In to, Out u) const override;
  void mass(const Placement&, Entries&) const override;
  void force(const Placement&, In v, In s, Out f) const override;
  void g(const Placement&, Out) const override;
  void jacobian(const Placement&, Entries&) const override;
  void velocity_bias(const Placement&, Out) const override;
  void bias(const Placement&, In v, Out) const override;

 private:
  Vector wide_velocities(In v) const;
  Vector wide_positions(In q) const;

  const Mechanism& whole_;
  std::vector<Mechanism::Joint> joints_;
  State around_;
  Sizes n_, all_;
  std::vector<Eigen::Index> positions_, velocities_, rows_;
  std::vector<Eigen::Index> narrow_row_, narrow_velocity_;  // of the whole; -1: not in the part
};

}  // namespace dalembert
