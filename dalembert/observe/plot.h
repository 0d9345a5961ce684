// Line plots as SVG files: enough for trajectories and work-precision diagrams, with nothing to install.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dalembert {

/// How numbers are laid along an axis.
enum class Axis { linear, logarithmic };
/// How points are joined.
enum class Line { solid, dashed, none };
/// How points are marked.
enum class Marker { none, circle, square, plus };

/// Points that belong together.
struct Series {
  std::string name;  ///< "" keeps it out of the legend
  std::vector<double> x, y;
  Line line = Line::solid;
  Marker marker = Marker::none;
};

/// One pair of axes.
struct Panel {
  std::string title, x_label, y_label;
  Axis x_axis = Axis::linear, y_axis = Axis::linear;
  std::vector<Series> series;
};

/// Panels one below the other, or side by side. Points that are not finite (or not positive on a logarithmic axis) break
/// the line.
enum class Arrangement { rows, columns };
/// The text of the picture.
std::string plot_svg(const std::vector<Panel>&, Arrangement = Arrangement::rows);

/// Throws Error if the file cannot be written.
void write_plot(const std::filesystem::path&, const std::vector<Panel>&, Arrangement = Arrangement::rows);

}  // namespace dalembert
