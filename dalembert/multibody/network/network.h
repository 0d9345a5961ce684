// An electrical or hydraulic network: branches and stores between nodes, and potentials that sources impose.
//
//   sum of the currents at each node = 0
//
// A forest of sources and stores gives the potentials as e = P_V U(t) + P_C s + P_w w: the voltages s of its stores are
// states, w is one unknown potential for each part of the network that the forest does not join to the ground. Balances of these
// parts, and the equations of branches with unknowns j, are solved for z = (w, j) wherever something is evaluated: what is left
// is s' = k(t,q,v,s). Loops of stores, and of stores with sources, are no exception: their currents follow from U'.
// Where only pistons and given flows meet, the balance holds the motion, and the pressure is its multiplier (oil_rows.h).
// Other unknowns that this does not determine belong to equations of higher index; they are refused by name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/core/error.h"
#include "dalembert/core/per_thread.h"
#include "dalembert/multibody/mechanism.h"
#include "dalembert/multibody/network/branch.h"
#include "dalembert/multibody/network/oil_rows.h"

namespace dalembert {

/// What cannot be, and the node or the branch it is said of.
class NetworkError : public Error {
 public:
  enum class Part { whole, node, branch };
  NetworkError(Part part, std::string name, const std::string& what, std::string hint = {})
      : Error(what, std::move(hint)), part_(part), name_(std::move(name)) {}
  Part part() const { return part_; }
  const std::string& name() const { return name_; }

 private:
  Part part_;
  std::string name_;
};

/// All nodes and branches of a mechanism.
class Network final : public Forces {
 public:
  enum class Domain { electrical, hydraulic };
  static constexpr int ground = -1;

  Network();
  ~Network() override;
  int node(const std::string& name, Domain);
  /// `along` may be empty.
  void add(const std::string& name, std::vector<int> nodes, std::shared_ptr<const Branch>,
           MeasurePtr along = {});
  void store(const std::string& name, std::array<int, 2> nodes, std::shared_ptr<const Store>,
             MeasurePtr along = {});
  /// The potential of the first node above that of the second is U(t).
  void impose(const std::string& name, std::array<int, 2> nodes, Motion U);
  /// Finds states and unknowns, and the potentials at the start. Once, after all was added and before the mechanism is used;
  /// throws NetworkError with the names of what cannot be.
  void settle(Mechanism&);

  struct Node {
    std::string name;
    Domain domain;
    const OilRows* oil = nullptr;  ///< whose multiplier its pressure is; settle() finds it
    Eigen::Index row = 0;          ///< there
  };
  const std::vector<Node>& nodes() const { return nodes_; }
  Eigen::Index unknowns() const { return unknowns_; }  ///< potentials and currents that are solved for
  /// Branches, stores and sources, by name: in that order.
  std::vector<std::string> names() const;
  Domain domain_of(std::size_t which) const;  ///< of names()[which]

  /// What it does at a state. Of a branch, the current out of its first node, the difference of the potentials of its first two
  /// nodes, and the power that it takes from the network.
  struct Reading {
    std::vector<double> potentials, currents, differences, powers;
  };
  Reading read(const Placement&, In v, In s, In multipliers) const;

  void force(const Placement&, In v, In s, Out f) const override;
  void auxiliary(const Placement&, In v, In s, Out ds) const override;
  void jump(const Placement& before, const Placement& after, Out s) const override;
  void imposed(const Placement&, std::vector<double>&) const override;
  void derivatives(const Placement&, In v, In s, Derivatives&) const override;
  double energy(const Placement&, In s) const override;
  std::string refusal(const Placement&, In s) const override;
  void state_sizes(const Placement&, In v, In s, Out sizes) const override;
  double power(const Placement&, In v, In s) const override;
  double dissipation(const Placement&, In v, In s) const override;
  bool conservative() const override;

 private:
  struct Term {
    int column;  ///< of the unknowns, then the states
    double sign;
  };
  struct Potential {  ///< what the potential of a node, or a difference, is made of
    std::vector<Term> terms{}, imposed{};
  };
  struct Assembled;
  struct Work;
  struct LinearTerm {
    Vector Work::*what;
    Eigen::Index i;
    double by;
  };
  struct LinearAnswer {
    std::vector<LinearTerm> terms{};  ///< their sum
    std::vector<Term> to{};           ///< rows that get it
  };
  struct Record {
    std::string name;
    std::vector<int> nodes;
    std::shared_ptr<const Branch> branch;
    int measure = -1, unknown = -1, state = -1;
    std::optional<std::vector<LinearAnswer>>
        linear{};                 ///< of a linear one: its currents, then what else it answers
    std::vector<int> drawn = {};  ///< its nodes; `nodes` has the ground instead of those that are rows
  };
  struct StoreRecord {
    std::string name;
    std::array<int, 2> nodes;
    std::shared_ptr<const Store> store;
    int measure = -1;
    Potential across{};  ///< columns are those of states
  };
  struct Source {
    std::string name;
    std::array<int, 2> nodes;
    Motion U;
  };
  class Forest;

  int measure_number(MeasurePtr);
  double imposed_on(const StoreRecord&, double t) const;
  std::array<double, 2> stretched(const StoreRecord&, const Placement&, In mine) const;
  void hold_oil(Mechanism&);
  bool is_held(int node) const { return node != ground && nodes_[static_cast<std::size_t>(node)].oil; }
  void refuse_floating() const;
  void refuse_cutsets() const;
  void refuse_undetermined(const Work&) const;
  void refuse_starts(const std::vector<StateName>&) const;
  NetworkError without_balance(const Work&) const;
  Forest plant(std::vector<StateName>& states);
  void number_columns(Mechanism&);
  Potential along(const std::vector<Term>& way, Eigen::Index states_begin) const;
  void express_potentials(const Forest&);
  std::string node_names(const std::vector<int>&) const;

  enum class Seen { before, now };
  Seen look(const Placement&, In v, In s, Work&) const;
  void assemble(Work&) const;
  double rounding(const Work&, Eigen::Index row) const;
  double imbalance(const Work&) const;
  Branch::Input seen_by(const Record&, const Work&) const;
  template <class F>
  void contributions(const Record&, const Branch::Response&, F f) const;
  void account(Work&) const;
  void find_constants();
  void scatter(const Record&, const Branch::Response&, Matrix& A) const;
  bool solve(Work&) const;
  enum class Progress { none, some, all };
  Progress improve(Work&) const;
  void find_rates(Work&) const;
  Work& evaluated(const Placement&, In v, In s) const;
  void differentiate(Work&) const;
  Eigen::Index columns() const { return unknowns_ + states_; }

  std::vector<Node> nodes_;
  std::vector<Record> branches_;
  std::vector<StoreRecord> stores_;
  std::vector<Source> sources_;
  std::vector<MeasurePtr> measures_;

  // Found by settle().
  std::vector<Potential> potentials_;   ///< of the nodes
  Eigen::Index parts_ = 0;              ///< w
  Eigen::Index unknowns_ = 0;           ///< w and j
  Eigen::Index states_ = 0, kept_ = 0;  ///< all, and those of stores, which come first
  Eigen::Index first_ = 0;              ///< of its states among those of the mechanism
  Matrix constant_;                     ///< derivatives that linear branches contribute
  Vector guess_;                        ///< z at the start
  int orientation_ = 0;  ///< sign of the determinant there; it changes where z is no longer one function
  std::unique_ptr<PerThread<Work>> work_;
};

}  // namespace dalembert
