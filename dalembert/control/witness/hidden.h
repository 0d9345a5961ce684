// Something narrow inside a step that no evaluation has met: a detent, a wall, a pulse, whose law is flat at both ends of it.
//
// Methods see equations at a few points. Laws of model files can do better: they give bounds of their values over ranges of their
// arguments (bounded_law.h). Where a law may leave what it is at two neighbouring points by more than
//
//   |f1 - f0| + max(|f0|, |f1|) / 50
//
// the stretch between them is halved again and again, on the side where the bounds stick out most, until a value is found out
// there or the bounds of all parts say that there is none. This finds one millionth of a step in about twenty halvings. A formula
// is searched part by part: a bump beside something large that varies is small in the sum, but all there is in its own term.
//
// A law that does nearly all of its change in a small part of a stretch is found as well: a switch, a decay much shorter than the step.
#pragma once

#include <optional>
#include <vector>

#include "dalembert/control/track.h"
#include "dalembert/control/witness/defect.h"
#include "dalembert/core/bounded_law.h"

namespace dalembert {

class HiddenSearch {
 public:
  /// For states of so many entries.
  explicit HiddenSearch(Eigen::Index entries) { begin_.y = end_.y = state_.y = Vector::Zero(entries); }

  /// The times in a step at which laws are far from what they are around; none: all laws are as they look.
  const std::vector<double>& find(const Track&, DefectMeasure&);
  /// What was found last.
  const std::vector<double>& times() const { return times_; }

 private:
  /// The laws at one point of the step.
  struct Sample {
    double place = 0;
    bool known = false;  // to the method, or it will be looked at
    LawRecord laws{};
    std::vector<double> values{};
  };
  /// A place to look at, and by how much the law may be (or, if it is seen, is) outside.
  struct Spot {
    double place = 0, excess = 0;
    bool seen = false;
  };
  /// Samples of one step are kept from step to step for their room.
  Sample& next_sample();
  bool take(Sample&, double t, In y, DefectMeasure&);
  bool take_three(const Track&, DefectMeasure&);
  void follow(std::size_t law, const Track&, DefectMeasure&);
  void know(double place, const Track&);
  void know_sides(double place, std::size_t law, const Track&);
  std::optional<Spot> unknown(std::size_t law) const;
  std::optional<double> steep(std::size_t law);
  double between(std::size_t left, double part, std::size_t law);
  bool defined(std::size_t law) const;
  std::optional<Spot> search(std::size_t law);
  std::optional<Spot> search(std::size_t left, std::size_t law);
  double meet(const Spot&, std::size_t law, const Track&, DefectMeasure&);
  double margin(std::size_t left, std::size_t law, std::size_t argument) const;
  void sort();

  bool none_ = false;  // there are no such laws
  double least_ = 0;   // that may matter
  State begin_, end_, state_;
  Vector dq_begin_, dq_end_;
  std::vector<Sample> samples_;  // by place, the first `taken_` of them
  std::size_t taken_ = 0;
  std::vector<Range> box_;
  std::vector<double> x_, margins_;
  struct Part {
    double from, to, excess;
  };
  std::vector<Part> parts_;
  std::vector<double> times_;
};

}  // namespace dalembert
