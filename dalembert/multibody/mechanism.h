// What planar and spatial mechanisms share: bodies, joints, drives and forces by name; sets of rows and forces, evaluated
// one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/multibody/element.h"
#include "dalembert/multibody/forces/force_element.h"
#include "dalembert/multibody/forces/stick_slip.h"
#include "dalembert/multibody/measure.h"
#include "dalembert/problem/dissipation.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/lasting_rank.h"

namespace dalembert {

class Ties;

/// A body as its neighbours see it. Planar ones lie in the plane z = 0.
struct BodyRecord {
  std::string name;
  double mass = 0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< planar: its last entry
  Eigen::Index q = 0, v = 0;                          ///< where its positions and velocities begin
  int positions = 0, velocities = 0;                  ///< how many it has
  bool turns = true;                                  ///< a point mass does not
};

/// A joint or drive: which rows it put where, and its geometry in the frames of its bodies (of the ground: as it is).
struct JointRecord {
  std::string name, kind;  ///< "main", "revolute"; a drive is of kind "drive"
  int a = -1, b = -1;      ///< -1: the ground
  Eigen::Vector3d on_a = Eigen::Vector3d::Zero(), on_b = Eigen::Vector3d::Zero();      ///< its point
  Eigen::Vector3d axis_a = Eigen::Vector3d::Zero(), axis_b = Eigen::Vector3d::Zero();  ///< zero: it has none
  Eigen::Index first = 0, count = 0;                    ///< its rows of position level
  Eigen::Index first_velocity = 0, count_velocity = 0;  ///< of velocity level, counted among themselves
  std::vector<MeasurePtr> coordinates{};                ///< what it leaves free, as far as it is a number
  /// Reactions with u and v in their names are along (about) this direction of a and along axis x this one.
  Eigen::Vector3d across_a = Eigen::Vector3d::Zero();
  /// Directions of a and of b that are one direction where the joint is as it was put together. Rows that keep right angles
  /// have false solutions; there a pair is at 90 degrees or more.
  std::vector<std::array<Eigen::Vector3d, 2>> facing{};
};

/// Bodies, joints, forces and drives, put together to a mechanical problem.
class Mechanism : public Mechanical, public Dissipation, public LastingRank, private Events {
 public:
  using Body = int;
  using Joint = int;
  static constexpr Body ground = -1;

  void ends_at(double t) { end_ = t; }
  /// Some law or drive is not smooth at the times that this gives, between a begin and an end.
  using BreakTimes = std::function<std::vector<double>(double begin, double end)>;
  void breaks_at(BreakTimes times) { breaks_.push_back(std::move(times)); }
  void breaks_at(std::vector<double> times);
  /// Some law switches where the state says so, and notes it in a PieceRecord.
  void has_switches() { switches_ = true; }
  /// Digits known to be right; NaN marks entries that are not known. Layout as start().
  void knows(State state) { known_.push_back(std::move(state)); }

  /// A measure, or the coordinate of a joint, follows f(t).
  Joint drive(const std::string& name, MeasurePtr, Motion f);
  Joint drive(const std::string& name, Joint, Motion f, std::size_t which = 0);
  /// Several measures as one drive; `row` names each: "x".
  struct Driven {
    std::string row;
    MeasurePtr measure;
    Motion f;
  };
  Joint drive(const std::string& name, std::vector<Driven>);
  /// Something acts along a measure.
  void add_force(const std::string& name, MeasurePtr, std::shared_ptr<const ForceElement>);
  /// Dry friction along a measure: `most` is a law of t and the measure, `sliding` one of t, the measure and its speed.
  void stick_slip(const std::string& name, MeasurePtr, Law most, Law sliding);
  /// The same mechanism with these of its stick-slip elements sticking or slipping: one of its modes.
  std::shared_ptr<const Mechanism> mode(const std::vector<StickSlip::Regime>&) const;
  /// The mode in which all of them stick; nullptr if there are none.
  std::shared_ptr<const Mechanism> all_stuck() const;

  const std::vector<BodyRecord>& bodies() const { return bodies_; }
  const std::vector<JointRecord>& joints() const { return joints_; }
  /// What a joint leaves free; throws Error if it has no such number.
  MeasurePtr coordinate(Joint, std::size_t which = 0) const;
  bool turns(Body body) const { return body == ground || bodies_[static_cast<std::size_t>(body)].turns; }

  // For new kinds of joints and forces: what those that are there are made with.

  /// Rows named from here on are those of this joint.
  Joint add_joint(JointRecord);
  /// Throws Error if one of the bodies is a point mass: it has no axis that a joint could hold.
  void must_turn(const std::string& joint, std::initializer_list<Body>) const;
  JointRecord& record(Joint joint) { return joints_[static_cast<std::size_t>(joint)]; }
  /// Gives the next rows of a level these names; returns the number of the first.
  Eigen::Index name_rows(Rows::Level, const std::vector<RowName>&);
  /// Gives the next first-order states these names; returns the number of the first.
  Eigen::Index name_states(const std::string& owner, const std::vector<StateName>&);
  /// The one set of that type; made when first asked for.
  template <class Set>
  Set& rows() {
    Set& set = only<Set>(rows_);
    set.before = set.level() == Rows::Level::velocity ? static_cast<Eigen::Index>(holonomic_.size()) : 0;
    return set;
  }
  template <class Set>
  Set& forces() {
    return only<Set>(forces_);
  }
  End end_of(Body) const;

  double end() const override { return end_; }
  std::vector<double> breaks(double begin, double end) const override;
  bool switches() const override { return switches_; }
  Piece piece(const State&) const override;
  Layout layout() const override;
  /// With the friction of all that may stick.
  Layout report() const override;
  /// The friction of those that slip.
  void complete(State& report) const override;
  /// A force that cannot be given says why.
  Fault diagnose(double t, In y) const override;
  const Events* events() const override { return dry_.empty() ? nullptr : this; }
  std::optional<State> exact(double t) const override;
  std::map<std::string, double> small_entries() const override;
  Sizes sizes() const override;
  void g(const Placement&, Out) const override;
  void jacobian(const Placement&, Entries&) const override;
  void velocity_bias(const Placement&, Out) const override;
  void bias(const Placement&, In v, Out) const override;
  void force(const Placement&, In v, In s, Out f) const override;
  void auxiliary(const Placement&, In v, In s, Out ds) const override;
  std::vector<Eigen::Index> turn_counters() const override;
  void jump(const Placement& before, const Placement& after, Out s) const override;
  /// Potentials whose rates, not they themselves, push states: of sources in loops of capacitors.
  std::vector<double> imposed(const Placement&) const;
  void derivatives(const Placement&, In v, In s, In a, In l, Derivatives&) const override;
  std::optional<double> energy(const Placement&, In v, In s) const override;
  double power(const Placement&, In v, In s) const override;
  double dissipation(const Placement&, In v, In s) const override;
  bool conservative() const override;
  /// Joints make a tree, and each holds the body behind it by rows that are independent of themselves.
  bool rows_stay_independent() const override;

 protected:
  virtual Layout layout_anew() const = 0;
  /// What the bodies themselves feel and have: weight, gyroscopic moments, kinetic and potential energy.
  virtual void body_force(const Placement&, In v, Out f) const = 0;
  virtual void body_derivatives(const Placement&, In v, Derivatives&) const = 0;
  virtual double body_energy(const Placement&, In v) const = 0;
  // The part of rows and forces in problem/motion_sums.h.
  bool rows_have_sums() const;
  bool all_rows_differentiate() const;
  bool rows_are_driven() const;
  void rates_of_rows(const Placement&, In v, Out rows) const;
  bool has_forces() const { return !forces_.empty(); }
  void add_forces(const Placement&, In v, In s, Out f) const;
  void add_row_sums(const Placement&, In v, In a, In l, Out motion, Out rows) const;
  void derivatives_of_rows(const Placement&, In v, In a, Entries& X) const;

  /// Shares rows and forces: nothing may be added to either of the two any more.
  virtual std::shared_ptr<Mechanism> copy() const = 0;

  Body add_body(BodyRecord);
  /// Of its bodies: no other mechanism has it, but for copies of this one.
  std::uint64_t stamp() const { return stamp_; }
  void name_rest(Names&) const;  ///< states and multipliers
  Vector start_of_states() const;

 private:
  Body body_of(const Measure&, int displacement) const;  ///< whose it is
  template <class Set, class Base>
  static Set& only(std::vector<std::shared_ptr<Base>>& sets) {
    for (const auto& each : sets)
      if (auto* found = dynamic_cast<Set*>(each.get())) return *found;
    sets.push_back(std::make_shared<Set>());
    return static_cast<Set&>(*sets.back());
  }

  // Events: what the stick-slip elements of this mode may do next.
  const std::vector<Event>& list() const override { return dry_events_; }
  void values(const State&, Out e) const override;
  EventResponse respond(std::size_t event, State&) const override;
  std::shared_ptr<const Problem> mode_at(const State&) const override;
  std::vector<int> which_mode() const override;
  std::shared_ptr<const Problem> mode(const std::vector<int>&) const override;
  bool need_multipliers() const override;
  struct ModeState;  ///< a mode at one state, with its accelerations and multipliers
  Ties ties(const State&) const;
  /// c' of all contacts; of those that rows alone decide what the rows say, since methods leave velocities off them by their tolerance.
  Vector contact_rates(const State&) const;
  struct Bonds;  ///< how those that are bonded and those that they are tied to bear a load
  /// Of the multipliers of those that stick, which are the last ones; nothing if no contact is bonded.
  std::optional<Bonds> bonds(const State&, In multipliers) const;
  std::shared_ptr<const Mechanism> decide(const State&, std::vector<StickSlip::Regime>,
                                          std::vector<bool> at_rest, const std::vector<bool>& released) const;
  std::shared_ptr<const Mechanism> carried_along(const State&, std::vector<StickSlip::Regime>) const;

  KeptLayout layout_;
  std::uint64_t stamp_ = 0;
  double end_ = 1;
  std::vector<BreakTimes> breaks_;
  bool switches_ = false;
  std::vector<State> known_;
  std::vector<BodyRecord> bodies_;
  std::vector<JointRecord> joints_;
  std::vector<std::shared_ptr<Rows>> rows_;
  std::vector<std::shared_ptr<Forces>> forces_;
  std::vector<RowName> holonomic_, nonholonomic_;
  std::vector<StateName> states_;
  std::vector<StickSlip> dry_;
  std::vector<Event> dry_events_;
  std::size_t stuck_ = 0;  ///< so many of the nonholonomic rows, the last ones, are of elements that stick
};

}  // namespace dalembert
