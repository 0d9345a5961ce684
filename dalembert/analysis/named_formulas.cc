#include "dalembert/analysis/named_formulas.h"

#include <functional>

#include "dalembert/analysis/exact.h"

namespace dalembert {

namespace {

enum class Wanted { alpha, beta };

/// The formula with these alpha or beta whose others make its order as high as their number allows, from
///   sum_j alpha_j (-j)^q = q sum_j beta_j (-j)^{q-1},   q = 0, 1, ...
/// `first` is the newest of the points at which they are wanted.
ExactVector completed(const ExactVector& given, Wanted wanted, std::size_t first) {
  const std::size_t points = given.size(), count = points - first;
  const auto power = [](std::size_t j, std::size_t exponent) {
    Exact value(1);
    for (std::size_t e = 0; e < exponent; ++e) value = value * Exact(-static_cast<long>(j));
    return value;
  };
  const auto of_alpha = [&](std::size_t j, std::size_t q) { return power(j, q); };
  const auto of_beta = [&](std::size_t j, std::size_t q) {
    return q == 0 ? Exact(0) : Exact(static_cast<long>(q)) * power(j, q - 1);
  };
  ExactMatrix matrix;
  ExactVector right;
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t q = wanted == Wanted::beta ? row + 1 : row;
    ExactVector line;
    for (std::size_t j = first; j < points; ++j)
      line.push_back(wanted == Wanted::beta ? of_beta(j, q) : of_alpha(j, q));
    Exact sum;
    for (std::size_t j = 0; j < points; ++j)
      sum = sum + given[j] * (wanted == Wanted::beta ? of_alpha(j, q) : of_beta(j, q));
    matrix.push_back(line);
    right.push_back(sum);
  }
  const ExactVector solved = solve(matrix, right, "a multistep formula");
  ExactVector all(first);
  all.insert(all.end(), solved.begin(), solved.end());
  return all;
}

Vector as_doubles(const ExactVector& exact) {
  Vector values(static_cast<Eigen::Index>(exact.size()));
  for (std::size_t i = 0; i < exact.size(); ++i) values[static_cast<Eigen::Index>(i)] = exact[i].to_double();
  return values;
}

MultistepForm with_alpha(ExactVector alpha, std::size_t first) {
  return {as_doubles(alpha), as_doubles(completed(alpha, Wanted::beta, first))};
}

MultistepForm adams(int steps, std::size_t first) {
  ExactVector alpha(static_cast<std::size_t>(steps) + 1);
  alpha[0] = 1;
  alpha[1] = -1;
  return with_alpha(alpha, first);
}

MultistepForm bdf_of_order(int order) {
  ExactVector beta(static_cast<std::size_t>(order) + 1);
  beta[0] = 1;
  MultistepForm form{as_doubles(completed(beta, Wanted::alpha, 0)), as_doubles(beta)};
  form.beta /= form.alpha[0];
  form.alpha /= form.alpha[0];
  return form;
}

/// Computed when it is asked for: names are wanted whenever the program says what it can do.
struct Formula {
  std::string name;
  std::function<MultistepForm()> make;
};

std::vector<Formula> formulas() {
  std::vector<Formula> all;
  for (int p = 1; p <= 6; ++p)
    all.push_back({"adams-bashforth-" + std::to_string(p), [p] { return adams(p, 1); }});
  for (int p = 2; p <= 6; ++p)
    all.push_back({"adams-moulton-" + std::to_string(p), [p] { return adams(p - 1, 0); }});
  for (int p = 1; p <= 7; ++p) all.push_back({"bdf-" + std::to_string(p), [p] { return bdf_of_order(p); }});
  all.push_back({"leapfrog", [] { return with_alpha({1, 0, -1}, 1); }});
  all.push_back({"milne-simpson", [] { return with_alpha({1, 0, -1}, 0); }});
  return all;
}

}  // namespace

std::vector<std::string> formula_names() {
  std::vector<std::string> names;
  for (const Formula& formula : formulas()) names.push_back(formula.name);
  return names;
}

std::optional<MultistepForm> named_formula(const std::string& name) {
  for (const Formula& formula : formulas())
    if (formula.name == name) return formula.make();
  return {};
}

MultistepForm two_step_formula(double beta, double delta) {
  return {Eigen::Vector3d(1, beta - 1, -beta),
          Eigen::Vector3d(.5 + delta, .5 + beta / 2 - 2 * delta, beta / 2 + delta)};
}

TwoStepParameters two_step_parameters(const MultistepForm& form) {
  return {-form.alpha[2] / form.alpha[0], form.beta[0] / form.alpha[0] - .5};
}

}  // namespace dalembert
