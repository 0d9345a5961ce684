// What names mean at some place of a model file: the parameters of the file, the indices of repetitions around it, and the
// numbers of the same element that were read before.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "dalembert/core/parameters.h"
#include "dalembert/core/vector.h"
#include "dalembert/model/complaints.h"
#include "dalembert/model/expression/expression.h"
#include "dalembert/model/unit.h"

namespace dalembert {

/// The index of one repetition at one of its values.
struct Index {
  std::string name;
  double value = 0, first = 0, last = 0;
};

/// One use of one file: the top file, or an include of it.
struct FileScope {
  const Document* document = nullptr;
  std::vector<Parameter> parameters{};
  std::unordered_map<std::string, double> values{};    ///< of the parameters
  std::string prefix{};                                ///< of the names of its bodies, joints, ...
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  ///< from the frame of the file into the ground frame
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
  std::string ground = "ground";  ///< the body that stands for its ground
  /// Expressions of indices that were read already, by where their text begins.
  mutable std::unordered_map<const char*, Expression> repeated{};
};

class Scope {
 public:
  static constexpr std::size_t most_indices = 32;  ///< repetitions inside each other

  Scope(const FileScope& file, Complaints& complaints) : file_(&file), complaints_(&complaints) {}

  const FileScope& file() const { return *file_; }
  const Document& document() const { return *file_->document; }
  Complaints& complaints() const { return *complaints_; }

  void set_indices(std::vector<Index> indices) { indices_ = std::move(indices); }
  const std::vector<Index>& indices() const { return indices_; }
  /// Where parameters are looked up that are not in the file's list yet.
  using Source = std::function<std::optional<double>(const std::string&)>;
  void know(const std::vector<std::string>& names, Source source) {
    known_ = &names, source_ = std::move(source);
  }
  /// A number of the element that is being read; later expressions of it may use it.
  void add_local(const std::string& name, double value) { locals_.emplace_back(name, value); }

  /// A number: written as one, or as an expression, with a unit that fits. What is wrong is complained about under the
  /// name `what`; nothing is returned then.
  std::optional<double> number(const Value&, const std::string& what, const std::string& unit) const;
  /// An expression of variables; units as above.
  std::optional<Expression> expression(const Value&, const std::string& what, const std::string& unit,
                                       const std::vector<std::string>& variables) const;
  /// A text, in which {expression} stands for its value and {expression|word}, at an index beyond its range, turns all of
  /// the text into the word.
  std::optional<std::string> text(const Value&, const std::string& what) const;

  void complain(const Value& value, const std::string& what, const std::string& hint) const {
    complaints_->add(document(), value.spot, what, hint);
  }
  void remark(const Value& value, const std::string& what, const std::string& hint) const {
    complaints_->remark(document(), value.spot, what, hint);
  }

 private:
  std::vector<std::string> known() const;  ///< for proposals
  std::optional<double> look_up(const std::string& name) const;
  std::optional<Expression> parse(const Value&, std::string_view piece, std::size_t shift,
                                  const std::vector<std::string>& variables) const;
  std::optional<double> evaluate(const Value&, std::string_view piece, std::size_t shift) const;
  std::optional<double> whole(const Value&, std::string_view piece, std::size_t offset) const;
  std::optional<Unit> unit_of(const Value&, std::string_view suffix, const std::string& what,
                              const std::string& unit) const;
  bool readable(const Value&, const std::string& what) const;

  const FileScope* file_;
  Complaints* complaints_;
  std::vector<Index> indices_{};
  std::vector<std::pair<std::string, double>> locals_{};
  Source source_{};
  const std::vector<std::string>* known_ = nullptr;
};

/// Values of [parameters]: each may use the others, in any order. `set` replaces some; names that are not known there are
/// the caller's matter.
std::vector<Parameter> read_parameters(const Document&, const std::map<std::string, double>& set,
                                       Complaints&);

}  // namespace dalembert
