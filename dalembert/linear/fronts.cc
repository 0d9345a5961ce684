#include "dalembert/linear/fronts.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

namespace dalembert {
namespace {

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

constexpr int small_front = 24;  // below, plain loops beat the library's product

/// Minimum degree on the joints; two meet if they share a body.
std::vector<int> order_of_joints(const BlockGraph& graph) {
  const int joints = graph.size() - graph.bodies;
  std::vector<Eigen::Triplet<double>> pairs;
  for (int b = 0; b < graph.bodies; ++b)
    for (const int i : graph.neighbours[at(b)])
      for (const int j : graph.neighbours[at(b)]) pairs.emplace_back(i - graph.bodies, j - graph.bodies, 1.0);
  Eigen::SparseMatrix<double> pattern(joints, joints);
  pattern.setFromTriplets(pairs.begin(), pairs.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  return {order.indices().data(), order.indices().data() + joints};
}

}  // namespace

/// Joints are named by their turn in the elimination, from here on.
class Fronts::Planner {
 public:
  Planner(Fronts& fronts, const BlockGraph& graph)
      : f_(fronts),
        graph_(graph),
        order_(order_of_joints(graph)),
        turn_(order_.size()),
        local_(order_.size()),
        element_of_(at(graph.bodies)) {
    for (std::size_t k = 0; k < order_.size(); ++k) turn_[at(order_[k])] = static_cast<int>(k);
    size_.resize(order_.size());
    first_.resize(order_.size());
    int next = 0;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      first_[k] = next;
      next += size_[k] = graph_.size(block(static_cast<int>(k)));
    }
  }

  void plan(const Entries& mass, const Entries& jacobian) {
    build_tree();
    place_fronts();
    int n = 0;
    for (int b = 0; b < graph_.bodies; ++b) n += graph_.size(b);
    place_entries(mass, jacobian, n);
    for (std::size_t k = 0; k < order_.size(); ++k)
      for (const int i : graph_.unknowns[at(block(static_cast<int>(k)))]) f_.multiplier_of_.push_back(i);
    f_.diagonal_.assign(f_.multiplier_of_.size(), 0.0);
    f_.z_ = Vector::Zero(static_cast<Eigen::Index>(f_.multiplier_of_.size()));
  }

 private:
  struct Node {
    std::vector<int> pivots, rows, children;
    double zeros = 0;
    bool merged = false;
  };

  int block(int turn) const { return graph_.bodies + order_[at(turn)]; }
  int scalars(const std::vector<int>& joints) const {
    int sum = 0;
    for (const int j : joints) sum += size_[at(j)];
    return sum;
  }
  std::vector<int> joints_of(int body) const {
    std::vector<int> all;
    for (const int j : graph_.neighbours[at(body)]) all.push_back(turn_[at(j - graph_.bodies)]);
    std::sort(all.begin(), all.end());
    return all;
  }

  /// What is left when a joint is eliminated: its later neighbours, and those its children left.
  void build_tree() {
    nodes_.resize(order_.size());
    for (int b = 0; b < graph_.bodies; ++b)
      if (const std::vector<int> joints = joints_of(b); !joints.empty())
        join(nodes_[at(joints.front())].rows, joints);
    std::vector<std::vector<int>> children(order_.size());
    for (int k = 0; k < static_cast<int>(order_.size()); ++k) {
      Node& node = nodes_[at(k)];
      node.pivots = {k};
      node.children = children[at(k)];
      for (const int c : node.children) join(node.rows, nodes_[at(c)].rows);
      std::erase(node.rows, k);
      if (!node.rows.empty()) children[at(node.rows.front())].push_back(k);
    }
    for (Node& node : nodes_) merge_children(node);
  }
  void join(std::vector<int>& into, const std::vector<int>& more) {
    joined_.clear();
    std::set_union(into.begin(), into.end(), more.begin(), more.end(), std::back_inserter(joined_));
    into = joined_;
  }

  /// A child whose panel would hold few zeros more becomes part of its parent: a call less is worth many zeros in a
  /// small front, few in a large one.
  void merge_children(Node& node) {
    std::vector<int> kept;
    const std::vector<int> children = node.children;
    for (const int c : children) {
      Node& child = nodes_[at(c)];
      const double k = scalars(child.pivots), p = scalars(node.pivots), r = scalars(node.rows);
      const double zeros = node.zeros + child.zeros + k * (p + r - scalars(child.rows));
      const double share = zeros / ((k + p) * (k + p + r));
      if (k + p <= 8 || share < (k + p <= 24 ? 0.5 : k + p <= 64 ? 0.1 : 0.05)) {
        node.pivots.insert(node.pivots.begin(), child.pivots.begin(), child.pivots.end());
        node.zeros = zeros;
        kept.insert(kept.end(), child.children.begin(), child.children.end());
        child.merged = true;
      } else {
        kept.push_back(c);
      }
    }
    node.children = kept;
  }

  std::vector<int> postorder() const {
    std::vector<int> list, open;
    for (int k = 0; k < static_cast<int>(nodes_.size()); ++k)
      if (!nodes_[at(k)].merged && nodes_[at(k)].rows.empty()) open.push_back(k);
    while (!open.empty()) {  // parents before children, last child first; then the other way round
      list.push_back(open.back());
      open.pop_back();
      const std::vector<int>& children = nodes_[at(list.back())].children;
      open.insert(open.end(), children.begin(), children.end());
    }
    std::reverse(list.begin(), list.end());
    return list;
  }

  /// Offset of a new list in indices_.
  template <class Write>
  std::int32_t indices(Write&& write) {
    const auto here = static_cast<std::int32_t>(f_.indices_.size());
    write(f_.indices_);
    return here;
  }

  void place_fronts() {
    std::vector<int> owner(order_.size()), front_of(order_.size());
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      if (!nodes_[k].merged)
        for (const int j : nodes_[k].pivots) owner[at(j)] = static_cast<int>(k);
    std::vector<std::vector<int>> bodies(order_.size());
    for (int b = 0; b < graph_.bodies; ++b)
      if (const std::vector<int> joints = joints_of(b); !joints.empty())
        bodies[at(owner[at(joints.front())])].push_back(b);

    std::int64_t panels = 0, top = 0, highest = 0;
    for (const int k : postorder()) {
      const Node& node = nodes_[at(k)];
      Front front;
      front.pivots = scalars(node.pivots);
      front.rows = scalars(node.rows);
      front.panel = panels;
      panels += front.height() * front.pivots;
      place_joints(node, front);
      front.work = front.update = top;
      for (const int c : node.children) {
        Front& child = f_.fronts_[at(front_of[at(c)])];
        child.places = indices([&](auto& list) { write_places(nodes_[at(c)].rows, list); });
        front.children.push_back(front_of[at(c)]);
        front.update = std::min(front.update, child.update);
      }
      const std::int64_t square = static_cast<std::int64_t>(front.rows) * front.rows;
      highest = std::max(highest, front.work + square);
      top = front.update + square;
      for (const int b : bodies[at(k)]) front.elements.push_back(place_element(b));
      front_of[at(k)] = static_cast<int>(f_.fronts_.size());
      f_.fronts_.push_back(std::move(front));
    }
    for (int b = 0; b < graph_.bodies; ++b)
      if (graph_.neighbours[at(b)].empty()) place_element(b);  // free: it has a mass, but no front
    f_.panels_.assign(at(panels), 0.0);
    f_.stack_.assign(at(highest), 0.0);
  }

  void place_joints(const Node& node, Front& front) {
    int next = 0;
    front.multipliers = indices([&](auto& list) {
      for (const auto* part : {&node.pivots, &node.rows})
        for (const int j : *part) {
          local_[at(j)] = next;
          next += size_[at(j)];
          for (int i = 0; i < size_[at(j)]; ++i) list.push_back(first_[at(j)] + i);
        }
    });
  }
  void write_places(const std::vector<int>& joints, std::vector<std::int32_t>& list) const {
    for (const int j : joints)
      for (int i = 0; i < size_[at(j)]; ++i) list.push_back(local_[at(j)] + i);
  }

  std::int32_t place_element(int body) {
    const std::vector<int> joints = joints_of(body);
    Element e;
    e.size = graph_.size(body);
    e.rows = scalars(joints);
    e.mass = values_;
    e.jacobian = values_ + e.size * e.size;
    values_ = e.jacobian + e.size * e.rows;
    e.unknowns = indices([&](auto& list) {
      for (const int i : graph_.unknowns[at(body)]) list.push_back(i);
    });
    e.places = indices([&](auto& list) { write_places(joints, list); });
    e.multipliers = indices([&](auto& list) {
      for (const int j : joints)
        for (int i = 0; i < size_[at(j)]; ++i) list.push_back(first_[at(j)] + i);
    });
    element_of_[at(body)] = static_cast<std::int32_t>(f_.elements_.size());
    f_.elements_.push_back(e);
    return element_of_[at(body)];
  }

  void place_entries(const Entries& mass, const Entries& jacobian, int n) {
    for (std::size_t k = 0; k < mass.size(); ++k) {
      const Element& e = element(mass.row(k));
      f_.mass_slot_.push_back(e.mass + graph_.place[at(mass.column(k))] * e.size +
                              graph_.place[at(mass.row(k))]);
    }
    for (std::size_t k = 0; k < jacobian.size(); ++k) {
      const Element& e = element(jacobian.column(k));
      const int block = graph_.block[at(n + jacobian.row(k))];
      const int z = first_[at(turn_[at(block - graph_.bodies)])] + graph_.place[at(n + jacobian.row(k))];
      const auto begin = f_.indices_.begin() + e.multipliers;
      const auto column = static_cast<int>(std::find(begin, begin + e.rows, z) - begin);
      f_.jacobian_slot_.push_back(e.jacobian + column * e.size + graph_.place[at(jacobian.column(k))]);
    }
    f_.values_.assign(at(values_), 0.0);
  }
  const Element& element(int coordinate) const {
    return f_.elements_[at(element_of_[at(graph_.block[at(coordinate)])])];
  }

  Fronts& f_;
  const BlockGraph& graph_;
  std::vector<int> order_, turn_, size_, first_, local_;
  std::vector<std::int32_t> element_of_;
  std::vector<Node> nodes_;
  std::vector<int> joined_;
  std::int32_t values_ = 0;
};

bool Fronts::bind(const BlockGraph& graph, const Entries& mass, const Entries& jacobian) {
  for (int b = 0; b < graph.bodies; ++b)
    for (const int t : graph.neighbours[at(b)])
      if (t < graph.bodies) return false;
  *this = {};
  Planner(*this, graph).plan(mass, jacobian);
  return true;
}

/// M_b = L L', and L^-1 G_b' in place of G_b'.
bool Fronts::form(const Element& e) {
  double* L = values_.data() + e.mass;
  const int s = e.size;
  for (int j = 0; j < s; ++j) {
    double d = L[j * s + j];
    for (int p = 0; p < j; ++p) d -= L[p * s + j] * L[p * s + j];
    if (!(d > 0)) return false;
    L[j * s + j] = d = std::sqrt(d);
    for (int i = j + 1; i < s; ++i) {
      double x = L[j * s + i];
      for (int p = 0; p < j; ++p) x -= L[p * s + i] * L[p * s + j];
      L[j * s + i] = x / d;
    }
  }
  for (int c = 0; c < e.rows; ++c) {
    double* y = values_.data() + e.jacobian + c * s;
    for (int i = 0; i < s; ++i) {
      double x = y[i];
      for (int p = 0; p < i; ++p) x -= L[p * s + i] * y[p];
      y[i] = x / L[i * s + i];
    }
  }
  return true;
}

/// (L^-1 G_b')' (L^-1 G_b') into the lower half of its front.
void Fronts::add(const Element& e, const Front& front) {
  const double* Y = values_.data() + e.jacobian;
  const std::int32_t* place = indices_.data() + e.places;
  for (int j = 0; j < e.rows; ++j) {
    const double* y = Y + j * e.size;
    double* column = column_of(front, place[j]);
    for (int i = j; i < e.rows; ++i) {
      double sum = 0;
      for (int p = 0; p < e.size; ++p) sum += Y[i * e.size + p] * y[p];
      column[place[i]] += sum;
    }
  }
}

void Fronts::add(const Front& child, const Front& parent) {
  const double* U = stack_.data() + child.update;
  const std::int32_t* place = indices_.data() + child.places;
  for (int j = 0; j < child.rows; ++j) {
    double* column = column_of(parent, place[j]);
    for (int i = j; i < child.rows; ++i) column[place[i]] += U[j * static_cast<std::int64_t>(child.rows) + i];
  }
}

/// Where the column of a scalar begins, as if row 0 were stored: in the panel if it is eliminated here, else among what is
/// left.
double* Fronts::column_of(const Front& front, int place) {
  if (place < front.pivots) return panels_.data() + front.panel + place * front.height();
  return stack_.data() + front.work + static_cast<std::int64_t>(place - front.pivots) * front.rows -
         front.pivots;
}

/// Cholesky on the panel, and what is left for the parent.
bool Fronts::eliminate(const Front& front) {
  const int k = front.pivots, r = front.rows;
  const auto f = static_cast<Eigen::Index>(front.height());
  double* A = panels_.data() + front.panel;
  const std::int32_t* z = indices_.data() + front.multipliers;
  for (int j = 0; j < k; ++j) {
    double* column = A + j * f;
    const double d = column[j], share = d / diagonal_[at(z[j])];
    if (!(share > 0)) return false;
    smallest_share_ = std::min(smallest_share_, share);
    const double root = std::sqrt(d), inverse = 1 / root;
    column[j] = root;
    for (Eigen::Index i = j + 1; i < f; ++i) column[i] *= inverse;
    for (int t = j + 1; t < k; ++t) {
      double* other = A + t * f;
      const double factor = column[t];
      for (Eigen::Index i = t; i < f; ++i) other[i] -= factor * column[i];
    }
  }
  if (r == 0) return true;
  Eigen::Map<Matrix> rest(stack_.data() + front.work, r, r);
  const auto L = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(A + k, r, k, Eigen::OuterStride<>(f));
  if (r > small_front) {
    rest.selfadjointView<Eigen::Lower>().rankUpdate(L, -1);
  } else {
    for (int j = 0; j < r; ++j)
      for (int p = 0; p < k; ++p) {
        const double* column = A + p * f + k;
        const double factor = column[j];
        double* other = stack_.data() + front.work + static_cast<std::int64_t>(j) * r;
        for (int i = j; i < r; ++i) other[i] -= factor * column[i];
      }
  }
  if (front.work != front.update)
    std::copy(stack_.begin() + front.work, stack_.begin() + front.work + static_cast<std::int64_t>(r) * r,
              stack_.begin() + front.update);
  return true;
}

bool Fronts::factor(const Entries& mass, const Entries& jacobian) {
  std::fill(values_.begin(), values_.end(), 0.0);
  std::fill(panels_.begin(), panels_.end(), 0.0);
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  for (std::size_t k = 0; k < mass.size(); ++k) values_[at(mass_slot_[k])] += mass.value(k);
  for (std::size_t k = 0; k < jacobian.size(); ++k) values_[at(jacobian_slot_[k])] += jacobian.value(k);
  if (!std::all_of(elements_.begin(), elements_.end(), [&](const Element& e) { return form(e); }))
    return false;
  // The diagonal of S is complete before the first pivot is judged by it.
  for (const Element& e : elements_) {
    const std::int32_t* z = indices_.data() + e.multipliers;
    for (int j = 0; j < e.rows; ++j) {
      const double* y = values_.data() + e.jacobian + j * e.size;
      for (int p = 0; p < e.size; ++p) diagonal_[at(z[j])] += y[p] * y[p];
    }
  }
  smallest_share_ = 1;
  for (const Front& front : fronts_) {
    std::fill_n(stack_.begin() + front.work, static_cast<std::int64_t>(front.rows) * front.rows, 0.0);
    for (const std::int32_t e : front.elements) add(elements_[at(e)], front);
    for (const std::int32_t c : front.children) add(fronts_[at(c)], front);
    if (!eliminate(front)) return false;
  }
  return true;
}

void Fronts::solve(Out x) {
  const auto m = static_cast<Eigen::Index>(multiplier_of_.size());
  for (Eigen::Index i = 0; i < m; ++i) z_[i] = -x[multiplier_of_[at(i)]];
  // u = L^-1 f stays in place of f.
  for (const Element& e : elements_) {
    const double *L = values_.data() + e.mass, *Y = values_.data() + e.jacobian;
    const std::int32_t *unknown = indices_.data() + e.unknowns, *z = indices_.data() + e.multipliers;
    for (int i = 0; i < e.size; ++i) {
      double u = x[unknown[i]];
      for (int p = 0; p < i; ++p) u -= L[p * e.size + i] * x[unknown[p]];
      x[unknown[i]] = u / L[i * e.size + i];
    }
    for (int j = 0; j < e.rows; ++j)
      for (int i = 0; i < e.size; ++i) z_[z[j]] += Y[j * e.size + i] * x[unknown[i]];
  }
  for (const Front& front : fronts_) {
    const double* A = panels_.data() + front.panel;
    const std::int32_t* z = indices_.data() + front.multipliers;
    for (int j = 0; j < front.pivots; ++j, A += front.height()) {
      const double y = z_[z[j]] /= A[j];
      for (int i = j + 1; i < front.height(); ++i) z_[z[i]] -= A[i] * y;
    }
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    const std::int32_t* z = indices_.data() + front->multipliers;
    for (int j = front->pivots - 1; j >= 0; --j) {
      const double* A = panels_.data() + front->panel + j * front->height();
      double y = z_[z[j]];
      for (int i = j + 1; i < front->height(); ++i) y -= A[i] * z_[z[i]];
      z_[z[j]] = y / A[j];
    }
  }
  for (const Element& e : elements_) {
    const double *L = values_.data() + e.mass, *Y = values_.data() + e.jacobian;
    const std::int32_t *unknown = indices_.data() + e.unknowns, *z = indices_.data() + e.multipliers;
    for (int j = 0; j < e.rows; ++j)
      for (int i = 0; i < e.size; ++i) x[unknown[i]] -= Y[j * e.size + i] * z_[z[j]];
    for (int i = e.size - 1; i >= 0; --i) {
      double a = x[unknown[i]];
      for (int p = i + 1; p < e.size; ++p) a -= L[i * e.size + p] * x[unknown[p]];
      x[unknown[i]] = a / L[i * e.size + i];
    }
  }
  for (Eigen::Index i = 0; i < m; ++i) x[multiplier_of_[at(i)]] = z_[i];
}

}  // namespace dalembert
