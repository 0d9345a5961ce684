#include "app/advice.h"

#include <algorithm>

#include "dalembert/core/text.h"
#include "dalembert/model/model_findings.h"

namespace dalembert::app {

void advise(const Subject& subject, Summary& summary) {
  if (!subject.model) return;
  const bool stuck = summary.outcome == Outcome::inconsistent_start;
  bool said = false;
  for (const Finding& each : examine(*subject.model).list) {
    const bool error = each.severity == Finding::Severity::error;
    if (error ? !stuck : each.severity == Finding::Severity::note) continue;
    if (summary.redundancy && each.topic == "redundant") continue;
    const std::string place = each.place.line == 0 ? ""
                                                   : each.place.file + ":" + std::to_string(each.place.line) +
                                                         ":" + std::to_string(each.place.column) + ": ";
    const std::string sentence = place + each.what + (each.hint.empty() ? "" : "; " + each.hint);
    if (error && each.topic == "overdriven" && !said)  // the residuals that were met come from it
      summary.message = "t = " + short_number(summary.state.t) + ": " + sentence;
    else
      summary.warnings.push_back(sentence);
    said = said || error;
  }
  if (stuck)
    summary.warnings.push_back(said ? "`dalembert check " + subject.name + "` says this too, and more"
                                    : "`dalembert check " + subject.name + "` may say more");
}

}  // namespace dalembert::app
