// Tables 1 to 5 of [BraseyHairer1993] in exact arithmetic: order conditions, the coefficients of HEM3 and
// HEM4, and the propositions on methods with three and four stages.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dalembert/analysis/construction.h"
#include "dalembert/analysis/index2_tables.h"
#include "papers/brasey_hairer/parts.h"

namespace dalembert::brasey_hairer {

namespace {

using Rows = std::vector<PaperRow>;

PaperRow compare(std::string label, std::string quantity, std::string paper, std::string ours) {
  const Verdict verdict = agree(paper == ours);
  return {std::move(label), std::move(quantity), std::move(paper), std::move(ours), verdict};
}

/// A condition that the method is claimed to satisfy: the printed right-hand side beside our left-hand side.
PaperRow compare(const NumberedCondition& line, const std::string& method) {
  const bool same = line.condition.holds() && line.condition.right == Exact::parse(line.printed);
  return {fmt::format("condition {}, {}", line.number, method), line.formula, line.printed,
          line.condition.left_text(), agree(same)};
}

/// f linear in z has f_zz = 0: trees with two fat vertices above one meagre vertex vanish.
bool needs_f_zz(const Tree& tree) {
  const auto fat = std::count_if(tree.above.begin(), tree.above.end(),
                                 [](const Tree& t) { return t.root == Vertex::fat; });
  return (tree.root == Vertex::meagre && fat >= 2) ||
         std::any_of(tree.above.begin(), tree.above.end(), needs_f_zz);
}

Rows table1() {
  const Tableau hem3 = paper_tableau("hem3"), hem4 = paper_tableau("hem4");
  Rows rows;
  std::vector<int> vanishing;
  for (const auto& line : table1_conditions(hem4)) {
    rows.push_back(compare(line, "HEM4"));
    if (needs_f_zz(Tree::parse(line.condition.tree))) vanishing.push_back(line.number);
  }
  const Condition misprint = table1_condition16_as_printed(hem4);
  const Condition meant = condition(hem4, Tree::parse("[[t] {t t}]"));
  rows.push_back(explained({"condition 16 as printed, HEM4", misprint.formula, misprint.right.text(),
                            misprint.left_text(), agree(misprint.holds())},
                           {"misprint: the tree [[t] {t t}] has omega and c_{k+1} with an index k of their "
                            "own, and so the condition "
                            "holds; with omega_ij the sum is " +
                                fmt::format("{:.3f}", misprint.left.to_double()),
                            meant.holds() && meant.right == misprint.right}));
  for (const auto& line : table1_conditions(hem3))
    if (line.condition.order <= 3) rows.push_back(compare(line, "HEM3"));
  std::vector<std::size_t> counts;
  for (int q = 1; q <= 4; ++q)
    counts.push_back((counts.empty() ? 0 : counts.back()) + y_trees(q, Selection::independent).size());
  rows.push_back(compare("number of conditions", "for orders 1, 2, 3, 4", "1, 2, 6, 20",
                         fmt::format("{}", fmt::join(counts, ", "))));
  rows.push_back(compare("remark", "conditions not needed if f is linear in z", "6, 12, 13, 17, 18, 20",
                         fmt::format("{}", fmt::join(vanishing, ", "))));
  return rows;
}

/// The coefficients row by row, then the weights, each in the one way in which Exact writes it.
Rows compare(const Tableau& printed, const Tableau& ours, const std::string& origin) {
  const auto line = [](const std::vector<std::string>& texts) {
    std::vector<std::string> exact;
    for (const auto& text : texts) exact.push_back(Exact::parse(text).text());
    return fmt::format("{}", fmt::join(exact, "  "));
  };
  const auto row = [&](const Tableau& t, std::size_t i) {
    return i < t.A_text.size() ? line({t.c_text[i]}) + " | " + line(t.A_text[i]) : std::string("no such row");
  };
  Rows rows;
  for (std::size_t i = 0; i < printed.A_text.size(); ++i)
    rows.push_back(compare(fmt::format("row {}, {}", i + 1, origin), fmt::format("c_{0} | a_{0}j", i + 1),
                           row(printed, i), row(ours, i)));
  rows.push_back(compare("weights, " + origin, "b_j", line(printed.b_text), line(ours.b_text)));
  return rows;
}

/// Proposition 4, constructively: the residuals of conditions 5 and 6 over the family of classical order 3.
Rows uniqueness() {
  int tried = 0, five_holds = 0, six_holds = 0;
  const auto residual = [](const Tableau& t, const char* tree) {
    const Condition c = condition(t, Tree::parse(tree));
    return c.left - c.right;
  };
  for (long p = 1; p <= 9; ++p)
    for (long q = 1; q <= 9; ++q) {
      const Exact c2 = Exact(p) / 7, c3 = Exact(q) / 6;
      if (c2 == c3 || c2 == Exact(1)) continue;
      ++tried;
      const Exact five = residual(Tableau::parse(classical_of_order3(c2, c3)), "[t {t t}]");
      const Exact six = residual(Tableau::parse(classical_of_order3(c2, 1)), "[{t t} {t t}]");
      if (five == c2 * (c3 - 1) / 2) ++five_holds;
      if (six == c2 * c2 * (3 * c2 - 1) / (4 - 6 * c2)) ++six_holds;
    }
  const auto row = [&](const char* label, const char* quantity, const char* paper, const char* law,
                       int holds) {
    return PaperRow{label, quantity, paper, fmt::format("{}, at {} of {} nodes", law, holds, tried),
                    agree(holds == tried)};
  };
  return {row("proposition 4, condition 5", "sum b_i c_i omega_ij c_{j+1}^2 - 2/3, any c_2, c_3",
              "0 only if c_3 = 1", "c_2 (c_3 - 1)/2", five_holds),
          row("proposition 4, condition 6", "sum b_i omega_ij c_{j+1}^2 omega_ik c_{k+1}^2 - 4/3, c_3 = 1",
              "0 only if c_2 = 1/3", "c_2^2 (3 c_2 - 1)/(4 - 6 c_2)", six_holds)};
}

Rows table2() {
  const Tableau hem3 = paper_tableau("hem3");
  Rows rows = compare(printed_tableau("hem3"), hem3, "HEM3");
  rows.push_back(compare("order", "highest order with all conditions", "3",
                         std::to_string(order_of(hem3, Kind::hessenberg))));
  for (auto& row :
       compare(printed_tableau("hem3"), Tableau::parse(classical_of_order3(Exact(1) / 3, 1)), "rebuilt"))
    rows.push_back(std::move(row));
  for (auto& row : uniqueness()) rows.push_back(std::move(row));
  return rows;
}

Rows table3() {
  const Tableau hem4 = embed_stage(paper_tableau("hem4"), 5);
  Rows rows;
  for (const auto& line : table3_conditions(hem4)) rows.push_back(compare(line, "Y_5 of HEM4"));
  rows.push_back(compare("order of Y_5", "with Table 1, see (6.1)", "2",
                         std::to_string(embedded_order_of(hem4, Kind::hessenberg))));
  return rows;
}

Rows table4() {
  Rows rows;
  for (const auto& line : table4_conditions(paper_tableau("hem4")))
    rows.push_back(compare(fmt::format("condition {}", line.number), line.formula, line.printed,
                           line.condition.right.text()));
  for (const char* name : {"hem3", "hem4"})
    for (const auto& line : table4_conditions(paper_tableau(name)))
      rows.push_back({fmt::format("condition {}, Z_s of {}", line.number, name), line.formula, "",
                      line.condition.left_text(), Verdict::not_printed,
                      line.condition.holds() ? "holds" : "does not hold: z_1 is to be taken from (3.6)"});
  return rows;
}

/// omega_i1 from (4.3) with i = 2..s, where row s + 1 of A is b.
ExactVector first_column(const Tableau& t) {
  const auto a = [&](std::size_t i, std::size_t j) {
    return Exact::parse(i < t.A_text.size() ? t.A_text[i][j] : t.b_text[j]);
  };
  ExactVector omega = {Exact(1) / a(1, 0)};
  for (std::size_t i = 1; i < t.b_text.size(); ++i) {
    Exact sum;
    for (std::size_t j = 0; j < i; ++j) sum = sum + a(i + 1, j) * omega[j];
    omega.push_back(-sum / a(i + 1, i));
  }
  return omega;
}

Rows table5() {
  const Exact c2 = Exact(3) / 10, c3 = Exact::parse("2/5-1/10r");
  const Tableau printed = printed_tableau("hem4"), hem4 = paper_tableau("hem4");
  Rows rows = compare(printed, Tableau::parse(half_explicit_of_order4(c2, c3)), "constructed");
  for (auto& row : compare(printed, hem4, "HEM4")) rows.push_back(std::move(row));
  rows.push_back(compare("order", "highest order with all conditions", "4",
                         std::to_string(order_of(hem4, Kind::hessenberg))));
  rows.push_back(compare("fifth-order quadrature", "sum b_i c_i^4", "1/5",
                         condition(hem4, Tree::parse("[t t t t]")).left_text()));
  const ExactVector omega = first_column(hem4);
  rows.push_back(
      explained({"(4.3)", "range of the second relation", "j = 2..s", "i = 2..s", Verdict::differs},
                {"misprint: j is the index of summation; with i it gives omega_31 = omega_41 = omega_51 = 0, "
                 "which the text asks for next",
                 omega[2].is_zero() && omega[3].is_zero() && omega[4].is_zero()}));
  return rows;
}

Rows proposition5() {
  const char* nodes[][2] = {{"1/3", "2/3"}, {"1/4", "1/2"}, {"2/5", "3/5"}, {"1/5", "3/4"}, {"3/4", "1/4"}};
  Rows rows;
  for (const auto& [p, q] : nodes) {
    const Exact c2 = Exact::parse(p), c3 = Exact::parse(q);
    const Condition c = condition(Tableau::parse(classical_of_order4(c2, c3)), Tree::parse("[t t {t t}]"));
    rows.push_back(compare(fmt::format("c_2 = {}, c_3 = {}", p, q), "sum b_i c_i^2 omega_ij c_{j+1}^2 - 1/2",
                           (c2 * (1 - c3) / 6).text(), (c.left - c.right).text()));
  }
  return rows;
}

PaperPart part(const char* id, const char* title, Rows (*rows)()) {
  return {id, title, [rows](const PaperOptions&, std::vector<std::filesystem::path>&) { return rows(); }};
}

}  // namespace

std::vector<PaperPart> coefficient_tables() {
  return {part("1", "Table 1: order conditions up to order 4", table1),
          part("2", "Table 2: the method of order 3 with three stages", table2),
          part("3", "Table 3: additional conditions for an embedded method", table3),
          part("4", "Table 4: additional conditions for the z-component", table4),
          part("5", "Table 5: coefficients of HEM4", table5),
          part("proposition-5", "Proposition 5: no order 4 with four stages", proposition5)};
}

}  // namespace dalembert::brasey_hairer
