#include "dalembert/model/document.h"

// The one place that sees the parser: its templates are slow to compile.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
// toml++ 3.3 makes its assertions promises to the optimiser; after "[[" and a control character one does not hold.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
#pragma GCC diagnostic pop

#include <algorithm>

namespace dalembert {

namespace {

Spot spot_of(const toml::source_region& region) {
  const auto [begin, end] = std::pair{region.begin, region.end};
  return {begin.line, begin.column, begin.line == end.line ? end.column : 0};
}

Value convert(toml::node& node);

Value convert_table(toml::table& table) {
  Value value;
  value.table.reserve(table.size());
  for (auto&& [key, child] : table)
    value.table.push_back({std::string(key.str()), spot_of(key.source()), convert(child)});
  const auto earlier = [](const Member& a, const Member& b) {
    return std::pair(a.spot.line, a.spot.column) < std::pair(b.spot.line, b.spot.column);
  };
  std::stable_sort(value.table.begin(), value.table.end(), earlier);
  return value;
}

Value convert(toml::node& node) {
  Value value;
  if (auto* table = node.as_table()) {
    value = convert_table(*table);
  } else if (auto* list = node.as_array()) {
    value.kind = Value::Kind::list;
    value.list.reserve(list->size());
    for (auto& child : *list) value.list.push_back(convert(child));
  } else if (auto* text = node.as_string()) {
    value.kind = Value::Kind::text;
    value.text = std::move(text->get());
  } else if (const auto* whole = node.as_integer()) {
    value.kind = Value::Kind::number;
    value.whole = true;
    value.number = static_cast<double>(whole->get());
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = Value::Kind::number;
    value.number = number->get();
  } else if (const auto* truth = node.as_boolean()) {
    value.kind = Value::Kind::truth;
    value.text = truth->get() ? "true" : "false";
  } else {
    value.kind = Value::Kind::moment;
  }
  value.spot = spot_of(node.source());
  return value;
}

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

/// The byte at which a column begins.
std::size_t byte_of(std::string_view line, std::uint32_t column) {
  std::uint32_t here = 0;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (begins_character(line[i]) && ++here == column) return i;
  return line.size();
}

std::string shortened(std::string_view text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return std::string(text);
  std::size_t cut = most;
  while (cut > 0 && !begins_character(text[cut])) --cut;
  return std::string(text.substr(0, cut)) + "...";
}

}  // namespace

const Member* Value::find(std::string_view key) const {
  for (const Member& member : table)
    if (member.key == key) return &member;
  return nullptr;
}

std::string_view in_words(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::text:
      return "a text";
    case Value::Kind::number:
      return "a number";
    case Value::Kind::truth:
      return "true or false";
    case Value::Kind::moment:
      return "a date or time";
    case Value::Kind::list:
      return "a list";
    case Value::Kind::table:
      return "a table";
  }
  return "";
}

Document::Document(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  trouble_ = beyond_limits(name_, text_);
  if (!trouble_) parse();
}

void Document::parse() {
  toml::parse_result result = toml::parse(std::string_view(text_), std::string_view{});
  if (result) {
    root_ = convert_table(result.table());
    return;
  }
  const auto& error = result.error();
  // "Error while parsing key-value pair: expected ..." -> "key-value pair: expected ..."
  std::string_view reason = error.description();
  if (constexpr std::string_view front = "Error while parsing "; reason.starts_with(front))
    reason.remove_prefix(front.size());
  const Spot spot = spot_of(error.source());
  trouble_ = Complaint{{name_, static_cast<int>(spot.line), static_cast<int>(spot.column)},
                       shortened(line(spot.line)),
                       "this is not TOML: " + std::string(reason),
                       "texts stand in quotes, sections in brackets: name = \"crank\", [[body]]"};
}

std::string_view Document::line(std::uint32_t number) const {
  std::size_t begin = 0;
  for (std::uint32_t n = 1; n < number && begin < text_.size(); ++n) {
    begin = text_.find('\n', begin);
    begin = begin == std::string::npos ? text_.size() : begin + 1;
  }
  const std::size_t end = std::min(text_.find('\n', begin), text_.size());
  const std::string_view found = std::string_view(text_).substr(begin, end - begin);
  return found.ends_with('\r') ? found.substr(0, found.size() - 1) : found;
}

std::string Document::excerpt(const Spot& spot) const {
  const std::string_view all = line(spot.line);
  const std::size_t begin = byte_of(all, spot.column);
  const std::size_t end = spot.end > spot.column ? byte_of(all, spot.end) : all.size();
  return shortened(all.substr(begin, end - begin));
}

std::uint32_t Document::column_in_text(const Value& value, std::size_t byte) const {
  const std::string_view all = line(value.spot.line);
  const std::size_t begin = byte_of(all, value.spot.column) + 1;  // behind the quote
  byte = std::min(byte, value.text.size());
  if (begin > all.size() || all.substr(begin, byte) != std::string_view(value.text).substr(0, byte))
    return value.spot.column;
  const auto characters = std::count_if(
      value.text.begin(), value.text.begin() + static_cast<std::ptrdiff_t>(byte), begins_character);
  return value.spot.column + 1 + static_cast<std::uint32_t>(characters);
}

}  // namespace dalembert
