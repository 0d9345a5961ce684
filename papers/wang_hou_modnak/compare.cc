// How a figure of [WangHouModnak2011] becomes a row.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dalembert/core/text.h"
#include "papers/wang_hou_modnak/parts.h"

namespace dalembert::wang_hou_modnak {

namespace {

/// Half a unit of the last digit of a number as it is written.
double half_unit(const std::string& text) {
  const auto dot = text.find('.'), exponent = text.find('e');
  const double digits =
      dot == std::string::npos ? 0 : static_cast<double>(std::min(exponent, text.size()) - dot - 1);
  double unit = std::pow(10, -digits);
  if (exponent != std::string::npos) unit *= std::pow(10, number_in(text.substr(exponent + 1)).value());
  return unit / 2;
}

}  // namespace

std::string variant(Signs signs) {
  return signs == Signs::printed ? "printed signs" : "";
}

PaperRow compare(const Figure& figure, Signs signs, double ours, const Reason& reason) {
  const double printed = number_in(figure.printed).value();
  const bool same = std::abs(ours - printed) <= std::max(0.01 * std::abs(printed), half_unit(figure.printed));
  PaperRow row{.label = figure.label,
               .quantity = figure.quantity,
               .printed = figure.printed,
               .ours = fmt::format("{:.4g}", ours),
               .verdict = agree(same),
               .variant = variant(signs)};
  if (signs == Signs::corrected && !figure.reference.empty()) {
    const double there = number_in(figure.reference).value();
    row.reference = PaperReference{figure.reference, program,
                                   agree(std::abs(ours - there) <= 2.01 * half_unit(figure.reference))};
  }
  return explained(row, reason);
}

PaperRow unprinted(const std::string& label, const std::string& quantity, double ours, Signs signs,
                   const std::string& reference) {
  PaperRow row{.label = label,
               .quantity = quantity,
               .printed = "",
               .ours = fmt::format("{:.5g}", ours),
               .verdict = Verdict::not_printed,
               .variant = variant(signs)};
  if (!reference.empty())
    row.reference =
        PaperReference{reference, program,
                       agree(std::abs(ours - number_in(reference).value()) <= 2.01 * half_unit(reference))};
  return row;
}

}  // namespace dalembert::wang_hou_modnak
