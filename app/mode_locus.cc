#include "app/mode_locus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/modes_report.h"
#include "app/screen.h"
#include "app/text.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/core/text.h"
#include "dalembert/sweep/design.h"

namespace dalembert::app {

namespace {

using Complex = std::complex<double>;
const Complex none(not_a_number, not_a_number);

bool known(Complex z) {
  return z.real() == z.real();
}

/// Continues each branch with the nearest value that is left, nearest pairs first; new values begin branches of their own.
void follow(std::vector<std::vector<Complex>>& branches, std::vector<Complex> values, std::size_t at) {
  for (auto& branch : branches) branch.push_back(none);
  struct Pair {
    double distance;
    std::size_t branch, value;
  };
  std::vector<Pair> pairs;
  for (std::size_t b = 0; b < branches.size(); ++b) {
    if (at == 0 || !known(branches[b][at - 1])) continue;
    Complex expected = branches[b][at - 1];
    if (at > 1 && known(branches[b][at - 2])) expected += branches[b][at - 1] - branches[b][at - 2];
    for (std::size_t v = 0; v < values.size(); ++v) pairs.push_back({std::abs(values[v] - expected), b, v});
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
  std::vector<bool> used(values.size(), false);
  for (const Pair& pair : pairs) {
    if (used[pair.value] || known(branches[pair.branch][at])) continue;
    branches[pair.branch][at] = values[pair.value];
    used[pair.value] = true;
  }
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (used[v]) continue;
    branches.emplace_back(at, none);
    branches.back().push_back(values[v]);
  }
}

std::vector<Complex> values_of(const Modes& modes) {
  std::vector<Complex> all;
  for (const Mode& mode : modes.all) {
    all.push_back(mode.value);
    if (mode.oscillates()) all.push_back(std::conj(mode.value));
  }
  return all;
}

/// Between neighbours of which one grows and the other does not, where a straight line meets zero.
void find_crossings(Locus& locus) {
  const auto grows = [](Complex z) { return z.real() > 1e-8 * std::abs(z); };
  std::set<std::string> said;
  for (const auto& branch : locus.branches)
    for (std::size_t i = 1; i < branch.size(); ++i) {
      const Complex a = branch[i - 1], b = branch[i];
      if (!known(a) || !known(b) || b.imag() < 0 || grows(a) == grows(b)) continue;
      const double part = a.real() / (a.real() - b.real());
      const double x = locus.values[i - 1] + part * (locus.values[i] - locus.values[i - 1]);
      const double frequency =
          std::abs(a.imag() + part * (b.imag() - a.imag())) / (2 * 3.14159265358979323846);
      said.insert(fmt::format(
          "near {} = {} {} {} to grow", locus.parameter, number(x, 4),
          b.imag() == 0 ? "what does not oscillate" : "an oscillation of " + number(frequency, 3) + " Hz",
          grows(b) ? "begins" : "ceases"));
    }
  locus.crossings.assign(said.begin(), said.end());
}

}  // namespace

Locus mode_locus(const BaseCall& call, const std::string& vary) {
  const Variation variation = read_variation(vary);
  if (variation.values.empty())
    throw Error("--vary '" + vary + "' has no number of values",
                "for instance " + variation.name + "=0:1:21");
  Locus locus{call.what, variation.name, variation.values, {}, {}, {}, {}};
  for (const auto& set : call.set)
    if (to_assignment("--set", set).first == variation.name)
      throw Error("parameter '" + variation.name + "' is set and varied", "give one of --set and --vary");
  const char* bases[] = {"equilibrium", "steady motion", "instant"};
  for (std::size_t i = 0; i < variation.values.size(); ++i) {
    BaseCall one = call;
    one.set.push_back(variation.name + "=" + full_number(variation.values[i]));
    const Subject subject = find_subject(one.what, one.set);
    std::vector<Complex> values;
    try {
      const BaseState base = base_state(one, subject);
      const ModesReport report(mechanical(*base.problem, one.what), base,
                               one.at == "equilibrium" ? Time::stands_still : Time::goes_on);
      values = values_of(report.modes);
      locus.bases.emplace_back(bases[static_cast<int>(report.linear.base)]);
      locus.failures.emplace_back();
    } catch (const Error& error) {
      locus.bases.emplace_back("none");
      locus.failures.push_back(error.sentence());
    }
    follow(locus.branches, std::move(values), i);
  }
  if (std::all_of(locus.bases.begin(), locus.bases.end(), [](const auto& b) { return b == "none"; }))
    throw Error(locus.failures.front());
  find_crossings(locus);
  return locus;
}

std::string text(const Locus& locus) {
  Table table({locus.parameter, "", "eigenvalues [1/s]"});
  for (std::size_t i = 0; i < locus.values.size(); ++i) {
    std::vector<std::string> all;
    for (const auto& branch : locus.branches)
      if (known(branch[i]) && branch[i].imag() >= 0)
        all.push_back(
            branch[i].imag() == 0
                ? number(branch[i].real(), 5)
                : number(std::abs(branch[i].real()) < 1e-9 * std::abs(branch[i]) ? 0 : branch[i].real(), 5) +
                      " +- " + number(branch[i].imag(), 5) + "i");
    table.add({number(locus.values[i], 5), locus.bases[i],
               locus.failures[i].empty() ? join(all) : locus.failures[i]});
  }
  std::string all = "Eigenvalues of " + locus.what + " over " + locus.parameter +
                    ", without those that are zero\n\n" + shown(table);
  if (!locus.crossings.empty()) all += "\n";
  for (const auto& sentence : locus.crossings) {
    std::string line = sentence;
    line.front() = 'N';
    all += line + ".\n";
  }
  return all;
}

Json to_json(const Locus& locus) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < locus.values.size(); ++i) {
    Json values = Json::array();
    for (const auto& branch : locus.branches)
      values.push_back(known(branch[i]) ? Json{branch[i].real(), branch[i].imag()} : Json());
    rows.push_back({{"value", locus.values[i]},
                    {"base", locus.bases[i]},
                    {"eigenvalues", values},
                    {"failure", locus.failures[i].empty() ? Json() : Json(locus.failures[i])}});
  }
  return {{"problem", locus.what},
          {"parameter", locus.parameter},
          {"crossings", locus.crossings},
          {"rows", rows}};
}

std::vector<Panel> picture(const Locus& locus) {
  Panel real{.title = "eigenvalues of " + locus.what,
             .x_label = locus.parameter,
             .y_label = "real part [1/s]",
             .series = {}};
  Panel imaginary{.title = "", .x_label = locus.parameter, .y_label = "imaginary part [1/s]", .series = {}};
  int count = 0;
  for (const auto& branch : locus.branches) {
    const bool lower =
        std::all_of(branch.begin(), branch.end(), [](Complex z) { return !known(z) || z.imag() < 0; });
    if (lower) continue;
    Series series{"eigenvalue " + std::to_string(++count), locus.values, {}};
    Series other = series;
    for (const Complex z : branch) {
      series.y.push_back(z.real());
      other.y.push_back(z.imag() == 0 ? not_a_number : std::abs(z.imag()));
    }
    other.name = "";
    real.series.push_back(std::move(series));
    imaginary.series.push_back(std::move(other));
  }
  const Series zero{"", {locus.values.front(), locus.values.back()}, {0, 0}, Line::dotted};
  for (Panel* panel : {&real, &imaginary}) panel->series.push_back(zero);  // both over all values
  return {real, imaginary};
}

}  // namespace dalembert::app
