// A picture as a list of lines, areas and texts, before it is a file of any kind.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// A point of a picture, in pixels from its upper left corner.
struct Dot {
  double x = 0, y = 0;
};

/// One thing that is drawn.
struct Mark {
  enum class Is { line, area, text } is = Is::line;
  std::vector<Dot> dots{};              ///< joined by straight lines; of a text, where it stands
  std::string_view colour = "#000000";  ///< one of those that the program is written with
  double width = 1;                     ///< of a line
  std::vector<double> dash{};           ///< lengths drawn and left out; none: solid
  std::string text{};
  enum class Anchor { begin, middle, end } anchor = Anchor::begin;
  enum class Way { across, up } way = Way::across;
  enum class Weight { normal, bold } weight = Weight::normal;
};

/// The whole picture.
struct Drawing {
  double width = 0, height = 0;
  std::vector<Mark> marks{};
};

constexpr double letter_size = 12;  ///< of all texts, in pixels

/// As a file that browsers and editors read.
std::string svg(const Drawing&);

}  // namespace dalembert
