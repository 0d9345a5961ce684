// What recordings of several families at tightening tolerances leave certain.
//
// Let x_k be an entry as one family delivers it at the k-th tolerance, and d_k = |x_k - x_(k-1)| over the size of the entry,
// the largest of all differential entries. A family votes if it converges: d_k <= d_(k-1)/2. If errors go on falling like that
// the truth is no further from x_k than d_k. The enclosure of an entry is the hull of x_(k-1) and x_k of all voters, two at
// least, widened by its own width on either side, and by rounding.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "dalembert/observe/certify/enclosure.h"
#include "dalembert/observe/certify/recording.h"

namespace dalembert {

/// The recordings of one family by tolerance; nullptr for runs that did not end well, or were not made.
using Series = std::vector<const Recording*>;

/// What the entries of samples are measured by.
struct Sizes {
  std::vector<bool> differential;  ///< on these families must agree
  Vector
      own;  ///< the usual magnitude of an entry along the motion, and no less than a millionth of those of its unit
  Vector rounding;  ///< what many steps may leave of it, more if others of its unit are larger
  Vector
      scale;  ///< the same, and no less than a thousandth, so that rounding of what should be 0 does not count
};
Sizes sizes(const Recording&, const std::vector<Watch>&);

/// Which sample of a recording is meant: counted from the start, or where the run ended.
using Point = std::size_t;
constexpr Point at_the_end = std::numeric_limits<std::size_t>::max();

/// What is certain at one point, or why nothing is.
struct Judgement {
  double t = 0;
  std::vector<Enclosure> values;    ///< by entry; empty if nothing is certain
  std::vector<std::size_t> voters;  ///< which series
  std::size_t level = 0;            ///< the tolerance that was judged
  std::string why_not{};
};

/// The hull of votes for a number, widened; NaN unless all are finite.
Enclosure enclose(const std::vector<double>& votes, double rounding);
/// Of a number of that size.
double rounding(double size);

/// By the tightest tolerance at which at least two families vote.
Judgement judge(const std::vector<Series>&, const Sizes&, Point);

/// d_k of one family, infinite where it did not come that far.
double change(const Series&, std::size_t level, const Sizes&, Point);

/// How far families are from each other at their tightest common tolerance, in units of size; NaN if there are no two.
double spread(const std::vector<Series>&, const Sizes&, Point);

}  // namespace dalembert
