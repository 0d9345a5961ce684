#include "dalembert/analysis/trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

/// The text with its signs in the sequence t [ {, so that bushy trees come first.
std::string rank(const Tree& tree) {
  std::string key = text(tree);
  for (char& sign : key) sign = sign == 't' ? 'a' : sign == '[' ? 'b' : sign == '{' ? 'c' : ' ';
  return key;
}

bool before(const Tree& x, const Tree& y) {
  const auto key = [](const Tree& t) {
    return std::make_tuple(t.root == Vertex::fat, !t.is_leaf(), order(t), rank(t));
  };
  return key(x) < key(y);
}

Tree join(Vertex root, std::vector<Tree> above) {
  std::sort(above.begin(), above.end(), before);
  return {root, std::move(above)};
}

/// The forests of a total order: multisets of the candidates from `first` on.
void forests(const std::vector<Tree>& candidates, std::size_t first, int total, std::vector<Tree>& chosen,
             std::vector<std::vector<Tree>>& found) {
  if (total == 0) {
    found.push_back(chosen);
    return;
  }
  for (std::size_t i = first; i < candidates.size(); ++i) {
    if (order(candidates[i]) > total) continue;
    chosen.push_back(candidates[i]);
    forests(candidates, i, total - order(candidates[i]), chosen, found);
    chosen.pop_back();
  }
}

std::vector<std::vector<Tree>> forests(const std::vector<Tree>& candidates, int total) {
  std::vector<std::vector<Tree>> found;
  std::vector<Tree> chosen;
  forests(candidates, 0, total, chosen, found);
  return found;
}

std::vector<Tree> sorted(std::vector<Tree> trees) {
  std::sort(trees.begin(), trees.end(), before);
  return trees;
}

/// The index-2 trees of all orders up to some order, by order.
struct Grove {
  std::vector<std::vector<Tree>> y, z;  ///< [q] holds those of order q
};

Grove grow(int most, Selection selection) {
  Grove grove;
  grove.y.resize(1);
  grove.z.resize(1);
  std::vector<Tree> meagre, any;
  for (int q = 1; q <= most; ++q) {
    std::vector<Tree> y, z;
    for (auto& above : forests(any, q - 1)) {
      const bool only_fat = above.size() == 1 && above[0].root == Vertex::fat;
      if (!(only_fat && selection == Selection::independent)) y.push_back(join(Vertex::meagre, above));
    }
    meagre.insert(meagre.end(), y.begin(), y.end());
    for (auto& above : forests(meagre, q + 1))
      if (above.size() >= 2) z.push_back(join(Vertex::fat, above));
    any.insert(any.end(), y.begin(), y.end());
    any.insert(any.end(), z.begin(), z.end());
    grove.y.push_back(sorted(std::move(y)));
    grove.z.push_back(sorted(std::move(z)));
  }
  return grove;
}

}  // namespace

int order(const Tree& tree) {
  int sum = tree.root == Vertex::meagre ? 1 : -1;
  for (const auto& branch : tree.above) sum += order(branch);
  return sum;
}

std::string text(const Tree& tree) {
  const bool fat = tree.root == Vertex::fat;
  if (tree.is_leaf() && !fat) return "t";
  std::string all;
  for (const auto& branch : tree.above)
    all.append(1, all.empty() ? (fat ? '{' : '[') : ' ').append(text(branch));
  return all.append(1, fat ? '}' : ']');
}

Exact right_side(const Tree& tree) {
  const long r = order(tree);
  Exact product = tree.root == Vertex::meagre ? Exact(1) / Exact(r) : Exact(r + 1);
  for (const auto& branch : tree.above) product = product * right_side(branch);
  return product;
}

Tree Tree::parse(std::string_view text) {
  std::size_t at = 0;
  const auto fail = [&] { return Error(fmt::format("'{}' is not a tree", text), "as in [t {t t}]"); };
  const auto peek = [&] {
    while (at < text.size() && text[at] == ' ') ++at;
    return at < text.size() ? text[at] : '\0';
  };
  const auto read = [&](const auto& self) -> Tree {
    const char open = peek();
    if (open != 't' && open != '[' && open != '{') throw fail();
    ++at;
    if (open == 't') return {};
    const char close = open == '[' ? ']' : '}';
    std::vector<Tree> above;
    while (peek() != close) above.push_back(self(self));
    ++at;
    if (above.empty()) throw fail();
    return join(open == '[' ? Vertex::meagre : Vertex::fat, std::move(above));
  };
  Tree tree = read(read);
  if (peek() != '\0') throw fail();
  return tree;
}

std::vector<Tree> ode_trees(int order) {
  std::vector<Tree> smaller, trees;
  for (int q = 1; q <= order; ++q) {
    trees.clear();
    for (auto& above : forests(smaller, q - 1)) trees.push_back(join(Vertex::meagre, above));
    smaller.insert(smaller.end(), trees.begin(), trees.end());
  }
  return sorted(std::move(trees));
}

std::vector<Tree> y_trees(int order, Selection selection) {
  return order < 1 ? std::vector<Tree>{} : grow(order, selection).y.back();
}

std::vector<Tree> z_trees(int order, Selection selection) {
  return order < 1 ? std::vector<Tree>{} : grow(order, selection).z.back();
}

std::vector<Tree> transversal_trees(int order) {
  std::vector<Tree> trees;
  for (auto& u : z_trees(order - 1, Selection::independent)) trees.push_back({Vertex::meagre, {u}});
  return trees;
}

}  // namespace dalembert
