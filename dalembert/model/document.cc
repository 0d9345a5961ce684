#include "dalembert/model/document.h"

#include <algorithm>

#include "dalembert/model/toml.h"
#include "dalembert/model/toml_text.h"

namespace dalembert {

namespace {

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
    case Value::Kind::list:
      return "a list";
    case Value::Kind::table:
      return "a table";
  }
  return "";
}

Document::Document(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  if (text_.size() > most_bytes) {
    trouble_ =
        Complaint{{name_, 0, 0}, "", "the file is larger than 16 MB", "use [[repeat]] and [[include]]"};
    return;
  }
  try {
    root_ = read_toml(text_);
  } catch (const TomlMistake& mistake) {
    const Spot& spot = mistake.spot;
    trouble_ = Complaint{{name_, static_cast<int>(spot.line), static_cast<int>(spot.column)},
                         shortened(line(spot.line)),
                         mistake.what,
                         mistake.hint};
  }
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
