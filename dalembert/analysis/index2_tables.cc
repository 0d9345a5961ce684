#include "dalembert/analysis/index2_tables.h"

#include <algorithm>
#include <span>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

struct Line {
  int number, order;
  const char *tree, *formula, *right;
};

constexpr Line table1[] = {
    {1, 1, "t", "sum b_i", "1"},
    {2, 2, "[t]", "sum b_i c_i", "1/2"},
    {3, 3, "[t t]", "sum b_i c_i^2", "1/3"},
    {4, 3, "[[t]]", "sum b_i a_ij c_j", "1/6"},
    {5, 3, "[t {t t}]", "sum b_i c_i omega_ij c_{j+1}^2", "2/3"},
    {6, 3, "[{t t} {t t}]", "sum b_i omega_ij c_{j+1}^2 omega_ik c_{k+1}^2", "4/3"},
    {7, 4, "[t t t]", "sum b_i c_i^3", "1/4"},
    {8, 4, "[t [t]]", "sum b_i c_i a_ij c_j", "1/8"},
    {9, 4, "[[t t]]", "sum b_i a_ij c_j^2", "1/12"},
    {10, 4, "[[[t]]]", "sum b_i a_ij a_jk c_k", "1/24"},
    {11, 4, "[t t {t t}]", "sum b_i c_i^2 omega_ij c_{j+1}^2", "1/2"},
    {12, 4, "[t {t t} {t t}]", "sum b_i c_i omega_ij c_{j+1}^2 omega_ik c_{k+1}^2", "1"},
    {13, 4, "[{t t} {t t} {t t}]", "sum b_i omega_ij c_{j+1}^2 omega_ik c_{k+1}^2 omega_il c_{l+1}^2", "2"},
    {14, 4, "[t {t t t}]", "sum b_i c_i omega_ij c_{j+1}^3", "3/4"},
    {15, 4, "[t {t [t]}]", "sum b_i c_i omega_ij c_{j+1} a_{j+1,k} c_k", "3/8"},
    {16, 4, "[[t] {t t}]", "sum b_i a_ij c_j omega_ik c_{k+1}^2", "1/4"},
    {17, 4, "[{t t} {t t t}]", "sum b_i omega_ij c_{j+1}^2 omega_ik c_{k+1}^3", "3/2"},
    {18, 4, "[{t t} {t [t]}]", "sum b_i omega_ij c_{j+1}^2 omega_ik c_{k+1} a_{k+1,l} c_l", "3/4"},
    {19, 4, "[[t {t t}]]", "sum b_i a_ij c_j omega_jk c_{k+1}^2", "1/6"},
    {20, 4, "[[{t t} {t t}]]", "sum b_i a_ij omega_jk c_{k+1}^2 omega_jl c_{l+1}^2", "1/3"},
};

constexpr Line table3[] = {
    {1, 2, "[{t t}]", "sum bhat_i omega_ij c_{j+1}^2", "1"},
    {2, 3, "[{t t t}]", "sum bhat_i omega_ij c_{j+1}^3", "1"},
    {3, 3, "[{t [t]}]", "sum bhat_i omega_ij c_{j+1} a_{j+1,k} c_k", "1/2"},
};

constexpr Line table4[] = {
    {1, 1, "{t t}", "sum omega_sj c_{j+1}^2", "2"},
    {2, 2, "{t t t}", "sum omega_sj c_{j+1}^3", "3"},
    {3, 2, "{t [t]}", "sum omega_sj c_{j+1} a_{j+1,k} c_k", "3/2"},
    {4, 3, "{t t t t}", "sum omega_sj c_{j+1}^4", "4"},
    {5, 3, "{t t [t]}", "sum omega_sj c_{j+1}^2 a_{j+1,k} c_k", "2"},
    {6, 3, "{[t] [t]}", "sum omega_sj a_{j+1,k} c_k a_{j+1,l} c_l", "1"},
    {7, 3, "{t [t t]}", "sum omega_sj c_{j+1} a_{j+1,k} c_k^2", "4/3"},
    {8, 3, "{t [[t]]}", "sum omega_sj c_{j+1} a_{j+1,k} a_kl c_l", "2/3"},
    {9, 3, "{t [t {t t}]}", "sum omega_sj c_{j+1} a_{j+1,k} c_k omega_kl c_{l+1}^2", "8/3"},
    {10, 3, "{t [{t t} {t t}]}", "sum omega_sj c_{j+1} a_{j+1,k} omega_kl c_{l+1}^2 omega_km c_{m+1}^2",
     "16/3"},
};

/// The lines in the paper's sequence, each with the condition of its tree among those of its order.
template <class Conditions>
std::vector<NumberedCondition> number(std::span<const Line> lines, Conditions of_order) {
  std::vector<NumberedCondition> numbered;
  std::vector<Condition> conditions;
  int q = 0;
  for (const auto& line : lines) {
    if (line.order != q) conditions = of_order(q = line.order);
    const std::string tree = text(Tree::parse(line.tree));
    const auto found = std::find_if(conditions.begin(), conditions.end(),
                                    [&](const Condition& c) { return c.tree == tree; });
    if (found == conditions.end()) throw Error("tree " + tree + " is not among the independent ones");
    numbered.push_back({line.number, line.formula, line.right, *found});
  }
  return numbered;
}

}  // namespace

std::vector<NumberedCondition> table1_conditions(const Tableau& tableau) {
  return number(table1, [&](int q) { return index2_conditions(tableau, q); });
}

std::vector<NumberedCondition> table3_conditions(const Tableau& tableau) {
  return number(table3, [&](int q) { return embedded_conditions(tableau, Kind::hessenberg, q); });
}

std::vector<NumberedCondition> table4_conditions(const Tableau& tableau) {
  return number(table4, [&](int q) { return z_conditions(tableau, q); });
}

Condition table1_condition16_as_printed(const Tableau& tableau) {
  const ExactTableau t = ExactTableau::read(tableau);
  const ExactMatrix w = omega(t);
  const std::size_t s = t.b.size();
  Exact sum;
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Exact& next = t.c[j + 1];  // j < i <= s, so c_{s+1} does not occur
      sum = sum + t.b[i] * t.A[i][j] * t.c[j] * w[i][j] * next * next;
    }
  return {.tree = "[[t] {t t}]",
          .formula = "sum b_i a_ij c_j omega_ij c_{j+1}^2",
          .order = 4,
          .left = sum,
          .right = Exact(1) / Exact(4),
          .tolerance = t.tolerance};
}

}  // namespace dalembert
