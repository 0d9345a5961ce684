#include "app/json.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "dalembert/core/text.h"

namespace dalembert::app {

/// Into the library that knows how JSON is written.
struct JsonWriter {
  using Written = nlohmann::ordered_json;

  static Written written(const Json& json) {
    using Kind = Json::Kind;
    switch (json.kind_) {
      case Kind::null:
        return nullptr;
      case Kind::truth:
        return json.whole_ != 0;
      case Kind::whole:
        return json.whole_;
      case Kind::number:
        return json.number_;
      case Kind::text:
        return json.text_;
      case Kind::array: {
        Written all = Written::array();
        for (const Json& item : json.items_) all.push_back(written(item));
        return all;
      }
      case Kind::object: {
        Written all = Written::object();
        for (std::size_t i = 0; i < json.items_.size(); ++i) all[json.keys_[i]] = written(json.items_[i]);
        return all;
      }
    }
    return nullptr;
  }
};

Json::Json(double value) : kind_(Kind::number), number_(value) {}
Json::Json(const char* text) : kind_(Kind::text), text_(text) {}
Json::Json(std::string_view text) : kind_(Kind::text), text_(text) {}
Json::Json(const std::string& text) : kind_(Kind::text), text_(text) {}
Json::Json(const std::vector<std::string>& texts) : kind_(Kind::array) {
  for (const auto& text : texts) items_.emplace_back(text);
}
Json::Json(const std::map<std::string, double>& values) : kind_(Kind::object) {
  for (const auto& [key, value] : values) (*this)[key] = value;
}
Json::Json(std::initializer_list<Json> items) {
  const bool pairs = std::all_of(items.begin(), items.end(), [](const Json& item) {
    return item.kind_ == Kind::array && item.items_.size() == 2 && item.items_[0].kind_ == Kind::text;
  });
  kind_ = pairs ? Kind::object : Kind::array;
  for (const Json& item : items) {
    if (pairs)
      (*this)[item.items_[0].text_] = item.items_[1];
    else
      items_.push_back(item);
  }
}
Json Json::array() {
  Json json;
  json.kind_ = Kind::array;
  return json;
}
Json Json::object() {
  Json json;
  json.kind_ = Kind::object;
  return json;
}

Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

bool Json::contains(const std::string& key) const {
  return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
}

Json& Json::operator[](const std::string& key) {
  kind_ = Kind::object;
  const auto found = std::find(keys_.begin(), keys_.end(), key);
  if (found != keys_.end()) return items_[static_cast<std::size_t>(found - keys_.begin())];
  keys_.push_back(key);
  return items_.emplace_back();
}

void Json::push_back(Json item) {
  kind_ = Kind::array;
  items_.push_back(std::move(item));
}

void Json::update(const Json& object) {
  for (std::size_t i = 0; i < object.items_.size(); ++i) (*this)[object.keys_[i]] = object.items_[i];
}

void Json::erase(const std::string& key) {
  const auto found = std::find(keys_.begin(), keys_.end(), key);
  if (found == keys_.end()) return;
  items_.erase(items_.begin() + (found - keys_.begin()));
  keys_.erase(found);
}

std::string Json::text() const {
  return JsonWriter::written(*this).dump(2);
}

Json to_json(const Vector& x) {
  Json all = Json::array();
  for (const double value : x) all.push_back(value);
  return all;
}

Json to_json(const Matrix& matrix) {
  Json all = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) all.push_back(to_json(Vector(matrix.row(i))));
  return all;
}

Json to_json(const std::vector<Parameter>& parameters) {
  Json all = Json::array();
  for (const auto& p : parameters) {
    all.push_back({{"name", p.name}, {"value", p.value}, {"unit", p.unit}, {"meaning", p.meaning}});
    if (!p.choices.empty()) all.back()["choices"] = p.choices;
  }
  return all;
}

Json number_or_text(const std::string& text) {
  if (const auto value = number_in(text); value && std::isfinite(*value)) return *value;
  return text;
}

void print(const Json& json) {
  std::cout << json.text() << "\n";
}

}  // namespace dalembert::app
