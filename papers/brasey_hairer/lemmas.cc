// Lemmas 6 to 9 of [BraseyHairer1993]: relations between left-hand sides of order conditions, in exact arithmetic.
//
// The lemmas say that some conditions follow from others under C(2), D(1), or C(2) with (4.1). That is so because their left-hand
// sides are linear in each other, whatever the order: which is checked on three five-stage tableaus that satisfy
// the assumption and little else, and on three without it, which must not have the relation.
#include "dalembert/analysis/index2_tables.h"
#include "papers/brasey_hairer/parts.h"

namespace dalembert::brasey_hairer {

namespace {

struct Coefficients {
  ExactMatrix A{5, ExactVector(5)};
  ExactVector b = ExactVector(5), c = ExactVector(5);
};

Exact over(long numerator, long denominator) {
  return Exact(numerator) / denominator;
}

Exact row_sum(const Coefficients& k, std::size_t i) {
  Exact sum;
  for (std::size_t j = 0; j < i; ++j) sum = sum + k.A[i][j];
  return sum;
}

/// Nodes and free coefficients that have nothing to do with each other, another set for each `member`.
Coefficients arbitrary(long member) {
  Coefficients k;
  k.c = {0, over(2 + member, 7), over(3, 5 + member), over(4 + member, 9), 1};
  for (std::size_t i = 1; i < 5; ++i)
    for (std::size_t j = 0; j < i; ++j)
      k.A[i][j] = over(static_cast<long>(3 * i + 2 * j) - 4 * member + 1, static_cast<long>(5 + i + 2 * j));
  k.b = {over(1, 6), over(-2, 5 + member), over(3, 4), over(1 + member, 8), over(2, 3)};
  k.A[1][0] = k.c[1];
  return k;
}

/// sum_j a_ij c_j = c_i^2/2 for i = 3..5, b_2 = 0
Coefficients with_c2(long member) {
  Coefficients k = arbitrary(member);
  k.b[1] = 0;
  for (std::size_t i = 2; i < 5; ++i) {
    Exact rest = k.c[i] * k.c[i] / 2;
    for (std::size_t j = 2; j < i; ++j) rest = rest - k.A[i][j] * k.c[j];
    k.A[i][1] = rest / k.c[1];
    k.A[i][0] = 0;
    k.A[i][0] = k.c[i] - row_sum(k, i);
  }
  return k;
}

/// sum_i b_i a_ij = b_j (1 - c_j); the last row then adds up to 1 if sum b = 1 and sum b c = 1/2.
Coefficients with_d1(long member) {
  Coefficients k = arbitrary(member);
  for (std::size_t i = 0; i < 4; ++i) k.c[i] = row_sum(k, i);
  k.b[4] = over(1, 2) - (k.b[1] * k.c[1] + k.b[2] * k.c[2] + k.b[3] * k.c[3]);
  k.b[0] = 1 - (k.b[1] + k.b[2] + k.b[3] + k.b[4]);
  for (std::size_t j = 0; j < 4; ++j) {
    Exact rest = k.b[j] * (1 - k.c[j]);
    for (std::size_t i = j + 1; i < 4; ++i) rest = rest - k.b[i] * k.A[i][j];
    k.A[4][j] = rest / k.b[4];
  }
  return k;
}

/// C(2), sum b = 1, sum b c = 1/2 and b_i omega_i1 = 0 (4.1), by the linear systems (4.4); not the conditions of order 3.
Coefficients with_41(long member) {
  Coefficients k = with_c2(member);
  k.b[0] = 0;
  k.b[2] = (over(1, 2) - k.b[3] * (1 - k.c[3])) / (1 - k.c[2]);
  k.b[4] = 1 - (k.b[2] + k.b[3]);
  const Exact omega11 = 1 / k.A[1][0], omega21 = -k.A[2][0] * omega11 / k.A[2][1];
  const ExactMatrix system = {{1, 1, 1}, {0, k.c[1], k.c[2]}, {omega11, omega21, 0}};
  for (std::size_t i = 3; i < 5; ++i) {
    const Exact last = i == 4 ? k.A[4][3] : Exact(0);
    const auto row = solve(system, {k.c[i] - last, k.c[i] * k.c[i] / 2 - last * k.c[3], 0}, "(4.4)");
    for (std::size_t j = 0; j < 3; ++j) k.A[i][j] = row[j];
  }
  return k;
}

Tableau tableau(const Coefficients& k) {
  std::string picture;
  for (std::size_t i = 0; i < 5; ++i) {
    picture += k.c[i].text() + " |";
    for (std::size_t j = 0; j < i; ++j) picture += " " + k.A[i][j].text();
    picture += "\n";
  }
  picture += "---+---\n |";
  for (const Exact& b : k.b) picture += " " + b.text();
  return Tableau::parse(picture + "\n");
}

/// The left-hand side of condition `of` is a constant and multiples of others.
struct Relation {
  const char* lemma;
  const char* text;
  int of;
  Exact constant;
  std::vector<std::pair<Exact, int>> terms;
  Coefficients (*family)(long member);
};

std::vector<Relation> relations() {
  const Exact half = over(1, 2);
  return {{"Lemma 6", "(4) = (3)/2", 4, 0, {{half, 3}}, with_c2},
          {"Lemma 6", "(8) = (7)/2", 8, 0, {{half, 7}}, with_c2},
          {"Lemma 6", "(16) = (11)/2", 16, 0, {{half, 11}}, with_c2},
          {"Lemma 7", "(4) = (2) - (3)", 4, 0, {{1, 2}, {-1, 3}}, with_d1},
          {"Lemma 7", "(9) = (3) - (7)", 9, 0, {{1, 3}, {-1, 7}}, with_d1},
          {"Lemma 7", "(10) = (4) - (8)", 10, 0, {{1, 4}, {-1, 8}}, with_d1},
          {"Lemma 7", "(19) = (5) - (11)", 19, 0, {{1, 5}, {-1, 11}}, with_d1},
          {"Lemma 7", "(20) = (6) - (12)", 20, 0, {{1, 6}, {-1, 12}}, with_d1},
          {"Lemma 8", "(5) = 2 (3)", 5, 0, {{2, 3}}, with_41},
          {"Lemma 8", "(6) = 4 (3)", 6, 0, {{4, 3}}, with_41},
          {"Lemma 8", "(11) = 2 (7)", 11, 0, {{2, 7}}, with_41},
          {"Lemma 8", "(12) = 4 (7)", 12, 0, {{4, 7}}, with_41},
          {"Lemma 8", "(13) = 8 (7)", 13, 0, {{8, 7}}, with_41},
          {"Lemma 8", "(16) = 2 (8)", 16, 0, {{2, 8}}, with_41},
          {"Lemma 8", "(17) = 2 (14)", 17, 0, {{2, 14}}, with_41},
          {"Lemma 8", "(18) = 2 (15)", 18, 0, {{2, 15}}, with_41},
          {"Lemma 9", "(5) = 1 - (3)", 5, 1, {{-1, 3}}, with_d1},
          {"Lemma 9", "(14) = 1 - (7)", 14, 1, {{-1, 7}}, with_d1},
          {"Lemma 9", "(15) = (2) - (8)", 15, 0, {{1, 2}, {-1, 8}}, with_d1}};
}

std::vector<PaperRow> run_lemmas(const PaperOptions&, std::vector<std::filesystem::path>&) {
  std::vector<PaperRow> rows;
  for (const Relation& relation : relations()) {
    int holds = 0, fails_elsewhere = 0;
    const auto left_over = [&](const Coefficients& k) {
      const auto conditions = table1_conditions(tableau(k));
      const auto left = [&](int number) {
        return conditions.at(static_cast<std::size_t>(number - 1)).condition.left;
      };
      Exact rest = left(relation.of) - relation.constant;
      for (const auto& [factor, number] : relation.terms) rest = rest - factor * left(number);
      return rest;
    };
    for (const long member : {0, 1, 2}) {
      holds += left_over(relation.family(member)).is_zero() ? 1 : 0;
      Coefficients none = arbitrary(member);
      for (std::size_t i = 0; i < 5; ++i) none.c[i] = row_sum(none, i);
      fails_elsewhere += left_over(none).is_zero() ? 0 : 1;
    }
    rows.push_back({relation.lemma, relation.text, "holds", holds == 3 ? "holds" : "does not hold",
                    agree(holds == 3 && fails_elsewhere == 3)});
  }
  return rows;
}

}  // namespace

std::vector<PaperPart> lemmas() {
  return {{"lemmas", "Lemmas 6 to 9: conditions that follow from others", run_lemmas}};
}

}  // namespace dalembert::brasey_hairer
