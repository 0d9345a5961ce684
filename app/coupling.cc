#include "app/coupling.h"

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
