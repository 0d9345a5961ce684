// Line plots: enough for trajectories and work-precision diagrams, with nothing to install.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dalembert/observe/drawing.h"

namespace dalembert {

/// How numbers are laid along an axis.
enum class Axis { linear, logarithmic };
/// Whether a unit is as long along one axis as along the other: a circle is round then.
enum class Units { own, same };
/// How points are joined.
enum class Line { solid, dashed, dotted, none };
/// How points are marked.
enum class Marker { none, circle, square, plus, cross, diamond, triangle };

/// Points that belong together.
struct Series {
  std::string name;  ///< "" keeps it out of the legend
  std::vector<double> x, y;
  Line line = Line::solid;
  Marker marker = Marker::none;
};

/// One pair of axes, with a legend beside it.
struct Panel {
  std::string title, x_label, y_label;
  Axis x_axis = Axis::linear, y_axis = Axis::linear;
  std::vector<Series> series;
  std::vector<double> instants{};  ///< values of x that are worth a line
  Units units = Units::own;
  /// What 1, 2, ... stand for along an axis, instead of numbers; of many names, those that have room.
  std::vector<std::string> x_names{}, y_names{};
};

/// As many series as colours, lines and markers tell apart; further ones are grey, and one entry of the legend counts them.
constexpr std::size_t most_told_apart = 12;
/// Whether the points of a line are shown.
enum class Points { unmarked, marked };
/// Gives series lines, and markers if there shall be some, that tell them apart on paper and without colour vision too. Of unmarked lines, those that are
/// one curve become one series with all their names; a line that covers nearly all of another one is dotted, so that the other is seen.
void tell_apart(Panel&, Points);

/// Panels one below the other, or side by side.
enum class Arrangement { rows, columns };
/// The picture. Points that are not finite (or not positive on a logarithmic axis) break the line.
Drawing plot(const std::vector<Panel>&, Arrangement = Arrangement::rows);

/// Writes an SVG file. Throws Error if it cannot be written.
void write_plot(const std::filesystem::path&, const std::vector<Panel>&, Arrangement = Arrangement::rows);

}  // namespace dalembert
