// Text that fits into a given number of columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// How many columns a text in UTF-8 takes on a screen: one for each character.
std::size_t columns(std::string_view text);
/// The longest word.
std::size_t longest_word(std::string_view text);
/// The text in lines of at most this many columns, broken at blanks; only words that are longer than a line are cut. Blanks
/// inside a line stay as they are. At least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace dalembert
