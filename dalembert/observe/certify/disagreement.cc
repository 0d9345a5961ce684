#include "dalembert/observe/certify/disagreement.h"

#include <algorithm>
#include <cmath>

#include "dalembert/core/text.h"

namespace dalembert {

namespace {

constexpr double parted = 1e-2;  // in units of size

/// How far families are from each other along the motion.
struct Apart {
  double t, by;
};

std::vector<Apart> apart(const std::vector<Series>& all, const Sizes& in) {
  std::vector<Apart> along;
  const Recording* longest = nullptr;
  for (const Series& series : all)
    for (const Recording* r : series)
      if (r != nullptr && (longest == nullptr || r->samples.size() > longest->samples.size())) longest = r;
  if (longest == nullptr) return along;
  for (Point point = 0; point < longest->samples.size(); ++point) {
    const bool last = point + 1 == longest->samples.size();
    const double by = spread(all, in, last ? at_the_end : point);
    if (by > 0) along.push_back({longest->samples[point].t, by});
  }
  return along;
}

std::vector<SingularityRecord> crossings(const std::vector<Series>& all) {
  std::vector<SingularityRecord> found;
  for (const Series& series : all)
    for (const Recording* r : series)
      if (r != nullptr) found.insert(found.end(), r->summary.crossings.begin(), r->summary.crossings.end());
  return found;
}

/// Families that are together up to one sample and apart at the next have met something; others drift apart.
std::string where_they_part(const std::vector<Series>& all, const Sizes& in) {
  const std::vector<Apart> along = apart(all, in);
  const auto at = std::find_if(along.begin(), along.end(), [](const Apart& a) { return a.by > parted; });
  if (at == along.end() || at == along.begin()) return {};
  const auto before = std::prev(at);
  const std::string interval = "between t = " + short_number(before->t) + " and " + short_number(at->t);
  for (const auto& crossing : crossings(all))
    if (crossing.t > along.front().t && crossing.t >= before->t - (at->t - before->t) && crossing.t <= at->t)
      return "families part " + interval + ", at a singular position (t = " + short_number(crossing.t) +
             ", where rows become dependent)";
  if (at->by > 1e3 * before->by)
    return "families part suddenly, " + interval + ": there the motion is not smooth, or has to decide";
  const double tens = std::log10(at->by / along.front().by);
  if (tens < 3) return "families are apart by more than a hundredth from t = " + short_number(at->t) + " on";
  return "the motion multiplies every error: families drift apart tenfold every " +
         short_number((at->t - along.front().t) / tens) + " s, from " + short_number(along.front().by) +
         " of the size at t = " + short_number(along.front().t) + " to " + short_number(at->by) +
         " at t = " + short_number(at->t);
}

std::string tightest(const std::vector<FamilyRecord>& families) {
  double least = 1;
  for (const auto& family : families)
    for (const auto& run : family.runs) least = std::min(least, run.tolerance);
  return short_number(least);
}

}  // namespace

std::string why_no_vote(const FamilyRecord& record, const Series& series, const Sizes& in) {
  const CertifyingRun& last = record.runs.back();
  if (!last.outcome || !good(*last.outcome))
    return "refused at " + short_number(last.tolerance) + ": " +
           (last.outcome ? std::string(name(*last.outcome)) + ", " : "") +
           last.message.substr(0, last.message.find(';'));  // without advice for a run of one's own
  const std::size_t level = record.runs.size() - 1;
  if (level < 2) return "not asked further";
  return "does not converge: its values changed by " +
         short_number(change(series, level - 1, in, at_the_end)) + ", then by " +
         short_number(change(series, level, in, at_the_end)) + " of their size";
}

std::vector<std::string> remarks(const Certificate& certificate, const std::vector<Series>& all,
                                 const Sizes& in) {
  std::vector<std::string> sentences;
  if (!certificate.reached()) {
    if (!certificate.end.why_not.empty())
      sentences.push_back("nothing is certain at the end: " + certificate.end.why_not);
    if (certificate.end.values.empty())
      sentences.push_back("nothing is certain: fewer than two families come to the end at three tolerances");
    else if (const std::string parting = where_they_part(all, in); !parting.empty())
      sentences.push_back(parting);
    else
      sentences.push_back(
          "families agree, but not to as many digits; the tightest tolerance that was tried is " +
          tightest(certificate.families));
    if (certificate.holds_until)
      sentences.push_back(std::to_string(certificate.digits) +
                          " digits hold until t = " + short_number(*certificate.holds_until));
  }
  for (const Series& series : all)
    for (const Recording* r : series)
      if (r != nullptr && !r->summary.start_message.empty()) {
        sentences.push_back("start: " + r->summary.start_message);
        return sentences;
      }
  return sentences;
}

}  // namespace dalembert
