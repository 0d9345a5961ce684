#include "papers/paper.h"

#include "dalembert/core/error.h"

namespace dalembert {

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::differs:
      return "differs";
    case Verdict::not_printed:
      return "not printed";
  }
  return {};
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
      report.tables.push_back({part.id, part.title, part.run(options, report.written)});
    }
    if (report.tables.empty() && !table.empty()) throw unknown("table of " + id, table, known);
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
