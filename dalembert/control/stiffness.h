// Are steps short for stability, not for accuracy? Counted over the steps of an explicit method [HairerWanner1996, IV.2].
#pragma once

#include <optional>

namespace dalembert {

class Stiffness {
 public:
  /// A step from there on was accepted, and took so much of the method's stability (Method::stability_used).
  void step(double begin, double stability_used) {
    if (stability_used > almost_all) {
      calm_ = 0;
      if (stiff_++ == 0) first_ = begin;
      if (stiff_ >= enough && !since_) since_ = first_;
    } else if (++calm_ >= forget) {
      stiff_ = 0;
    }
  }
  template <class Memory>
  void remember(Memory& memory) {
    memory(first_, stiff_, calm_, since_);
  }
  /// Where it began, once it is certain.
  std::optional<double> since() const { return since_; }
  /// It looks like it, which is enough for what is undone at little cost.
  bool suspected() const { return stiff_ >= few; }

 private:
  static constexpr double almost_all = 0.95;
  static constexpr int few = 5, enough = 15,
                       forget = 6;  // steps: the latter two as in the codes DOPRI5 and DOP853

  double first_ = 0;
  int stiff_ = 0, calm_ = 0;
  std::optional<double> since_;
};

}  // namespace dalembert
