#include "dalembert/model/element_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dalembert {

namespace {

std::string unit_of(const Key& key) {
  return key.unit.empty() ? "" : key.unit + ": ";
}

}  // namespace

const Value& preset_value(const Key& key) {
  thread_local std::map<std::string, Value> all;
  const auto found = all.find(key.preset);
  if (found != all.end()) return found->second;
  const Document document("preset", "x = " + key.preset);
  Value value;
  if (document.trouble()) {
    value.kind = Value::Kind::text;
    value.text = key.preset;
  } else {
    value = document.root().table.front().value;
  }
  return all.emplace(key.preset, std::move(value)).first->second;
}

ElementFields::ElementFields(const ElementEntry& entry, const Value& table, std::string name,
                             const std::string& what, Scope& scope, const Directory& directory)
    : entry_(entry),
      table_(table),
      name_(std::move(name)),
      what_(what),
      scope_(scope),
      directory_(directory) {
  check_keys();
  fields_.resize(entry.keys.size());
  for (std::size_t i = 0; i < entry.keys.size(); ++i) {
    const Key& key = entry.keys[i];
    const Member* member = table.find(key.name);
    if (member != nullptr) {
      fields_[i] = read(key, member->value);
    } else if (key.preset.empty()) {
      good_ = false;
      scope.complaints().add(scope.document(), table.spot, what_ + " has no " + key.name,
                             "add " + key.name + " = ... (" + unit_of(key) + key.meaning + ")");
    } else if (key.preset != "-") {
      fields_[i] = read(key, preset_value(key));
    }
  }
}

void ElementFields::check_keys() {
  for (const Member& member : table_.table) {
    if (member.key == "name" || member.key == "kind") continue;
    const bool known = std::any_of(entry_.keys.begin(), entry_.keys.end(),
                                   [&](const Key& key) { return key.name == member.key; });
    if (known) continue;
    good_ = false;
    std::vector<std::string> names = {"name", "kind"};
    for (const Key& key : entry_.keys) names.push_back(key.name);
    scope_.complaints().add_unknown(scope_.document(), member.spot, "key of " + what_, member.key, names);
  }
}

std::size_t ElementFields::position(const std::string& key) const {
  for (std::size_t i = 0; i < entry_.keys.size(); ++i)
    if (entry_.keys[i].name == key) return i;
  throw std::logic_error("'" + key + "' is not in the table of " + entry_.section + " " + entry_.kind);
}

bool ElementFields::has(const std::string& key) const {
  return !std::holds_alternative<std::monostate>(fields_[position(key)]);
}

ModelElement ElementFields::description() const {
  ModelElement all{.section = entry_.section,
                   .kind = entry_.kind,
                   .name = name_,
                   .place = {scope_.document().name(), static_cast<int>(table_.spot.line),
                             static_cast<int>(table_.spot.column)}};
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const Key& key = entry_.keys[i];
    const Field& field = fields_[i];
    if (const auto* end = std::get_if<Attachment>(&field)) all.ends.emplace_back(key.name, *end);
    if (const auto* pair = std::get_if<std::array<int, 2>>(&field))
      all.bodies.insert(all.bodies.end(), pair->begin(), pair->end());
    if (const auto* one = std::get_if<int>(&field); one != nullptr && key.type != Key::Type::node)
      (key.type == Key::Type::joint ? all.joints : all.bodies).push_back(*one);
    if (const auto* number = std::get_if<double>(&field))
      all.numbers.emplace_back(key.name, std::vector{*number});
    if (const auto* list = std::get_if<std::vector<double>>(&field))
      all.numbers.emplace_back(key.name, *list);
    if (const auto* vector = std::get_if<Eigen::Vector3d>(&field))
      all.numbers.emplace_back(key.name, std::vector<double>(vector->begin(), vector->end()));
  }
  return all;
}

const Shape* ElementFields::shape() const {
  for (const Field& field : fields_)
    if (const auto* found = std::get_if<Shape>(&field)) return found;
  return nullptr;
}

void ElementFields::complain(const std::string& key, const std::string& what, const std::string& hint) const {
  good_ = false;
  const Member* member = table_.find(key);
  scope_.complaints().add(scope_.document(), member == nullptr ? table_.spot : member->value.spot, what,
                          hint);
}

void ElementFields::refuse(const Value& value, const std::string& what, const std::string& hint) {
  good_ = false;
  scope_.complain(value, what, hint);
}

ElementFields::Field ElementFields::read(const Key& key, const Value& value) {
  const auto before = scope_.complaints().count();
  const auto choose = [&]() -> Field {
    switch (key.type) {
      case Key::Type::number:
        return read_number(key, value);
      case Key::Type::vector:
        return read_vector(key, value);
      case Key::Type::numbers: {
        auto list = list_of_numbers(value, key.name, key.unit);
        return list ? Field(std::move(*list)) : Field();
      }
      case Key::Type::matrix:
        return read_matrix(key, value);
      case Key::Type::text:
        return read_text(key, value);
      case Key::Type::body:
      case Key::Type::bodies:
      case Key::Type::joint:
        return read_reference(key, value);
      case Key::Type::node:
      case Key::Type::nodes:
      case Key::Type::branch:
        return read_network_reference(key, value);
      case Key::Type::end:
        return read_end(key, value);
      case Key::Type::law:
      case Key::Type::laws:
        return read_laws(key, value);
      case Key::Type::motion:
      case Key::Type::motions:
        return read_motions(key, value);
      case Key::Type::orientation:
        return read_orientation(key, value);
      case Key::Type::shape:
        return read_shape(value);
    }
    return {};
  };
  Field field = choose();
  if (scope_.complaints().count() > before || std::holds_alternative<std::monostate>(field)) good_ = false;
  return field;
}

ElementFields::Field ElementFields::read_number(const Key& key, const Value& value) {
  const auto number = scope_.number(value, key.name, key.unit);
  if (!number) {
    scope_.add_local(key.name, 1);  // what uses it is not to blame
    return {};
  }
  if (*number < 0 && key.sign == Key::Sign::rarely_negative)
    scope_.remark(value, fmt::format("{} of {} is negative: {:g}", key.name, what_, *number),
                  "check its sign, unless this is meant");
  else if (*number < 0 && key.sign != Key::Sign::any)
    refuse(value, fmt::format("{} of {} is negative: {:g}", key.name, what_, *number),
           "it must be " + std::string(key.sign == Key::Sign::positive ? "larger than 0" : "0 or larger"));
  if (*number == 0 && key.sign == Key::Sign::positive)
    refuse(value, key.name + " of " + what_ + " is 0", "it must be larger than 0");
  scope_.add_local(key.name, *number);
  return *number;
}

ElementFields::Field ElementFields::read_text(const Key& key, const Value& value) {
  auto text = scope_.text(value, key.name);
  if (!text) return {};
  if (key.words.empty() || std::find(key.words.begin(), key.words.end(), *text) != key.words.end())
    return *text;
  good_ = false;
  scope_.complaints().add_unknown(scope_.document(), value.spot, key.name, *text, key.words);
  return {};
}

bool ElementFields::is_list(const Value& value, const std::string& what, Eigen::Index length) {
  const std::string expected =
      length < 0 ? "a list of numbers was expected" : fmt::format("a list of {} was expected", length);
  if (value.kind != Value::Kind::list)
    refuse(value, what + " is " + std::string(in_words(value.kind)), expected);
  else if (length >= 0 && static_cast<Eigen::Index>(value.list.size()) != length)
    refuse(value, fmt::format("{} has {} entries", what, value.list.size()), expected);
  else if (value.list.empty())
    refuse(value, what + " is an empty list", expected);
  else
    return true;
  return false;
}

std::optional<std::vector<double>> ElementFields::list_of_numbers(const Value& value, const std::string& what,
                                                                  const std::string& unit) {
  if (!is_list(value, what, -1)) return {};
  std::vector<double> all;
  for (const Value& each : value.list)
    if (const auto number = scope_.number(each, what, unit)) all.push_back(*number);
  if (all.size() < value.list.size()) return {};
  return all;
}

std::optional<int> ElementFields::body_named(const Value& value, const std::string& what) {
  const auto text = scope_.text(value, what);
  if (!text) return {};
  const FileScope& file = scope_.file();
  if (*text == "ground" && file.ground == "ground") return Mechanism::ground;
  const std::string full = *text == "ground" ? file.ground : file.prefix + *text;
  const auto found = directory_.bodies.find(full);
  if (found == directory_.bodies.end()) {
    good_ = false;
    if (directory_.incomplete) return {};
    std::vector<std::string> known = {"ground"};
    for (const auto& [name, id] : directory_.bodies)
      if (name.starts_with(file.prefix) && known.size() < 1000)
        known.push_back(name.substr(file.prefix.size()));
    std::sort(known.begin() + 1, known.end());
    if (known.size() > 20 && nearest(*text, known).empty()) known = {"ground", "the bodies of this file"};
    scope_.complaints().add_unknown(scope_.document(), value.spot, "body", *text, known);
    return {};
  }
  if (found->second == Directory::broken) good_ = false;
  return found->second;
}

ElementFields::Field ElementFields::read_reference(const Key& key, const Value& value) {
  if (key.type == Key::Type::body) {
    const auto body = body_named(value, key.name);
    return body ? Field(*body) : Field();
  }
  if (key.type == Key::Type::bodies) {
    if (!is_list(value, key.name, 2)) return {};
    const auto a = body_named(value.list[0], key.name), b = body_named(value.list[1], key.name);
    if (!a || !b) return {};
    if (*a == *b && *a != Directory::broken)
      refuse(value,
             what_ + " joins " + scope_.text(value.list[0], key.name).value_or("a body") + " to itself",
             "two different bodies were expected");
    return std::array<int, 2>{*a, *b};
  }
  const auto text = scope_.text(value, key.name);
  if (!text) return {};
  const std::string& prefix = scope_.file().prefix;
  const auto found = directory_.joints.find(prefix + *text);
  if (found != directory_.joints.end()) {
    if (found->second == Directory::broken) good_ = false;
    return found->second;
  }
  good_ = false;
  if (directory_.incomplete) return {};
  std::vector<std::string> known;
  for (const auto& [name, id] : directory_.joints)
    if (name.starts_with(prefix) && known.size() < 1000) known.push_back(name.substr(prefix.size()));
  std::sort(known.begin(), known.end());
  scope_.complaints().add_unknown(scope_.document(), value.spot, "joint", *text, known);
  return {};
}

}  // namespace dalembert
