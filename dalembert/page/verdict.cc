#include "dalembert/page/verdict.h"

namespace dalembert {

namespace {

void write_passages(JsonText& json, const Summary& s) {
  json.key("events").begin_array();
  for (const EventRecord& e : s.events)
    json.begin_object().member("t", e.t).member("name", e.name).end_object();
  json.end_array().key("passages").begin_array();
  for (const SingularityRecord& p : s.crossings)
    json.begin_object().member("t", p.t).member("how", p.how).list("rows", p.rows).end_object();
  json.end_array().key("changes").begin_array();
  for (const PairChange& c : s.changes)
    json.begin_object()
        .member("t", c.t)
        .member("formulation", c.formulation)
        .member("method", c.method)
        .member("why", c.why)
        .end_object();
  json.end_array();
}

void write_redundancy(JsonText& json, const RedundancyReport& r) {
  json.key("redundancy").begin_object();
  json.member("rows", static_cast<long>(r.rows)).member("rank", static_cast<long>(r.rank));
  json.key("dependent").begin_array();
  for (const auto& d : r.dependent) json.begin_object().member("row", d.row).list("on", d.on).end_object();
  json.end_array().list("notUnique", r.not_unique).list("words", in_words(r)).end_object();
}

void write_measures(JsonText& json, const RunRecord& record) {
  const Testimony& seen = record.summary.testimony;
  if (seen.looks > 0)
    json.key("defect")
        .begin_object()
        .member("largest", seen.largest)
        .member("t", seen.t)
        .member("entry", seen.entry)
        .member("limit", seen.limit)
        .member("looks", static_cast<long>(seen.looks))
        .member("steps", seen.steps == Testimony::Steps::fixed ? "fixed" : "controlled")
        .member("verdict", static_cast<long>(seen.verdict))
        .end_object();
  if (record.drift)
    json.key("drift")
        .begin_object()
        .member("position", record.drift->position)
        .member("velocity", record.drift->velocity)
        .member("excess", record.drift->excess)
        .member("row", record.drift->row)
        .end_object();
  if (record.energy)
    json.key("energy")
        .begin_object()
        .member("start", record.energy->start)
        .member("end", record.energy->end)
        .member("work", record.energy->work)
        .member("allowed", record.energy->allowed)
        .end_object();
}

/// Known digits, at the times at which outputs and the end meet them.
void write_references(JsonText& json, const PageRun& run) {
  const Summary& s = run.record.summary;
  json.key("error").begin_object();
  for (const auto& [block, error] : s.error) json.member(block, error);
  json.end_object();
  if (s.error.empty()) return;
  const auto known = run.problem->exact(s.state.t);
  if (!known) return;
  json.key("known").begin_object().member("t", known->t).list("values", known->y);
  json.member("source",
              run.model && !run.model->references.empty() ? run.model->references.back().source : "");
  json.end_object();
}

void write_counts(JsonText& json, const PageRun& run) {
  const Mechanical* mechanical = as_mechanical(*run.problem);
  if (mechanical == nullptr) return;
  const auto n = mechanical->sizes();
  const auto& found = run.record.summary.redundancy;
  json.key("counts").begin_object().member("rows", static_cast<long>(n.rows()));
  json.member("velocities", static_cast<long>(n.v));
  json.member("freedoms", static_cast<long>(found ? found->degrees_of_freedom : n.v - n.rows())).end_object();
}

}  // namespace

void write_verdict(JsonText& json, const PageRun& run) {
  const RunRecord& record = run.record;
  const Summary& s = record.summary;
  json.key("summary").begin_object();
  json.member("outcome", name(s.outcome)).member("good", good(s.outcome) ? 1 : 0);
  json.member("message", s.message).member("meaning", meaning(s.outcome)).member("t", s.state.t);
  json.member("formulation", s.formulation).member("method", s.method).member("why", s.why);
  json.member("start", s.start_message).member("accuracy", record.accuracy).member("seconds", s.seconds);
  write_passages(json, s);
  if (s.redundancy) write_redundancy(json, *s.redundancy);
  write_measures(json, record);
  write_references(json, run);
  json.key("digits").begin_array();
  for (const RecordDigits& d : record.digits)
    json.begin_object().member("name", d.name).member("digits", d.digits).end_object();
  json.end_array();
  std::vector<std::string> warnings = s.warnings;
  if (run.model)
    for (const Complaint& remark : run.model->remarks) warnings.push_back(remark.sentence());
  json.list("warnings", warnings);
  json.key("statistics").begin_array();
  s.statistics.each([&](const char* field, std::int64_t count, const char* words) {
    json.begin_object()
        .member("name", field)
        .member("count", static_cast<long>(count))
        .member("words", words);
    json.end_object();
  });
  json.end_array().end_object();
  write_counts(json, run);
}

}  // namespace dalembert
