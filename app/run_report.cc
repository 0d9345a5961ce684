#include "app/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/coupling.h"
#include "app/table.h"
#include "app/text.h"
#include "dalembert/control/failure.h"

namespace dalembert::app {

namespace {

constexpr std::size_t most_rows = 24;  // a longer table of the final state or of events is cut in the middle

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
    if (count > 0) evaluations += fmt::format(", {} {}", count, what);
  };
  also(s.newton_iterations, "nonlinear iterations");
  also(s.projections, "projections");
  also(s.refined_solves, "refined");
  also(s.pivoted_solves, "pivoted");
  also(s.rank_checks, "rank checks");
  return item("steps", steps) + item("evaluations", evaluations);
}

std::string kept(const Monitor& monitor) {
  std::string all;
  if (const auto& drift = monitor.drift())
    all += item("drift", fmt::format("position {:.3g}, velocity {:.3g} (largest over all steps)",
                                     drift->position, drift->velocity));
  if (const auto& energy = monitor.energy())
    all += item("energy", fmt::format("start {:.10g}, end {:.10g}, work {:.10g}, change minus work {:.3g}",
                                      energy->start, energy->end, energy->work, energy->error()));
  return all;
}

/// The rows, without the middle ones if there are too many.
std::string shortened(const std::vector<std::string>& head,
                      const std::vector<std::vector<std::string>>& rows) {
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
  return indented(table.text());
}

std::string events(const std::vector<EventRecord>& records) {
  if (records.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const auto& record : records) rows.push_back({record.name, number(record.t, 15)});
  return item("events", std::to_string(records.size())) + shortened({"event", "t"}, rows);
}

std::string passages(const std::vector<SingularityRecord>& records) {
  if (records.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  constexpr std::size_t most_named = 4;
  for (const auto& record : records) {
    const std::size_t named = std::min(record.rows.size(), most_named);
    std::string names = join({record.rows.begin(), record.rows.begin() + static_cast<std::ptrdiff_t>(named)});
    if (record.rows.size() > named) names += fmt::format(" and {} more", record.rows.size() - named);
    rows.push_back({number(record.t, 9), names, record.how});
  }
  return item("passages",
              plural(static_cast<long>(records.size()), "singular position", "singular positions")) +
         shortened({"t", "dependent rows", "how"}, rows);
}

std::string redundancy(const std::optional<RedundancyReport>& report) {
  if (!report) return {};
  std::string all;
  for (const auto& sentence : in_words(*report)) all += item(all.empty() ? "redundancy" : "", sentence);
  if (report->choices > 1)
    all += item("", fmt::format("independent rows were chosen {} times along the way", report->choices));
  return all;
}

std::string final_state(const RunReport& report) {
  const Layout& layout = report.summary.layout;
  const State& state = report.summary.state;
  Vector reference = Vector::Constant(layout.size(), not_a_number);
  if (const auto exact = report.subject.problem->exact(state.t); exact && !report.summary.error.empty())
    reference = reported(*exact, report.subject.problem->layout(), layout).y;
  std::vector<std::vector<std::string>> rows;
  for (const auto& block : layout.blocks())
    for (Eigen::Index i = block.offset; i < block.offset + block.size; ++i)
      rows.push_back({layout.label(i), number(state.y[i], 15),
                      block.units[static_cast<std::size_t>(i - block.offset)],
                      std::isnan(reference[i]) ? "" : fmt::format("{:.2e}", state.y[i] - reference[i])});
  return item("state", "t = " + number(state.t, 15)) +
         shortened({"name", "value", "unit", "minus reference"}, rows);
}

std::string watches(const RunReport& report) {
  if (!report.subject.model || report.subject.model->watches.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const Watch& watch : report.subject.model->watches)
    rows.push_back({watch.name, number(watch.value(report.summary.state), 15), watch.unit});
  return item("watches", "t = " + number(report.summary.state.t, 15)) +
         shortened({"name", "value", "unit"}, rows);
}

std::string errors(const Summary& summary) {
  std::vector<std::string> all;
  for (const auto& block : summary.layout.blocks())
    if (const auto found = summary.error.find(block.name); found != summary.error.end())
      all.push_back(fmt::format("{} {:.2e}", block.name, found->second));
  return all.empty() ? "" : item("error", join(all) + "  (largest |difference|/(1+|reference|))");
}

}  // namespace

std::string text(const RunReport& report) {
  const Summary& s = report.summary;
  std::string all = item(
      "problem", report.subject.name + (report.subject.summary.empty() ? "" : ": " + report.subject.summary));
  all += item("formulation", s.formulation) + item("method", s.method);
  if (s.why != "as asked") all += item("", s.why);
  all += item("outcome", std::string(name(s.outcome)) + ", " + s.message);
  if (!s.start_message.empty() && s.outcome != Outcome::inconsistent_start)
    all += item("start", s.start_message);
  for (const auto& warning : s.warnings) all += item("warning", warning);
  all += redundancy(s.redundancy) + coupling(s.coupling) + effort(s.statistics) + kept(report.monitor) +
         events(s.events) + passages(s.crossings) + errors(s) + final_state(report) + watches(report);
  for (const auto& file : report.files) all += item("written", file);
  return all + item("time", fmt::format("{:.3g} s", s.seconds));
}

Json to_json(const RedundancyReport& report) {
  Json json = {{"rows", report.rows},
               {"rank", report.rank},
               {"degrees_of_freedom", report.degrees_of_freedom},
               {"dependent", Json::array()},
               {"unique", report.unique},
               {"not_unique", report.not_unique},
               {"choices", report.choices}};
  for (const auto& d : report.dependent) json["dependent"].push_back({{"row", d.row}, {"on", d.on}});
  return json;
}

Json to_json(const RunReport& report) {
  const Summary& s = report.summary;
  Json json = {{"problem", report.subject.name}, {"formulation", s.formulation}, {"method", s.method},
               {"outcome", name(s.outcome)},     {"message", s.message},         {"t", s.state.t}};
  if (!s.start_message.empty()) json["start"] = s.start_message;
  json["state"] = Json::object();
  json["names"] = Json::object();
  for (const auto& block : s.layout.blocks()) {
    json["state"][block.name] = to_json(Vector(s.state[block]));
    json["names"][block.name] = block.labels;
  }
  if (report.subject.model) {
    json["watches"] = Json::object();
    for (const Watch& watch : report.subject.model->watches)
      json["watches"][watch.name] = watch.value(s.state);
  }
  json["events"] = Json::array();
  for (const auto& event : s.events) json["events"].push_back({{"t", event.t}, {"name", event.name}});
  json["passages"] = Json::array();
  for (const auto& p : s.crossings)
    json["passages"].push_back({{"t", p.t}, {"rows", p.rows}, {"how", p.how}});
  json["redundancy"] = s.redundancy ? to_json(*s.redundancy) : Json();
  json["warnings"] = s.warnings;
  const auto drift = report.monitor.drift();
  json["drift"] = {{"position", drift ? Json(drift->position) : Json()},
                   {"velocity", drift ? Json(drift->velocity) : Json()}};
  const auto energy = report.monitor.energy();
  json["energy"] = {{"start", energy ? Json(energy->start) : Json()},
                    {"end", energy ? Json(energy->end) : Json()},
                    {"work", energy ? Json(energy->work) : Json()}};
  json["error"] = Json::object();
  for (const auto& block : s.layout.blocks())
    if (const auto found = s.error.find(block.name); found != s.error.end())
      json["error"][block.name] = found->second;
  if (!s.coupling.fields.empty()) add_coupling(json, s.coupling);
  json["statistics"] = Json::object();
  s.statistics.each(
      [&](const char* field, std::int64_t count, const char*) { json["statistics"][field] = count; });
  json["seconds"] = s.seconds;
  return json;
}

}  // namespace dalembert::app
