// Numbers over two parameters as fields of colour, in SVG.
#pragma once

#include <string>
#include <vector>

namespace dalembert {

/// One picture: a colour for each pair of values.
struct HeatMap {
  std::string title, x_label, y_label;
  std::vector<double> x, y;  ///< ascending
  std::vector<double> z;     ///< z[j * x.size() + i] at x[i], y[j]; NaN is left grey
};

/// One below the other, each with its scale of colours.
std::string heat_map_svg(const std::vector<HeatMap>&);

}  // namespace dalembert
