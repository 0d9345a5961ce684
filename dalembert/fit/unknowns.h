// Parameters that are sought, each in its range: a box whose sides have length 1, and the steps that differences take in it.
#pragma once

#include <string>
#include <vector>

#include "dalembert/core/layout.h"
#include "dalembert/sweep/design.h"

namespace dalembert {

/// A parameter, or an initial value ("q.x"), that is sought.
struct Unknown {
  Variation range;  ///< without values: low to high, in equal steps or equal ratios
  std::string unit{};
  double start = 0;  ///< inside of the range
};

/// Throws Error unless each is a range that ascends, and holds its start.
void check_unknowns(const std::vector<Unknown>&);
/// The middle of a range: of equal ratios the geometric one.
double middle(const Variation&);

/// In the box, each is a number from 0 to 1.
double in_box(const Unknown&, double value);
double from_box(const Unknown&, double u);
/// d value / d u
double stretch(const Unknown&, double u);
Vector in_box(const std::vector<Unknown>&);  ///< where they start
Values from_box(const std::vector<Unknown>&, const Vector&);
/// `count` points: where they start, and then a Latin hypercube.
std::vector<Vector> starts(const std::vector<Unknown>&, int count, std::uint64_t seed);

/// How far a difference goes to both sides, in the box: a thousandth of the value, but neither more than a thousandth of the range nor
/// less than a hundredth of that; of equal ratios a thousandth of the value. With the error of a run e and the length h, the error of
/// a central difference is about e/h + h^2 f'''/6: with e = 1e-9, both parts are about 1e-6.
double difference_step(const Unknown&, double u);
inline constexpr double tolerance_for_differences = 1e-9;

}  // namespace dalembert
