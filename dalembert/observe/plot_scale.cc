#include "dalembert/observe/plot_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dalembert {

bool PlotScale::usable(double value) const {
  return std::isfinite(value) && std::abs(value) < 1e300 && (axis_ == Axis::linear || value > 0);
}

double PlotScale::forward(double value) const {
  return axis_ == Axis::logarithmic ? std::log10(value) : value;
}

double PlotScale::pixel(double value) const {
  return from_ + (forward(value) - low_) / (high_ - low_) * (to_ - from_);
}

void PlotScale::include(double value) {
  if (!usable(value)) return;
  whole_ = whole_ && value == std::round(value);
  low_ = std::min(low_, forward(value));
  high_ = std::max(high_, forward(value));
}

void PlotScale::widen(double range) {
  const double more = (range - this->range()) / 2;
  if (!(more > 0)) return;
  low_ -= more;
  high_ += more;
}

void PlotScale::settle() {
  if (low_ > high_) low_ = 0, high_ = 1;
  const double size = std::max(std::abs(low_), std::abs(high_));
  // what differs by rounding only is a level line
  const bool level = high_ - low_ <= 1e-13 * size;
  const double room = level ? (axis_ == Axis::linear && size > 0 ? 0.5 * size : 0.5) : 0.04 * (high_ - low_);
  low_ -= room;
  high_ += room;
  if (!names_.empty())
    mark_names();
  else if (axis_ == Axis::logarithmic)
    mark_powers();
  else
    mark_steps();
}

void PlotScale::mark_powers() {
  const double decades = high_ - low_;
  if (decades < 2) {
    for (const std::vector<double>& digits :
         {std::vector<double>{1, 2, 5}, std::vector<double>{1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9}}) {
      ticks_.clear();
      for (int e = static_cast<int>(std::floor(low_)); e <= high_; ++e)
        for (const double digit : digits) {
          const double value = digit * std::pow(10, e);
          if (std::log10(value) >= low_ && std::log10(value) <= high_)
            ticks_.push_back({value, fmt::format("{:g}", value)});
        }
      if (ticks_.size() > 2) return;
    }
    ticks_.clear();
    for (const double part : {0.15, 0.5, 0.85}) {
      const double value = std::pow(10, low_ + part * decades);
      ticks_.push_back({value, fmt::format("{:.3g}", value)});
    }
    return;
  }
  const double step = std::ceil(decades / 8);
  for (double e = std::ceil(low_ / step) * step; e <= high_; e += step)
    ticks_.push_back({std::pow(10, e), fmt::format("1e{:.0f}", e)});
}

void PlotScale::mark_names() {
  const std::size_t step = (names_.size() + room_ - 1) / room_;
  for (std::size_t k = 0; k < names_.size(); k += step)
    if (const auto value = static_cast<double>(k + 1); value >= low_ && value <= high_)
      ticks_.push_back({value, names_[k]});
}

void PlotScale::mark_steps() {
  const double raw = (high_ - low_) / 6, unit = std::pow(10, std::floor(std::log10(raw)));
  const double round = unit * (raw / unit < 1.5 ? 1 : raw / unit < 3.5 ? 2 : raw / unit < 7.5 ? 5 : 10);
  const double step = counts_ && whole_ ? std::max(1., round) : round;
  const double size = std::max(std::abs(low_), std::abs(high_));
  constexpr int most_digits = 6;
  const int digits = static_cast<int>(std::floor(std::log10(size)) - std::floor(std::log10(step))) + 1;
  double from = 0;
  if (digits > most_digits) {  // labels that differ in their last digits only are labels of the difference
    from = std::ceil(low_ / step) * step;
    shift_ = fmt::format(" minus {:.{}g}", from, digits);
  }
  const double first = std::ceil(low_ / step), last = std::floor(high_ / step);
  for (double k = first; k <= last; ++k) {
    const double label = std::round(k - from / step) * step + 0.0;  // no -0
    ticks_.push_back({k * step, fmt::format("{:.{}g}", label, digits > most_digits ? 4 : most_digits)});
  }
}

}  // namespace dalembert
