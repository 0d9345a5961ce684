#include "app/coupling.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/table.h"
#include "app/text.h"

namespace dalembert::app {

namespace {

Json to_json(const WindowRecord& w) {
  return {{"t", w.t},
          {"h", w.h},
          {"iterations", w.iterations},
          {"contraction", w.contraction},
          {"residual", w.residual}};
}

}  // namespace

std::string coupling(const CouplingReport& report) {
  if (report.fields.empty()) return {};
  double residual = 0;
  for (const auto& w : report.windows) residual = std::max(residual, w.residual);
  std::string text = fmt::format(
      "{:<13}{}, with {} iterations in total and at most {} in one; largest contraction {:.3g}; residual of "
      "the "
      "original equations {:.2g}\n",
      "windows", report.windows.size(), report.sweeps, report.most_iterations(), report.worst_contraction(),
      residual);
  Table table({"field", "method", "substeps", "force", "factorisations", "solves", "seconds"});
  for (const auto& f : report.fields)
    table.add({f.name, f.method, std::to_string(f.substeps), std::to_string(f.statistics.force_evaluations),
               std::to_string(f.statistics.factorizations), std::to_string(f.statistics.solves),
               number(f.seconds, 3)});
  return text + indented(table.text());
}

void add_coupling(Json& json, const CouplingReport& report) {
  json["windows"] = Json::array();
  for (const auto& w : report.windows) json["windows"].push_back(to_json(w));
  if (report.failed) json["failed_window"] = to_json(*report.failed);
  json["fields"] = Json::array();
  for (const auto& f : report.fields) {
    Json statistics = Json::object();
    f.statistics.each([&](const char* field, auto count, const char*) { statistics[field] = count; });
    json["fields"].push_back({{"name", f.name},
                              {"method", f.method},
                              {"substeps", f.substeps},
                              {"statistics", statistics},
                              {"seconds", f.seconds}});
  }
  json["sweeps"] = report.sweeps;
}

}  // namespace dalembert::app
