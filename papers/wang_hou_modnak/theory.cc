// The constants of section 4 of [WangHouModnak2011], printed beside ours.
#include <fmt/format.h>

#include <cmath>

#include "dalembert/analysis/contraction.h"
#include "papers/wang_hou_modnak/parts.h"

namespace dalembert::wang_hou_modnak {

namespace {

/// (beta - 8)/dt^2 at dt = .001, beta the positive root of (49) with the printed coefficients.
double beta2_of(double E, double F) {
  const double d2 = 1e-6, a = (E / 8 + F / 64) * d2 + F / 8, b = (F / 16 - E) * d2 - F, c = -F / 2 * d2;
  return ((-b + std::sqrt(b * b - 4 * a * c)) / (2 * a) - 8) / d2;
}

/// sqrt(2) times the integral of sin(s/sqrt(2)) over [0, 1], by Simpson's rule, beside 1 - cos(1/sqrt(2)).
double off_by() {
  const int n = 100;
  double sum = 0;
  for (int k = 0; k <= n; ++k)
    sum += (k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2) * std::sin(k / std::sqrt(2) / n);
  return std::sqrt(2) * sum / (3 * n) / (1 - std::cos(1 / std::sqrt(2)));
}

std::vector<PaperRow> theory_rows(const PaperOptions&, std::vector<std::filesystem::path>&) {
  std::vector<PaperRow> rows;
  for (const Signs signs : both) {
    const auto model = make_case(signs);
    const auto& fields = as<Partitioned>(*model);
    const std::string label = "section 4";
    const auto t = window_theory(fields, Identity::as_printed).value(),
               correct = window_theory(fields, Identity::correct).value();
    const auto add = [&](const char* quantity, const char* printed, double ours, const Reason& reason = {}) {
      rows.push_back(compare({label, quantity, printed}, signs, ours, reason));
    };
    add("E", "0.12", t.E, {"the printed formula gives 13/121", std::abs(t.E - 13. / 121) < 1e-12});
    add("F", "0.36", t.F);
    add("beta at dt = 0", "8.00", t.beta0);
    add("coefficient of dt^2 in beta", "-1.20", t.beta2,
        {"the positive root of (49) with the printed coefficients is 8 - dt^2, with the printed E as with "
         "ours",
         std::abs(beta2_of(t.E, t.F) + 1) < 1e-4 && std::abs(beta2_of(.12, .36) + 1) < 1e-4});
    add("gamma at dt = 0", "0.36", t.gamma0);
    add("coefficient of dt^2 in gamma", "0.13", t.gamma2);
    const double k2 = -correct.beta2 / (correct.beta0 * correct.beta0);  // from (49)
    rows.push_back(explained({.label = label,
                              .quantity = "coefficient of dt^2 in (36)",
                              .printed = "1/64",
                              .ours = fmt::format("1/{:.6g}", 1 / k2),
                              .verdict = agree(std::abs(k2 - 1. / 64) < 1e-9),
                              .variant = variant(signs)},
                             {"the identity before (34) is off by a factor 2, as quadrature shows",
                              std::abs(off_by() - 2) < 1e-6 && std::abs(k2 - 1. / 32) < 1e-9}));
    rows.push_back(unprinted(label, "coefficient of dt^2 in beta, identity corrected", correct.beta2, signs));
    const ContractionTheory limit = contraction_theory(fields, fields.start());
    rows.push_back(unprinted(label, "contraction in short windows, rows on y", limit.last.factor, signs));
    rows.push_back(
        unprinted(label, "contraction in short windows, rows on x (55), (56)", limit.first.factor, signs));
    rows.push_back(unprinted(label, "best relaxation, rows on y", limit.last.omega, signs));
    rows.push_back(unprinted(label, "best relaxation, rows on x", limit.first.omega, signs));
  }
  return rows;
}

}  // namespace

PaperPart theory() {
  return {"theory", "the constants of section 4", theory_rows};
}

}  // namespace dalembert::wang_hou_modnak
