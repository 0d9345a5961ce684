#include "dalembert/model/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "dalembert/model/element_keys.h"

namespace dalembert {

namespace {

int section_number(const std::string& name) {
  for (int i = 0; i < static_cast<int>(std::size(element_sections)); ++i)
    if (name == element_sections[i]) return i;
  return -1;
}

std::vector<std::string> with_sections(std::vector<std::string> keys) {
  keys.insert(keys.end(), std::begin(element_sections), std::end(element_sections));
  return keys;
}

}  // namespace

bool is_table(const Value& value, const std::string& what, const Document& document, Complaints& complaints) {
  if (value.kind == Value::Kind::table) return true;
  complaints.add(document, value.spot, what + " is " + std::string(in_words(value.kind)),
                 "a table was expected");
  return false;
}

void check_top_keys(const Document& document, const std::string& space, Complaints& complaints) {
  static const std::vector<std::string> keys = with_sections(
      {"title", "space", "gravity", "parameters", "run", "reference", "include", "repeat", "cut", "field"});
  for (const Member& member : document.root().table)
    if (std::find(keys.begin(), keys.end(), member.key) == keys.end())
      complaints.add_unknown(document, member.spot, "section", member.key, keys);
  const Member* own = document.root().find("space");
  if (own != nullptr && !space.empty() && own->value.text != space)
    complaints.add(document, own->value.spot, "the space of this file is '" + own->value.text + "'",
                   "that of the model it is included in is '" + space + "'");
}

std::vector<Index> Expansion::indices_of(int repetition) const {
  std::vector<Index> all;
  for (int i = repetition; i >= 0;) {
    const Repetition& r = repetitions_[static_cast<std::size_t>(i)];
    all.push_back({*r.name, r.value, r.first, r.last});
    i = r.outer;
  }
  std::reverse(all.begin(), all.end());
  return all;
}

Scope Expansion::scope(const FileScope& file, int repetition) const {
  Scope result(file, complaints_);
  result.set_indices(indices_of(repetition));
  return result;
}

void Expansion::too_much(const Value& table, const FileScope& file, const std::string& what) {
  complaints_.add(*file.document, table.spot, what, "this is more than can be handled");
  complaints_.settle();
  std::abort();  // settle has thrown
}

void Expansion::expand(const FileScope& top) {
  open_ = {top.document};
  items(top.document->root(), top, -1);
}

void Expansion::items(const Value& table, const FileScope& file, int repetition) {
  struct Item {
    const Member* section;
    const Value* value;
  };
  std::vector<Item> all;
  for (const Member& member : table.table) {
    const bool element = section_number(member.key) >= 0;
    if (!element && member.key != "include" && member.key != "repeat") continue;
    if (member.value.kind != Value::Kind::list) {
      complaints_.add(*file.document, member.spot,
                      member.key + " is " + std::string(in_words(member.value.kind)),
                      "write [[" + member.key + "]], once for each");
      continue;
    }
    for (const Value& value : member.value.list)
      if (is_table(value, member.key, *file.document, complaints_)) all.push_back({&member, &value});
  }
  std::stable_sort(all.begin(), all.end(), [](const Item& a, const Item& b) {
    return std::pair(a.value->spot.line, a.value->spot.column) <
           std::pair(b.value->spot.line, b.value->spot.column);
  });
  for (const Item& item : all) one(*item.section, *item.value, file, repetition);
}

void Expansion::one(const Member& section, const Value& value, const FileScope& file, int repetition) {
  if (section.key == "repeat") return repeat(value, file, repetition);
  if (section.key == "include") return include(value, file, repetition);
  const int number = section_number(section.key);
  if (number == 0 && ++bodies_ > most_bodies) too_much(value, file, "there are more than 100000 bodies");
  if (tasks_.size() >= most_elements) too_much(value, file, "there are more than 1000000 elements");
  tasks_.push_back({number, &value, &file, repetition});
}

bool Expansion::known_keys(const Value& table, const std::vector<std::string>& keys, const std::string& what,
                           const FileScope& file) {
  bool all = true;
  for (const Member& member : table.table)
    if (std::find(keys.begin(), keys.end(), member.key) == keys.end()) {
      complaints_.add_unknown(*file.document, member.spot, "key of " + what, member.key, keys);
      all = false;
    }
  return all;
}

void Expansion::repeat(const Value& table, const FileScope& file, int repetition) {
  static const std::vector<std::string> keys =
      with_sections({"count", "index", "start", "include", "repeat"});
  if (!known_keys(table, keys, "repeat", file)) return;
  const Scope here = scope(file, repetition);
  const Member *count = table.find("count"), *index = table.find("index"), *start = table.find("start");
  if (count == nullptr) {
    complaints_.add(*file.document, table.spot, "repeat has no count", "add count = 10, or an expression");
    return;
  }
  const auto n = here.number(count->value, "count", "");
  const auto first = start == nullptr ? std::optional(0.) : here.number(start->value, "start", "");
  const auto name = index == nullptr ? std::optional<std::string>("i") : here.text(index->value, "index");
  if (!n || !first || !name) return;
  const auto outer = here.indices();
  if (outer.size() >= Scope::most_indices) too_much(table, file, "repetitions are more than 32 deep");
  if (!Expression::is_name(*name) || Expression::reserved(*name) || *name == "t" ||
      file.values.contains(*name) ||
      std::any_of(outer.begin(), outer.end(), [&](const Index& i) { return i.name == *name; })) {
    complaints_.add(*file.document, index == nullptr ? table.spot : index->value.spot,
                    "'" + *name + "' cannot be the index: the name is taken or is no name",
                    "add index = \"k\"");
    return;
  }
  if (*n != std::floor(*n) || *n < 0 || *first != std::floor(*first) || std::abs(*first) > 1e9) {
    complaints_.add(*file.document, count->value.spot,
                    fmt::format("count is {:g}, start is {:g}", *n, *first),
                    "they must be whole, and count 0 or larger");
    return;
  }
  const bool empty = std::all_of(table.table.begin(), table.table.end(), [](const Member& member) {
    return section_number(member.key) < 0 && member.key != "include" && member.key != "repeat";
  });
  if (empty) {
    complaints_.add(*file.document, table.spot, "nothing is repeated",
                    "add [[repeat.body]], [[repeat.joint]], ...");
    return;
  }
  if (static_cast<double>(repetitions_.size()) + *n > static_cast<double>(most_repetitions))
    too_much(count->value, file, "there are more than 1000000 repetitions");
  names_.push_back(*name);
  const std::string* kept = &names_.back();
  for (double i = *first; i < *first + *n; ++i) {
    repetitions_.push_back({repetition, kept, i, *first, *first + *n - 1});
    items(table, file, static_cast<int>(repetitions_.size()) - 1);
  }
}

std::map<std::string, double> Expansion::settings(const Value& table, const Scope& here,
                                                  const Document& inner) {
  std::map<std::string, double> all;
  const Member* set = table.find("set");
  if (set == nullptr || !is_table(set->value, "set", here.document(), complaints_)) return all;
  std::vector<std::string> known;
  if (const Member* section = inner.root().find("parameters"))
    for (const Member& member : section->value.table) known.push_back(member.key);
  for (const Member& member : set->value.table) {
    if (std::find(known.begin(), known.end(), member.key) == known.end())
      complaints_.add_unknown(here.document(), member.spot, "parameter of " + inner.name(), member.key,
                              known);
    else if (const auto number = here.number(member.value, member.key, "any"))
      all[member.key] = *number;
  }
  return all;
}

/// Nothing, after a complaint, if it cannot be included.
const Document* Expansion::open(const Value& path, const std::string& name, const FileScope& file) {
  const auto refuse = [&](const std::string& what, const std::string& hint) -> const Document* {
    complaints_.add(*file.document, path.spot, what, hint);
    return nullptr;
  };
  if (open_.size() >= deepest_include) too_much(path, file, "includes are more than 16 deep");
  try {
    const Document& document = files_.open_beside(*file.document, name);
    if (std::find(open_.begin(), open_.end(), &document) != open_.end()) {
      std::string chain;
      for (const Document* each : open_) chain += each->name() + " includes ";
      return refuse("includes go in a circle: " + chain + document.name(),
                    "a file cannot be a part of itself");
    }
    if (!document.trouble()) return &document;
    if (!seen_.insert(&document).second) return nullptr;
    complaints_.add(*document.trouble());
    return nullptr;
  } catch (const ModelError&) {
    throw;
  } catch (const Error& error) {
    return refuse(error.what(), error.hint());
  }
}

void Expansion::include(const Value& table, const FileScope& file, int repetition) {
  static const std::vector<std::string> keys = {"file",        "prefix", "at",    "angle",
                                                "orientation", "set",    "ground"};
  if (!known_keys(table, keys, "include", file)) return;
  if (++includes_ > most_includes) too_much(table, file, "there are more than 1000 includes");
  Scope here = scope(file, repetition);
  const Member *path = table.find("file"), *prefix = table.find("prefix"), *ground = table.find("ground");
  if (path == nullptr) {
    complaints_.add(*file.document, table.spot, "include has no file", "add file = \"leg.toml\"");
    return;
  }
  const auto name = here.text(path->value, "file");
  const auto front = prefix == nullptr ? std::optional<std::string>("") : here.text(prefix->value, "prefix");
  const auto base =
      ground == nullptr ? std::optional<std::string>("ground") : here.text(ground->value, "ground");
  if (!name || !front || !base) return;
  const Document* document = open(path->value, *name, file);
  if (document == nullptr) return;
  FileScope inner{.document = document, .prefix = file.prefix + *front};
  inner.ground = *base == "ground" ? file.ground : file.prefix + *base;
  if (*base != "ground") ties_.push_back({&ground->value, &file, inner.ground});
  if (seen_.insert(document).second)
    check_top_keys(*document, dimension_ == 2 ? "planar" : "spatial", complaints_);
  inner.parameters = read_parameters(*document, settings(table, here, *document), complaints_);
  for (const Parameter& p : inner.parameters) inner.values[p.name] = p.value;
  place(table, here, inner);
  scopes_.push_back(std::move(inner));
  open_.push_back(document);
  items(document->root(), scopes_.back(), -1);
  open_.pop_back();
}

/// r -> R (R' r + s') + s for includes inside includes.
void Expansion::place(const Value& table, Scope& here, FileScope& inner) {
  const FileScope& outer = here.file();
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  if (const Member* at = table.find("at")) {
    if (at->value.kind != Value::Kind::list || static_cast<Eigen::Index>(at->value.list.size()) != dimension_)
      here.complain(at->value, "at is no point", fmt::format("a list of {} was expected", dimension_));
    else
      for (Eigen::Index i = 0; i < dimension_; ++i)
        shift[i] = here.number(at->value.list[static_cast<std::size_t>(i)], "at", "m").value_or(0);
  }
  const Member *angle = table.find("angle"), *orientation = table.find("orientation");
  const Member* wrong = dimension_ == 2 ? orientation : angle;
  if (wrong != nullptr)
    complaints_.add(here.document(), wrong->spot, "an include has no " + wrong->key + " here",
                    dimension_ == 2 ? "in the plane it has an angle" : "in space it has an orientation");
  if (dimension_ == 2 && angle != nullptr)
    turn = Eigen::AngleAxisd(here.number(angle->value, "angle", "rad").value_or(0), Eigen::Vector3d::UnitZ());
  if (dimension_ == 3 && orientation != nullptr)
    if (const auto e = read_rotation(here, orientation->value, "orientation"))
      turn = Eigen::Quaterniond((*e)[0], (*e)[1], (*e)[2], (*e)[3]).normalized().toRotationMatrix();
  inner.turn = outer.turn * turn;
  inner.shift = outer.turn * shift + outer.shift;
}

}  // namespace dalembert
