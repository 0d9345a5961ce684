#include "papers/paper.h"

#include "dalembert/core/error.h"

namespace dalembert {

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::differs:
      return "differs";
    case Verdict::unexplained:
      return "unexplained";
    case Verdict::not_printed:
      return "not printed";
  }
  return {};
}

std::string verdict_of(const PaperRow& row) {
  return to_string(row.verdict) + (row.reference ? ", reference " + to_string(row.reference->verdict) : "");
}

PaperRow explained(PaperRow row, const Reason& reason) {
  if (row.verdict != Verdict::differs) return row;
  const bool holds = reason.holds && !(row.reference && row.reference->verdict == Verdict::differs);
  if (!holds || reason.says == Reason::Says::what_was_tried) row.verdict = Verdict::unexplained;
  if (holds) row.why = (reason.says == Reason::Says::why ? "" : "the reason is not known: ") + reason.text;
  return row;
}

PaperEntry make_paper(std::string id, std::string title, std::string cite, std::vector<PaperPart> parts) {
  PaperEntry entry{id, std::move(title), std::move(cite), {}, {}};
  for (const auto& part : parts) entry.tables.push_back({part.id, part.title});
  entry.run = [id, parts = std::move(parts)](const std::string& table, const PaperOptions& options) {
    PaperReport report{id, {}, {}};
    std::vector<std::string> known;
    for (const auto& part : parts) {
      known.push_back(part.id);
      if (!table.empty() && table != part.id) continue;
      if (options.progress) options.progress(id + ": " + part.title);
      PaperTable made{part.id, part.title, part.run(options, report.written)};
      for (auto& row : made.rows)
        if (row.verdict == Verdict::differs && row.why.empty()) row.verdict = Verdict::unexplained;
      report.tables.push_back(std::move(made));
    }
    if (report.tables.empty() && !table.empty()) {
      std::string all;
      for (const std::string& each : known) all += (all.empty() ? "" : ", ") + each;
      throw Error("unknown table of " + id + " '" + table + "'", "its tables are " + all);
    }
    return report;
  };
  return entry;
}

const PaperEntry& find_paper(const std::string& id) {
  std::vector<std::string> known;
  for (const auto& entry : all_papers()) {
    if (entry.id == id) return entry;
    known.push_back(entry.id);
  }
  throw unknown("paper", id, known);
}

}  // namespace dalembert
