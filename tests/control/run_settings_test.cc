// Settings of a run: what wins where two say something, and what they mean to a problem.
#include "dalembert/control/run_settings.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

RunSettings of_a_file() {
  RunSettings s;
  s.formulation = "ggl", s.method = "radau";
  s.options = {{"multipliers", 1.}};
  s.rtol = 1e-8, s.atol = 1e-10;
  s.atol_of = {{"v", 1e-4}};
  s.step = 0.01, s.controller = Control::fixed;
  s.end = 3;
  s.output = OutputSetting{OutputSetting::By::pieces, 10};
  s.project = Projection::off;
  s.most_steps = 7;
  s.max_step = 0.5;
  s.singular = Singular::stop;
  s.dependent = 1e-6;
  s.start = {{"q.x", 1}, {"q.y", 2}};
  s.keep = {"q.x"};
  return s;
}

TEST(RunSettings, NothingSaidTakesAllOfTheOther) {
  const RunSettings s = merge({}, of_a_file());
  EXPECT_EQ(s.formulation, "ggl");
  EXPECT_EQ(s.method, "radau");
  EXPECT_EQ(s.options.size(), 1u);
  EXPECT_EQ(s.rtol, 1e-8);
  EXPECT_EQ(s.atol, 1e-10);
  EXPECT_EQ(s.atol_of.at("v"), 1e-4);
  EXPECT_EQ(s.max_step, 0.5);
  EXPECT_EQ(s.singular, Singular::stop);
  EXPECT_EQ(s.dependent, 1e-6);
  EXPECT_EQ(s.step, 0.01);
  EXPECT_EQ(s.controller, Control::fixed);
  EXPECT_EQ(s.end, 3);
  EXPECT_EQ(s.output->value, 10);
  EXPECT_EQ(s.project, Projection::off);
  EXPECT_EQ(s.most_steps, 7);
  EXPECT_EQ(s.start.size(), 2u);
  EXPECT_EQ(s.keep, std::vector<std::string>{"q.x"});
}

TEST(RunSettings, APairIsTakenAsAWhole) {
  RunSettings method, rtol, controller, option;
  method.method = "dop853";
  rtol.rtol = 1e-4;
  controller.controller = Control::pi;
  option.options = {{"multipliers", 0.}, {"other", 2.}};

  const RunSettings a = merge(method, of_a_file());
  EXPECT_EQ(a.method, "dop853");
  EXPECT_FALSE(a.formulation);  // ggl belongs to radau
  EXPECT_TRUE(a.options.empty());
  EXPECT_EQ(a.rtol, 1e-8);
  const RunSettings b = merge(rtol, of_a_file());
  EXPECT_EQ(b.rtol, 1e-4);
  EXPECT_FALSE(b.atol);
  EXPECT_TRUE(b.atol_of.empty());
  EXPECT_EQ(b.method, "radau");
  RunSettings atol;
  atol.atol = 1e-3;
  EXPECT_EQ(merge(atol, of_a_file()).rtol, 1e-8) << "another atol leaves rtol";
  EXPECT_EQ(merge(atol, of_a_file()).atol, 1e-3);
  EXPECT_EQ(merge(atol, of_a_file()).atol_of.at("v"), 1e-4);
  const RunSettings c = merge(controller, of_a_file());
  EXPECT_EQ(c.controller, Control::pi);
  EXPECT_FALSE(c.step);
  const RunSettings d = merge(option, of_a_file());  // options of the pair of the file
  EXPECT_EQ(d.method, "radau");
  EXPECT_EQ(d.options.size(), 2u);
  EXPECT_EQ(std::get<double>(d.options.at("multipliers")), 0);
}

TEST(RunSettings, InitialValuesAreMergedOneByOne) {
  RunSettings over;
  over.start = {{"q.x", 5}};
  over.keep = {"q.y"};
  const RunSettings s = merge(over, of_a_file());
  EXPECT_EQ(s.start.at("q.x"), 5);
  EXPECT_EQ(s.start.at("q.y"), 2);
  EXPECT_EQ(s.keep, (std::vector<std::string>{"q.y", "q.x"}));
}

TEST(RunSettings, MadeIntoOptions) {
  const auto pendulum = make_problem("pendulum");
  const ResolvedRun all = resolve(of_a_file(), *pendulum);
  EXPECT_EQ(all.choice.pair.method->name, "radau");
  EXPECT_EQ(all.options.request.formulation, "ggl");
  EXPECT_EQ(all.options.tolerance.relative, 1e-8);
  EXPECT_EQ(all.options.tolerance.absolute, 1e-10);
  EXPECT_EQ(all.options.control, Control::fixed);
  EXPECT_EQ(all.options.step, 0.01);
  EXPECT_EQ(all.options.end, 3);
  EXPECT_EQ(all.options.outputs, output_times(0, 3, 10));
  EXPECT_EQ(all.options.projection, Projection::off);
  EXPECT_EQ(all.options.most_steps, 7);
  EXPECT_EQ(all.options.start.at("q.y"), 2);
  EXPECT_TRUE(std::isinf(all.options.consistent.weights.at("q.x")));

  RunSettings rtol, step;
  rtol.rtol = 1e-4;
  EXPECT_EQ(resolve(rtol, *pendulum).options.tolerance.absolute, 1e-4);
  step.step = 0.1;
  EXPECT_EQ(resolve(step, *pendulum).options.control, Control::fixed);
  EXPECT_EQ(resolve({}, *pendulum).options.control, Control::pi);
  EXPECT_TRUE(resolve({}, *pendulum).options.outputs.empty());
}

TEST(RunSettings, ThePairIsChosenOnce) {
  const auto pendulum = make_problem("pendulum");
  RunOptions options = resolve({}, *pendulum).options;
  options.request.answer->why = "as resolved";
  EXPECT_EQ(run(pendulum, options).why, "as resolved");
  options.request.method = "radau";  // another question
  EXPECT_EQ(run(pendulum, options).method, "radau");
  options.request = {};
  EXPECT_EQ(run(make_problem("transistor-amplifier"), options).method, "radau") << "of another kind";
}

TEST(RunSettings, MethodsOfFieldsAndNamesOfChoices) {
  const auto fields = make_problem("wang-hou-modnak");
  RunSettings s;
  s.method = "trapezoid:10,rk4:20";
  s.step = 0.5;
  s.options = {{"splitting", "first"}, {"omega", 0.5}};
  const ResolvedRun run = resolve(s, *fields);
  EXPECT_EQ(run.choice.pair.method->name, "window-iteration");
  EXPECT_EQ(run.options.fields, (std::vector<std::string>{"trapezoid:10", "rk4:20"}));
  EXPECT_EQ(run.options.options.at("omega"), 0.5);
  s.options = {{"splitting", run.options.options.at("splitting")}};
  EXPECT_EQ(resolve(s, *fields).options.options.at("splitting"), run.options.options.at("splitting"));
  s.options = {{"splitting", "frist"}};
  EXPECT_THROW(resolve(s, *fields), Error);
  s.options = {{"omega", "much"}};
  EXPECT_THROW(resolve(s, *fields), Error);
  s.formulation = "index1", s.method = "dop853";  // in one piece
  s.options.clear();
  EXPECT_TRUE(resolve(s, *fields).options.fields.empty());
}

TEST(RunSettings, WhatCannotBeMeantIsRefused) {
  const auto pendulum = make_problem("pendulum");
  const auto refused = [&](const RunSettings& s, const std::string& hint) {
    try {
      resolve(s, *pendulum);
      ADD_FAILURE() << hint;
    } catch (const Error& error) {
      EXPECT_NE(error.sentence().find(hint), std::string::npos) << error.sentence();
    }
  };
  RunSettings rtol, end, pair, output;
  rtol.rtol = 0;
  refused(rtol, "atol=A");
  end.end = 0;
  refused(end, "end=T");
  pair.formulation = "index1", pair.method = "hem4";
  refused(pair, "impossible pair");
  for (const double value : {0., -1., 1e-12, std::nan("")}) {
    output.output = OutputSetting{OutputSetting::By::distance, value};
    refused(output, "output");
  }
  output.output = OutputSetting{OutputSetting::By::pieces, 2.5};
  refused(output, "whole number");
  EXPECT_THROW(find_projection("maybe"), Error);
}

TEST(RunSettings, OutputsAtADistanceEndWithTheRun) {
  const std::vector<double> times = OutputSetting{OutputSetting::By::distance, 0.5}.times(0, 2.2);
  EXPECT_EQ(times, (std::vector<double>{0, 0.5, 1, 1.5, 2, 2.2}));
  EXPECT_EQ((OutputSetting{OutputSetting::By::distance, 0.5}.times(0, 1).size()), 3u);
}

}  // namespace
}  // namespace dalembert
