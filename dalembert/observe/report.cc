#include "dalembert/observe/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dalembert/control/reporter.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/core/table.h"

namespace dalembert {

namespace {

constexpr std::size_t most_rows = 24;  // a longer table of the final state or of events is cut in the middle
const std::string margin = "  ";       // of tables

/// "-" for NaN: not known.
std::string number(double x, int digits) {
  return std::isnan(x) ? "-" : fmt::format("{:.{}g}", x, digits);
}

std::string item(const std::string& name, const std::string& text) {
  return fmt::format("{:<13}{}\n", name, text);
}

std::string effort(const Statistics& s) {
  std::string steps = fmt::format("{}, and {} rejected", s.steps, s.rejected);
  if (s.rejected > 0)
    steps += fmt::format(" ({} by the error test, {} because an evaluation or iteration failed)",
                         s.error_test_failures, s.convergence_failures);
  std::string evaluations =
      fmt::format("{} force, {} constraint, {} jacobians, {} factorisations, {} solves", s.force_evaluations,
                  s.constraint_evaluations, s.jacobians, s.factorizations, s.solves);
  const auto also = [&](std::int64_t count, const std::string& what) {
    if (count > 0)
      evaluations += fmt::format(", {} {}", count,
                                 count == 1 && what.ends_with('s') ? what.substr(0, what.size() - 1) : what);
  };
  also(s.newton_iterations, "nonlinear iterations");
  also(s.projections, "projections");
  also(s.refined_solves, "refined");
  also(s.pivoted_solves, "pivoted");
  also(s.rank_checks, "rank checks");
  return item("steps", steps) + item("evaluations", evaluations);
}

std::string kept(const ReportDetails& details) {
  std::string all;
  if (const auto& drift = details.drift)
    all += item("drift", fmt::format("position {:.3g}, velocity {:.3g} (largest over all steps)",
                                     drift->position, drift->velocity));
  if (const auto& energy = details.energy)
    all += item("energy", fmt::format("start {:.10g}, end {:.10g}, work {:.10g}, change minus work {:.3g}",
                                      energy->start, energy->end, energy->work, energy->error()));
  return all;
}

/// Which pairs went on where the chosen one turned out not to suit the motion.
std::string changes_of_pair(const Summary& s) {
  std::string text;
  for (const auto& change : s.changes) {
    const bool back = change.formulation == s.formulation && change.method == s.method;
    const std::string to = back ? "back" : "to " + change.formulation + " with " + change.method;
    text += fmt::format("{}at t = {:.6g} {}, as {}", text.empty() ? "" : "; ", change.t, to, change.why);
  }
  return text.empty() ? "" : item("changed", text);
}

/// How well the motion satisfies the equations, as the witness saw it.
std::string defect(const Testimony& seen) {
  if (seen.looks == 0) return {};
  std::string text = seen.steps == Testimony::Steps::fixed
                         ? fmt::format("at most {:.2g} of the change within a step", seen.largest)
                         : fmt::format("at most {:.2g} times the tolerance", seen.largest);
  if (seen.largest > 0) text += fmt::format(" (in {} at t = {:.6g})", seen.entry, seen.t);
  text += fmt::format(", {} steps looked at", seen.looks);
  if (seen.rejected > 0) text += fmt::format(", {} attempts thrown away for it", seen.rejected);
  return item("defect", text);
}

/// The rows, without the middle ones if there are too many.
std::string shortened(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                      std::size_t width) {
  Table table(head);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.size() > most_rows && i == most_rows / 2) {
      std::vector<std::string> gap(head.size());
      gap.front() = fmt::format("... {} more", rows.size() - most_rows + 2);
      table.add(gap);
      i = rows.size() - most_rows / 2 + 2;
    }
    table.add(rows[i]);
  }
  return table.text(margin, width);
}

std::string events(const std::vector<EventRecord>& records, std::size_t width) {
  if (records.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const auto& record : records) rows.push_back({record.name, number(record.t, 15)});
  return item("events", std::to_string(records.size())) + shortened({"event", "t"}, rows, width);
}

std::string passages(const std::vector<SingularityRecord>& records, std::size_t width) {
  if (records.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  constexpr std::size_t most_named = 4;
  for (const auto& record : records) {
    const std::size_t named = std::min(record.rows.size(), most_named);
    std::string names = fmt::format(
        "{}", fmt::join(record.rows.begin(), record.rows.begin() + static_cast<std::ptrdiff_t>(named), ", "));
    if (record.rows.size() > named) names += fmt::format(" and {} more", record.rows.size() - named);
    rows.push_back({number(record.t, 9), names, record.how});
  }
  return item("passages",
              fmt::format("{} singular position{}", records.size(), records.size() == 1 ? "" : "s")) +
         shortened({"t", "dependent rows", "how"}, rows, width);
}

std::string redundancy(const std::optional<RedundancyReport>& report) {
  if (!report) return {};
  std::string all;
  for (const auto& sentence : in_words(*report)) all += item(all.empty() ? "redundancy" : "", sentence);
  if (report->choices > 1)
    all += item("", fmt::format("independent rows were chosen {} times along the way", report->choices));
  return all;
}

/// Windows and fields; nothing for a problem in one piece.
std::string coupling(const CouplingReport& report, std::size_t width) {
  if (report.fields.empty()) return {};
  double residual = 0;
  for (const auto& w : report.windows) residual = std::max(residual, w.residual);
  std::string text = fmt::format(
      "{:<13}{}, {} iterations in all, at most {} in one; contraction at most {:.3g}; original equations met "
      "to {:.2g}\n",
      "windows", report.windows.size(), report.sweeps, report.most_iterations(), report.worst_contraction(),
      residual);
  Table table({"field", "method", "substeps", "force", "factorisations", "solves", "seconds"});
  for (const auto& f : report.fields)
    table.add({f.name, f.method, std::to_string(f.substeps), std::to_string(f.statistics.force_evaluations),
               std::to_string(f.statistics.factorizations), std::to_string(f.statistics.solves),
               number(f.seconds, 3)});
  return text + table.text(margin, width);
}

std::string final_state(const Summary& summary, const Problem* problem, std::size_t width) {
  const Layout& layout = summary.layout;
  const State& state = summary.state;
  Vector reference = Vector::Constant(layout.size(), not_a_number);
  if (problem != nullptr && !summary.error.empty())
    if (const auto exact = problem->exact(state.t))
      reference = reported(*exact, layout_of(*exact, *problem), layout).y;
  std::vector<std::vector<std::string>> rows;
  for (const auto& block : layout.blocks())
    for (Eigen::Index i = block.offset; i < block.offset + block.size; ++i)
      rows.push_back({layout.label(i), number(state.y[i], 15),
                      block.units[static_cast<std::size_t>(i - block.offset)],
                      std::isnan(reference[i]) ? "" : fmt::format("{:.2e}", state.y[i] - reference[i])});
  return item("state", "t = " + number(state.t, 15)) +
         shortened({"name", "value", "unit", "minus reference"}, rows, width);
}

std::string watched(const std::vector<Watch>& watches, const State& state, std::size_t width) {
  if (watches.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const Watch& watch : watches) rows.push_back({watch.name, number(watch.value(state), 15), watch.unit});
  return item("watches", "t = " + number(state.t, 15)) + shortened({"name", "value", "unit"}, rows, width);
}

std::string errors(const Summary& summary) {
  std::vector<std::string> all;
  for (const auto& block : summary.layout.blocks())
    if (const auto found = summary.error.find(block.name); found != summary.error.end())
      all.push_back(fmt::format("{} {:.2e}", block.name, found->second));
  return all.empty() ? ""
                     : item("error", fmt::format("{}", fmt::join(all, ", ")) +
                                         "  (largest |difference|/(1+|reference|))");
}

}  // namespace

std::string report(const Summary& s, const ReportDetails& details) {
  std::string all;
  if (!details.title.empty()) all += item("problem", details.title);
  all += item("formulation", s.formulation) + item("method", s.method) + changes_of_pair(s);
  if (s.why != "as asked") all += item("", s.why);
  all += item("outcome", std::string(name(s.outcome)) + ", " + s.message);
  if (!s.start_message.empty() && s.outcome != Outcome::inconsistent_start)
    all += item("start", s.start_message);
  for (const auto& warning : s.warnings) all += item("warning", warning);
  all += redundancy(s.redundancy) + coupling(s.coupling, details.width) + effort(s.statistics) +
         defect(s.testimony) + kept(details) + events(s.events, details.width) +
         passages(s.crossings, details.width) + errors(s) + final_state(s, details.problem, details.width) +
         watched(details.watches, s.state, details.width);
  for (const auto& file : details.files) all += item("written", file);
  return all + item("time", fmt::format("{:.3g} s", s.seconds));
}

std::string report(const Solution& solution) {
  return report(solution.summary,
                {.problem = solution.problem.get(), .drift = solution.drift, .energy = solution.energy});
}

}  // namespace dalembert
