#include "dalembert/analysis/construction.h"

#include <algorithm>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

std::string choice_of(const Exact& c2, const Exact& c3) {
  return "c_2 = " + c2.text() + ", c_3 = " + c3.text();
}

[[noreturn]] void refuse(const std::string& choice, const std::string& reason) {
  throw Error("there is no method with " + choice + ": " + reason, "choose other nodes c_2, c_3");
}

/// Step 2: the weights b_3, b_4, b_5 of the quadrature with nodes c_3, c_4, 1, exact for polynomials of
/// degree 3.
ExactVector quadrature(const Exact& c3, const Exact& c4) {
  return solve({{1, 1, 1}, {c3, c4, 1}, {c3 * c3, c4 * c4, 1}}, {1, Exact(1) / 2, Exact(1) / 3}, "(4.2)");
}

std::string picture(const ExactMatrix& A, const ExactVector& b, const ExactVector& c) {
  std::size_t width = 0;
  for (const auto& row : A)
    for (const auto& a : row) width = std::max(width, a.text().size());
  const auto pad = [&](const std::string& text) {
    return text + std::string(width - std::min(width, text.size()), ' ');
  };
  const auto line = [&](const std::string& left, const ExactVector& values) {
    std::string text = pad(left) + " |";
    for (const auto& value : values) text.append(1, ' ').append(pad(value.text()));
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  std::string all;
  for (std::size_t i = 0; i < A.size(); ++i) all += line(c[i].text(), A[i]);
  all += std::string(width + 1, '-') + "+" + std::string((width + 1) * b.size(), '-') + "\n";
  return all + line("", b);
}

/// (2.3): without it some stage has no constraint to meet.
void require_subdiagonal(const ExactMatrix& A, const ExactVector& b, const std::string& choice) {
  for (std::size_t i = 1; i < A.size(); ++i)
    if (A[i][i - 1].is_zero())
      refuse(choice, "a_" + std::to_string(i + 1) + std::to_string(i) + " vanishes, against (2.3)");
  if (b.back().is_zero()) refuse(choice, "b_5 vanishes, against (2.3)");
}

}  // namespace

std::string half_explicit_of_order4(const Exact& c2, const Exact& c3) {
  const std::string choice = choice_of(c2, c3);
  if (c2.is_zero()) refuse(choice, "a_21 = c_2 must not vanish, against (2.3)");
  if (c3.is_zero()) refuse(choice, "C(2) makes a_32 = c_3^2/(2 c_2) vanish, against (2.3)");
  if (c3 == Exact(1) / 3) refuse(choice, "c_4 = (1 - 2 c_3)/(2 - 6 c_3) is infinite");
  // Step 1
  const Exact c4 = (1 - 2 * c3) / (2 - 6 * c3);
  if (c3 == Exact(1) || c4 == Exact(1))
    refuse(choice, "the quadrature nodes c_3, c_4, c_5 = 1 are not distinct");
  // Step 2
  const ExactVector weights = quadrature(c3, c4);
  const ExactVector b = {0, 0, weights[0], weights[1], weights[2]};
  if (b[4].is_zero()) refuse(choice, "b_5 vanishes, against (2.3)");
  // Step 3
  const Exact a32 = c3 * c3 / (2 * c2), a31 = c3 - a32;
  const Exact a54 = b[3] * (1 - c4) / b[4];
  const Exact omega11 = 1 / c2, omega21 = -a31 * omega11 / a32;  // (4.3), whose second sum holds for i = 2..s
  // Step 4. The determinant is c_3^2/(c_2 a_32) - 1 = 1: the matrix is never singular once a_32 exists.
  const ExactMatrix matrix = {{1, 1, 1}, {0, c2, c3}, {omega11, omega21, 0}};
  const ExactVector row4 = solve(matrix, {c4, c4 * c4 / 2, 0}, "(4.4)");
  ExactVector row5 = solve(matrix, {1 - a54, Exact(1) / 2 - a54 * c4, 0}, "(4.4)");
  row5.push_back(a54);

  const ExactMatrix A = {{}, {c2}, {a31, a32}, row4, row5};
  require_subdiagonal(A, b, choice);
  return picture(A, b, {0, c2, c3, c4, 1});
}

std::string classical_of_order3(const Exact& c2, const Exact& c3) {
  const ExactVector b = solve({{1, 1, 1}, {0, c2, c3}, {0, c2 * c2, c3 * c3}},
                              {1, Exact(1) / 2, Exact(1) / 3}, "the quadrature");
  if (b[2].is_zero()) refuse(choice_of(c2, c3), "b_3 vanishes, so sum b_i a_ij c_j cannot be 1/6");
  const Exact a32 = 1 / (6 * b[2] * c2);
  return picture({{}, {c2}, {c3 - a32, a32}}, b, {0, c2, c3});
}

std::string classical_of_order4(const Exact& c2, const Exact& c3) {
  const ExactVector b =
      solve({{1, 1, 1, 1}, {0, c2, c3, 1}, {0, c2 * c2, c3 * c3, 1}, {0, c2 * c2 * c2, c3 * c3 * c3, 1}},
            {1, Exact(1) / 2, Exact(1) / 3, Exact(1) / 4}, "the quadrature");
  if (b[2].is_zero() || b[3].is_zero()) refuse(choice_of(c2, c3), "b_3 or b_4 vanishes");
  const Exact a43 = b[2] * (1 - c3) / b[3];                 // D(1), j = 3
  const Exact a32 = 1 / (24 * b[3] * a43 * c2);             // sum b_i a_ij a_jk c_k = 1/24
  const Exact a42 = (b[1] * (1 - c2) - b[2] * a32) / b[3];  // D(1), j = 2
  return picture({{}, {c2}, {c3 - a32, a32}, {1 - a42 - a43, a42, a43}}, b, {0, c2, c3, 1});
}

}  // namespace dalembert
