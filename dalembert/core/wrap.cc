#include "dalembert/core/wrap.h"

#include <algorithm>

namespace dalembert {

namespace {

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
}

/// Where the character after this many ends.
std::size_t bytes(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if (!continues(text[at]) && characters-- == 0) break;
  return at;
}

}  // namespace

std::size_t columns(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    longest = std::max(longest, columns(text.substr(at, end - at)));
    at = end + 1;
  }
  return longest;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (columns(text) > width) {
    const std::size_t full = bytes(text, width);
    const std::size_t blank = text.rfind(' ', full);
    const bool cut = blank == std::string_view::npos || text.find_first_not_of(' ') > blank;
    const std::string_view line = text.substr(0, cut ? full : blank);
    lines.emplace_back(line.substr(0, line.find_last_not_of(' ') + 1));
    text.remove_prefix(cut ? full : blank);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  if (!text.empty() || lines.empty()) lines.emplace_back(text);
  return lines;
}

}  // namespace dalembert
