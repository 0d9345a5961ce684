#include "dalembert/analysis/exact_tableau.h"

#include <cmath>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

/// A decimal with this many digits behind the point was cut off somewhere; 0.3 or 0.125 were not.
constexpr std::size_t rounded_digits = 12;
constexpr double rounded_tolerance = 1e-13;

bool is_rounded(const std::string& text) {
  for (const auto& term : coefficient_terms(text))
    for (const auto& number : {term.numerator, term.denominator}) {
      const auto point = number.find('.');
      if (point != std::string::npos && number.size() - point > rounded_digits) return true;
    }
  return false;
}

}  // namespace

ExactTableau ExactTableau::read(const Tableau& tableau) {
  ExactTableau exact;
  const auto take = [&](const std::vector<std::string>& texts) {
    ExactVector values;
    for (const auto& text : texts) {
      values.push_back(Exact::parse(text));
      if (is_rounded(text)) exact.tolerance = rounded_tolerance;
    }
    return values;
  };
  const std::size_t s = tableau.A_text.size();
  for (const auto& row : tableau.A_text) {
    exact.A.push_back(take(row));
    exact.A.back().resize(s);
  }
  exact.b = take(tableau.b_text);
  exact.embedded = take(tableau.embedded_text);
  const ExactVector printed = take(tableau.c_text);
  exact.c = exact.A * ExactVector(s, Exact(1));
  for (std::size_t i = 0; i < s; ++i)
    if (std::abs((exact.c[i] - printed[i]).to_double()) > exact.tolerance)
      throw Error("row " + std::to_string(i + 1) + " of the tableau sums to " + exact.c[i].text() +
                  ", not to its node " + printed[i].text());
  return exact;
}

ExactMatrix ExactTableau::shifted() const {
  ExactMatrix matrix(A.begin() + 1, A.end());
  matrix.push_back(b);
  return matrix;
}

ExactMatrix omega(const ExactTableau& tableau) {
  const ExactMatrix L = tableau.shifted();
  const std::size_t s = L.size();
  for (std::size_t i = 0; i < s; ++i)
    if (L[i][i].is_zero())
      throw Error((i + 1 < s ? "a_" + std::to_string(i + 2) + "," + std::to_string(i + 1)
                             : "b_" + std::to_string(s)) +
                      " = 0: stage " + std::to_string(i + 1) + " cannot meet the constraint",
                  "a half-explicit method needs a_{i,i-1} and b_s different from zero");
  ExactMatrix inverse(s, ExactVector(s));
  for (std::size_t j = 0; j < s; ++j)
    for (std::size_t i = j; i < s; ++i) {
      Exact sum = i == j ? Exact(1) : Exact(0);
      for (std::size_t k = j; k < i; ++k) sum = sum - L[i][k] * inverse[k][j];
      inverse[i][j] = sum / L[i][i];
    }
  return inverse;
}

Tableau embed_stage(Tableau tableau, Eigen::Index stage) {
  if (stage < 1 || stage > tableau.stages)
    throw Error("stage " + std::to_string(stage) + " does not exist",
                "the stages are 1.." + std::to_string(tableau.stages));
  tableau.embedded = tableau.A.row(stage - 1).transpose();
  tableau.embedded_text = tableau.A_text[static_cast<std::size_t>(stage - 1)];
  tableau.embedded_text.resize(static_cast<std::size_t>(tableau.stages), "0");
  return tableau;
}

}  // namespace dalembert
