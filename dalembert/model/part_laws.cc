#include "dalembert/model/part_laws.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace dalembert {

namespace {

constexpr std::size_t most = 16;  // variables
using Seen = std::array<double, most>;

/// Of what laws see, the part that depends on where they are.
class Sight {
 public:
  Sight(const std::vector<std::string>& words, const PartFrame& frame)
      : arguments_(words.size()), turn_(frame.turn), shift_(frame.shift) {
    if (arguments_ > most) throw std::logic_error("a law has more than 16 variables");
    const auto find = [&](const std::string& word) {
      return std::find(words.begin(), words.end(), word) - words.begin();
    };
    const auto none = static_cast<std::ptrdiff_t>(arguments_);
    place_ = find("x"), velocity_ = find("vx");
    sees_ = place_ != none && velocity_ != none;  // else its angle is that of a joint
    if (!sees_) return;
    dimension_ = find("z") == none ? 2 : 3;
    angle_ = find("angle") == none ? -1 : find("angle");
    turned_by_ = std::atan2(turn_(1, 0), turn_(0, 0));
  }

  std::size_t arguments() const { return arguments_; }
  bool as_it_stands() const { return !sees_ || (turn_.isIdentity(0) && shift_.isZero(0)); }

  Seen from(const double* x) const {
    Seen mine{};
    std::copy_n(x, arguments_, mine.begin());
    for (Eigen::Index i = 0; i < dimension_; ++i) {
      mine[index(place_ + i)] = mine[index(velocity_ + i)] = 0;
      for (Eigen::Index j = 0; j < dimension_; ++j) {
        mine[index(place_ + i)] += turn_(j, i) * (x[place_ + j] - shift_[j]);
        mine[index(velocity_ + i)] += turn_(j, i) * x[velocity_ + j];
      }
    }
    if (angle_ >= 0) mine[index(angle_)] -= turned_by_;
    return mine;
  }

  /// A gradient by what they see becomes one by what is there.
  void back(double* gradient) const {
    for (const std::ptrdiff_t first : {place_, velocity_}) {
      std::array<double, 3> by{};
      for (Eigen::Index i = 0; i < dimension_; ++i)
        for (Eigen::Index j = 0; j < dimension_; ++j) by[index(i)] += turn_(i, j) * gradient[first + j];
      std::copy_n(by.begin(), dimension_, gradient + first);
    }
  }

 private:
  static std::size_t index(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }

  std::size_t arguments_;
  Eigen::Matrix3d turn_;
  Eigen::Vector3d shift_;
  bool sees_ = false;
  std::ptrdiff_t place_ = 0, velocity_ = 0, angle_ = -1;
  Eigen::Index dimension_ = 0;
  double turned_by_ = 0;
};

}  // namespace

std::vector<Law> moved(std::vector<Law> laws, const std::vector<std::string>& words, const PartFrame& frame,
                       Components components) {
  const Sight sight(words, frame);
  const bool turns = components == Components::of_ground && laws.size() > 1 && !frame.turn.isIdentity(0);
  if (!turns && sight.as_it_stands()) return laws;
  const auto all = std::make_shared<const std::vector<Law>>(std::move(laws));
  std::vector<Law> outside;
  for (std::size_t i = 0; i < all->size(); ++i)
    outside.push_back(Law([all, sight, i, turns, R = frame.turn](const double* x, double* gradient) {
      const Seen mine = sight.as_it_stands() ? Seen{} : sight.from(x);
      const double* const seen = sight.as_it_stands() ? x : mine.data();
      Seen each{};
      double sum = 0;
      if (gradient != nullptr) std::fill_n(gradient, sight.arguments(), 0.);
      for (std::size_t j = 0; j < all->size(); ++j) {
        const double factor =
            turns ? R(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) : (i == j ? 1 : 0);
        if (factor == 0) continue;
        sum += factor * (*all)[j](seen, gradient == nullptr ? nullptr : each.data());
        if (gradient == nullptr) continue;
        for (std::size_t k = 0; k < sight.arguments(); ++k) gradient[k] += factor * each[k];
      }
      if (gradient != nullptr && !sight.as_it_stands()) sight.back(gradient);
      return sum;
    }));
  return outside;
}

}  // namespace dalembert
