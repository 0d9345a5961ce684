// What planar and spatial mechanisms share: sets of rows and forces, evaluated one after the other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dalembert/multibody/element.h"

namespace dalembert {

class Mechanism : public Mechanical {
 public:
  using Body = int;
  static constexpr Body ground = -1;

  void ends_at(double t) { end_ = t; }

  double end() const override { return end_; }
  void g(const Placement&, Out) const override;
  void jacobian(const Placement&, Entries&) const override;
  void drive(const Placement&, Out) const override;
  void bias(const Placement&, In v, Out) const override;
  void force(const Placement&, In v, In s, Out f) const override;
  void derivatives(const Placement&, In v, In s, In a, In l, Derivatives&) const override;
  std::optional<double> energy(const Placement&, In v, In s) const override;
  double power(const Placement&, In v, In s) const override;
  bool conservative() const override;

 protected:
  /// What the bodies themselves feel and have: weight, gyroscopic moments, kinetic and potential energy.
  virtual void body_force(const Placement&, In v, Out f) const = 0;
  virtual void body_derivatives(const Placement&, In v, Derivatives&) const = 0;
  virtual double body_energy(const Placement&, In v) const = 0;

  /// The one set of that type; made when first asked for.
  template <class Set>
  Set& rows() {
    return only<Set>(rows_);
  }
  template <class Set>
  Set& forces() {
    return only<Set>(forces_);
  }
  /// Gives the next rows of a level these names; returns the number of the first.
  Eigen::Index name_rows(Rows::Level, const std::vector<RowName>&);
  void count_rows(Sizes&) const;
  void name_multipliers(Names&) const;

 private:
  template <class Set, class Base>
  static Set& only(std::vector<std::unique_ptr<Base>>& sets) {
    for (const auto& each : sets)
      if (auto* found = dynamic_cast<Set*>(each.get())) return *found;
    sets.push_back(std::make_unique<Set>());
    return static_cast<Set&>(*sets.back());
  }

  double end_ = 1;
  std::vector<std::unique_ptr<Rows>> rows_;
  std::vector<std::unique_ptr<Forces>> forces_;
  std::vector<RowName> holonomic_, nonholonomic_;
};

}  // namespace dalembert
