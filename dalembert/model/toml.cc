// TOML 1.0 [https://toml.io/en/v1.0.0] by recursive descent: tables are opened by headers and dotted keys, each once.
#include "dalembert/model/toml.h"

#include <algorithm>
#include <unordered_map>

#include "dalembert/model/toml_text.h"

namespace dalembert {

namespace {

/// How a key came to be, which decides what may be added to it.
enum class Opened {
  value,   ///< a value: nothing
  header,  ///< [a]: tables below, by headers
  path,    ///< a of [a.b]: the same, and it may still get a header itself
  dotted,  ///< a of a.b = 1: more keys, by the same sort of line
  tables   ///< [[a]]: further tables, or something in the last one
};

/// A table that may still grow.
struct Table {
  Value* value;
  int number;  ///< names it
  int depth;
};

/// A key of a table.
struct Name {
  int table;
  std::string key;
  bool operator==(const Name&) const = default;
};
struct NameHash {
  std::size_t operator()(const Name& name) const {
    return std::hash<std::string>()(name.key) ^ (static_cast<std::size_t>(name.table) * 0x9E3779B97F4A7C15u);
  }
};
struct Slot {
  Opened opened;
  std::size_t position;  ///< among the members of its table
  int number;            ///< of the table that it is, or of its last one
};

struct Part {
  std::string key;
  Spot spot;
};

constexpr std::size_t few = 16;  // keys

class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text) {}

  Value read() {
    for (text_.skip_lines(); !text_.ended(); text_.skip_lines()) {
      if (text_.sees("["))
        header();
      else
        pair(here_);
      text_.end_line();
    }
    return std::move(root_);
  }

 private:
  std::vector<Part> dotted_key();
  void header();
  void pair(const Table& in);
  Value value(int depth);
  Value list(int depth);
  Value inline_table(int depth);
  Table into(const Table& at, const Part&, Opened how);
  Value& add(const Table& at, const Part&, Opened how, Value);
  Slot* find(const Table& at, const Part& part);
  void count(const Spot&, int depth);
  [[noreturn]] static void refuse_twice(const Part& part) {
    throw TomlMistake{part.spot, "'" + part.key.substr(0, 40) + "' is given twice", "leave one of them out"};
  }

  TomlText text_;
  Value root_;
  Table here_{&root_, 0, 0};
  std::unordered_map<Name, Slot, NameHash> slots_;  // but for values among the first few keys of a table
  Slot value_{Opened::value, 0, 0};                 // stands for one of these
  int values_ = 0, tables_ = 0;
};

void TomlReader::count(const Spot& spot, int depth) {
  const std::string hint = "a model needs no such thing";
  if (depth > Document::deepest) throw TomlMistake{spot, "lists and tables are nested too deeply", hint};
  if (++values_ > Document::most_values) throw TomlMistake{spot, "there are too many values", hint};
}

std::vector<Part> TomlReader::dotted_key() {
  std::vector<Part> parts;
  do {
    text_.skip_blanks();
    const TomlText::Mark begin = text_.mark();
    std::string key = text_.key();
    parts.push_back({std::move(key), text_.since(begin)});
    if (parts.size() > Document::most_parts)
      throw TomlMistake{parts.back().spot, "a name has too many parts", "a model needs no such thing"};
    text_.skip_blanks();
  } while (text_.take("."));
  return parts;
}

// Most tables have a handful of keys: to look through them takes less time than to remember them all.
Slot* TomlReader::find(const Table& at, const Part& part) {
  const std::vector<Member>& members = at.value->table;
  bool known = members.size() > few;
  for (std::size_t i = 0; i < std::min(members.size(), few); ++i) {
    if (members[i].key != part.key) continue;
    value_.position = i;
    known = true;
    break;
  }
  if (!known) return nullptr;
  if (const auto found = slots_.find({at.number, part.key}); found != slots_.end()) return &found->second;
  return value_.position < members.size() && members[value_.position].key == part.key ? &value_ : nullptr;
}

Value& TomlReader::add(const Table& at, const Part& part, Opened how, Value value) {
  ++tables_;
  if (how != Opened::value || at.value->table.size() >= few)
    slots_.try_emplace({at.number, part.key}, Slot{how, at.value->table.size(), tables_});
  at.value->table.push_back({part.key, part.spot, std::move(value)});
  return at.value->table.back().value;
}

/// The table that a part of a header or of a dotted key leads to; made if it is not there.
Table TomlReader::into(const Table& at, const Part& part, Opened how) {
  Slot* slot = find(at, part);
  if (slot == nullptr) {
    count(part.spot, at.depth + 1);
    Value table;
    table.spot = part.spot;
    Value& added = add(at, part, how, std::move(table));
    return {&added, tables_, at.depth + 1};
  }
  const bool open = how == Opened::dotted ? slot->opened == how : slot->opened != Opened::value;
  if (!open) refuse_twice(part);
  Value& found = at.value->table[slot->position].value;
  return {slot->opened == Opened::tables ? &found.list.back() : &found, slot->number, at.depth + 1};
}

void TomlReader::header() {
  const TomlText::Mark begin = text_.mark();
  text_.take("[");
  const bool many = text_.take("[");
  const std::vector<Part> parts = dotted_key();
  text_.need(many ? "]]" : "]");
  Value table;
  table.spot = text_.since(begin);
  here_ = {&root_, 0, 0};
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) here_ = into(here_, parts[i], Opened::path);
  const Part& last = parts.back();
  const int depth = here_.depth + 1;
  Slot* slot = find(here_, last);
  count(last.spot, depth);
  if (slot == nullptr) {
    Value list;
    list.kind = Value::Kind::list;
    list.spot = table.spot;
    Value& added =
        add(here_, last, many ? Opened::tables : Opened::header, many ? std::move(list) : std::move(table));
    if (many) added.list.push_back(std::move(table));
    here_ = {many ? &added.list.back() : &added, tables_, depth};
    return;
  }
  if (slot->opened != (many ? Opened::tables : Opened::path)) refuse_twice(last);
  Value& found = here_.value->table[slot->position].value;
  if (many) {
    found.list.push_back(std::move(table));
    slot->number = ++tables_;
  } else {
    found.spot = table.spot;
    slot->opened = Opened::header;
  }
  here_ = {many ? &found.list.back() : &found, slot->number, depth};
}

void TomlReader::pair(const Table& in) {
  const std::vector<Part> parts = dotted_key();
  Table at = in;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) at = into(at, parts[i], Opened::dotted);
  if (find(at, parts.back()) != nullptr) refuse_twice(parts.back());
  text_.need("=");
  text_.skip_blanks();
  add(at, parts.back(), Opened::value, value(at.depth + 1));
}

Value TomlReader::value(int depth) {
  const TomlText::Mark begin = text_.mark();
  count(text_.since(begin), depth);
  Value result = text_.sees("[") ? list(depth) : text_.sees("{") ? inline_table(depth) : text_.scalar();
  result.spot = text_.since(begin);
  return result;
}

Value TomlReader::list(int depth) {
  Value result;
  result.kind = Value::Kind::list;
  text_.take("[");
  for (text_.skip_lines(); !text_.take("]"); text_.skip_lines()) {
    result.list.push_back(value(depth + 1));
    text_.skip_lines();
    if (text_.take(",")) continue;
    text_.need("]");
    break;
  }
  return result;
}

Value TomlReader::inline_table(int depth) {
  Value result;
  const Table table{&result, ++tables_, depth};
  text_.take("{");
  text_.skip_blanks();
  if (text_.take("}")) return result;
  do {
    pair(table);
    text_.skip_blanks();
  } while (text_.take(","));
  text_.need("}");
  return result;
}

}  // namespace

Value read_toml(std::string_view text) {
  return TomlReader(text).read();
}

}  // namespace dalembert
