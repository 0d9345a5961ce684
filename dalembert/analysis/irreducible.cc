#include "dalembert/analysis/irreducible.h"

#include <algorithm>

namespace dalembert {

namespace {

/// Depth first over all entries, with the stack of those whose block is not complete yet.
class Components {
 public:
  Components(const Matrix& A, const Matrix& doubt) : A_(A), doubt_(doubt) {
    const auto n = static_cast<std::size_t>(A.rows());
    order_.assign(n, -1), low_.assign(n, 0), open_.assign(n, false);
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (order_[index(i)] < 0) visit(i);
  }
  std::vector<std::vector<Eigen::Index>> found;

 private:
  static std::size_t index(Eigen::Index i) { return static_cast<std::size_t>(i); }
  bool leads(Eigen::Index i, Eigen::Index j) const { return A_(i, j) != 0 || doubt_(i, j) > 0; }
  void visit(Eigen::Index i) {
    order_[index(i)] = low_[index(i)] = count_++;
    stack_.push_back(i), open_[index(i)] = true;
    for (Eigen::Index j = 0; j < A_.cols(); ++j) {
      if (i == j || !leads(i, j)) continue;
      if (order_[index(j)] < 0) {
        visit(j);
        low_[index(i)] = std::min(low_[index(i)], low_[index(j)]);
      } else if (open_[index(j)]) {
        low_[index(i)] = std::min(low_[index(i)], order_[index(j)]);
      }
    }
    if (low_[index(i)] == order_[index(i)]) close(i);
  }
  void close(Eigen::Index root) {
    std::vector<Eigen::Index> block;
    for (Eigen::Index i = -1; i != root;) {
      i = stack_.back();
      stack_.pop_back();
      open_[index(i)] = false;
      block.push_back(i);
    }
    std::sort(block.begin(), block.end());
    found.push_back(std::move(block));
  }

  const Matrix &A_, &doubt_;
  std::vector<long> order_, low_;
  std::vector<bool> open_;
  std::vector<Eigen::Index> stack_;
  long count_ = 0;
};

}  // namespace

std::vector<std::vector<Eigen::Index>> irreducible_blocks(const Matrix& A, const Matrix& doubt) {
  auto found = Components(A, doubt).found;
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace dalembert
