#include "dalembert/observe/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

constexpr double width = 640, height = 300, left = 76, right = 16, top = 30, bottom = 44;
// Distinguishable without colour vision, too [Okabe and Ito's palette].
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#000000"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

/// From data to pixels along one axis, with its ticks.
class Scale {
 public:
  Scale(Axis axis, double from, double to) : axis_(axis), from_(from), to_(to) {}

  void include(double value) {
    if (!usable(value)) return;
    low_ = std::min(low_, forward(value));
    high_ = std::max(high_, forward(value));
  }
  void settle() {
    if (low_ > high_) low_ = 0, high_ = 1;
    const double room = high_ > low_ ? 0.04 * (high_ - low_) : 0.5;
    low_ -= room;
    high_ += room;
  }
  bool usable(double value) const { return std::isfinite(value) && (axis_ == Axis::linear || value > 0); }
  double pixel(double value) const {
    return from_ + (forward(value) - low_) / (high_ - low_) * (to_ - from_);
  }

  std::vector<double> ticks() const {
    std::vector<double> all;
    if (axis_ == Axis::logarithmic) {
      const double step = std::max(1.0, std::ceil((high_ - low_) / 8));
      for (double e = std::ceil(low_ / step) * step; e <= high_; e += step) all.push_back(std::pow(10, e));
      return all;
    }
    const double raw = (high_ - low_) / 6, unit = std::pow(10, std::floor(std::log10(raw)));
    const double step = unit * (raw / unit < 1.5 ? 1 : raw / unit < 3.5 ? 2 : raw / unit < 7.5 ? 5 : 10);
    for (double x = std::ceil(low_ / step) * step; x <= high_; x += step)
      all.push_back(std::abs(x) < step * 1e-9 ? 0 : x);
    return all;
  }
  std::string label(double value) const {
    return axis_ == Axis::logarithmic ? fmt::format("1e{:.0f}", std::log10(value))
                                      : fmt::format("{:.6g}", value);
  }

 private:
  double forward(double value) const { return axis_ == Axis::logarithmic ? std::log10(value) : value; }
  Axis axis_;
  double from_, to_, low_ = 1e300, high_ = -1e300;
};

std::string marker_svg(Marker marker, double x, double y, const char* colour) {
  switch (marker) {
    case Marker::circle:
      return fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3' fill='{}'/>\n", x, y, colour);
    case Marker::square:
      return fmt::format(
          "<rect x='{:.1f}' y='{:.1f}' width='7' height='7' fill='none' stroke='{}' stroke-width='1.5'/>\n",
          x - 3.5, y - 3.5, colour);
    case Marker::plus:
      return fmt::format("<path d='M{0:.1f} {1:.1f}h9m-4.5 -4.5v9' stroke='{2}' stroke-width='1.8'/>\n",
                         x - 4.5, y, colour);
    case Marker::none:
      break;
  }
  return {};
}

std::string series_svg(const Series& series, const Scale& x, const Scale& y, const char* colour) {
  std::string path, markers;
  bool pen = false;
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    if (!x.usable(series.x[i]) || !y.usable(series.y[i])) {
      pen = false;
      continue;
    }
    const double px = x.pixel(series.x[i]), py = y.pixel(series.y[i]);
    path += fmt::format("{}{:.1f} {:.1f}", pen ? "L" : "M", px, py);
    pen = true;
    markers += marker_svg(series.marker, px, py, colour);
  }
  if (series.line == Line::none) return markers;
  return fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='1.6'{}/>\n", path, colour,
                     series.line == Line::dashed ? " stroke-dasharray='5 4'" : "") +
         markers;
}

std::string frame_svg(const Panel& panel, const Scale& x, const Scale& y) {
  std::string out = fmt::format(
      "<rect x='{}' y='{}' width='{}' height='{}' fill='none' stroke='#888'/>\n"
      "<text x='{}' y='{}' font-weight='bold'>{}</text>\n"
      "<text x='{}' y='{}' text-anchor='middle'>{}</text>\n"
      "<text transform='translate(16 {}) rotate(-90)' text-anchor='middle'>{}</text>\n",
      left, top, width - left - right, height - top - bottom, left, top - 10, escaped(panel.title),
      (left + width - right) / 2, height - 8, escaped(panel.x_label), (top + height - bottom) / 2,
      escaped(panel.y_label));
  for (const double tick : x.ticks())
    out += fmt::format(
        "<path d='M{0:.1f} {1}V{2}' stroke='#e4e4e4'/><text x='{0:.1f}' y='{3}' "
        "text-anchor='middle'>{4}</text>\n",
        x.pixel(tick), height - bottom, top, height - bottom + 16, x.label(tick));
  for (const double tick : y.ticks())
    out += fmt::format(
        "<path d='M{1} {0:.1f}H{2}' stroke='#e4e4e4'/><text x='{3}' y='{4:.1f}' "
        "text-anchor='end'>{5}</text>\n",
        y.pixel(tick), left, width - right, left - 6, y.pixel(tick) + 4, y.label(tick));
  return out;
}

std::string panel_svg(const Panel& panel) {
  Scale x(panel.x_axis, left, width - right), y(panel.y_axis, height - bottom, top);
  for (const auto& series : panel.series)
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
      if (x.usable(series.x[i]) && y.usable(series.y[i])) {
        x.include(series.x[i]);
        y.include(series.y[i]);
      }
  x.settle();
  y.settle();
  std::string out = frame_svg(panel, x, y);
  std::size_t k = 0;
  std::string legend;
  for (const auto& series : panel.series) {
    const char* colour = colours[k++ % std::size(colours)];
    out += series_svg(series, x, y, colour);
    if (!series.name.empty())
      legend += fmt::format("<tspan fill='{}' dx='14'>{}</tspan>", colour, escaped(series.name));
  }
  out += fmt::format("<text x='{}' y='{}' text-anchor='end'>{}</text>\n", width - right, top - 10, legend);
  return out;
}

}  // namespace

std::string plot_svg(const std::vector<Panel>& panels, Arrangement arrangement) {
  const double count = static_cast<double>(panels.size());
  const bool rows = arrangement == Arrangement::rows;
  const double w = rows ? width : width * count, h = rows ? height * count : height;
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' "
      "font-family='sans-serif' font-size='12'>\n<rect width='{0}' height='{1}' fill='white'/>\n",
      w, h);
  double offset = 0;
  for (const auto& panel : panels) {
    out += rows ? fmt::format("<g transform='translate(0 {})'>\n", offset)
                : fmt::format("<g transform='translate({} 0)'>\n", offset);
    out += panel_svg(panel) + "</g>\n";
    offset += rows ? height : width;
  }
  return out + "</svg>\n";
}

void write_plot(const std::filesystem::path& path, const std::vector<Panel>& panels,
                Arrangement arrangement) {
  std::ofstream file(path);
  file << plot_svg(panels, arrangement);
  file.close();
  if (!file) throw Error("cannot write '" + path.string() + "'", "the directory must exist and be writable");
}

}  // namespace dalembert
