// Do pictures show the numbers they are given, told apart, with a legend that covers nothing?
#include "dalembert/observe/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "dalembert/observe/plot_scale.h"

namespace dalembert {
namespace {

Panel panel(std::size_t series, std::size_t points) {
  Panel panel{.title = "t", .x_label = "x", .y_label = "y", .series = {}};
  for (std::size_t k = 0; k < series; ++k) {
    Series one{.name = "series " + std::to_string(k), .x = {}, .y = {}};
    for (std::size_t i = 0; i < points; ++i) {
      one.x.push_back(static_cast<double>(i) / static_cast<double>(points - 1));
      one.y.push_back(static_cast<double>(k) + std::sin(60 * one.x.back()));
    }
    panel.series.push_back(one);
  }
  return panel;
}

std::vector<Mark> of(const Drawing& drawing, Mark::Is is) {
  std::vector<Mark> all;
  for (const auto& mark : drawing.marks)
    if (mark.is == is) all.push_back(mark);
  return all;
}

TEST(Plot, TwelveSeriesAreToldApartAndTheRestIsCounted) {
  Panel all = panel(15, 3);
  tell_apart(all, Points::marked);
  std::set<std::tuple<std::size_t, Line, Marker>> seen;  // colours come back after six
  for (std::size_t k = 0; k < most_told_apart; ++k)
    seen.insert({k % 6, all.series[k].line, all.series[k].marker});
  EXPECT_EQ(seen.size(), most_told_apart);
  std::set<std::pair<Line, Marker>> without_colour;
  for (std::size_t k = 0; k < most_told_apart; ++k)
    without_colour.insert({all.series[k].line, all.series[k].marker});
  EXPECT_EQ(without_colour.size(), most_told_apart) << "on paper, too";
  const std::string picture = svg(plot({all}));
  EXPECT_NE(picture.find(">series 11<"), std::string::npos);
  EXPECT_EQ(picture.find(">series 12<"), std::string::npos);
  EXPECT_NE(picture.find(">3 others<"), std::string::npos);
}

TEST(Plot, OneCurveIsDrawnOnceWithAllItsNames) {
  Panel all = panel(3, 20);
  all.series[2].y = all.series[0].y;
  tell_apart(all, Points::unmarked);
  ASSERT_EQ(all.series.size(), 2u);
  EXPECT_EQ(all.series[0].name, "series 0, series 2");
}

TEST(Plot, AShorterCurveIsSeenBelowTheOneThatCoversIt) {
  Panel all = panel(2, 20);
  all.series[1].y = all.series[0].y;
  for (std::size_t i = 8; i < 20; ++i) all.series[1].y[i] = std::nan("");
  tell_apart(all, Points::unmarked);
  EXPECT_EQ(all.series[0].line, Line::dotted);
  EXPECT_EQ(all.series[1].line, Line::solid);
}

TEST(Plot, NamesStandForNumbersAlongAnAxis) {
  Panel named = panel(1, 3);
  named.series[0].x = named.series[0].y = {1, 2, 3};
  named.series[0].line = Line::none;
  named.x_names = {"q.x", "q.y", "a name that is far too long to stand beside another one, and one more"};
  named.y_names = {"first", "second", "third"};
  const std::string picture = svg(plot({named}));
  for (const char* name : {">q.x<", ">q.y<", ">second<"})
    EXPECT_NE(picture.find(name), std::string::npos) << name;
  EXPECT_EQ(picture.find(">2<"), std::string::npos);
  for (const Mark& mark : of(plot({named}), Mark::Is::text))
    if (mark.text == "q.x") EXPECT_EQ(mark.way, Mark::Way::up) << "there is no room across";
}

TEST(Plot, TheLegendStandsBesideTheAxes) {
  const Drawing drawing = plot({panel(12, 3)});
  double right = 0;  // of the curves
  for (const auto& mark : of(drawing, Mark::Is::line))
    if (mark.width > 1.5 && mark.dots.size() > 2)
      for (const Dot& dot : mark.dots) right = std::max(right, dot.x);
  int seen = 0;
  for (const auto& mark : of(drawing, Mark::Is::text))
    if (mark.text.starts_with("series")) {
      ++seen;
      EXPECT_GT(mark.dots.front().x, right);
      EXPECT_LT(mark.dots.front().x, drawing.width - 6 * static_cast<double>(mark.text.size()));
    }
  EXPECT_EQ(seen, 12);
}

TEST(Plot, ManyPointsKeepWhatCanBeSeen) {
  Panel spiky = panel(1, 200'000);
  spiky.series[0].y[123'456] = 50;  // one point alone
  const Drawing drawing = plot({spiky});
  std::size_t dots = 0;
  double top = 1e300;
  for (const auto& mark : of(drawing, Mark::Is::line))
    if (mark.width > 1.5) {
      dots += mark.dots.size();
      if (mark.dots.size() > 2)
        for (const Dot& dot : mark.dots) top = std::min(top, dot.y);
    }
  EXPECT_LT(dots, 5000u);
  EXPECT_LT(top, 50) << "the spike is at the top of the axes";
}

TEST(Plot, GapsBreakTheLine) {
  Panel gap = panel(1, 5);
  gap.series[0].y[2] = std::nan("");
  int curves = 0;
  for (const auto& mark : of(plot({gap}), Mark::Is::line))
    curves += mark.width > 1.5 && mark.dots.front().y > 32 ? 1 : 0;
  EXPECT_GE(curves, 2);
}

TEST(PlotScale, LabelsDiffer) {
  for (const auto& [low, high] :
       {std::pair{0., 1.}, {1234567.8, 1234567.9}, {-1e-9, 3e-9}, {-5., 5e6}, {2., 2.}}) {
    PlotScale scale(Axis::linear);
    scale.include(low);
    scale.include(high);
    scale.settle();
    std::set<std::string> labels;
    for (const auto& tick : scale.ticks()) labels.insert(tick.label);
    EXPECT_EQ(labels.size(), scale.ticks().size()) << low << " " << high;
    EXPECT_GE(labels.size(), 3u) << low << " " << high;
    EXPECT_EQ(scale.shift().empty(), low < 1e6)
        << "large numbers that hardly differ are told by their differences";
  }
}

TEST(PlotScale, WhatIsCountedHasNoTicksBetween) {
  const auto ticks = [](std::initializer_list<double> values, bool counted) {
    PlotScale scale(Axis::linear);
    if (counted) scale.count_whole();
    for (const double value : values) scale.include(value);
    scale.settle();
    return scale.ticks();
  };
  const auto counted = ticks({1, 3, 4}, true);
  ASSERT_EQ(counted.size(), 4u);
  for (const auto& tick : counted) EXPECT_EQ(tick.value, std::round(tick.value));
  EXPECT_EQ(ticks({1, 3, 4}, false).size(), 7u) << "a line has halves";
  EXPECT_EQ(ticks({1, 3.5, 4}, true).size(), 7u);
}

TEST(PlotScale, PowersOfTenAndWhatIsBetween) {
  for (const auto& [low, high] : {std::pair{1e-12, 1.}, {0.002, 0.03}, {0.9, 1.1}}) {
    PlotScale scale(Axis::logarithmic);
    scale.include(low);
    scale.include(high);
    EXPECT_FALSE(scale.usable(0)) << "no logarithm";
    scale.settle();
    EXPECT_GE(scale.ticks().size(), 2u) << low;
  }
}

}  // namespace
}  // namespace dalembert
