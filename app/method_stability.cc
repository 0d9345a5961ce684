#include "app/method_stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/screen.h"
#include "app/text.h"
#include "dalembert/analysis/named_formulas.h"
#include "dalembert/analysis/recognised_tableau.h"
#include "dalembert/analysis/running_code.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

using Options = std::map<std::string, double>;
using Is = Statement::Is;

MethodStability of_method(const MethodEntry& entry, const Options& set) {
  const Parameters options(entry.options, set, entry.name);
  auto form = linear_form(entry, options);
  const bool measured = !form;
  if (!form) form = measured_form(entry, options);
  if (!form)
    throw Error(
        "method '" + entry.name + "' says no coefficients and keeps more than its state from step to step",
        "there is nothing to compare its steps with");
  MethodStability found{entry.name, entry.summary, *form, stability_report(entry, *form)};
  for (const auto& [name, value] : set) found.name += " " + name + "=" + number(value);
  if (!measured) found.difference = disagreement(entry, options, *form);
  return found;
}

/// Those of a set that the method has.
Options applicable(const MethodEntry& entry, const Options& set) {
  Options mine;
  for (const auto& [name, value] : set)
    if (std::any_of(entry.options.begin(), entry.options.end(),
                    [&](const Parameter& p) { return p.name == name; }))
      mine[name] = value;
  return mine;
}

const char* word(Is is) {
  return is == Is::yes ? "yes" : is == Is::no ? "no" : "-";
}

std::string four(double x) {
  return std::isinf(x) ? "inf" : number(std::abs(x) < 1e-13 ? 0 : x, 4);
}

std::string interval(double x) {
  return std::isinf(x) ? "all" : number(x, 5);
}

/// 2/3 rather than 0.666667, where it is one.
std::string coefficient_text(double x) {
  if (const auto exact = recognised(x);
      exact && exact->text().size() < 12 && (x == 0 || exact->text() != "0"))
    return exact->text();
  return fmt::format("{:.6g}", x);
}

/// "1 + 1/2 z - 3 z^2" of coefficients by ascending powers.
std::string polynomial(const std::vector<double>& coefficients, const std::string& variable) {
  std::string all;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    const double c = coefficients[k];
    if (c == 0) continue;
    const std::string power = k == 0 ? "" : k == 1 ? variable : fmt::format("{}^{}", variable, k);
    const std::string size = coefficient_text(std::abs(c));
    all += all.empty() ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + ");
    all += size == "1" && k > 0 ? power : size + (power.empty() ? "" : " " + power);
  }
  return all.empty() ? "0" : all;
}

/// Coefficients of the powers of zeta.
std::string in_zeta(const Vector& by_age) {
  std::vector<double> ascending;
  for (Eigen::Index j = by_age.size() - 1; j >= 0; --j) ascending.push_back(by_age[j]);
  return polynomial(ascending, "zeta");
}

std::string line(const std::string& label, const std::string& text) {
  return fmt::format("{:<13}{}\n", label, text);
}

std::string polynomials(const LinearForm& form) {
  if (const auto* tableau = std::get_if<RungeKuttaForm>(&form)) {
    const auto [P, Q] = stability_function(*tableau);
    return line("R(z)", Q.size() == 1 ? polynomial(P, "z")
                                      : fmt::format("({})/({})", polynomial(P, "z"), polynomial(Q, "z")));
  }
  if (const auto* multistep = std::get_if<MultistepForm>(&form)) {
    std::string all = line("rho", in_zeta(multistep->alpha)) + line("sigma", in_zeta(multistep->beta));
    if (multistep->alpha.size() == 3) {
      const auto [beta, delta] = two_step_parameters(*multistep);
      if (const MultistepForm same = two_step_formula(beta, delta);
          (same.alpha - multistep->alpha).norm() + (same.beta - multistep->beta).norm() < 1e-12)
        all += line("two-step", fmt::format("beta = {:.10g}, delta = {:.10g}", beta, delta));
    }
    return all;
  }
  if (std::get_if<MeasuredForm>(&form) != nullptr)
    return line("coefficients", "the method says none: its steps are measured");
  std::vector<std::vector<double>> powers;  // of zeta, each by ascending powers of (w h)^2
  const auto at = [&](double w) { return characteristic(form, {0, w}); };
  const auto zero = at(0), one = at(1), two = at(std::sqrt(2.0));
  std::string all;
  for (std::size_t k = zero.size(); k-- > 0;) {
    const double square = (two[k] - 2.0 * one[k] + zero[k]).real() / 2;
    const double straight = (one[k] - zero[k]).real() - square;
    std::vector<double> c{zero[k].real(), straight, square};
    for (double& each : c) each = std::abs(each) < 1e-13 ? 0 : each;
    const std::string factor = polynomial(c, "w^2");
    if (factor == "0") continue;
    all += (all.empty() ? "" : " + ") + fmt::format("({})", factor) +
           (k == 0   ? ""
            : k == 1 ? " zeta"
                     : fmt::format(" zeta^{}", k));
  }
  return line("polynomial", all + ", w for w h, undamped");
}

}  // namespace

MethodStability find_stability(const std::string& word, const Options& options) {
  const auto colon = word.find(':');
  const std::string name = word.substr(0, colon);
  if (const auto formula = named_formula(name); formula && colon == std::string::npos)
    return {name, "", *formula, stability_report(*formula)};
  Options set = applicable(find_method(name), options);
  if (colon != std::string::npos) {
    std::vector<std::string> texts{""};
    for (const char letter : word.substr(colon + 1)) {
      if (letter == ',')
        texts.emplace_back();
      else
        texts.back() += letter;
    }
    for (const auto& [option, value] : to_assignments(name + ":", texts)) set[option] = value;
  }
  return of_method(find_method(name), set);
}

std::vector<MethodStability> all_stabilities() {
  std::vector<MethodStability> all;
  for (const MethodEntry& entry : all_methods()) {
    if (entry.accepts(Kind::partitioned)) continue;
    std::vector<Options> variants;
    if (entry.name == "bdf")
      for (int order = 1; order <= 5; ++order) variants.push_back({{"max-order", order}});
    if (entry.name == "ms")
      for (const double rho : {0., .2, .4, .6, .8, 1.}) variants.push_back({{"rho_inf", rho}});
    if (entry.name == "mexx")
      for (const int columns : {2, 3, 4}) variants.push_back({{"columns", columns}});
    if (variants.empty()) variants.emplace_back();
    for (const Options& variant : variants) all.push_back(of_method(entry, variant));
  }
  for (const std::string& name : formula_names()) all.push_back(find_stability(name, {}));
  return all;
}

std::string page(const MethodStability& m, const std::vector<double>& w) {
  const StabilityReport& r = m.report;
  const auto stated = [&](const char* label, const Statement& s) {
    return line(label, std::string(word(s.is)) + ": " + s.evidence);
  };
  std::string all = m.name + (m.summary.empty() ? "" : ": " + m.summary) + "\n\n" + polynomials(m.form);
  all += line("order", fmt::format("{}, error constant C = {}", r.order, coefficient_text(r.error_constant)));
  all += line("checked", m.difference
                             ? "steps of the running code differ from this by " + number(*m.difference, 2)
                         : m.summary.empty() ? "no method of the registry makes such steps"
                                             : "these are the steps of the running code");
  all += stated("zero-stable", r.zero_stable) + stated("A-stable", r.a_stable);
  if (r.alpha > 0 && r.alpha < 90) all += line("A(alpha)", fmt::format("alpha = {:.2f} degrees", r.alpha));
  all +=
      stated("L-stable", r.l_stable) + stated("contractive", r.contractive) + stated("barriers", r.barriers);
  const auto how_far = [](double x) {
    return std::isinf(x) ? "all of it" : x == 0 ? "not next to 0" : "up to " + number(x, 5);
  };
  all += line("stable", fmt::format("on the negative axis: {}; on the imaginary axis: {}",
                                    how_far(r.real_interval), how_far(r.imaginary_interval)));
  Table table({"w h", "spectral radius", "algorithmic damping", "phase error"});
  for (const Oscillation& o : oscillations(m.form, w))
    table.add({number(o.w), number(o.radius, 8), number(std::abs(o.damping) < 1e-14 ? 0 : o.damping, 8),
               number(o.phase, 8)});
  return all + "\n" + shown(table);
}

std::string table(const std::vector<MethodStability>& methods, const std::vector<double>& w) {
  std::vector<std::string> head = {"method",        "order", "C",           "zero",        "A",
                                   "alpha",         "L",     "at infinity", "contractive", "negative axis",
                                   "imaginary axis"};
  for (const double each : w) head.push_back("radius at " + number(each));
  head.push_back("checked to");
  Table all(head);
  for (const MethodStability& m : methods) {
    const StabilityReport& r = m.report;
    std::vector<std::string> row = {m.name,
                                    std::to_string(r.order),
                                    number(r.error_constant, 4),
                                    word(r.zero_stable.is),
                                    word(r.a_stable.is),
                                    fmt::format("{:.2f}", r.alpha),
                                    word(r.l_stable.is),
                                    four(r.radius_at_infinity < 1e-7 ? 0 : r.radius_at_infinity),
                                    word(r.contractive.is),
                                    interval(r.real_interval),
                                    interval(r.imaginary_interval)};
    for (const Oscillation& o : oscillations(m.form, w)) row.push_back(four(o.radius));
    row.push_back(m.difference ? number(*m.difference, 1) : "");
    all.add(row);
  }
  return shown(all);
}

Json to_json(const MethodStability& m, const std::vector<double>& w) {
  const StabilityReport& r = m.report;
  const auto stated = [](const Statement& s) {
    return Json{{"holds", s.is == Is::open ? Json() : Json(s.is == Is::yes)}, {"evidence", s.evidence}};
  };
  const auto bounded = [](double x) { return std::isinf(x) ? Json("all") : Json(x); };
  Json at = Json::array();
  for (const Oscillation& o : oscillations(m.form, w))
    at.push_back(
        {{"wh", o.w}, {"spectral_radius", o.radius}, {"damping", o.damping}, {"phase_error", o.phase}});
  return {{"method", m.name},
          {"order", r.order},
          {"error_constant", r.error_constant},
          {"alpha", r.alpha},
          {"radius_at_infinity", bounded(r.radius_at_infinity)},
          {"negative_axis", bounded(r.real_interval)},
          {"imaginary_axis", bounded(r.imaginary_interval)},
          {"zero_stable", stated(r.zero_stable)},
          {"a_stable", stated(r.a_stable)},
          {"l_stable", stated(r.l_stable)},
          {"contractive", stated(r.contractive)},
          {"barriers", stated(r.barriers)},
          {"difference", m.difference ? Json(*m.difference) : Json()},
          {"oscillation", at}};
}

}  // namespace dalembert::app
