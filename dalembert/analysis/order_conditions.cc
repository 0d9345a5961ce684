#include "dalembert/analysis/order_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

/// Beyond it the number of trees outgrows any explicit method in use.
constexpr int highest_order = 10;

/// The elementary weights of one tableau. Weights of subtrees are kept, since trees share most of them.
class Weights {
 public:
  Weights(const Tableau& tableau, Kind kind) : tableau_(ExactTableau::read(tableau)) {
    if (kind != Kind::ode && kind != Kind::hessenberg)
      throw Error("there are no order conditions for problems of kind " + std::string(name(kind)),
                  "ode and index2 have them");
    if (kind == Kind::hessenberg) {
      shifted_ = tableau_.shifted();
      omega_ = omega(tableau_);
    }
  }
  explicit Weights(ExactTableau tableau) : tableau_(std::move(tableau)) {}

  Condition for_result(const Tree& tree) { return make(tree, tableau_.b, "b"); }
  Condition for_embedded(const Tree& tree) {
    if (tableau_.embedded.empty()) throw Error("the tableau has no embedded weights");
    return make(tree, tableau_.embedded, "bhat");
  }
  Condition for_z(const Tree& tree) { return make(tree, omega_.back(), "omega"); }

 private:
  Condition make(const Tree& tree, const ExactVector& weights, const std::string& letter);
  const ExactVector& stages(const Tree& tree);

  ExactTableau tableau_;
  ExactMatrix shifted_, omega_;
  std::map<std::string, ExactVector> known_;
};

/// The product over the branches, for each index of the root.
const ExactVector& Weights::stages(const Tree& tree) {
  const std::string key = text(tree);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  ExactVector product(tableau_.b.size(), Exact(1));
  for (const auto& branch : tree.above) {
    const ExactMatrix& matrix = branch.root == Vertex::fat ? omega_
                                : tree.root == Vertex::fat ? shifted_
                                                           : tableau_.A;
    const ExactVector factor = matrix * stages(branch);
    for (std::size_t i = 0; i < product.size(); ++i) product[i] = product[i] * factor[i];
  }
  return known_.emplace(key, std::move(product)).first->second;
}

/// Writes the sum as the paper does: indices i, j, k, .. in the order of their appearance, powers of c
/// gathered.
class Formula {
 public:
  static std::string write(const Tree& tree, const std::string& letter) {
    Formula formula;
    if (tree.root == Vertex::fat) formula.next_ = 1;  // omega_sj: the root's index is j
    const char root = formula.take();
    formula.out_ = "sum " + letter + (tree.root == Vertex::fat ? "_s" : "_") + root;
    formula.branches(tree, root);
    return formula.out_;
  }

 private:
  char take() {
    static constexpr std::string_view letters = "ijklmnpquvwxyzdefgh";
    return letters[std::min(next_++, letters.size() - 1)];
  }

  void branches(const Tree& tree, char index) {
    const bool fat = tree.root == Vertex::fat;
    const auto leaves =
        std::count_if(tree.above.begin(), tree.above.end(), [](const Tree& t) { return t.is_leaf(); });
    if (leaves > 0) out_ += fat ? fmt::format(" c_{{{}+1}}", index) : fmt::format(" c_{}", index);
    if (leaves > 1) out_ += fmt::format("^{}", leaves);
    for (const auto& branch : tree.above) {
      if (branch.is_leaf()) continue;
      const char next = take();
      if (branch.root == Vertex::fat)
        out_ += fmt::format(" omega_{}{}", index, next);
      else
        out_ += fat ? fmt::format(" a_{{{}+1,{}}}", index, next) : fmt::format(" a_{}{}", index, next);
      branches(branch, next);
    }
  }

  std::string out_;
  std::size_t next_ = 0;
};

Condition Weights::make(const Tree& tree, const ExactVector& weights, const std::string& letter) {
  return {.tree = text(tree),
          .formula = Formula::write(tree, letter),
          .order = order(tree),
          .left = dot(weights, stages(tree)),
          .right = right_side(tree),
          .tolerance = tableau_.tolerance};
}

std::vector<Tree> trees_for(Kind kind, int order, Selection selection) {
  return kind == Kind::ode ? ode_trees(order) : y_trees(order, selection);
}

std::vector<Tree> embedded_trees_for(Kind kind, int order) {
  std::vector<Tree> trees = trees_for(kind, order, Selection::independent);
  if (kind == Kind::hessenberg)
    for (auto& tree : transversal_trees(order)) trees.push_back(std::move(tree));
  return trees;
}

using Make = Condition (Weights::*)(const Tree&);

std::vector<Condition> conditions(const Tableau& tableau, Kind kind, const std::vector<Tree>& trees,
                                  Make make) {
  Weights weights(tableau, kind);
  std::vector<Condition> all;
  for (const auto& tree : trees) all.push_back((weights.*make)(tree));
  return all;
}

int highest(Weights weights, Make make, const std::function<std::vector<Tree>(int)>& trees) {
  for (int q = 1; q <= highest_order; ++q)
    for (const auto& tree : trees(q))
      if (!(weights.*make)(tree).holds()) return q - 1;
  return highest_order;
}

}  // namespace

bool Condition::holds() const {
  if (tolerance == 0) return left == right;
  return std::abs(residual()) <= tolerance * std::max(1.0, std::abs(right.to_double()));
}

std::string Condition::left_text() const {
  constexpr std::size_t readable = 40;
  const std::string exact = left.text();
  return exact.size() <= readable ? exact : fmt::format("{:.17g}", left.to_double());
}

std::vector<Condition> ode_conditions(const Tableau& tableau, int order) {
  return conditions(tableau, Kind::ode, ode_trees(order), &Weights::for_result);
}

std::vector<Condition> ode_conditions(const ExactTableau& tableau, int order) {
  Weights weights(tableau);
  std::vector<Condition> all;
  for (const auto& tree : ode_trees(order)) all.push_back(weights.for_result(tree));
  return all;
}

int SimplifyingAssumptions::order() const {
  return std::min({B, C + D + 1, 2 * C + 2});
}

SimplifyingAssumptions simplifying_assumptions(const ExactTableau& t) {
  const std::size_t s = t.b.size();
  const int most = 2 * static_cast<int>(s) + 1;
  const auto same = [&](const Exact& x, const Exact& y) {
    return t.tolerance == 0 ? x == y : std::abs((x - y).to_double()) <= t.tolerance;
  };
  ExactVector power(s, Exact(1)), next(s);  // c^{k-1}, c^k
  SimplifyingAssumptions found;
  bool B = true, C = true, D = true;
  for (int k = 1; k <= most && (B || C || D); ++k) {
    const Exact part = Exact(1) / Exact(k);
    for (std::size_t i = 0; i < s; ++i) next[i] = power[i] * t.c[i];
    B = B && same(dot(t.b, power), part);
    const ExactVector Ac = t.A * power;
    for (std::size_t i = 0; i < s; ++i) {
      C = C && same(Ac[i], next[i] * part);
      Exact sum;
      for (std::size_t j = 0; j < s; ++j) sum = sum + t.b[j] * power[j] * t.A[j][i];
      D = D && same(sum, t.b[i] * (Exact(1) - next[i]) * part);
    }
    if (B) found.B = k;
    if (C) found.C = k;
    if (D) found.D = k;
    power = next;
  }
  return found;
}

int order_of(const ExactTableau& tableau) {
  const SimplifyingAssumptions known = simplifying_assumptions(tableau);
  if (known.order() == known.B) return known.B;
  return highest(Weights(tableau), &Weights::for_result, ode_trees);
}

std::vector<Condition> index2_conditions(const Tableau& tableau, int order, Selection selection) {
  return conditions(tableau, Kind::hessenberg, y_trees(order, selection), &Weights::for_result);
}

std::vector<Condition> embedded_conditions(const Tableau& tableau, Kind kind, int order) {
  return conditions(tableau, kind, embedded_trees_for(kind, order), &Weights::for_embedded);
}

std::vector<Condition> z_conditions(const Tableau& tableau, int order) {
  return conditions(tableau, Kind::hessenberg, z_trees(order, Selection::independent), &Weights::for_z);
}

Condition condition(const Tableau& tableau, const Tree& tree) {
  const Make make = tree.root == Vertex::fat ? &Weights::for_z : &Weights::for_result;
  return conditions(tableau, Kind::hessenberg, {tree}, make).front();
}

int order_of(const Tableau& tableau, Kind kind) {
  return highest(Weights(tableau, kind), &Weights::for_result,
                 [&](int q) { return trees_for(kind, q, Selection::independent); });
}

int embedded_order_of(const Tableau& tableau, Kind kind) {
  return highest(Weights(tableau, kind), &Weights::for_embedded,
                 [&](int q) { return embedded_trees_for(kind, q); });
}

namespace {

constexpr double rosenbrock_rounding =
    1e-12;  // of coefficients with 15 digits or so, beside the sum of all terms without signs

Vector rosenbrock_stages(const Matrix& alpha, const Matrix& beta, const Tree& tree) {
  Vector product = Vector::Ones(alpha.rows());
  const Matrix& matrix = tree.above.size() == 1 ? beta : alpha;
  for (const Tree& branch : tree.above)
    product = product.cwiseProduct(matrix * rosenbrock_stages(alpha, beta, branch)).eval();
  return product;
}

void write_rosenbrock(const Tree& tree, char index, char& next, std::string& out) {
  for (const Tree& branch : tree.above) {
    const char mine = next++;
    out += fmt::format(" {}_{}{}", tree.above.size() == 1 ? "beta" : "alpha", index, mine);
    write_rosenbrock(branch, mine, next, out);
  }
}

}  // namespace

std::vector<Condition> rosenbrock_conditions(const RosenbrockWeights& w, int wanted) {
  std::vector<Condition> all;
  for (const Tree& tree : ode_trees(wanted)) {
    std::string formula = "sum b_i";
    char next = 'j';
    write_rosenbrock(tree, 'i', next, formula);
    const double left = w.b.dot(rosenbrock_stages(w.alpha, w.beta, tree)),
                 size = w.b.cwiseAbs().dot(rosenbrock_stages(w.alpha.cwiseAbs(), w.beta.cwiseAbs(), tree));
    all.push_back({.tree = text(tree),
                   .formula = formula,
                   .order = order(tree),
                   .left = Exact::parse(fmt::format("{:.20f}", left)),
                   .right = right_side(tree),
                   .tolerance = rosenbrock_rounding * size});
  }
  return all;
}

int order_of(const RosenbrockWeights& w, int most) {
  for (int q = 1; q <= most; ++q)
    for (const Condition& c : rosenbrock_conditions(w, q))
      if (!c.holds()) return q - 1;
  return most;
}

}  // namespace dalembert
