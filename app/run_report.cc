#include "app/run_report.h"

#include <fmt/format.h>

#include "app/certificate.h"
#include "app/coupling.h"
#include "app/screen.h"
#include "dalembert/observe/report.h"

namespace dalembert::app {

namespace {

/// A line for each time; not for the end, where the table of the state has the differences.
std::string references(const RunReport& report) {
  std::string lines;
  for (const Comparison& each : report.references)
    if (each.t < report.summary.state.t)
      lines += fmt::format("{:<13}at t = {:.6g} off by {:.2e}, {:.2g} is allowed\n",
                           lines.empty() ? "reference" : "", each.t, each.error, each.within);
  return lines;
}

}  // namespace

std::string text(const RunReport& report) {
  const Subject& subject = report.subject;
  std::string run = dalembert::report(report.summary, {.title = title(subject),
                                                       .problem = subject.problem.get(),
                                                       .drift = report.monitor.drift(),
                                                       .energy = report.monitor.energy(),
                                                       .watches = subject.watches(),
                                                       .files = report.files,
                                                       .width = table_width()});
  run += references(report);
  if (report.estimate) run += fmt::format("{:<13}{}\n", "accuracy", sentence(*report.estimate));
  if (report.certificate)
    run += dalembert::report(*report.certificate, report.summary, subject.watches(), table_width());
  return run;
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

namespace {

Json to_json(const ErrorEstimate& estimate) {
  Json json = {{"asked", estimate.asked},      {"reached", estimate.reached()}, {"error", estimate.error},
               {"blocks", estimate.blocks},    {"tolerances", Json::array()},   {"why_not", estimate.why_not},
               {"statistics", Json::object()}, {"seconds", estimate.seconds}};
  for (const double tolerance : estimate.tolerances) json["tolerances"].push_back(tolerance);
  estimate.statistics.each(
      [&](const char* field, std::int64_t count, const char*) { json["statistics"][field] = count; });
  return json;
}

}  // namespace

Json to_json(const RunReport& report) {
  const Summary& s = report.summary;
  Json json = {{"problem", report.subject.name}, {"formulation", s.formulation}, {"method", s.method},
               {"outcome", name(s.outcome)},     {"message", s.message},         {"t", s.state.t}};
  if (!s.start_message.empty()) json["start"] = s.start_message;
  json["state"] = Json::object();
  json["names"] = Json::object();
  for (const auto& block : s.layout.blocks()) {
    json["state"][block.name] = to_json(Vector(s.state[block]));
    json["names"][block.name] = Json(block.labels);
  }
  if (report.subject.model) {
    json["watches"] = Json::object();
    for (const Watch& watch : report.subject.model->watches)
      json["watches"][watch.name] = watch.value(s.state);
  }
  json["changes"] = Json::array();
  for (const auto& change : s.changes)
    json["changes"].push_back({{"t", change.t},
                               {"formulation", change.formulation},
                               {"method", change.method},
                               {"why", change.why}});
  json["events"] = Json::array();
  for (const auto& event : s.events) json["events"].push_back({{"t", event.t}, {"name", event.name}});
  json["passages"] = Json::array();
  for (const auto& p : s.crossings)
    json["passages"].push_back({{"t", p.t}, {"rows", p.rows}, {"how", p.how}});
  json["redundancy"] = s.redundancy ? to_json(*s.redundancy) : Json();
  json["warnings"] = s.warnings;
  const Testimony& seen = s.testimony;
  json["defect"] = {{"largest", seen.looks > 0 ? Json(seen.largest) : Json()},
                    {"t", seen.t},
                    {"entry", seen.entry},
                    {"limit", seen.limit},
                    {"looks", seen.looks},
                    {"rejected", seen.rejected}};
  const auto drift = report.monitor.drift();
  json["drift"] = {{"position", drift ? Json(drift->position) : Json()},
                   {"velocity", drift ? Json(drift->velocity) : Json()},
                   {"excess", drift ? Json(drift->excess) : Json()}};
  const auto energy = report.monitor.energy();
  json["energy"] = {{"start", energy ? Json(energy->start) : Json()},
                    {"end", energy ? Json(energy->end) : Json()},
                    {"work", energy ? Json(energy->work) : Json()},
                    {"allowed", energy ? Json(energy->allowed) : Json()}};
  json["error"] = Json::object();
  for (const auto& block : s.layout.blocks())
    if (const auto found = s.error.find(block.name); found != s.error.end())
      json["error"][block.name] = found->second;
  json["references"] = Json::array();
  for (const Comparison& each : report.references)
    json["references"].push_back({{"t", each.t}, {"error", each.error}, {"within", each.within}});
  if (!s.coupling.fields.empty()) add_coupling(json, s.coupling);
  if (report.estimate) json["accuracy"] = to_json(*report.estimate);
  if (report.certificate) {
    json["certified"] = to_json(*report.certificate);
    json["certified"]["right_digits"] = Json::array();
    for (const auto& [value, right] : compare(*report.certificate, s, report.subject.watches()))
      json["certified"]["right_digits"].push_back(right);
  }
  json["statistics"] = Json::object();
  s.statistics.each(
      [&](const char* field, std::int64_t count, const char*) { json["statistics"][field] = count; });
  json["seconds"] = s.seconds;
  return json;
}

}  // namespace dalembert::app
