#include <algorithm>

#include "dalembert/model/scope.h"

namespace dalembert {

namespace {

/// Parameters are looked up while others are being read, so each is read when it is first asked for.
class ParameterReader {
 public:
  ParameterReader(const Document& document, const std::map<std::string, double>& set, Complaints& complaints)
      : file_{.document = &document}, set_(set), complaints_(complaints) {}

  std::vector<Parameter> read() {
    const Member* section = file_.document->root().find("parameters");
    if (section == nullptr) return {};
    if (section->value.kind != Value::Kind::table) {
      complaints_.add(*file_.document, section->value.spot,
                      "parameters is " + std::string(in_words(section->value.kind)),
                      "write [parameters] and one line for each: l = 0.5");
      return {};
    }
    for (const Member& member : section->value.table) {
      if (!usable(member)) continue;
      members_[member.key] = &member;
      known_.push_back(member.key);
    }
    std::vector<Parameter> all;
    for (const auto& name : known_) all.push_back({name, value(name), "", ""});
    return all;
  }

 private:
  static constexpr std::size_t deepest = 200;

  bool usable(const Member& member) {
    if (Expression::reserved(member.key) || member.key == "t")
      complaints_.add(*file_.document, member.spot, "'" + member.key + "' cannot be the name of a parameter",
                      "it has a meaning in every expression");
    else if (!Expression::is_name(member.key))
      complaints_.add(*file_.document, member.spot, "'" + member.key + "' cannot be the name of a parameter",
                      "take letters, digits and _, a letter first");
    else
      return true;
    return false;
  }

  double value(const std::string& name) {
    if (const auto done = file_.values.find(name); done != file_.values.end()) return done->second;
    const Member& member = *members_.at(name);
    if (const auto set = set_.find(name); set != set_.end()) return file_.values[name] = set->second;
    if (in_circle(member) || too_deep(member)) return file_.values[name] = 1;
    open_.push_back(name);
    const double result = evaluate(member);
    open_.pop_back();
    return file_.values.emplace(name, result).first->second;
  }

  /// 1 for what cannot be read: the file is refused anyway.
  double evaluate(const Member& member) {
    Scope scope(file_, complaints_);
    if (member.value.kind == Value::Kind::text) {
      scope.know(known_, [this](const std::string& name) -> std::optional<double> {
        if (!members_.contains(name)) return {};
        return value(name);
      });
    }
    return scope.number(member.value, member.key, "any").value_or(1);
  }

  bool in_circle(const Member& member) {
    const auto begin = std::find(open_.begin(), open_.end(), member.key);
    if (begin == open_.end()) return false;
    std::string circle;
    for (auto name = begin; name != open_.end(); ++name) circle += *name + " needs ";
    complaints_.add(*file_.document, member.value.spot, "parameters go in a circle: " + circle + member.key,
                    "give one of them a number");
    return true;
  }

  bool too_deep(const Member& member) {
    if (open_.size() < deepest) return false;
    complaints_.add(*file_.document, member.value.spot, "parameters need each other more than 200 deep", "");
    return true;
  }

  FileScope file_;
  const std::map<std::string, double>& set_;
  Complaints& complaints_;
  std::unordered_map<std::string, const Member*> members_{};
  std::vector<std::string> known_{}, open_{};
};

}  // namespace

std::vector<Parameter> read_parameters(const Document& document, const std::map<std::string, double>& set,
                                       Complaints& complaints) {
  return ParameterReader(document, set, complaints).read();
}

}  // namespace dalembert
