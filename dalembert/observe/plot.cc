#include "dalembert/observe/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

#include "dalembert/core/error.h"
#include "dalembert/core/wrap.h"
#include "dalembert/observe/plot_scale.h"

namespace dalembert {

namespace {

// Told apart without colour vision, too [Okabe and Ito's palette].
constexpr std::array<std::string_view, 6> palette = {"#0072b2", "#d55e00", "#009e73",
                                                     "#cc79a7", "#e69f00", "#56b4e9"};
constexpr std::string_view black = "#000000", dark = "#444444", grey = "#b8b8b8", pale = "#e4e4e4";
constexpr double axes_width = 540, axes_height = 230, top = 32, bottom = 46, edge = 14;
constexpr double letter = 6.7;  // the usual width of one
constexpr double digit = 7.7;   // all of them are that wide
constexpr double sample = 26;   // of a line in the legend
constexpr double pitch = 12;    // from one line of letters to the next

struct Style {
  std::string_view colour;
  double width;
  std::vector<double> dash;
  Marker marker;
  bool joined;
};

Style style(const Series& series, std::size_t k) {
  if (k >= most_told_apart) return {grey, 1, {}, Marker::none, series.line != Line::none};
  Style is{palette[k % palette.size()], 1.6, {}, series.marker, series.line != Line::none};
  if (series.line == Line::dashed) is.dash = {6, 4};
  if (series.line == Line::dotted) is.dash = {1.5, 3};
  return is;
}

Mark line(std::vector<Dot> dots, std::string_view colour, double width = 1, std::vector<double> dash = {}) {
  return {.is = Mark::Is::line,
          .dots = std::move(dots),
          .colour = colour,
          .width = width,
          .dash = std::move(dash)};
}

Mark words(Dot at, std::string text, Mark::Anchor anchor = Mark::Anchor::begin) {
  return {.is = Mark::Is::text, .dots = {at}, .colour = dark, .text = std::move(text), .anchor = anchor};
}

std::vector<Dot> polygon(Dot at, double radius, int corners, double turn) {
  std::vector<Dot> dots;
  for (int i = 0; i < corners; ++i) {
    const double angle = turn + 2 * 3.14159265358979 * i / corners;
    dots.push_back({at.x + radius * std::cos(angle), at.y + radius * std::sin(angle)});
  }
  return dots;
}

void add_marker(Drawing& to, const Style& is, Dot at) {
  constexpr double eighth = 3.14159265358979 / 4;
  const auto area = [&](std::vector<Dot> dots) {
    to.marks.push_back({.is = Mark::Is::area, .dots = std::move(dots), .colour = is.colour});
  };
  switch (is.marker) {
    case Marker::none:
      break;
    case Marker::circle:
      return area(polygon(at, 3.2, 16, 0));
    case Marker::square:
      return area(polygon(at, 4.2, 4, eighth));
    case Marker::diamond:
      return area(polygon(at, 4.4, 4, 0));
    case Marker::triangle:
      return area(polygon(at, 4.4, 3, -2 * eighth));
    case Marker::plus:
    case Marker::cross: {
      const double turn = is.marker == Marker::plus ? 0 : eighth;
      const auto ends = polygon(at, 4.4, 4, turn);
      to.marks.push_back(line({ends[0], ends[2]}, is.colour, 1.8));
      to.marks.push_back(line({ends[1], ends[3]}, is.colour, 1.8));
    }
  }
}

/// Of several points in one column of pixels, what can be seen: the first, the lowest, the highest, the last.
class Curve {
 public:
  Curve(Drawing& to, const Style& is) : to_(to), is_(is) {}
  ~Curve() { lift(); }
  Curve(const Curve&) = delete;
  Curve& operator=(const Curve&) = delete;

  void add(Dot dot) {
    if (!column_.empty() && std::floor(dot.x) != std::floor(column_.front().x)) pass_column();
    column_.push_back(dot);
  }
  void lift() {
    pass_column();
    if (dots_.size() > 1 && is_.joined)
      to_.marks.push_back(line(std::move(dots_), is_.colour, is_.width, is_.dash));
    dots_.clear();
  }

 private:
  void pass_column() {
    constexpr std::size_t few = 6;
    if (column_.size() > few) {
      const auto lower = [](const Dot& a, const Dot& b) { return a.y < b.y; };
      auto [low, high] = std::minmax_element(column_.begin(), column_.end(), lower);
      if (high < low) std::swap(low, high);
      column_ = {column_.front(), *low, *high, column_.back()};
    }
    dots_.insert(dots_.end(), column_.begin(), column_.end());
    column_.clear();
  }

  Drawing& to_;
  const Style& is_;
  std::vector<Dot> dots_, column_;
};

void add_series(Drawing& to, const Series& series, const Style& is, const PlotScale& x, const PlotScale& y) {
  std::vector<Dot> marked;
  {
    Curve curve(to, is);
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      if (!x.usable(series.x[i]) || !y.usable(series.y[i])) {
        curve.lift();
        continue;
      }
      const Dot dot{x.pixel(series.x[i]), y.pixel(series.y[i])};
      curve.add(dot);
      marked.push_back(dot);
    }
  }
  for (const Dot& dot : marked) add_marker(to, is, dot);
}

/// Where the axes of a panel are.
struct Frame {
  double left, right, top, bottom;
};

/// The longest label.
double widest(const PlotScale& scale) {
  double most = 0;
  for (const auto& tick : scale.ticks())
    most = std::max(most, digit * static_cast<double>(columns(tick.label)));
  return most;
}

/// Names that have no room beside each other stand upright, and take that much below the axis.
double depth(const Panel& panel, const PlotScale& x) {
  const bool beside = widest(x) * static_cast<double>(x.ticks().size()) < axes_width;
  return panel.x_names.empty() || beside ? 0 : widest(x) - pitch / 2;
}

void add_axes(Drawing& to, const Panel& panel, const Frame& f, const PlotScale& x, const PlotScale& y) {
  using A = Mark::Anchor;
  const double below = depth(panel, x);
  for (const auto& tick : x.ticks()) {
    const double at = x.pixel(tick.value);
    to.marks.push_back(line({{at, f.bottom}, {at, f.top}}, pale));
    Mark label = below > 0 ? words({at + 4, f.bottom + 6}, tick.label, A::end)
                           : words({at, f.bottom + 16}, tick.label, A::middle);
    if (below > 0) label.way = Mark::Way::up;
    to.marks.push_back(label);
  }
  for (const auto& tick : y.ticks()) {
    const double at = y.pixel(tick.value);
    to.marks.push_back(line({{f.left, at}, {f.right, at}}, pale));
    to.marks.push_back(words({f.left - 6, at + 4}, tick.label, A::end));
  }
  for (const double instant : panel.instants)
    if (const double at = x.pixel(instant); at >= f.left && at <= f.right)
      to.marks.push_back(line({{at, f.bottom}, {at, f.top}}, grey, 1, {2, 3}));
  to.marks.push_back(
      line({{f.left, f.top}, {f.right, f.top}, {f.right, f.bottom}, {f.left, f.bottom}, {f.left, f.top}},
           "#888888"));
  Mark title = words({f.left, f.top - 12}, panel.title);
  title.weight = Mark::Weight::bold;
  title.colour = black;
  to.marks.push_back(title);
  to.marks.push_back(
      words({(f.left + f.right) / 2, f.bottom + below + 34}, panel.x_label + x.shift(), A::middle));
  Mark upright = words({0, (f.top + f.bottom) / 2}, panel.y_label + y.shift(), A::middle);
  upright.way = Mark::Way::up;
  upright.dots.front().x = f.left - 16 - widest(y);
  to.marks.push_back(upright);
}

/// The names of the series, and of those that are grey together.
std::vector<std::string> legend(const Panel& panel) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(panel.series.size(), most_told_apart); ++k)
    names.push_back(panel.series[k].name);
  if (panel.series.size() > most_told_apart)
    names.push_back(fmt::format("{} others", panel.series.size() - most_told_apart));
  return names;
}

void add_legend(Drawing& to, const Panel& panel, Dot corner) {
  constexpr double line_height = 17;
  const auto names = legend(panel);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k].empty()) continue;
    const Style is = style(panel.series[k], k);
    const Dot at{corner.x, corner.y + 6};
    if (is.joined) to.marks.push_back(line({at, {at.x + sample, at.y}}, is.colour, is.width, is.dash));
    add_marker(to, is, {at.x + sample / 2, at.y});
    to.marks.push_back(words({at.x + sample + 6, at.y + 4}, names[k]));
    corner.y += line_height;
  }
}

double legend_width(const Panel& panel) {
  std::size_t longest = 0;
  for (const auto& name : legend(panel)) longest = std::max(longest, columns(name));
  return longest == 0 ? 0 : edge + sample + 6 + letter * static_cast<double>(longest);
}

struct Scales {
  PlotScale x, y;
};

Scales scales(const Panel& panel) {
  Scales both{PlotScale(panel.x_axis), PlotScale(panel.y_axis)};
  auto& [x, y] = both;
  for (const auto& series : panel.series)
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
      if (x.usable(series.x[i]) && y.usable(series.y[i])) {
        x.include(series.x[i]);
        y.include(series.y[i]);
      }
  if (std::all_of(panel.series.begin(), panel.series.end(),
                  [](const Series& series) { return series.line == Line::none; }))
    x.count_whole(), y.count_whole();
  if (panel.units == Units::same) {
    constexpr double shape = axes_width / axes_height;
    x.widen(shape * y.range());
    y.widen(x.range() / shape);
  }
  if (!panel.x_names.empty()) x.name(panel.x_names, static_cast<std::size_t>(axes_width / pitch));
  if (!panel.y_names.empty()) y.name(panel.y_names, static_cast<std::size_t>(axes_height / pitch));
  x.settle();
  y.settle();
  return both;
}

/// What stands left of the axes.
double margin(const PlotScale& y) {
  constexpr double label = 34;
  return label + widest(y);
}

/// Draws the panel with its upper left corner there; how wide it is.
double add_panel(Drawing& to, const Panel& panel, Scales& of, Dot corner, double margin) {
  auto& [x, y] = of;
  const double left = corner.x + margin;
  const Frame f{left, left + axes_width, corner.y + top, corner.y + top + axes_height};
  x.lay(f.left, f.right);
  y.lay(f.bottom, f.top);
  add_axes(to, panel, f, x, y);
  for (std::size_t k = panel.series.size(); k-- > 0;)  // the first ones above the others
    add_series(to, panel.series[k], style(panel.series[k], k), x, y);
  add_legend(to, panel, {f.right + edge, f.top});
  return margin + axes_width + legend_width(panel) + edge;
}

}  // namespace

namespace {

/// At how many points two series of the same x are less than a quarter of a pixel apart.
struct Common {
  std::size_t drawn = 0;
  std::size_t none = 0;   ///< where neither has a point
  std::size_t other = 0;  ///< points of the second one
};
Common common(const Series& a, const Series& b, const Scales& of) {
  if (a.x != b.x || a.y.size() != a.x.size() || b.y.size() != b.x.size()) return {};
  Common found;
  for (std::size_t i = 0; i < a.x.size(); ++i) {
    const bool one = of.y.usable(a.y[i]), other = of.y.usable(b.y[i]);
    if (!one && !other) ++found.none;
    if (other) ++found.other;
    if (one && other && std::abs(of.y.pixel(a.y[i]) - of.y.pixel(b.y[i])) < .25) ++found.drawn;
  }
  return found;
}

void join_equal(Panel& panel, const Scales& of) {
  for (std::size_t k = 0; k < panel.series.size(); ++k)
    for (std::size_t j = k + 1; j < panel.series.size();) {
      Series &one = panel.series[k], &other = panel.series[j];
      const Common both = common(one, other, of);
      if (both.drawn > 0 && both.drawn + both.none == one.x.size() && !one.name.empty() &&
          !other.name.empty()) {
        one.name += ", " + other.name;
        panel.series.erase(panel.series.begin() + static_cast<std::ptrdiff_t>(j));
      } else {
        ++j;
      }
    }
}

/// Does it cover nearly all of another one that is drawn before?
bool covers(const Panel& panel, std::size_t k, const Scales& of) {
  for (std::size_t j = k + 1; j < panel.series.size(); ++j) {
    const Common both = common(panel.series[k], panel.series[j], of);
    if (both.drawn > 0 && 10 * both.drawn >= 8 * both.other) return true;
  }
  return false;
}

}  // namespace

void tell_apart(Panel& panel, Points points) {
  constexpr std::array markers = {Marker::circle,  Marker::square, Marker::triangle,
                                  Marker::diamond, Marker::plus,   Marker::cross};
  Scales of = scales(panel);
  of.y.lay(axes_height, 0);
  if (points == Points::unmarked) join_equal(panel, of);
  for (std::size_t k = 0; k < panel.series.size(); ++k) {
    Series& series = panel.series[k];
    // a colour comes back with another line, and with the next marker
    series.line = k < palette.size() ? Line::solid : Line::dashed;
    if (points == Points::unmarked && covers(panel, k, of)) series.line = Line::dotted;
    series.marker =
        points == Points::marked ? markers[(k + k / palette.size()) % markers.size()] : Marker::none;
  }
}

Drawing plot(const std::vector<Panel>& panels, Arrangement arrangement) {
  std::vector<Scales> of;
  double left = 0;  // the same for all, so that axes stand in line
  for (const Panel& panel : panels) {
    of.push_back(scales(panel));
    left = std::max(left, margin(of.back().y));
  }
  Drawing all;
  Dot corner;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double width = add_panel(all, panels[i], of[i], corner, left),
                 height = top + axes_height + depth(panels[i], of[i].x) + bottom;
    all.width = std::max(all.width, corner.x + width);
    all.height = std::max(all.height, corner.y + height);
    (arrangement == Arrangement::rows ? corner.y : corner.x) +=
        arrangement == Arrangement::rows ? height : width;
  }
  return all;
}

void write_plot(const std::filesystem::path& path, const std::vector<Panel>& panels,
                Arrangement arrangement) {
  std::ofstream file(path);
  file << svg(plot(panels, arrangement));
  file.close();
  if (!file) throw Error("cannot write '" + path.string() + "'", "the directory must exist and be writable");
}

}  // namespace dalembert
