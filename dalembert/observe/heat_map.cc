#include "dalembert/observe/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dalembert/core/text.h"

namespace dalembert {

namespace {

constexpr double left = 84, top = 34, wide = 480, high = 300, gap = 20, bar = 18, below = 52, right = 96;
constexpr double width = left + wide + gap + bar + right, height = top + high + below;

/// From dark blue to yellow with evenly growing lightness, so that it reads in grey and without colour vision.
constexpr std::array<std::array<double, 3>, 6> colours = {
    {{48, 18, 98}, {52, 78, 142}, {38, 130, 142}, {53, 176, 119}, {160, 218, 57}, {253, 231, 37}}};

std::string colour(double share) {
  const double at = std::clamp(share, 0.0, 1.0) * (colours.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(at), colours.size() - 2);
  const double w = at - static_cast<double>(k);
  const auto mixed = [&](std::size_t c) {
    return static_cast<int>(std::lround((1 - w) * colours[k][c] + w * colours[k + 1][c]));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2));
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

std::string label(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(text));
}

/// Where the field of a value begins: half way to its neighbour.
std::vector<double> borders(const std::vector<double>& values, double from, double to) {
  std::vector<double> edges;
  const std::size_t n = values.size();
  if (n == 1) return {from, to};
  edges.push_back(values[0] - 0.5 * (values[1] - values[0]));
  for (std::size_t k = 1; k < n; ++k) edges.push_back(0.5 * (values[k - 1] + values[k]));
  edges.push_back(values[n - 1] + 0.5 * (values[n - 1] - values[n - 2]));
  const double low = edges.front(), span = edges.back() - low;
  for (double& e : edges) e = from + (e - low) / span * (to - from);
  return edges;
}

/// About five of the values, both ends among them.
std::vector<std::size_t> marked(std::size_t n) {
  std::vector<std::size_t> all;
  const std::size_t count = std::min<std::size_t>(n, 5);
  for (std::size_t k = 0; k < count; ++k) all.push_back(count == 1 ? 0 : k * (n - 1) / (count - 1));
  return all;
}

std::string draw(const HeatMap& map, double above) {
  double least = INFINITY, most = -INFINITY;
  for (const double z : map.z)
    if (std::isfinite(z)) least = std::min(least, z), most = std::max(most, z);
  const bool known = least <= most;
  const double span = most > least ? most - least : 1;
  const auto xs = borders(map.x, left, left + wide), ys = borders(map.y, above + top + high, above + top);
  std::string svg = label(left + wide / 2, above + 20, "middle", map.title);
  for (std::size_t j = 0; j < map.y.size(); ++j)
    for (std::size_t i = 0; i < map.x.size(); ++i) {
      const double z = map.z[j * map.x.size() + i];
      svg += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                         xs[i], ys[j + 1], xs[i + 1] - xs[i] + 0.3, ys[j] - ys[j + 1] + 0.3,
                         std::isfinite(z) ? colour((z - least) / span) : "#cccccc");
    }
  for (const std::size_t i : marked(map.x.size()))
    svg += label(0.5 * (xs[i] + xs[i + 1]), above + top + high + 18, "middle", short_number(map.x[i]));
  for (const std::size_t j : marked(map.y.size()))
    svg += label(left - 8, 0.5 * (ys[j] + ys[j + 1]) + 4, "end", short_number(map.y[j]));
  svg += label(left + wide / 2, above + top + high + 40, "middle", map.x_label);
  svg +=
      fmt::format("<text transform=\"translate(16,{:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                  above + top + high / 2, escaped(map.y_label));
  if (!known) return svg;
  constexpr int pieces = 50;
  const double x = left + wide + gap;
  for (int k = 0; k < pieces; ++k)
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\" fill=\"{}\"/>\n", x,
                       above + top + high * (pieces - 1 - k) / pieces, bar, high / pieces + 0.3,
                       colour((k + 0.5) / pieces));
  for (int k = 0; k <= 4; ++k)
    svg += label(x + bar + 6, above + top + high * (4 - k) / 4 + 4, "start",
                 short_number(least + (most - least) * k / 4));
  return svg;
}

}  // namespace

std::string heat_map_svg(const std::vector<HeatMap>& maps) {
  const double all = height * static_cast<double>(maps.size());
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, all);
  for (std::size_t k = 0; k < maps.size(); ++k) svg += draw(maps[k], height * static_cast<double>(k));
  return svg + "</svg>\n";
}

}  // namespace dalembert
