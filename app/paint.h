// Text as a terminal shows it best: folded where it is too wide, and with colours that follow from its form.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert::app {

/// Lines that are too long go on below, under the place where the text after their label began.
std::string fitted(const std::string& text, std::size_t width);

enum class Colour { none, strong, faint, good, doubtful, bad };
std::string_view begin(Colour);  ///< what switches it on
std::string_view end(Colour);

struct Stroke {
  std::string text;
  Colour colour;
};
/// Labels and heads of tables are strong; endings, warnings and errors say how things are.
std::vector<Stroke> painted(const std::string& text);

}  // namespace dalembert::app
