// Error weights and the one norm of error tests.
#pragma once

#include <map>
#include <string>

#include "dalembert/core/layout.h"

namespace dalembert {

/// How far iterations are driven: as the error test needs it, or (fixed steps, whose error no tolerance steers) down to
/// rounding.
enum class Precision { tolerance, rounding };

/// A tolerance that met a state.
///
/// scale_i = atol_i + rtol max(|a_i|, |b_i|);  norm(d) = sqrt(mean((d_i/scale_i)^2)) over the entries of d, which are the first
/// ones of the state.
struct ErrorScale {
  double relative = 1e-6;
  double absolute = 1e-6;
  Vector entries{};  ///< atol of each entry; empty: `absolute` everywhere

  double absolute_of(Eigen::Index i) const { return entries.size() == 0 ? absolute : entries[i]; }
  double of(Eigen::Index i, double size) const { return absolute_of(i) + relative * size; }

  double norm(In d, In a, In b) const {
    double sum = 0;
    for (Eigen::Index i = 0; i < d.size(); ++i) {
      const double part = d[i] / of(i, std::max(std::abs(a[i]), std::abs(b[i])));
      sum += part * part;
    }
    return d.size() == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(d.size()));
  }
};

/// What a run may be wrong by: a share of each entry, and so much in any case.
struct Tolerance {
  double relative = 1e-6;
  double absolute = 1e-6;  ///< of entries that no name below stands for
  /// Other absolute ones, by name: of a block ("v"), of part of one ("q.crank") or of an entry ("q.crank.x"). The longest name
  /// that fits is taken.
  std::map<std::string, double> named{};

  /// Throws Error unless all are finite, not negative, and the absolute ones positive.
  void validate() const;
  /// Throws Error for a name that stands for nothing in a state of this layout, with the nearest one that does.
  void refuse_unknown(const Layout&) const;

  /// Does a name stand for the entry of this label?
  bool names(const std::string& label) const;
  ErrorScale on(const Layout&) const;
  /// The smallest absolute one.
  double least() const;
  /// All of them times a factor.
  Tolerance times(double factor) const;
  /// For a state that is rewritten: differential blocks that only the new layout has stand for those that only the old one has,
  /// and are held to the smallest tolerance of theirs.
  Tolerance carried(const Layout& from, const Layout& to) const;
};

}  // namespace dalembert
