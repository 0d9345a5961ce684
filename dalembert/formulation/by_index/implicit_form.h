// What the implicit forms of a mechanical problem share: F(t,y,y') = 0 with y = (q, v, s, multipliers, [more]),
//
//   q' - N u = 0                 u = v, or v with a correction that a form adds
//   M v' - f + J'l = 0           l = (lambda, mu)
//   s' - k = 0
//
// and, in the place of each multiplier, an equation of that form. Newton blocks come from Mechanical::derivatives(),
// which differentiates along the tangent: the columns of q are K N^+.
#pragma once

#include <algorithm>
#include <limits>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/formulation/shared_plan.h"
#include "dalembert/formulation/without_algebraic.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

enum class Level { position, velocity, acceleration };

class ImplicitForm : public Implicit {
 public:
  const Mechanical& original() const { return mechanics_.problem(); }
  Layout layout() const final { return layout_; }
  State start() const final;
  double end() const final { return original().end(); }
  void rate(double t, In y, Out dy) const final;
  std::string equation(Eigen::Index i) const override;
  Fault diagnose(double t, In y) const final {
    return original().diagnose(t, y.head(std::min(y.size(), part_.size())));
  }

  const SaddlePoint& plan() const { return mechanics_.saddle(); }

  /// As if just made.
  virtual void reset() { mechanics_.reset(); }
  /// What a form holds fixed from step to step.
  virtual void remember(Memory&) {}

  /// The state of this form, from a complete and consistent one of the mechanical problem.
  virtual void enter(const State& original, State& mine) const;
  /// Multipliers by option `multipliers`: computed from (q,v,s), or as the method found them.
  virtual Outcome recover(const State& mine, State& original, Depth) const;
  /// q, v and s are recovered as the method has them.
  virtual bool keeps_entries() const { return true; }

  /// The option every form knows.
  static Parameter multipliers_option();

 protected:
  ImplicitForm(const Mechanical&, const Parameters&, Statistics&);

  // Setting up: to be called by the constructor of a form, blocks and equations in the order of the state.
  struct Indices {
    int v, lambda, mu;  ///< q and s are of index 1
  };
  void add_blocks(Indices);
  void add_block(const std::string& name, Eigen::Index size, Role, int index,
                 std::vector<std::string> labels = {});
  void name_rows(Level, Eigen::Index first, Eigen::Index last);  ///< constraint rows [first, last)
  void name_equation(std::string name) { equations_.push_back(std::move(name)); }
  /// What the rows are called, without the block's name in front.
  std::vector<std::string> row_labels(Eigen::Index first, Eigen::Index last) const;

  // Evaluating. place() comes first: the placement at_, M_ and J_ are of the last point given to it.
  void place(double t, In q) const;
  void motion_residual(In y, In dy, In l, Out r) const;      ///< M v' - f + J'l
  void velocity_residual(In v, Out r) const;                 ///< J v + w, all rows
  void auxiliary_residual(In y, In dy, Out residual) const;  ///< s' - k, in its place
  /// q' - N u, M v' - f + J'l, s' - k, at the head of the residual.
  void differential_residual(In y, In dy, In u, Out residual) const;

  // Differentiating, after place(). linearize() fills d_ (at a, l) and, if the problem is not plain, kin_ (at u).
  struct Rows {
    Eigen::Index first = 0, last = std::numeric_limits<Eigen::Index>::max();
  };
  void linearize(In y, In a, In l, In u) const;
  /// Rows q, v, s of F_y without what a form adds through u; all of F_y' that these rows have.
  void differential_blocks(Entries& F_y, Entries& F_dy) const;
  void auxiliary_blocks(Entries& F_y, Entries& F_dy) const;  ///< the rows of s alone
  void multiplier_block(Entries& F_y) const;                 ///< J' in the motion rows
  void position_rows(Entries& F_y, Eigen::Index row0) const;
  void velocity_rows(Entries& F_y, Eigen::Index row0, Rows) const;  ///< row0 takes the first of these rows
  static void put(Entries& to, const Entries& block, Eigen::Index row0, Eigen::Index col0, double scale);
  static void put(Entries& to, const Entries& block, Rows, Eigen::Index row0, Eigen::Index col0,
                  double scale);
  static void put_transposed(Entries& to, const Entries& block, Rows, Eigen::Index row0, Eigen::Index col0,
                             double scale);
  static void put_identity(Entries& to, Eigen::Index row0, Eigen::Index col0, Eigen::Index n, double scale);
  /// A block whose columns are displacements along the tangent, placed at the columns of q.
  void put_along(Entries& to, const Entries& block, Rows, Eigen::Index row0, double scale) const;
  /// N block, for blocks whose rows are velocities and that are to stand in the rows of q.
  void put_lifted(Entries& to, const Entries& block, Eigen::Index col0, double scale) const;
  void put_lifted_along(Entries& to, const Entries& block, double scale) const;

  Mechanical::Sizes n_;
  MechanicalState part_;
  bool plain_;
  enum class Multipliers { computed, own } multipliers_;
  // The work space of this run.
  mutable Mechanics mechanics_;
  mutable std::unique_ptr<Placement> at_;
  mutable Entries M_, J_;
  mutable Derivatives d_;
  mutable Kinematics kin_;
  mutable Vector f_, a_, l_;

 private:
  /// Entries of `matrix` by row, so that products are written in a fixed order.
  using ByRow = std::vector<std::vector<std::size_t>>;
  static void index_rows(const Entries& matrix, Eigen::Index rows, ByRow&);
  static void index_columns(const Entries& matrix, Eigen::Index columns, ByRow&);

  Layout layout_;
  std::vector<std::string> equations_;
  mutable ByRow inverse_rows_, N_columns_;
};

/// A form at work: the way there and back is the form's own.
class ImplicitFormulation final : public Formulation, public SharedPlan, public SameEntries {
 public:
  explicit ImplicitFormulation(std::unique_ptr<ImplicitForm> form) : form_(std::move(form)) {}
  const Problem& original() const override { return form_->original(); }
  const Problem& rewritten() const override { return *form_; }
  const SaddlePoint& plan() const override { return form_->plan(); }
  void enter(const State& original, State& rewritten) const override { form_->enter(original, rewritten); }
  Outcome recover(const State& rewritten, State& original, Depth depth) const override {
    return form_->recover(rewritten, original, depth);
  }
  bool kept() const override { return form_->keeps_entries(); }
  bool reset() override {
    form_->reset();
    return true;
  }
  bool remember(Memory& memory) override {
    form_->remember(memory);
    return true;
  }

 private:
  std::unique_ptr<ImplicitForm> form_;
};

/// The `make` of an entry whose form is built from (problem, options, statistics).
template <class Form>
std::unique_ptr<Formulation> make_implicit(const Problem& problem, const Parameters& options,
                                           Statistics& statistics) {
  return std::make_unique<ImplicitFormulation>(
      std::make_unique<Form>(as<Mechanical>(problem), options, statistics));
}

}  // namespace dalembert
