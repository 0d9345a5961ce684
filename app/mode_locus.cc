#include "app/mode_locus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

#include "app/screen.h"
#include "app/text.h"
#include "dalembert/analysis/linearisation.h"
#include "dalembert/analysis/modes.h"
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

/// How many of them grow.
struct Growing {
  explicit Growing(const Modes& modes) {
    for (const Mode& mode : modes.all) {
      // A real value passes zero: there its error is larger than itself, but its sign is the best that is known.
      if (mode.oscillates() ? mode.fate != Mode::Fate::grows : mode.value.real() <= 0) continue;
      ++(mode.oscillates() ? oscillate : do_not);
      if (mode.oscillates() && (oscillate == 1 || mode.value.real() < slowest.real())) slowest = mode.value;
    }
  }
  bool operator==(const Growing& b) const { return oscillate == b.oscillate && do_not == b.do_not; }
  int all() const { return 2 * oscillate + do_not; }

  int oscillate = 0, do_not = 0;
  Complex slowest = 0;  ///< of those that oscillate
};

using Look = std::function<std::optional<Growing>(double)>;

/// Halves the interval until both ends are one, and each part in which something else happens as well.
void locate(const Look& look, const std::string& parameter, double low, Growing before, double high,
            Growing after, std::vector<std::pair<double, std::string>>& said) {
  if (before == after) return;
  const double enough = 1e-7 * std::abs(high - low);
  while (std::abs(high - low) > enough) {
    const double middle = low + (high - low) / 2;
    const auto there = look(middle);
    if (!there || middle == low || middle == high) break;
    if (*there == before) {
      low = middle, before = *there;
    } else if (*there == after) {
      high = middle, after = *there;
    } else {
      locate(look, parameter, low, before, middle, *there, said);
      return locate(look, parameter, middle, *there, high, after, said);
    }
  }
  if (before.all() == after.all()) return;  // a pair that grows becomes two, or two become a pair
  const bool begins = after.all() > before.all();
  const Growing& with = begins ? after : before;
  said.emplace_back(
      high, fmt::format(
                "near {} = {} {} {} to grow", parameter, number(high, 4),
                before.oscillate == after.oscillate
                    ? "what does not oscillate"
                    : "an oscillation of " + number(with.slowest.imag() / (2 * std::numbers::pi), 3) + " Hz",
                begins ? "begins" : "ceases"));
}

/// Between neighbours of which not as many grow.
void find_crossings(Locus& locus, const std::vector<std::optional<Growing>>& growing, const Look& look) {
  std::vector<std::pair<double, std::string>> said;
  for (std::size_t i = 1; i < growing.size(); ++i)
    if (growing[i - 1] && growing[i])
      locate(look, locus.parameter, locus.values[i - 1], *growing[i - 1], locus.values[i], *growing[i], said);
  for (const auto& [at, sentence] : said)
    if (std::find(locus.crossings.begin(), locus.crossings.end(), sentence) == locus.crossings.end())
      locus.crossings.push_back(sentence);
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
  const auto modes_at = [&](double value) {
    BaseCall one = call;
    one.set.push_back(variation.name + "=" + full_number(value));
    const Subject subject = find_subject(one.what, one.set);
    const BaseState base = base_state(one, subject);
    const Linearisation linear = linearise(mechanical(*base.problem, one.what), base.state,
                                           one.at == "equilibrium" ? Time::stands_still : Time::goes_on);
    return std::pair(linear.base, modes_of(linear.A, linear.doubt));
  };
  std::vector<std::optional<Growing>> growing;
  for (std::size_t i = 0; i < variation.values.size(); ++i) {
    std::vector<Complex> values;
    growing.emplace_back();
    try {
      const auto [base, modes] = modes_at(variation.values[i]);
      values = values_of(modes);
      growing.back() = Growing(modes);
      locus.bases.emplace_back(bases[static_cast<int>(base)]);
      locus.failures.emplace_back();
    } catch (const Error& error) {
      locus.bases.emplace_back("none");
      locus.failures.push_back(error.sentence());
    }
    follow(locus.branches, std::move(values), i);
  }
  if (std::all_of(locus.bases.begin(), locus.bases.end(), [](const auto& b) { return b == "none"; }))
    throw Error(locus.failures.front());
  find_crossings(locus, growing, [&](double value) -> std::optional<Growing> {
    try {
      return Growing(modes_at(value).second);
    } catch (const Error&) {
      return {};
    }
  });
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
