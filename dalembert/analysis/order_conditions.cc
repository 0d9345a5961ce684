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

int highest(const Tableau& tableau, Kind kind, Make make,
            const std::function<std::vector<Tree>(int)>& trees) {
  Weights weights(tableau, kind);
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
  return highest(tableau, kind, &Weights::for_result,
                 [&](int q) { return trees_for(kind, q, Selection::independent); });
}

int embedded_order_of(const Tableau& tableau, Kind kind) {
  return highest(tableau, kind, &Weights::for_embedded, [&](int q) { return embedded_trees_for(kind, q); });
}

}  // namespace dalembert
