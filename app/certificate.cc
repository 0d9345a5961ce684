#include "app/certificate.h"

#include <iostream>

#include "app/interrupt.h"
#include "app/screen.h"

namespace dalembert::app {

namespace {

Json to_json(const CertainValue& value) {
  const bool open = value.status == CertainValue::Status::undetermined;
  return {{"name", value.name},
          {"unit", value.unit},
          {"value", value.value.text()},
          {"digits", open ? Json() : Json(value.value.digits())},
          {"low", value.value.low},
          {"high", value.value.high},
          {"reached", value.status == CertainValue::Status::reached}};
}

Json to_json(const std::vector<CertainValue>& values) {
  Json all = Json::array();
  for (const auto& value : values) all.push_back(to_json(value));
  return all;
}

Json to_json(const CertainState& state) {
  return {{"t", state.t}, {"values", to_json(state.values)}, {"why_not", state.why_not}};
}

Json to_json(const FamilyRecord& family) {
  Json runs = Json::array();
  for (const auto& run : family.runs)
    runs.push_back({{"tolerance", run.tolerance},
                    {"outcome", run.outcome ? Json(name(*run.outcome)) : Json()},
                    {"message", run.message},
                    {"steps", run.statistics.steps},
                    {"force_evaluations", run.statistics.force_evaluations},
                    {"seconds", run.seconds}});
  return {{"family", family.name},
          {"formulation", family.formulation},
          {"method", family.method},
          {"verdict", family.verdict},
          {"runs", runs}};
}

}  // namespace

CertifyOptions certify_options(const Subject& subject, const RunOptions& run) {
  CertifyOptions options;
  options.run = run;
  options.run.interrupt = &watch_for_interrupt();
  if (subject.model) options.watches = subject.model->watches;
  options.progress = tell;
  return options;
}

Json to_json(const Certificate& certificate) {
  Json json = {{"digits", certificate.digits},
               {"reached", certificate.reached()},
               {"end", to_json(certificate.end)},
               {"outputs", Json::array()},
               {"events", to_json(certificate.events)},
               {"holds_until", certificate.holds_until ? Json(*certificate.holds_until) : Json()},
               {"families", Json::array()},
               {"remarks", certificate.remarks}};
  for (const auto& state : certificate.outputs) json["outputs"].push_back(to_json(state));
  for (const auto& family : certificate.families) json["families"].push_back(to_json(family));
  json["statistics"] = Json::object();
  certificate.statistics.each(
      [&](const char* field, std::int64_t count, const char*) { json["statistics"][field] = count; });
  json["seconds"] = certificate.seconds;
  return json;
}

}  // namespace dalembert::app
