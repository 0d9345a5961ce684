// What programs read: numbers with all their digits, null for what is not known.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/core/layout.h"
#include "dalembert/core/parameters.h"

namespace dalembert::app {

/// A value of JSON; keys stay in the order they were written. Nothing here is a template of the library that writes it
/// (json.cc): that would take half of the time to compile a command.
class Json {
 public:
  Json() = default;  ///< null
  Json(std::nullptr_t) {}
  Json(std::same_as<bool> auto value) : kind_(Kind::truth), whole_(value ? 1 : 0) {}
  template <std::integral Whole>
  requires(!std::same_as<Whole, bool>) Json(Whole value)
      : kind_(Kind::whole), whole_(static_cast<std::int64_t>(value)) {}
  Json(double);  ///< printed as null if it is not finite
  Json(const char*);
  Json(std::string_view);
  Json(const std::string&);
  Json(const std::vector<std::string>&);
  Json(const std::map<std::string, double>&);
  /// An object if all are pairs that begin with a text, an array otherwise: {{"t", 1}, {"names", {"x", "y"}}}.
  Json(std::initializer_list<Json>);
  static Json array();
  static Json object();

  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();

  bool is_null() const { return kind_ == Kind::null; }
  bool empty() const { return items_.empty(); }  ///< of an array or object
  bool contains(const std::string& key) const;
  Json& operator[](const std::string& key);  ///< of an object, or of null, which becomes one
  void push_back(Json);                      ///< to an array, or to null, which becomes one
  Json& back() { return items_.back(); }
  void update(const Json& object);  ///< takes over its members
  void erase(const std::string& key);
  std::string text() const;  ///< in lines, indented by two blanks

 private:
  enum class Kind : std::uint8_t { null, truth, whole, number, text, array, object };
  friend struct JsonWriter;

  Kind kind_ = Kind::null;
  std::int64_t whole_ = 0;  // or 0 and 1 for a truth
  double number_ = 0;
  std::string text_{};
  std::vector<Json> items_{};
  std::vector<std::string> keys_{};  // of an object: one for each item
};

Json to_json(const Vector&);
Json to_json(const Matrix&);  ///< its rows
Json to_json(const std::vector<Parameter>&);
/// The number that a text is, or the text itself.
Json number_or_text(const std::string&);
/// To standard output, where nothing else goes then.
void print(const Json&);

}  // namespace dalembert::app
