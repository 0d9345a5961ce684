#include "dalembert/model/model_cut.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "dalembert/core/error.h"
#include "dalembert/core/index.h"
#include "dalembert/core/text.h"
#include "dalembert/method/partitioned/window_iteration.h"
#include "dalembert/model/expansion.h"
#include "dalembert/model/model_sections.h"
#include "dalembert/multibody/check/loops.h"

namespace dalembert {

namespace {

constexpr int no_field = -1;

std::string quoted(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "'" : ", '") + name + "'";
  return all;
}

/// Reads both sections, and finds which coordinates belong to which field.
class CutReader {
 public:
  CutReader(const Scope& scope, const std::shared_ptr<const Mechanism>& whole)
      : scope_(scope),
        whole_(whole),
        m_(*whole),
        held_(bodies_held(m_)),
        joints_of_(m_.bodies().size()),
        field_(m_.bodies().size(), no_field) {
    for (std::size_t j = 0; j < held_.size(); ++j)
      for (const int body : held_[j]) joints_of_[at(body)].push_back(static_cast<int>(j));
  }

  ModelCut read(const Member* cut, const Member* fields);

 private:
  struct Named {
    std::string name;
    const Value* where;
  };
  bool known_keys(const Value& table, const std::string& section);
  std::vector<Named> names(const Value& table, const std::string& key);
  void read_joints(const Value& cut);
  void read_field(const Value& table);
  void claim(int body, const Value& where);
  void refuse_leftover(const Value& cut);
  void refuse_idle_joints();
  std::string read_method(const Value& table);
  struct Step {
    int body, joint, before;
  };
  std::vector<Step> walk(int from) const;
  std::vector<std::string> joints_between(int from, int to) const;
  std::vector<std::size_t> fields_of_states() const;
  std::vector<Partitioned::Field> coordinates() const;
  const std::string& body_name(int body) const { return m_.bodies()[at(body)].name; }

  const Scope& scope_;
  const std::shared_ptr<const Mechanism>& whole_;
  const Mechanism& m_;
  const std::vector<std::vector<int>> held_;  ///< bodies of each joint
  std::vector<std::vector<int>> joints_of_;   ///< of each body
  std::set<int> open_;                        ///< joints of the cut
  std::vector<Named> cut_;
  std::vector<int> field_, first_{};  ///< of each body; the body that each field was named by
  std::vector<std::string> fields_{};
  ModelCut result_{};
};

bool CutReader::known_keys(const Value& table, const std::string& section) {
  std::vector<std::string> known;
  for (const Key& key : section_keys(section)) known.push_back(key.name);
  bool good = true;
  for (const Member& member : table.table)
    if (std::find(known.begin(), known.end(), member.key) == known.end()) {
      scope_.complaints().add_unknown(scope_.document(), member.spot, "key of " + section, member.key, known);
      good = false;
    }
  return good;
}

/// A list of names; complains if it is missing or empty.
std::vector<CutReader::Named> CutReader::names(const Value& table, const std::string& key) {
  const Member* list = table.find(key);
  if (list == nullptr || list->value.kind != Value::Kind::list || list->value.list.empty()) {
    scope_.complain(list == nullptr ? table : list->value, "it names no " + key,
                    "write " + key + " = [\"...\"]");
    return {};
  }
  std::vector<Named> all;
  for (const Value& each : list->value.list)
    if (const auto text = scope_.text(each, key)) all.push_back({*text, &each});
  return all;
}

void CutReader::read_joints(const Value& cut) {
  const auto& joints = m_.joints();
  for (const Named& each : cut_ = names(cut, "joints")) {
    const auto found =
        std::find_if(joints.begin(), joints.end(), [&](const auto& j) { return j.name == each.name; });
    if (found == joints.end()) {
      std::vector<std::string> known;
      for (const JointRecord& joint : joints)
        if (known.size() < 1000) known.push_back(joint.name);
      scope_.complaints().add_unknown(scope_.document(), each.where->spot, "joint", each.name, known);
    } else if (!open_.insert(static_cast<int>(found - joints.begin())).second) {
      scope_.complain(*each.where, "joint '" + each.name + "' is named twice", "name it once");
    }
  }
  for (const char* key : {"splitting", "relaxation", "sweep"})
    if (const Member* given = cut.find(key)) {
      const auto options = CouplingScheme::options();
      const auto option =
          std::find_if(options.begin(), options.end(), [&](const auto& p) { return p.name == key; });
      const auto text = scope_.text(given->value, key);
      if (!text) continue;
      if (std::find(option->choices.begin(), option->choices.end(), *text) == option->choices.end())
        scope_.complaints().add_unknown(scope_.document(), given->value.spot, key, *text, option->choices);
      else
        result_.options[key] = *text;
    }
}

/// All bodies that joints outside of the cut hold together with this one, the nearest first, each with the way to it.
std::vector<CutReader::Step> CutReader::walk(int from) const {
  std::vector<Step> way = {{from, -1, -1}};
  std::vector<bool> seen(field_.size()), passed(held_.size());
  seen[at(from)] = true;
  for (int k = 0; k < static_cast<int>(way.size()); ++k)
    for (const int joint : joints_of_[at(way[at(k)].body)]) {
      if (open_.contains(joint) || passed[at(joint)]) continue;
      passed[at(joint)] = true;
      for (const int other : held_[at(joint)])
        if (!seen[at(other)]) seen[at(other)] = true, way.push_back({other, joint, k});
    }
  return way;
}

std::vector<std::string> CutReader::joints_between(int from, int to) const {
  const auto way = walk(from);
  const auto end = std::find_if(way.begin(), way.end(), [&](const Step& step) { return step.body == to; });
  std::vector<std::string> names;
  for (auto k = end == way.end() ? -1 : static_cast<int>(end - way.begin()); k > 0; k = way[at(k)].before)
    names.insert(names.begin(), m_.joints()[at(way[at(k)].joint)].name);
  return names;
}

/// Puts a body into the field that was read last, with all that is held together with it.
void CutReader::claim(int body, const Value& where) {
  const int mine = static_cast<int>(fields_.size()) - 1, known = field_[at(body)];
  if (known == mine) return;
  if (known != no_field) {
    const int other = first_[at(known)];
    const auto joints = joints_between(other, body);
    scope_.complain(
        where,
        "body '" + body_name(body) + "' is in field '" + fields_[at(known)] + "' already" +
            (joints.empty() ? ""
                            : ": " + quoted(joints) + (joints.size() == 1 ? " holds" : " hold") + " it to '" +
                                  body_name(other) + "'"),
        joints.empty() ? "name it once" : "name a joint between them in [cut], or put both into one field");
    return;
  }
  if (first_.size() < fields_.size()) first_.push_back(body);
  for (const Step& each : walk(body)) field_[at(each.body)] = mine;
}

std::string CutReader::read_method(const Value& table) {
  const Member *method = table.find("method"), *substeps = table.find("substeps");
  std::string text = method == nullptr ? "dopri5" : scope_.text(method->value, "method").value_or("dopri5");
  constexpr double most = 100000;
  double steps = 10;
  if (substeps != nullptr) {
    steps = scope_.number(substeps->value, "substeps", "").value_or(steps);
    if (!(steps >= 1 && steps <= most && steps == std::floor(steps))) {
      scope_.complain(substeps->value, "substeps is " + short_number(steps),
                      "it must be a whole number from 1 to 100000");
      steps = 1;
    }
  }
  try {
    if (text.find(':') != std::string::npos)
      throw Error("method is '" + text + "'", "write the number as substeps = 8");
    FieldMethod::parse(text, 1);
  } catch (const Error& error) {
    scope_.complain(method->value, error.what(), error.hint());
  }
  return text + ":" + std::to_string(static_cast<int>(steps));
}

void CutReader::read_field(const Value& table) {
  if (!is_table(table, "field", scope_.document(), scope_.complaints()) || !known_keys(table, "field"))
    return;
  const Member* given = table.find("name");
  const auto name = given == nullptr ? std::nullopt : scope_.text(given->value, "name");
  if (!name) {
    if (given == nullptr) scope_.complain(table, "this field has no name", "add name = \"...\"");
    return;
  }
  if (std::find(fields_.begin(), fields_.end(), *name) != fields_.end()) {
    scope_.complain(given->value, "there are two fields of the name '" + *name + "'", "give another name");
    return;
  }
  fields_.push_back(*name);
  result_.methods += (result_.methods.empty() ? "" : ",") + read_method(table);
  for (const Named& each : names(table, "bodies")) {
    const auto& bodies = m_.bodies();
    const auto found =
        std::find_if(bodies.begin(), bodies.end(), [&](const auto& b) { return b.name == each.name; });
    if (found != bodies.end()) {
      claim(static_cast<int>(found - bodies.begin()), *each.where);
    } else if (each.name == "ground") {
      scope_.complain(*each.where, "the ground is in no field", "it does not move; leave it out");
    } else {
      std::vector<std::string> known;
      for (const BodyRecord& body : bodies)
        if (known.size() < 1000) known.push_back(body.name);
      scope_.complaints().add_unknown(scope_.document(), each.where->spot, "body", each.name, known);
    }
  }
  if (first_.size() < fields_.size()) first_.push_back(no_field);
}

void CutReader::refuse_leftover(const Value& cut) {
  std::vector<std::string> left;
  for (std::size_t b = 0; b < field_.size(); ++b)
    if (field_[b] == no_field && left.size() < 10) left.push_back(m_.bodies()[b].name);
  if (left.empty()) return;
  scope_.complain(cut,
                  (left.size() == 1 ? "body " : "bodies ") + quoted(left) +
                      (left.size() == 1 ? " is" : " are") + " in no field",
                  "add one of each group that joints hold together to the bodies of a field");
}

/// A joint whose bodies are all in one field is no cut.
void CutReader::refuse_idle_joints() {
  for (const int joint : open_) {
    std::set<int> fields;
    for (const int body : held_[at(joint)]) fields.insert(field_[at(body)]);
    if (fields.size() > 1) continue;
    const std::string& name = m_.joints()[at(joint)].name;
    for (const Named& each : cut_)
      if (each.name == name)
        scope_.complain(
            *each.where,
            "joint '" + name + "' separates nothing: " +
                (fields.empty() ? "it holds no body"
                                : "all its bodies are in field '" + fields_[at(*fields.begin())] + "'"),
            "name a joint between bodies of two fields");
  }
}

/// States go with the bodies that they push, or else with those that they see, or with the states that they see.
std::vector<std::size_t> CutReader::fields_of_states() const {
  const Mechanical::Sizes n = m_.sizes();
  std::vector<int> of_velocity(at(n.v)), of_state(at(n.s), no_field);
  for (std::size_t b = 0; b < field_.size(); ++b)
    std::fill_n(of_velocity.begin() + m_.bodies()[b].v, m_.bodies()[b].velocities, field_[b]);
  const State start = m_.start();
  const MechanicalState part(n);
  Derivatives d;
  m_.derivatives(*m_.placed_at(start), part.v(start.y), part.s(start.y), Vector::Zero(n.v),
                 Vector::Zero(n.rows()), d);
  const auto take = [&](Eigen::Index state, int field) {
    int& mine = of_state[at(state)];
    if (mine == no_field) mine = field;
  };
  for (std::size_t k = 0; k < d.S.size(); ++k)
    if (d.S.value(k) != 0) take(d.S.column(k), of_velocity[at(d.S.row(k))]);
  for (const Entries* seen : {&d.k_v, &d.k_q})
    for (std::size_t k = 0; k < seen->size(); ++k)
      if (seen->value(k) != 0) take(seen->row(k), of_velocity[at(seen->column(k))]);
  for (Eigen::Index round = 0; round < n.s; ++round)
    for (std::size_t k = 0; k < d.k_s.size(); ++k)
      if (d.k_s.value(k) != 0) take(d.k_s.row(k), of_state[at(d.k_s.column(k))]);
  std::vector<std::size_t> all;
  for (const int field : of_state) all.push_back(field == no_field ? 0 : at(field));
  return all;
}

std::vector<Partitioned::Field> CutReader::coordinates() const {
  std::vector<Partitioned::Field> all;
  for (const std::string& name : fields_) all.push_back({.name = name, .q = {}, .v = {}});
  for (std::size_t b = 0; b < field_.size(); ++b) {
    const BodyRecord& body = m_.bodies()[b];
    for (int i = 0; i < body.positions; ++i) all[at(field_[b])].q.push_back(body.q + i);
    for (int i = 0; i < body.velocities; ++i) all[at(field_[b])].v.push_back(body.v + i);
  }
  const auto states = fields_of_states();
  for (std::size_t i = 0; i < states.size(); ++i) all[states[i]].s.push_back(static_cast<Eigen::Index>(i));
  return all;
}

ModelCut CutReader::read(const Member* cut, const Member* fields) {
  if (cut == nullptr || fields == nullptr) {
    scope_.complaints().add(
        scope_.document(), (cut == nullptr ? fields : cut)->spot,
        cut == nullptr ? "there are fields, but no cut between them" : "there is a cut, but no fields",
        cut == nullptr ? "add [cut] with joints = [\"...\"]" : "add [[field]], once for each part");
    return {};
  }
  const auto before = scope_.complaints().count();
  if (!is_table(cut->value, "cut", scope_.document(), scope_.complaints()) || !known_keys(cut->value, "cut"))
    return {};
  if (fields->value.kind != Value::Kind::list) {
    scope_.complain(fields->value, "field is " + std::string(in_words(fields->value.kind)),
                    "write [[field]], once for each part");
    return {};
  }
  read_joints(cut->value);
  if (scope_.complaints().count() > before) return {};
  for (const Value& each : fields->value.list) read_field(each);
  if (scope_.complaints().count() > before) return {};
  refuse_leftover(cut->value);
  if (scope_.complaints().count() > before) return {};
  refuse_idle_joints();
  if (scope_.complaints().count() > before) return {};
  try {
    result_.problem = std::make_shared<const Partitioned>(whole_, coordinates());
  } catch (const Error& error) {
    scope_.complain(cut->value, error.what(), error.hint());
    return {};
  }
  return std::move(result_);
}

}  // namespace

ModelCut read_cut(const Scope& scope, const std::shared_ptr<const Mechanism>& whole) {
  const Value& root = scope.document().root();
  const Member *cut = root.find("cut"), *fields = root.find("field");
  if (cut == nullptr && fields == nullptr) return {};
  return CutReader(scope, whole).read(cut, fields);
}

}  // namespace dalembert
