#include "dalembert/model/model_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/formulation/formulation.h"
#include "dalembert/method/method.h"
#include "dalembert/model/expansion.h"

namespace dalembert {

const std::vector<Key>& section_keys(const std::string& section) {
  using T = Key::Type;
  static const std::map<std::string, std::vector<Key>> all = {
      {"",
       {{"title", T::text, "", "what it is", "-"},
        {"space",
         T::text,
         "",
         "where it moves; needed unless the model is a network without bodies",
         "-",
         {"planar", "spatial"}},
        {"gravity", T::vector, "m/s^2", "9.81 downwards if left out: -y in the plane, -z in space", "-"}}},
      {"run",
       {{"end", T::number, "s", "the time to stop at", "1", {}, Key::Frame::ground, Key::Sign::positive},
        {"formulation", T::text, "", "how the equations are rewritten", "auto"},
        {"method", T::text, "", "how a step is attempted", "auto"},
        {"controller", T::text, "", "how steps are chosen", "-", {"fixed", "i", "pi"}},
        {"rtol",
         T::number,
         "",
         "relative tolerance",
         "1e-6",
         {},
         Key::Frame::ground,
         Key::Sign::not_negative},
        {"atol",
         T::number,
         "",
         "absolute tolerance; or a table of them by block and entry: { q = 1e-6, \"v.piston\" = 1e-4, rest = "
         "1e-5 }",
         "-",
         {},
         Key::Frame::ground,
         Key::Sign::not_negative},
        {"step", T::number, "s", "the fixed step", "-", {}, Key::Frame::ground, Key::Sign::positive},
        {"max_step", T::number, "s", "no step is longer", "-", {}, Key::Frame::ground, Key::Sign::positive},
        {"output",
         T::number,
         "",
         "pieces of equal length, if whole; a distance in time if not, or with a unit: \"2 s\"",
         "-",
         {},
         Key::Frame::ground,
         Key::Sign::positive},
        {"project", T::text, "", "return onto the constraints after each step", "-", {"on", "off", "auto"}},
        {"singular",
         T::text,
         "",
         "what is done about positions where rows become dependent",
         "watch",
         {"watch", "ignore", "stop"}},
        {"dependent",
         T::number,
         "",
         "rows of unit length that stick out of the span of others by less than this follow from them",
         "-",
         {},
         Key::Frame::ground,
         Key::Sign::positive}}},
      {"reference",
       {{"t", T::number, "s", "the time at which they hold", ""},
        {"values", T::shape, "", "by label: \"q.crank.angle\" = 0.5", ""},
        {"source", T::text, "", "where they are from", "-"},
        {"within",
         T::number,
         "",
         "how large |difference|/(1+|value|) may be; 100 rtol if left out",
         "-",
         {},
         Key::Frame::ground,
         Key::Sign::positive}}},
      {"cut",
       {{"joints", T::text, "", "a list of those that lie between bodies of different fields", ""},
        {"splitting",
         T::text,
         "",
         "the field that rows of these joints are imposed on",
         "last",
         {"last", "first", "weighted", "alternating"}},
        {"relaxation",
         T::text,
         "",
         "of what goes back into the iteration between fields",
         "quasi-newton",
         {"none", "fixed", "aitken", "quasi-newton"}},
        {"sweep",
         T::text,
         "",
         "fields in turn, or all at once in threads",
         "gauss-seidel",
         {"gauss-seidel", "jacobi"}}}},
      {"field",
       {{"name", T::text, "", "of the field", ""},
        {"bodies", T::text, "", "a list with one or more of each group of bodies that joints hold together",
         ""},
        {"method", T::text, "", "how the field is advanced", "dopri5"},
        {"substeps",
         T::number,
         "",
         "in how many steps it crosses a window",
         "10",
         {},
         Key::Frame::ground,
         Key::Sign::positive}}},
      {"include",
       {{"file", T::text, "", "beside this one, or in a folder below", ""},
        {"prefix", T::text, "", "of all its names", "-"},
        {"at", T::vector, "m", "where its origin comes to lie", "-"},
        {"angle", T::number, "rad", "by which it is turned, in the plane", "-"},
        {"orientation", T::orientation, "", "by which it is turned, in space", "-"},
        {"set", T::shape, "", "parameters of the file: { l = \"2*a\" }", "-"},
        {"ground", T::body, "", "the body that is its ground", "-"}}},
      {"repeat",
       {{"count", T::number, "", "how often", ""},
        {"index", T::text, "", "the name of the number that counts", "i"},
        {"start", T::number, "", "its first value", "0"}}},
  };
  return all.at(section);
}

Head read_model_head(const Scope& scope) {
  Head head;
  const Value& root = scope.document().root();
  if (const Member* title = root.find("title")) head.title = scope.text(title->value, "title").value_or("");
  const std::string hint = "write space = \"planar\" or space = \"spatial\"";
  const Member* space = root.find("space");
  const bool nothing_moves = root.find("node") != nullptr && root.find("body") == nullptr;
  if (space == nullptr && nothing_moves)
    head.space = "planar";
  else if (space == nullptr)
    scope.complaints().add({{scope.document().name(), 1, 1}, "", "the model has no space", hint});
  else if (const auto text = scope.text(space->value, "space");
           text && *text != "planar" && *text != "spatial")
    scope.complain(space->value, "unknown space '" + *text + "'", hint);
  else
    head.space = text.value_or("planar");
  const Eigen::Index n = head.space == "planar" ? 2 : 3;
  head.gravity[n - 1] = -9.81;
  const Member* gravity = root.find("gravity");
  if (gravity == nullptr) return head;
  if (gravity->value.kind != Value::Kind::list ||
      static_cast<Eigen::Index>(gravity->value.list.size()) != n) {
    scope.complain(gravity->value, "gravity is no vector", fmt::format("a list of {} was expected", n));
    return head;
  }
  for (Eigen::Index i = 0; i < n; ++i)
    head.gravity[i] =
        scope.number(gravity->value.list[static_cast<std::size_t>(i)], "gravity", "m/s^2").value_or(0);
  constexpr double much = 100;  // four times that of Jupiter
  if (head.gravity.norm() > much)
    scope.remark(gravity->value, fmt::format("gravity is {:g} m/s^2", head.gravity.norm()),
                 "lengths are in m; on earth it is 9.81");
  if (head.gravity[n - 1] > 0)
    scope.remark(gravity->value, "gravity points upwards",
                 std::string("check its sign, unless ") + (n == 2 ? "y" : "z") + " points downwards here");
  return head;
}

namespace {

/// A text that must be one of these; the nearest one is proposed otherwise.
std::optional<std::string> read_word(const Scope& scope, const Key& key, const Value& value,
                                     const std::vector<std::string>& known) {
  auto text = scope.text(value, key.name);
  if (!text || std::find(known.begin(), known.end(), *text) != known.end()) return text;
  scope.complaints().add_unknown(scope.document(), value.spot, key.name, *text, known);
  return {};
}

template <class Entry>
std::vector<std::string> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names = {"auto"};
  for (const auto& entry : entries) names.push_back(entry.name);
  return names;
}

std::optional<double> read_number(const Scope& scope, const Key& key, const Value& value) {
  const auto number = scope.number(value, key.name, key.unit);
  if (!number || *number > 0 || (*number == 0 && key.sign != Key::Sign::positive)) return number;
  scope.complain(value, fmt::format("{} is {:g}", key.name, *number), "it must be larger than 0");
  return {};
}

/// 100, 100.0 and "2*n" are numbers of pieces; 0.01, and what has a unit ("2 s"), are distances.
std::optional<OutputSetting> read_output(const Scope& scope, const Key& key, const Value& value) {
  const std::string& text = value.text;  // of a number: ""
  const bool in_seconds = text.ends_with(" s") || text.ends_with(" ms") || text.ends_with(" min");
  if (in_seconds) {
    const auto distance = scope.number(value, key.name, "s");
    return distance ? std::optional(OutputSetting{OutputSetting::By::distance, *distance}) : std::nullopt;
  }
  const auto number = read_number(scope, key, value);
  return number ? std::optional(OutputSetting::of(*number)) : std::nullopt;
}

/// { q = 1e-6, "v.piston.x'" = 1e-4, rest = 1e-5 }; a name may be written as a table of tables: q.crank = 1e-6.
void read_tolerances(const Scope& scope, const Value& table, const std::string& prefix, RunSettings& run) {
  for (const Member& member : table.table) {
    const std::string name = prefix + member.key;
    if (member.value.kind == Value::Kind::table) {
      read_tolerances(scope, member.value, name + ".", run);
    } else if (const auto number = scope.number(member.value, name, "any")) {
      if (!(*number > 0))
        scope.complain(member.value, fmt::format("atol of {} is {:g}", name, *number),
                       "it must be larger than 0");
      else if (name == "rest")
        run.atol = *number;
      else
        run.atol_of[name] = *number;
    }
  }
}

void read_key(const Scope& scope, const Key& key, const Value& value, RunSettings& run) {
  const std::map<std::string, std::optional<double>*> numbers = {
      {"end", &run.end},   {"rtol", &run.rtol},         {"atol", &run.atol},
      {"step", &run.step}, {"max_step", &run.max_step}, {"dependent", &run.dependent},
  };
  if (key.name == "atol" && value.kind == Value::Kind::table) {
    read_tolerances(scope, value, "", run);
  } else if (const auto found = numbers.find(key.name); found != numbers.end()) {
    *found->second = read_number(scope, key, value);
  } else if (key.name == "output") {
    run.output = read_output(scope, key, value);
  } else if (key.name == "formulation") {
    run.formulation = read_word(scope, key, value, names_of(all_formulations()));
  } else if (key.name == "method") {
    run.method = read_word(scope, key, value, names_of(all_methods()));
  } else if (const auto word = read_word(scope, key, value, key.words)) {
    if (key.name == "controller") run.controller = find_control(*word);
    if (key.name == "project") run.project = find_projection(*word);
    if (key.name == "singular") run.singular = find_singular(*word);
  }
}

}  // namespace

RunSettings read_run(const Scope& scope) {
  RunSettings run;
  const Member* section = scope.document().root().find("run");
  if (section == nullptr || !is_table(section->value, "run", scope.document(), scope.complaints()))
    return run;
  const auto& keys = section_keys("run");
  for (const Member& member : section->value.table) {
    const auto key =
        std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == member.key; });
    if (key != keys.end()) {
      read_key(scope, *key, member.value, run);
      continue;
    }
    std::vector<std::string> known;
    for (const Key& each : keys) known.push_back(each.name);
    scope.complaints().add_unknown(scope.document(), member.spot, "key of run", member.key, known);
  }
  return run;
}

std::vector<KnownDigits> read_references(const Scope& scope, const Layout& layout) {
  std::vector<KnownDigits> all;
  const Member* section = scope.document().root().find("reference");
  if (section == nullptr) return all;
  if (section->value.kind != Value::Kind::list) {
    scope.complain(section->value, "reference is no list", "write [[reference]], once for each time");
    return all;
  }
  std::unordered_map<std::string, Eigen::Index> entries;
  for (Eigen::Index i = 0; i < layout.size(); ++i) entries[layout.label(i)] = i;
  for (const Value& table : section->value.list) {
    if (!is_table(table, "reference", scope.document(), scope.complaints())) continue;
    for (const Member& member : table.table)
      if (member.key != "t" && member.key != "values" && member.key != "source" && member.key != "within")
        scope.complaints().add_unknown(scope.document(), member.spot, "key of reference", member.key,
                                       {"t", "values", "source", "within"});
    const Member *t = table.find("t"), *values = table.find("values"), *source = table.find("source"),
                 *within = table.find("within");
    if (t == nullptr || values == nullptr) {
      scope.complain(table, "this reference has no t or no values",
                     "add t = 1 and values = { \"q.crank.angle\" = 0.5 }");
      continue;
    }
    const double time = scope.number(t->value, "t", "s").value_or(0);
    KnownDigits known_digits{
        {time, Vector::Constant(layout.size(), std::numeric_limits<double>::quiet_NaN())}, {.t = time}};
    if (source != nullptr) known_digits.reference.source = scope.text(source->value, "source").value_or("");
    if (within != nullptr) {
      known_digits.reference.within = scope.number(within->value, "within", "");
      if (known_digits.reference.within && !(*known_digits.reference.within > 0))
        scope.complain(within->value, "within is not positive", "it bounds |difference|/(1+|value|)");
    }
    if (!is_table(values->value, "values", scope.document(), scope.complaints())) continue;
    for (const Member& member : values->value.table) {
      const auto entry = entries.find(member.key);
      if (entry == entries.end()) {
        std::vector<std::string> known;
        for (const auto& [label, i] : entries)
          if (known.size() < 1000) known.push_back(label);
        std::sort(known.begin(), known.end());
        if (nearest(member.key, known).empty()) known = {"q.BODY.x", "v.BODY.x'", "lambda.JOINT.x, ..."};
        scope.complaints().add_unknown(scope.document(), member.spot, "label", member.key, known);
      } else if (const auto number = scope.number(member.value, member.key, "any")) {
        known_digits.state.y[entry->second] = *number;
      }
    }
    all.push_back(std::move(known_digits));
  }
  return all;
}

}  // namespace dalembert
