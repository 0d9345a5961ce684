// dalembert schema: the JSON schema of model files, for editors that complete and check TOML. Written from the same tables
// the reader checks files against.
#include <algorithm>
#include <memory>
#include <set>

#include "app/commands.h"
#include "app/json.h"
#include "dalembert/model/element_entry.h"
#include "dalembert/model/expansion.h"
#include "dalembert/model/model_sections.h"

namespace dalembert::app {

namespace {

Json reference(const std::string& name) {
  return {{"$ref", "#/definitions/" + name}};
}

Json list_of(const Json& item, int least, int most) {
  return {{"type", "array"}, {"items", item}, {"minItems", least}, {"maxItems", most}};
}

Json type_of(const Key& key) {
  using T = Key::Type;
  const Json number = reference("number");
  switch (key.type) {
    case T::number:
    case T::law:
    case T::motion:
      return number;
    case T::vector:
    case T::laws:
    case T::motions:
      return list_of(number, 2, 3);
    case T::numbers:
      return {{"type", "array"}, {"items", number}};
    case T::matrix:
      return {{"type", "array"}, {"items", {{"anyOf", {number, {{"type", "array"}, {"items", number}}}}}}};
    case T::text:
      return key.words.empty() ? Json{{"type", "string"}} : Json{{"type", "string"}, {"enum", key.words}};
    case T::body:
    case T::joint:
    case T::node:
    case T::branch:
      return {{"type", "string"}};
    case T::bodies:
      return list_of({{"type", "string"}}, 2, 2);
    case T::nodes:
      return list_of({{"type", "string"}}, static_cast<int>(key.words.size()),
                     static_cast<int>(key.words.size()));
    case T::end:
      return reference("end");
    case T::orientation:
      return reference("orientation");
    case T::shape:
      return {{"type", "object"}};
  }
  return {};
}

Json describe(const Key& key) {
  Json json = type_of(key);
  std::string text = key.meaning;
  if (!key.unit.empty()) text += " [" + key.unit + "]";
  if (!key.words.empty() && key.type != Key::Type::text) {
    text += key.type == Key::Type::nodes ? ":" : "; may use";
    for (const auto& word : key.words) text += " " + word;
  }
  if (!key.preset.empty() && key.preset != "-") text += "; " + key.preset + " unless given";
  if (json.contains("$ref")) json = {{"allOf", {json}}};  // what stands beside $ref is not read
  json["description"] = text;
  return json;
}

Json object(const std::vector<Key>& keys) {
  Json json = {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
  Json required = Json::array();
  for (const Key& key : keys) {
    json["properties"][key.name] = describe(key);
    if (key.preset.empty()) required.push_back(key.name);
  }
  if (!required.empty()) json["required"] = required;
  return json;
}

Json element(const ElementEntry& entry) {
  Json json = object(entry.keys);
  std::string about = entry.summary;
  if (entry.space != ElementEntry::Space::both)
    about += entry.space == ElementEntry::Space::planar ? " (planar)" : " (spatial)";
  json["description"] = entry.carries.empty() ? about : about + "; carries " + entry.carries;
  json["properties"]["name"] = {{"type", "string"}, {"description", "unique among its like"}};
  json["properties"]["kind"] = {{"const", entry.kind}};
  Json& required = json["required"];
  if (required.is_null()) required = Json::array();
  if (entry.section == "body" || entry.section == "joint" || entry.section == "node")
    required.push_back("name");
  const bool told_by_key = std::any_of(entry.keys.begin(), entry.keys.end(),
                                       [&](const Key& key) { return key.name == entry.kind; });
  const bool usual = entry.section + "/" + entry.kind == "body/rigid" ||
                     entry.section + "/" + entry.kind == "node/electrical";
  if (!told_by_key && !usual) required.push_back("kind");
  return json;
}

Json definitions() {
  const Json number = {
      {"anyOf", {{{"type", "number"}}, {{"type", "string"}}}},
      {"description", "a number, or an expression with an optional unit: \"2*l\", \"45 deg\""}};
  const Json angles = list_of(reference("number"), 3, 3);
  Json all = {{"number", number},
              {"end", object({{"body", Key::Type::body, "", "the body, or ground"},
                              {"at", Key::Type::vector, "m",
                               "in the ground frame at the start; its centre of mass unless given", "-"}})},
              {"orientation",
               {{"anyOf",
                 {reference("number"), list_of(reference("number"), 4, 4),
                  object({{"axis", Key::Type::vector, "", "about which it is turned"},
                          {"angle", Key::Type::number, "rad", "by which"}}),
                  object({{"euler", Key::Type::vector, "rad", "angles, one after the other"},
                          {"order", Key::Type::text, "", "the axes of the body, such as zxz"}})}}}}};
  std::set<std::string> sections;
  for (const ElementEntry& entry : all_elements()) {
    if (sections.insert(entry.section).second) all[entry.section] = {{"anyOf", Json::array()}};
    all[entry.section]["anyOf"].push_back(element(entry));
  }
  const auto table = [](Json value) {
    return Json{{"type", "object"}, {"additionalProperties", std::move(value)}};
  };
  Json& include = all["include"] = object(section_keys("include"));
  include["properties"]["set"] = table(reference("number"));
  Json& known = all["reference"] = object(section_keys("reference"));
  known["properties"]["values"] = table(reference("number"));
  Json& run = all["run"] = object(section_keys("run"));
  Json& atol = run["properties"]["atol"];
  atol = {{"description", atol["description"]}, {"anyOf", {reference("number"), table(Json::object())}}};
  const Json names = {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}};
  for (const auto& [section, list] : {std::pair{"cut", "joints"}, {"field", "bodies"}}) {
    Json& of = all[section] = object(section_keys(section));
    of["properties"][list].erase("type");
    of["properties"][list].update(names);
  }
  Json& repeat = all["repeat"] = object(section_keys("repeat"));
  sections.insert({"include", "repeat"});
  for (const auto& section : sections)
    repeat["properties"][section] = {{"type", "array"}, {"items", reference(section)}};
  return all;
}

Json schema() {
  Json all = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Dalembert model"}};
  all.update(object(section_keys("")));
  Json& properties = all["properties"];
  properties["parameters"] = {{"type", "object"}, {"additionalProperties", reference("number")}};
  for (const char* section : {"include", "repeat", "reference", "field"})
    properties[section] = {{"type", "array"}, {"items", reference(section)}};
  for (const char* section : element_sections)
    properties[section] = {{"type", "array"}, {"items", reference(section)}};
  properties["run"] = reference("run");
  properties["cut"] = reference("cut");
  all["definitions"] = definitions();
  // a section nobody has entered elements for
  for (const char* section : element_sections)
    if (!all["definitions"].contains(section)) properties.erase(section);
  return all;
}

}  // namespace

std::vector<CommandEntry> commands_in_schema() {
  return {{.name = "schema",
           .rank = 150,
           .summary = "print the JSON schema of model files, for editors",
           .examples = {"dalembert schema > model.schema.json"},
           .add = [](Arguments&) -> Action {
             return [] {
               print(schema());
               return done;
             };
           }}};
}

}  // namespace dalembert::app
