// A certificate as text for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dalembert/core/table.h"
#include "dalembert/observe/certify/certify.h"

namespace dalembert {

namespace {

const std::string margin = "  ";

std::string item(const std::string& name, const std::string& text) {
  return fmt::format("{:<13}{}\n", name, text);
}

std::string digits(const CertainValue& value) {
  return value.status == CertainValue::Status::undetermined ? "undetermined"
                                                            : std::to_string(value.value.digits());
}

std::string within(const CertainValue& value) {
  const double half = value.value.half_width();
  return std::isnan(half) ? "" : fmt::format("{:.0e}", half);
}

std::string table(const std::vector<CertainValue>& values, std::size_t width) {
  Table table({"name", "value", "unit", "digits", "within"});
  for (const auto& value : values)
    table.add({value.name, value.value.text(), value.unit, digits(value), within(value)});
  return table.text(margin, width);
}

/// How many values of a state are as certain as asked for, in words.
std::string count(const CertainState& state, int asked) {
  long determined = 0, enough = 0;
  for (const auto& value : state.values) {
    if (value.status != CertainValue::Status::undetermined) ++determined;
    if (value.status == CertainValue::Status::reached) ++enough;
  }
  return fmt::format("{} of {} numbers to {} digits", enough, determined, asked);
}

std::string at_outputs(const Certificate& certificate, std::size_t width) {
  if (certificate.outputs.empty()) return {};
  Table table({"t", "certain", "least digits", "of"});
  for (const auto& state : certificate.outputs) {
    const CertainValue* least = nullptr;
    for (const auto& value : state.values)
      if (value.status != CertainValue::Status::undetermined &&
          (least == nullptr || value.value.digits() < least->value.digits()))
        least = &value;
    table.add({fmt::format("{:.10g}", state.t),
               state.why_not.empty() ? count(state, certificate.digits) : state.why_not,
               least == nullptr ? "" : std::to_string(least->value.digits()),
               least == nullptr ? "" : least->name});
  }
  return item("outputs", std::to_string(certificate.outputs.size())) + table.text(margin, width);
}

std::string families(const Certificate& certificate, std::size_t width) {
  Table table({"family", "formulation", "method", "tolerances", "force", "seconds", "verdict"});
  long runs = 0;
  for (const auto& family : certificate.families) {
    Statistics sum;
    double seconds = 0;
    for (const auto& run : family.runs) {
      sum += run.statistics;
      seconds += run.seconds;
      ++runs;
    }
    table.add({family.name, family.formulation, family.method,
               fmt::format("{:g} ... {:g}", family.runs.front().tolerance, family.runs.back().tolerance),
               std::to_string(sum.force_evaluations), fmt::format("{:.3f}", seconds), family.verdict});
  }
  return item("cost", fmt::format("{} runs, {} force evaluations, {:.3g} s", runs,
                                  certificate.statistics.force_evaluations, certificate.seconds)) +
         table.text(margin, width);
}

std::string remarks(const Certificate& certificate) {
  std::string all;
  for (const auto& sentence : certificate.remarks) all += item("note", sentence);
  return all;
}

}  // namespace

std::string report(const Certificate& certificate, std::size_t width) {
  std::string all =
      item("certain",
           fmt::format("{} at t = {:.10g}", count(certificate.end, certificate.digits), certificate.end.t)) +
      table(certificate.end.values, width);
  if (!certificate.events.empty())
    all += item("events", std::to_string(certificate.events.size())) + table(certificate.events, width);
  return all + at_outputs(certificate, width) + families(certificate, width) + remarks(certificate);
}

std::vector<Delivered> compare(const Certificate& certificate, const Summary& summary,
                               const std::vector<Watch>& watches) {
  std::vector<double> delivered(summary.state.y.begin(), summary.state.y.end());
  for (const Watch& watch : watches) delivered.push_back(watch.value(summary.state));
  std::vector<Delivered> all;
  for (std::size_t i = 0; i < certificate.end.values.size(); ++i)
    all.push_back({delivered[i], certificate.end.values[i].value.digits_of(delivered[i])});
  return all;
}

std::string report(const Certificate& certificate, const Summary& summary, const std::vector<Watch>& watches,
                   std::size_t width) {
  Table table({"name", "value of this run", "right digits", "certain", "unit"});
  const std::vector<Delivered> all = compare(certificate, summary, watches);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CertainValue& value = certificate.end.values[i];
    const bool open = value.status == CertainValue::Status::undetermined;
    table.add({value.name, fmt::format("{:.15g}", all[i].value),
               open ? "undetermined" : std::to_string(all[i].right), value.value.text(), value.unit});
  }
  return item("certified", fmt::format("{} at t = {:.10g}", count(certificate.end, certificate.digits),
                                       certificate.end.t)) +
         table.text(margin, width) + families(certificate, width) + remarks(certificate);
}

}  // namespace dalembert
