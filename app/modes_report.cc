#include "app/modes_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "app/screen.h"
#include "app/text.h"
#include "dalembert/analysis/energy_supply.h"
#include "dalembert/constraints/redundancy.h"
#include "dalembert/control/redundant_rows.h"
#include "dalembert/core/table.h"
#include "dalembert/linear/decompositions.h"

namespace dalembert::app {

namespace {

using Base = Linearisation::Base;
constexpr double shown_part = .05;  // smaller parts of a shape are left out of sentences

Json json(std::complex<double> z) {
  return {z.real(), z.imag()};
}

std::string name_of(Mode::Fate fate) {
  const char* names[] = {"decays", "lasts", "grows", "unknown"};
  return names[static_cast<int>(fate)];
}

std::string base_sentence(const ModesReport& report) {
  switch (report.linear.base) {
    case Base::equilibrium:
      if (report.linear.loaded)
        return " It is an equilibrium of t = " + number(report.linear.state.t) +
               " only: loads or drives change with time and move it. What follows is said of loads that stay "
               "as they are then.";
      return report.where.starts_with("at an equilibrium") ? "" : " This is an equilibrium.";
    case Base::steady:
      return " This is a steady motion: the eigenvalues hold as long as it goes on, seen from a frame that "
             "goes along.";
    case Base::instant:
      break;
  }
  return " This is no equilibrium, and is not recognised as a steady motion: the eigenvalues are those of "
         "one "
         "instant. They say how the equations resist a small change there (frequencies, stiffness of a "
         "solution), not whether the motion is stable; `--at equilibrium` looks where it comes to rest.";
}

std::string loose_sentences(const ModesReport& report) {
  const Matrix loose = report.loose();
  if (report.modes.zeros == 0) return "";
  std::string all = fmt::format(
      "\n{} zero: {} not change what acts.",
      plural(static_cast<long>(report.modes.zeros), "eigenvalue is", "eigenvalues are"),
      loose.cols() == 1 ? "a change of one kind does" : fmt::format("changes of {} kinds do", loose.cols()));
  if (report.modes.hidden > 0)
    all += fmt::format(
        " Forces that cancel are known to their rounding only: values below {} 1/s would not be seen.",
        number(report.modes.hidden, 1));
  if (zero_growth(report).power == 1 && zero_growth(report).of.empty())
    all += " What is set in motion that way moves on.";
  if (loose.cols() == 0) return all + "\n";
  all += "\n";
  for (Eigen::Index j = 0; j < loose.cols(); ++j)
    all += "  " + words_of_shape(loose.col(j).cast<std::complex<double>>(), report.names, 5) + "\n";
  return all;
}

}  // namespace

ModesReport::ModesReport(const Mechanical& p, const BaseState& base, Time time)
    : problem(p),
      where(base.where),
      linear(linearise(p, base.state, time)),
      modes(modes_of(linear.A, linear.doubt, tell_now_and_then())),
      names(displacement_names(p)) {
  if (linear.base == Base::equilibrium) soft = soft_directions(p, linear.state, linear.tolerance);
  kinks = kinks_at(p, linear.state, linear.tolerance);
  if (least_energy(linear)) supply = energy_supply(p, linear, modes);
  if (p.sizes().s == 0) return;
  const Layout layout = p.layout();
  for (const auto& label : layout["s"].labels) names.push_back(label);
}

Eigen::VectorXcd ModesReport::shape(const Mode& mode) const {
  Eigen::VectorXcd all(linear.u.rows() + linear.x.rows());
  all << linear.u * mode.shape, linear.x * mode.shape;
  Eigen::Index most = 0;
  if (all.size() == 0 || all.cwiseAbs().maxCoeff(&most) == 0) return all;
  return all / all[most];
}

Matrix ModesReport::loose() const {
  Matrix all(linear.u.rows() + linear.x.rows(), modes.still.cols());
  all << linear.u * modes.still, linear.x * modes.still;
  return echelon(std::move(all));
}

bool ModesReport::held(const Vector& displacement) const {
  const Mechanical::Sizes n = problem.sizes();
  const Vector u = displacement.head(n.v);
  return n.nonholonomic > 0 &&
         largest((linear.jacobian.bottomRows(n.nonholonomic) * u).eval()) > 1e-9 * largest(u);
}

std::string rounded_rows(const Mechanical& problem, const State& state) {
  const Redundancy found = find_redundancy(problem, state);
  if (!(found.inconsistent > 0)) return "";
  std::string rows;
  for (const auto& each : name_rows(found, problem).dependent) rows += (rows.empty() ? "" : ", ") + each.row;
  return "Warning: rows are inconsistent by about " + number(found.inconsistent, 3) +
         ", as where lengths are rounded; taken as redundant, and not obeyed here: " + rows +
         ". If the lengths are exact, these hold what moves without them.";
}

std::string words_of_shape(const Eigen::VectorXcd& shape, const std::vector<std::string>& names,
                           std::size_t most) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(shape.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(shape[a]) > std::abs(shape[b]) * (1 + 1e-9);
  });
  std::vector<std::string> parts;
  std::size_t left = 0;
  for (const Eigen::Index i : order) {
    if (std::abs(shape[i]) < shown_part) break;
    if (parts.size() == most) {
      ++left;
      continue;
    }
    const double angle = std::arg(shape[i]) * 180 / std::numbers::pi;
    const bool real = std::abs(shape[i].imag()) < .01 * std::abs(shape[i]);
    parts.push_back(names[static_cast<std::size_t>(i)] + " " +
                    (real ? number(shape[i].real(), 3)
                          : fmt::format("{} ({:.0f} deg)", number(std::abs(shape[i]), 3), angle)));
  }
  return join(parts) + (left > 0 ? fmt::format(" and {} more", left) : "");
}

Growth zero_growth(const ModesReport& report) {
  const Modes& modes = report.modes;
  if (modes.zero_chain < 2) return {};
  // A velocity that goes on is what every free body has; a displacement that sets another one in motion is not.
  const auto places = [&](const Matrix& of) {
    Matrix all(report.linear.u.rows() + report.linear.x.rows(), of.cols());
    all << report.linear.u * of, report.linear.x * of;
    return all;
  };
  Matrix both(report.linear.u.rows() + report.linear.x.rows(), modes.still.cols() + modes.moving.cols());
  both << places(modes.still), places(modes.moving);
  const bool displaced = echelon(both).cols() > echelon(places(modes.still)).cols();
  const int power = static_cast<int>(modes.zero_chain) - 1;
  // Heading drives what lies across of everything that moves along, and frames that turn are known by differences only.
  if (report.linear.base != Base::equilibrium || (power == 1 && !displaced)) return {power, {}};
  Eigen::VectorXcd shape = places(modes.driven).col(0).cast<std::complex<double>>();
  Eigen::Index most = 0;
  if (shape.cwiseAbs().maxCoeff(&most) > 0) shape /= std::complex<double>(shape[most]);
  return {power, words_of_shape(shape, report.names, 3)};
}

bool grows_with_time(const Mode& mode) {
  return mode.chained && mode.fate == Mode::Fate::lasts && mode.oscillates();
}

std::string words_of_fate(const Mode& mode) {
  if (mode.fate == Mode::Fate::lasts && !mode.oscillates())
    return "not known: rounding hides values below " + number(4 * mode.error, 1);
  if (mode.fate == Mode::Fate::unknown)
    return "not known: copies of one value decay, but rounding may part them by " + number(mode.error, 1);
  const std::string fate = grows_with_time(mode) ? "grows like the time" : name_of(mode.fate);
  return mode.oscillates() ? "oscillates and " + fate : fate;
}

std::string text(std::complex<double> z) {
  if (z.imag() == 0) return number(z.real());
  const std::string real = std::abs(z.real()) < 1e-9 * std::abs(z) ? "0" : number(z.real());
  return real + (z.imag() < 0 ? " - " : " + ") + number(std::abs(z.imag())) + "i";
}

namespace {

std::string along(const ModesReport& report, const Vector& direction) {
  Eigen::Index most = 0;
  direction.cwiseAbs().maxCoeff(&most);
  return report.names[static_cast<std::size_t>(most)];
}

/// Where stiffness vanishes and higher terms decide; empty where they do not.
std::string soft_verdict(const ModesReport& report) {
  using Force = SoftDirection::Force;
  for (const SoftDirection& each : report.soft)
    if (each.force == Force::away || each.force == Force::one_side)
      return "It is unstable: the stiffness along " + along(report, each.along) +
             " vanishes, and farther off forces push away" +
             (each.force == Force::one_side ? " on one side." : ".");
  for (const SoftDirection& each : report.soft)
    if (each.force == Force::back)
      return "In linear terms it is undetermined: the stiffness along " + along(report, each.along) +
             " vanishes here; farther off forces lead back.";
  return "";
}

std::string verdict_of_constants(const ModesReport& report) {
  if (!report.kinks.empty())
    return "Whether it is stable the eigenvalues do not say, since forces have a kink here.";
  const bool growth = report.modes.any(Mode::Fate::grows) || !zero_growth(report).of.empty();
  if ((growth || !soft_verdict(report).empty()) && least_energy(report.linear))
    return "The energy is least here, and damping puts none in. Rounding hides some of the eigenvalues: "
           "what they say of growth does not hold.";
  if (!report.modes.any(Mode::Fate::grows))
    if (const std::string said = soft_verdict(report); !said.empty()) return said;
  if (report.modes.any(Mode::Fate::grows)) return "It is unstable: a small change grows.";
  if (const Growth growth = zero_growth(report); !growth.of.empty())
    return "It is unstable: a change that nothing resists drives another one, which grows like " +
           (growth.power == 1 ? "the time" : "t^" + std::to_string(growth.power)) + " (" + growth.of + ").";
  if (report.modes.all.empty())
    return report.modes.zeros == 0 ? "There is no motion that would grow or decay."
                                   : "In linear terms nothing grows or decays.";
  if (report.modes.any(Mode::Fate::unknown) ||
      std::any_of(report.modes.all.begin(), report.modes.all.end(),
                  [](const Mode& m) { return m.fate == Mode::Fate::lasts && !m.oscillates(); }))
    return "Whether it is stable is not known: rounding hides whether a small change grows.";
  if (std::any_of(report.modes.all.begin(), report.modes.all.end(), grows_with_time))
    return "A small change can grow in proportion to the time: an oscillation that is not damped is there "
           "more "
           "often than it has shapes.";
  if (report.modes.any(Mode::Fate::lasts)) {
    if (!report.supply)
      return "Nothing grows in linear terms; what is not damped lasts, and higher terms decide.";
    switch (*report.supply) {
      case Supply::seen:
        return "Nothing grows in linear terms, and what is not damped lasts. Whether it is stable they "
               "do not decide: beside it forces put energy in.";
      case Supply::unseen:
        return "Nothing grows in linear terms, and what is not damped lasts. No force is seen to put "
               "energy in nearby, but some have no potential that is known: whether it is stable is not "
               "decided.";
      case Supply::none:
        return "It is stable: the energy is least here, no force is seen to put any in nearby, and what is "
               "not damped lasts.";
    }
  }
  return report.modes.zeros == 0 ? "It is stable: every small change decays."
         : report.modes.zero_chain > 2
             ? "Every small change decays but those that nothing resists, which may grow."
             : "It is stable but for what nothing resists: every other small change decays.";
}

}  // namespace

std::string verdict(const ModesReport& report) {
  if (report.linear.base == Base::instant) return "";
  const std::string said = verdict_of_constants(report);
  if (!report.linear.timed) return said;
  return "Forces about it change with time, so that eigenvalues of one instant do not say whether it is "
         "stable (where they come "
         "again with a period, `dalembert analyse floquet` does). With all as it is at t = " +
         number(report.linear.state.t) + ", and held so: " + said;
}

bool unstable(const ModesReport& report) {
  return report.linear.base != Base::instant && verdict_of_constants(report).starts_with("It is unstable");
}

std::string text(const ModesReport& report, const std::string& title) {
  std::string all = title + "\nLinearised " + report.where + "." + base_sentence(report);
  for (const Kink& kink : report.kinks)
    all += fmt::format(
        " Forces have a kink here: per {} of {} they change by {} on one side and by {} on the other. Small "
        "motions obey no linear "
        "equations, and the eigenvalues below are those of one side.",
        kink.of_velocity ? "velocity" : "displacement", along(report, kink.along), number(kink.one, 4),
        number(kink.other, 4));
  if (const std::string said = verdict(report); !said.empty()) all += " " + said;
  if (const std::string said = rounded_rows(report.problem, report.linear.state); !said.empty())
    all += "\n" + said;
  all += "\n";
  if (!report.modes.all.empty()) {
    Table table({"", "eigenvalue [1/s]", "frequency [Hz]", "damping ratio", "time [s]", ""});
    std::string shapes = "\nShapes, by the largest displacements:\n";
    int count = 0;
    for (const Mode& mode : report.modes.all) {
      table.add({std::to_string(++count), text(mode.value), mode.oscillates() ? number(mode.frequency()) : "",
                 !mode.oscillates() || mode.fate == Mode::Fate::unknown ? ""
                 : mode.fate == Mode::Fate::lasts                       ? "0"
                                                                        : number(mode.damping(), 4),
                 mode.fate == Mode::Fate::decays || mode.fate == Mode::Fate::grows
                     ? number(1 / std::abs(mode.value.real()), 4)
                     : "",
                 words_of_fate(mode)});
      shapes += fmt::format("{:>3}  {}\n", count, words_of_shape(report.shape(mode), report.names, 4));
    }
    all += "\n" + shown(table) + shapes;
  }
  return all + loose_sentences(report);
}

Json to_json(const ModesReport& report, const std::string& what) {
  const char* bases[] = {"equilibrium", "steady motion", "instant"};
  Json modes = Json::array(), loose = Json::array();
  const auto shape = [&](const Eigen::VectorXcd& of) {
    Json all = Json::object();
    for (Eigen::Index i = 0; i < of.size(); ++i) all[report.names[static_cast<std::size_t>(i)]] = json(of[i]);
    return all;
  };
  for (const Mode& mode : report.modes.all)
    modes.push_back({{"value", json(mode.value)},
                     {"frequency", mode.frequency()},
                     {"damping", mode.damping()},
                     {"fate", name_of(mode.fate)},
                     {"error", mode.error},
                     {"grows_with_time", grows_with_time(mode)},
                     {"shape", shape(report.shape(mode))}});
  const Matrix still = report.loose();
  for (Eigen::Index j = 0; j < still.cols(); ++j)
    loose.push_back(shape(still.col(j).cast<std::complex<double>>()));
  return {{"problem", what},
          {"where", report.where},
          {"t", report.linear.state.t},
          {"base", bases[static_cast<int>(report.linear.base)]},
          {"verdict", verdict(report)},
          {"warning", rounded_rows(report.problem, report.linear.state)},
          {"kinks", report.kinks.size()},
          {"depends_on_time", report.linear.timed},
          {"loads_change", report.linear.loaded},
          {"modes", modes},
          {"zero_eigenvalues", report.modes.zeros},
          {"longest_chain_of_zeros", report.modes.zero_chain},
          {"unresisted", loose},
          {"state", to_json(report.linear.state.y)},
          {"names", report.names},
          {"A", to_json(report.linear.A)},
          {"displacements", to_json(report.linear.u)},
          {"velocities", to_json(report.linear.w)},
          {"mass", to_json(report.linear.mass)},
          {"damping", to_json(report.linear.damping)},
          {"stiffness", to_json(report.linear.stiffness)}};
}

Panel eigenvalue_panel(const ModesReport& report, const std::string& what) {
  Panel panel{.title = "eigenvalues of " + what,
              .x_label = "real part [1/s]",
              .y_label = "imaginary part [1/s]",
              .series = {}};
  for (const auto fate : {Mode::Fate::decays, Mode::Fate::lasts, Mode::Fate::grows, Mode::Fate::unknown}) {
    const Marker markers[] = {Marker::circle, Marker::diamond, Marker::cross, Marker::square};
    Series series{name_of(fate), {}, {}, Line::none, markers[static_cast<int>(fate)]};
    for (const Mode& mode : report.modes.all)
      if (mode.fate == fate)
        for (const double sign : {1., -1.}) {
          series.x.push_back(mode.value.real());
          series.y.push_back(sign * mode.value.imag());
        }
    if (!series.x.empty()) panel.series.push_back(std::move(series));
  }
  return panel;
}

}  // namespace dalembert::app
