// dalembert analyse stability: what a method makes of linear equations, from its coefficients, and whether the code does so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/method_stability.h"
#include "app/outputs.h"
#include "app/picture.h"
#include "app/screen.h"
#include "app/text.h"
#include "dalembert/analysis/named_formulas.h"
#include "dalembert/analysis/region_picture.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

struct Call {
  std::vector<std::string> methods, at, options, two_step;
  std::string plot, region;
  bool json = false;
};

MethodStability two_step(const std::vector<std::string>& texts) {
  if (texts.size() != 2)
    throw Error("--two-step takes two numbers", "as in --two-step=-1/3,1/6 or -0.333,0.1667");
  std::vector<double> values;
  for (const std::string& text : texts) {
    const auto slash = text.find('/');
    double value = to_number("--two-step", text.substr(0, slash));
    if (slash != std::string::npos) value /= to_number("--two-step", text.substr(slash + 1));
    if (!std::isfinite(value)) throw Error("--two-step is " + join(texts, ","), "two finite numbers");
    values.push_back(value);
  }
  const MultistepForm form = two_step_formula(values[0], values[1]);
  return {fmt::format("two-step beta={} delta={}", number(values[0]), number(values[1])), "", form,
          stability_report(form)};
}

/// Figures 1 to 3 of the notes: spectral radius, damping and phase error over w h.
std::vector<Panel> curves(const std::vector<MethodStability>& methods) {
  std::vector<double> w;
  for (int k = -40; k <= 80; ++k) w.push_back(std::pow(10, k / 40.));
  const auto panel = [&](const char* title, const char* label, Axis y, const auto& value) {
    Panel p{.title = title,
            .x_label = "w h",
            .y_label = label,
            .x_axis = Axis::logarithmic,
            .y_axis = y,
            .series = {}};
    for (const MethodStability& m : methods) {
      Series series{.name = m.name, .x = {}, .y = {}};
      for (const Oscillation& o : oscillations(m.form, w)) {
        series.x.push_back(o.w);
        series.y.push_back(value(o));
      }
      p.series.push_back(std::move(series));
    }
    tell_apart(p, Points::unmarked);
    return p;
  };
  const auto seen = [](double x) { return std::abs(x) > 1e-13 ? std::abs(x) : std::nan(""); };
  return {panel("spectral radius on an undamped oscillation", "spectral radius", Axis::linear,
                [](const Oscillation& o) { return o.radius <= 1.5 ? o.radius : std::nan(""); }),
          panel("algorithmic damping ratio, its size", "|damping|", Axis::logarithmic,
                [&](const Oscillation& o) { return o.w <= 10 ? seen(o.damping) : std::nan(""); }),
          panel("relative error of the phase, its size", "|phase error|", Axis::logarithmic,
                [&](const Oscillation& o) { return o.w <= 10 ? seen(o.phase) : std::nan(""); })};
}

void draw_regions(const std::string& file, const std::vector<MethodStability>& methods) {
  std::vector<NamedForm> forms;
  for (const MethodStability& m : methods) forms.push_back({m.name, m.form});
  write_picture(file, region_picture(forms));
}

/// Each belongs to one of the methods, at least.
void check_options(const std::vector<std::string>& words, const std::map<std::string, double>& options) {
  std::vector<std::string> known;
  for (const std::string& word : words)
    if (const std::string name = word.substr(0, word.find(':')); !named_formula(name))
      for (const Parameter& parameter : find_method(name).options) known.push_back(parameter.name);
  for (const auto& [name, value] : options)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw known.empty() ? Error("the methods have no option '" + name + "'", "they have none")
                          : unknown("option of these methods", name, known);
}

std::vector<MethodStability> chosen(const Call& call) {
  std::vector<MethodStability> all;
  const auto options = to_assignments("--option", call.options);
  check_options(call.methods, options);
  for (const std::string& word : call.methods) all.push_back(find_stability(word, options));
  if (!call.two_step.empty()) all.push_back(two_step(call.two_step));
  return all;
}

std::vector<double> frequencies(const Call& call, std::vector<double> usual) {
  if (call.at.empty()) return usual;
  std::vector<double> w;
  for (const std::string& text : call.at) w.push_back(to_number("--at", text));
  for (std::size_t i = 0; i < w.size(); ++i)
    if (!(w[i] > (i == 0 ? 0 : w[i - 1])) || w[i] > 1e8)
      throw Error("--at is " + join(call.at, ","), "ascending numbers between 0 and 1e8");
  return w;
}

Status stability(const Call& call) {
  check_outputs({picture_output("--plot", call.plot), picture_output("--region", call.region)}, {});
  const bool everything = call.methods.empty() && call.two_step.empty();
  if (everything && !(call.plot.empty() && call.region.empty()))
    throw Error("no method is named", "pictures are drawn of the methods that the call names");
  if (everything && !call.options.empty()) throw Error("no method is named", "options belong to methods");
  const auto w = frequencies(call, everything ? std::vector<double>{.1, .5, 1, 2, 10}
                                              : std::vector<double>{.1, .5, 1, 2, 5, 10, 100});
  const auto methods = everything ? all_stabilities() : chosen(call);
  if (call.json) {
    Json all = Json::array();
    for (const MethodStability& m : methods) all.push_back(to_json(m, w));
    print({{"methods", all}});
  } else if (everything) {
    say_page("linear stability of all methods, and of formulas that are no methods here; " +
             std::string("radii are those on an undamped oscillation at w h\n\n") + table(methods, w));
  } else {
    std::string all;
    for (const MethodStability& m : methods) all += (all.empty() ? "" : "\n\n") + page(m, w);
    say_page(all);
  }
  Status status = done;
  if (!call.plot.empty())
    status = std::max(status, written([&] { write_picture(call.plot, curves(methods)); }));
  if (!call.region.empty()) status = std::max(status, written([&] { draw_regions(call.region, methods); }));
  return status;
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_stability() {
  return {
      {.name = "analyse stability",
       .rank = 18,
       .summary = "what methods make of linear equations: amplification, damping, phase, regions, A- and "
                  "L-stability",
       .examples =
           {"dalembert analyse stability",
            "dalembert analyse stability ms:rho_inf=0.6 radau5 --plot curves.svg --region regions.svg",
            "dalembert analyse stability adams-bashforth-3 leapfrog --json"},
       .add = [](Arguments& arguments) -> Action {
         const auto call = std::make_shared<Call>();
         arguments.words("METHOD", call->methods,
                         "methods, as in rk4 or ms:rho_inf=0.6, or formulas: " + join(formula_names()) +
                             " (default: a table of all)");
         arguments.option("--option", call->options,
                          "set an option of the methods that have it (may be repeated)", "NAME=VALUE");
         arguments.list("--two-step", call->two_step,
                        "the two-step formula of order 2 with these beta and delta; delta = -1/2 is explicit",
                        "BETA,DELTA");
         arguments.list("--at", call->at, "values of w h in the table, separated by commas", "W");
         arguments.option("--plot", call->plot,
                          "draw radius, damping and phase over w h to a .svg or .png file", "FILE");
         arguments.option("--region", call->region, "draw stability regions to a .svg or .png file", "FILE");
         arguments.flag("--json", call->json, "print JSON");
         return [call] { return stability(*call); };
       }}};
}

}  // namespace dalembert::app
