// From numbers to pixels along one axis.
#pragma once

#include <string>
#include <vector>

#include "dalembert/observe/plot.h"

namespace dalembert {

/// Takes all numbers first, then settles between two pixels, with ticks at round numbers.
class PlotScale {
 public:
  explicit PlotScale(Axis axis) : axis_(axis) {}

  bool usable(double value) const;
  void include(double value);
  /// Points that nothing joins are counted, if their numbers are whole: there are no ticks between.
  void count_whole() { counts_ = true; }
  /// 1, 2, ... have names, as many of which are shown as there is room for.
  void name(const std::vector<std::string>& names, std::size_t room) { names_ = names, room_ = room; }
  void settle();  ///< leaves some room at both ends
  double range() const { return high_ - low_; }
  void widen(double range);                                     ///< to that, on both sides alike
  void lay(double from, double to) { from_ = from, to_ = to; }  ///< in pixels
  double pixel(double value) const;

  struct Tick {
    double value;
    std::string label;
  };
  const std::vector<Tick>& ticks() const { return ticks_; }
  /// What is to be added to the labels: "" or " minus 1.43783".
  const std::string& shift() const { return shift_; }

 private:
  double forward(double value) const;
  void mark_powers();
  void mark_steps();
  void mark_names();

  Axis axis_;
  bool counts_ = false, whole_ = true;
  double from_ = 0, to_ = 1, low_ = 1e300, high_ = -1e300;
  std::vector<std::string> names_{};
  std::size_t room_ = 0;
  std::vector<Tick> ticks_{};
  std::string shift_{};
};

}  // namespace dalembert
