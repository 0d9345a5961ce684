#include "dalembert/multibody/check/findings.h"

#include <algorithm>

#include "dalembert/multibody/check/chapters.h"

namespace dalembert {

using Severity = Finding::Severity;

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "?";
}

std::string_view name(Findings::Reaction::Unique unique) {
  switch (unique) {
    case Findings::Reaction::Unique::all:
      return "all";
    case Findings::Reaction::Unique::some:
      return "some";
    case Findings::Reaction::Unique::none:
      return "none";
  }
  return "?";
}

std::string Finding::sentence() const {
  std::string text;
  if (place.line > 0)
    text = place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
  return text + std::string(name(severity)) + ": " + what + (hint.empty() ? "" : "; " + hint);
}

bool Findings::fine() const {
  return assembly == Outcome::ok && std::none_of(list.begin(), list.end(), [](const Finding& each) {
           return each.severity == Severity::error;
         });
}

bool Findings::has(const std::string& topic) const {
  return std::any_of(list.begin(), list.end(), [&](const Finding& each) { return each.topic == topic; });
}

Findings examine(const Mechanism& m) {
  Findings all;
  const auto n = m.sizes();
  all.counts = {.bodies = static_cast<Eigen::Index>(m.bodies().size()),
                .positions = n.q,
                .velocities = n.v,
                .rows = n.rows(),
                .states = n.s};
  for (const JointRecord& joint : m.joints())
    ++(check::is_drive(joint) ? all.counts.drives : all.counts.joints);
  check::examine_bodies(m, m.start(), all);
  const State state = check::assemble(m, all);
  if (!all.has("conflict") && !all.has("assembly")) {
    check::examine_rank(m, state, all);
    check::examine_massless(m, state, all);
  }
  if (all.assembly != Outcome::ok && std::none_of(all.list.begin(), all.list.end(), [](const Finding& each) {
        return each.severity == Severity::error;
      }))
    all.list.push_back({Severity::error, "assembly", all.assembly_message, ""});
  std::stable_sort(all.list.begin(), all.list.end(),
                   [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  return all;
}

}  // namespace dalembert
