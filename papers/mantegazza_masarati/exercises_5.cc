// Exercises 5.1 and 5.2: the index of two masses on springs as a mass vanishes or a spring becomes rigid.
#include <fmt/format.h>

#include <cmath>

#include "dalembert/analysis/pencil.h"
#include "dalembert/problem/catalogue.h"
#include "papers/mantegazza_masarati/exercises.h"

namespace dalembert::mantegazza_masarati {

namespace {

KroneckerForm form_of(const std::string& problem, const std::string& vanishing,
                      const std::vector<std::string>& without) {
  const auto made = make_problem(problem, {{vanishing, 0}, {"m2", 2}});
  const Pencil all = pencil_of(*made, made->start());
  return kronecker_form(without.empty() ? all : all.without(without));
}

PaperRow index(const std::string& exercise, const std::string& quantity, int by_hand,
               const KroneckerForm& form) {
  return answered(exercise, quantity, std::to_string(by_hand),
                  form.regular ? std::to_string(form.index) : "singular",
                  form.regular && form.index == by_hand);
}

/// (87) with m2 = 2 and unit springs: what the slow eigenvalue comes to as the fast one goes away.
double slow_square(double m1, double k1) {
  constexpr double m2 = 2, k2 = 1;
  const double a = k2 / m2 + (k1 + k2) / m1;
  return -2 * (k1 / m1) * (k2 / m2) / (a + std::sqrt(a * a - 4 * (k1 / m1) * (k2 / m2)));
}

/// The square of the finite eigenvalue: (90) and (92) are printed without their sign, (90) without m2 too.
PaperRow finite(const std::string& exercise, const std::string& equation, double printed,
                const KroneckerForm& form, double limit) {
  const std::complex<double> s = form.finite.empty() ? not_a_number : form.finite.front();
  const double square = (s * s).real();
  const bool same = form.finite.size() == 2 && std::abs(square - limit) < 1e-6;
  return explained(
      claimed(exercise, "s^2 of " + equation + ", m2 = 2, else 1", fmt::format("{:.6g}", printed),
              fmt::format("{:.6g}", limit), fmt::format("{:.6g}", square), Verdict::differs, same),
      {"the limit of (87): with springs alone s^2 is negative", same && limit < 0});
}

}  // namespace

Rows exercises_of_chapter_5() {
  const KroneckerForm light = form_of("two-mass-light", "m1", {}),
                      stiff = form_of("two-mass-stiff", "c1", {});
  return {
      index("5.1", "m1 = 0, in x1, x2, v2: index", 1, form_of("two-mass-light", "m1", {"v1.v1"})),
      index("5.1", "m1 = 0, with v1 = x1': index", 2, light),
      finite("5.1", "(90)", 0.5, light, slow_square(1e-9, 1)),
      index("5.2", "k1 infinite, x1 = 0 alone: index", 1, form_of("two-mass-stiff", "c1", {"R.R", "v1.v1"})),
      index("5.2", "k1 infinite, with v1 = x1': index", 2, form_of("two-mass-stiff", "c1", {"R.R"})),
      index("5.2", "k1 infinite, with the force R: index", 3, stiff),
      finite("5.2", "(92)", 0.5, stiff, slow_square(1, 1e9))};
}

}  // namespace dalembert::mantegazza_masarati
