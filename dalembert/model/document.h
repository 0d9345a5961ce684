// The text of a model file as a tree of values, each of which knows where it stands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/model/model.h"

namespace dalembert {

/// Lines and columns are counted from 1, columns in characters (not bytes).
struct Spot {
  std::uint32_t line = 0, column = 0, end = 0;  ///< end: the column after it; 0: it ends in another line
};

struct Member;

/// One value of a TOML file.
struct Value {
  enum class Kind : std::uint8_t { text, number, truth, list, table };
  Kind kind = Kind::table;
  Spot spot{};
  bool whole = false;  ///< of a number: it is written without point and exponent
  double number = 0;
  std::string text{};         ///< of a text; "true" or "false" of a truth
  std::vector<Value> list{};  ///< of a list
  std::vector<Member> table;  ///< of a table, in the order of the file

  const Member* find(std::string_view key) const;  ///< nullptr if there is none
};

struct Member {
  std::string key{};
  Spot spot{};
  Value value{};
};

/// "a text", "a number", ...
std::string_view in_words(Value::Kind);

class Document {
 public:
  static constexpr std::size_t most_bytes = 16'000'000;
  static constexpr std::size_t most_parts = 16;  ///< of a dotted key
  static constexpr int most_values = 1'000'000, deepest = 64;

  /// Reads the text. If it is no TOML, or more than the limits allow, there are no values but a complaint.
  Document(std::string name, std::string text);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  const Value& root() const { return root_; }
  const std::optional<Complaint>& trouble() const { return trouble_; }
  /// What stands there, shortened if it is long.
  std::string excerpt(const Spot&) const;
  /// The column of a byte of a text value; that of the whole value if the text is written with escapes.
  std::uint32_t column_in_text(const Value&, std::size_t byte) const;

 private:
  std::string_view line(std::uint32_t) const;

  std::string name_, text_;
  Value root_;
  std::optional<Complaint> trouble_;
};

}  // namespace dalembert
