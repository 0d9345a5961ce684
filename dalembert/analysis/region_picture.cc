#include "dalembert/analysis/region_picture.h"

#include <algorithm>
#include <cmath>

#include "dalembert/analysis/stability_report.h"
#include "dalembert/observe/plot_scale.h"

namespace dalembert {

namespace {

using Complex = std::complex<double>;
constexpr double side = 230, left = 52, top = 30, bottom = 44, gap = 14;
constexpr double cell_width = left + side + gap, cell_height = top + side + bottom;
constexpr int per_row = 3, rows = 116, samples = 92;
const double pi = std::acos(-1.0);

constexpr std::string_view stable_colour = "#b9d7ea", grid = "#e4e4e4", zero = "#888888", curve = "#0b4f79",
                           ink = "#444444";

/// What part of the plane is shown.
struct Window {
  double x, half;  // the middle, which has y = 0; half of the side
};

/// Where |zeta| = 1 for some factor.
ComplexVector outline(const LinearForm& form) {
  constexpr int turns = 360;
  ComplexVector points;
  if (const auto* multistep = std::get_if<MultistepForm>(&form))
    for (int k = 0; k <= 4 * turns; ++k)
      points.push_back(boundary_locus(*multistep, 2 * pi * k / (4 * turns)));
  if (const auto* tableau = std::get_if<RungeKuttaForm>(&form)) {
    const StabilityFunction R = stability_function(*tableau);
    for (int k = 0; k < turns; ++k) {  // P(z) - e^{i theta} Q(z) = 0
      ComplexVector difference(std::max(R.P.size(), R.Q.size()));
      for (std::size_t i = 0; i < R.P.size(); ++i) difference[i] += R.P[i];
      for (std::size_t i = 0; i < R.Q.size(); ++i) difference[i] -= std::polar(R.Q[i], 2 * pi * k / turns);
      for (const Complex& z : roots(difference)) points.push_back(z);
    }
  }
  return points;
}

/// All of the outline, unless it goes on for ever. That of BDF of order 7 comes back at -46.
Window window_of(const LinearForm& form) {
  constexpr double far = 100, near = 6;
  double most = 0;
  const ComplexVector points = outline(form);
  for (const Complex& z : points)
    if (!(std::abs(z) <= most)) most = std::abs(z);
  const double shown = most > far || points.empty() ? near : far;
  double low = -1, high = 1, up = 1;
  for (const Complex& z : points)
    if (std::abs(z) <= shown) {
      low = std::min(low, z.real());
      high = std::max(high, z.real());
      up = std::max(up, std::abs(z.imag()));
    }
  if (points.empty()) low = -3, high = 3, up = 3;
  low = std::min(low, -0.3 * high);
  return {(low + high) / 2, 1.08 * std::max((high - low) / 2, up)};
}

Mark area(std::vector<Dot> dots) {
  return {.is = Mark::Is::area, .dots = std::move(dots), .colour = stable_colour};
}
Mark line(std::vector<Dot> dots, std::string_view colour, double width) {
  return {.is = Mark::Is::line, .dots = std::move(dots), .colour = colour, .width = width};
}
Mark words(Dot at, std::string text, Mark::Anchor anchor) {
  return {.is = Mark::Is::text, .dots = {at}, .colour = ink, .text = std::move(text), .anchor = anchor};
}

/// Stable intervals at heights one above the other, grown together to areas while their number stays the same.
class Filling {
 public:
  explicit Filling(Drawing& to) : to_(to) {}
  void row(const std::vector<double>& ends, double y) {
    if (ends.size() != 2 * sides_.size()) {
      finish();
      sides_.resize(ends.size() / 2);
    }
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      sides_[k].left.push_back({ends[2 * k], y});
      sides_[k].right.push_back({ends[2 * k + 1], y});
    }
  }
  void finish() {
    for (auto& [left_side, right_side] : sides_) {
      left_side.insert(left_side.end(), right_side.rbegin(), right_side.rend());
      to_.marks.push_back(area(std::move(left_side)));
    }
    sides_.clear();
  }

 private:
  struct Sides {
    std::vector<Dot> left, right;
  };
  Drawing& to_;
  std::vector<Sides> sides_;
};

void fill(Drawing& to, const LinearForm& form, const PlotScale& x, const PlotScale& y, const Window& w) {
  struct Row {
    double height;
    std::vector<double> ends;
  };
  const auto look = [&](double height) {
    return Row{height, stable_intervals(form, height, w.x - w.half, w.x + w.half, samples)};
  };
  std::vector<Row> upper = {look(.5 * w.half / rows)};  // the lower half is its mirror image
  for (int k = 1; k <= rows / 2; ++k) {
    Row below = upper.back(), above = look(2 * w.half * k / rows);
    if (below.ends.size() != above.ends.size()) {  // a region ends, or another one begins: nearly at a point
      Row next = above;
      for (int round = 0; round < 12; ++round) {
        Row middle = look((below.height + next.height) / 2);
        (middle.ends.size() == below.ends.size() ? below : next) = std::move(middle);
      }
      upper.push_back(below);
      upper.push_back(next);
    }
    upper.push_back(std::move(above));
  }
  Filling filling(to);
  const auto add = [&](const Row& row, double height) {
    std::vector<double> pixels;
    for (const double end : row.ends) pixels.push_back(x.pixel(end));
    filling.row(pixels, y.pixel(height));
  };
  for (auto row = upper.rbegin(); row != upper.rend(); ++row) add(*row, -row->height);
  for (const Row& row : upper) add(row, row.height);
  filling.finish();
}

void draw_locus(Drawing& to, const MultistepForm& form, const PlotScale& x, const PlotScale& y,
                const Window& w) {
  std::vector<Dot> dots;
  const auto lift = [&] {
    if (dots.size() > 1) to.marks.push_back(line(dots, curve, 1.4));
    dots.clear();
  };
  for (const Complex& z : outline(form)) {
    if (std::abs(z.real() - w.x) <= w.half && std::abs(z.imag()) <= w.half)
      dots.push_back({x.pixel(z.real()), y.pixel(z.imag())});
    else
      lift();
  }
  lift();
}

void draw(Drawing& to, const NamedForm& named, Dot corner) {
  const Window w = window_of(named.form);
  const double x0 = corner.x + left, x1 = x0 + side, y0 = corner.y + top, y1 = y0 + side;
  PlotScale x(Axis::linear), y(Axis::linear);
  constexpr double room = 1.08;  // that settle() leaves
  for (const double end : {-w.half / room, w.half / room}) x.include(w.x + end), y.include(end);
  x.settle();
  y.settle();
  x.lay(x0, x1);
  y.lay(y1, y0);
  fill(to, named.form, x, y, w);
  for (const auto& tick : x.ticks()) {
    const double at = x.pixel(tick.value);
    to.marks.push_back(line({{at, y1}, {at, y0}}, tick.value == 0 ? zero : grid, 1));
    to.marks.push_back(words({at, y1 + 16}, tick.label, Mark::Anchor::middle));
  }
  for (const auto& tick : y.ticks()) {
    const double at = y.pixel(tick.value);
    to.marks.push_back(line({{x0, at}, {x1, at}}, tick.value == 0 ? zero : grid, 1));
    to.marks.push_back(words({x0 - 6, at + 4}, tick.label, Mark::Anchor::end));
  }
  if (const auto* multistep = std::get_if<MultistepForm>(&named.form)) draw_locus(to, *multistep, x, y, w);
  to.marks.push_back(line({{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}}, zero, 1));
  Mark title = words({x0, y0 - 10}, named.name, Mark::Anchor::begin);
  title.weight = Mark::Weight::bold;
  title.colour = "#000000";
  to.marks.push_back(title);
  to.marks.push_back(words({(x0 + x1) / 2, y1 + 34}, "Re z", Mark::Anchor::middle));
  Mark upright = words({corner.x + 12, (y0 + y1) / 2}, "Im z", Mark::Anchor::middle);
  upright.way = Mark::Way::up;
  to.marks.push_back(upright);
}

}  // namespace

std::vector<double> stable_intervals(const LinearForm& form, double y, double from, double to, int count) {
  const auto stable = [&](double x) { return spectral_radius(form, {x, y}) <= 1 + 1e-9; };
  std::vector<double> ends;
  bool inside = stable(from);
  if (inside) ends.push_back(from);
  for (int k = 1; k <= count; ++k) {
    const double step = (to - from) / count;
    double low = from + (k - 1) * step, high = from + k * step;
    const bool now = stable(high);
    if (now == inside) continue;
    for (int round = 0; round < 10; ++round)
      (stable((low + high) / 2) == inside ? low : high) = (low + high) / 2;
    ends.push_back((low + high) / 2);
    inside = now;
  }
  if (inside) ends.push_back(to);
  return ends;
}

Drawing region_picture(const std::vector<NamedForm>& forms) {
  Drawing all;
  for (std::size_t k = 0; k < forms.size(); ++k) {
    const Dot corner{cell_width * static_cast<double>(k % per_row),
                     cell_height * static_cast<double>(k / per_row)};
    draw(all, forms[k], corner);
    all.width = std::max(all.width, corner.x + cell_width);
    all.height = std::max(all.height, corner.y + cell_height);
  }
  constexpr double foot = 26;
  all.marks.push_back(words({left, all.height + 12}, "coloured: no amplification factor is larger than 1",
                            Mark::Anchor::begin));
  all.height += foot;
  return all;
}

}  // namespace dalembert
