// One element of a file: its keys checked against the table of its entry, its values read.
#pragma once

#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "dalembert/model/element_entry.h"
#include "dalembert/model/expression/expression.h"
#include "dalembert/model/scope.h"

namespace dalembert {

/// The bodies, joints and nodes there are, by full name.
struct Directory {
  static constexpr int broken = -2;  ///< it is described, but wrongly
  ElementEntry::Space space = ElementEntry::Space::planar;
  std::unordered_map<std::string, int> bodies{}, joints{}, nodes{};
  std::vector<Eigen::Vector3d> positions{};  ///< of the bodies
  std::vector<std::string> node_kinds{};     ///< "electrical", "hydraulic"
  /// Some were left out because a repetition of them is wrong; names that are not known mean nothing then.
  bool incomplete = false;
  Eigen::Index dimension() const { return space == ElementEntry::Space::planar ? 2 : 3; }
};

class ElementFields final : public ElementKeys {
 public:
  /// Reads everything; complains about all that is wrong. `what` is the element in words: "body 'crank'".
  ElementFields(const ElementEntry&, const Value& table, std::string name, const std::string& what, Scope&,
                const Directory&);

  bool good() const { return good_; }  ///< nothing is wrong, here and in what it refers to
  /// Laws and motions that were read: the mechanism is told where they are not smooth.
  struct Formula {
    Expression expression;
    std::size_t t;  ///< the variable that is the time; one beyond all if there is none
  };
  const std::vector<Formula>& formulas() const { return formulas_; }
  /// What it is attached to, and its numbers.
  ModelElement description() const;
  /// What it looks like, if it says so.
  const Shape* shape() const;

  const std::string& name() const override { return name_; }
  bool has(const std::string& key) const override;
  double number(const std::string& key) const override { return get<double>(key); }
  Eigen::Vector3d vector(const std::string& key) const override { return get<Eigen::Vector3d>(key); }
  std::vector<double> numbers(const std::string& key) const override { return get<std::vector<double>>(key); }
  Eigen::MatrixXd matrix(const std::string& key) const override { return get<Eigen::MatrixXd>(key); }
  std::string text(const std::string& key) const override { return get<std::string>(key); }
  int body(const std::string& key) const override { return get<int>(key); }
  std::array<int, 2> bodies(const std::string& key) const override { return get<std::array<int, 2>>(key); }
  int joint(const std::string& key) const override { return get<int>(key); }
  int node(const std::string& key) const override { return get<int>(key); }
  std::vector<int> nodes(const std::string& key) const override { return get<std::vector<int>>(key); }
  Attachment end(const std::string& key) const override { return get<Attachment>(key); }
  Law law(const std::string& key) const override { return get<Law>(key); }
  std::vector<Law> laws(const std::string& key) const override { return get<std::vector<Law>>(key); }
  Motion motion(const std::string& key) const override { return get<Motion>(key); }
  std::vector<Motion> motions(const std::string& key) const override { return get<std::vector<Motion>>(key); }
  void complain(const std::string& key, const std::string& what, const std::string& hint) const override;

 private:
  using Field = std::variant<std::monostate, double, Eigen::Vector3d, std::vector<double>, Eigen::MatrixXd,
                             std::string, int, std::array<int, 2>, std::vector<int>, Attachment, Law,
                             std::vector<Law>, Motion, std::vector<Motion>, Shape>;

  std::size_t position(const std::string& key) const;
  template <class T>
  const T& get(const std::string& key) const {
    return std::get<T>(fields_[position(key)]);
  }
  void check_keys();
  Field read(const Key&, const Value&);
  Field read_number(const Key&, const Value&);
  Field read_orientation(const Key&, const Value&);
  Field read_text(const Key&, const Value&);
  Field read_reference(const Key&, const Value&);
  Field read_network_reference(const Key&, const Value&);
  Field read_end(const Key&, const Value&);
  Field read_shape(const Value&);
  Field read_matrix(const Key&, const Value&);
  Field read_vector(const Key&, const Value&);
  Field read_laws(const Key&, const Value&);
  Field read_motions(const Key&, const Value&);
  std::optional<std::vector<double>> list_of_numbers(const Value&, const std::string& what,
                                                     const std::string& unit);
  std::optional<int> body_named(const Value&, const std::string& what);
  std::optional<int> node_named(const Value&, const Key&);
  bool is_list(const Value&, const std::string& what, Eigen::Index length);
  bool turns(const Key&) const;
  void refuse(const Value&, const std::string& what, const std::string& hint);

  const ElementEntry& entry_;
  const Value& table_;
  std::string name_, what_;
  Scope& scope_;
  const Directory& directory_;
  std::vector<Field> fields_;
  std::vector<Formula> formulas_;
  mutable bool good_ = true;
};

/// A rotation as three ways of writing tell it; complains and returns nothing if it is none of them.
std::optional<Eigen::Vector4d> read_rotation(const Scope&, const Value&, const std::string& what);

/// A preset as it would be written in a file.
const Value& preset_value(const Key&);

}  // namespace dalembert
