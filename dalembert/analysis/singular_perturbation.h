// Problems with a small parameter eps: what is slow, what is fast, the boundary layer between them, and how near the limit is
// [MantegazzaMasarati2012, (85)-(95)].
//
//   x' = f(x, z, eps, t),   eps z' = g(x, z, eps, t)                                      (85)
//
//   eps -> 0      0 = g(xb, zb, 0, t): the limit, differential-algebraic; here any problem that eps = 0 gives, of any index
//   eigenvalues   s E - A at the start: those of the limit's pencil stay (slow), the others leave for infinity (fast)
//   start         the limit keeps what is slow of the given values: it begins where y0 - yb0 lies in the fast subspace. For
//                 (85) that is xb0 = x0 and 0 = g(x0, zb0, 0, t0).
//   layer         d(dz)/dtau = g(x0, zb0 + dz, 0, t0), dz(0) = z0 - zb0, t = t0 + eps tau   (95)
//
// (95) is solved where g_z is regular. Where it is not (a light mass: the limit has index 2, and the fast time is t/sqrt(eps)) the
// layer is that of the linearised equations, the sum of w u exp(s t) over fast eigenvalues s with vectors u.
//
// Which sheet of the limit a start belongs to is not the nearest one: (95) says it, and the limit begins where that ends. Along the limit
// fast eigenvalues are followed (limit_sheet.h): it may stop attracting, and motions leave it then, sometimes much later. What shrinks with eps is
// looked at in the end, whatever eigenvalues say: distances that do not are no distances from a limit.
//
// differs from [MantegazzaMasarati2012]: dz(0) = z0 - zb0, with a minus.
#pragma once

#include <atomic>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/analysis/boundary_layer.h"
#include "dalembert/analysis/modes.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

struct PerturbedProblem {
  std::function<std::shared_ptr<const Problem>(double eps)> at;  ///< for eps > 0
  std::shared_ptr<const Problem> limit;  ///< entries are found by their labels; it may lack some
};

struct PerturbationOptions {
  double eps = 0;                         ///< the largest
  int count = 5;                          ///< eps, eps/4, eps/16, ...
  std::optional<double> end{};            ///< otherwise the problem's own
  std::map<std::string, double> start{};  ///< changed initial values, by label
  double tolerance = 1e-10;               ///< of the runs
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const std::string&)> progress{};
};

struct PerturbedEigenvalue {
  std::complex<double> value;                   ///< at the largest eps
  double growth = 0;                            ///< p of |s| ~ eps^p, from the two largest eps; NaN for zeros
  std::optional<std::complex<double>> limit{};  ///< of slow ones
};

/// One entry of the state at the start.
struct PerturbedEntry {
  std::string label;
  double full = 0, limit = 0;  ///< limit: NaN if it has no such entry
  double layer = 0;            ///< what the layer adds to the limit; NaN, too, if it has no such entry
};

/// How something shrinks with eps.
struct Shrinking {
  std::string name;
  std::vector<double> sizes{};    ///< one for each eps
  std::optional<double> order{};  ///< none if all are within the tolerance of the runs
};

/// One entry over time, for pictures: the one whose layer is largest, at the largest eps.
struct LayerCurve {
  std::string label;
  std::vector<double> t{}, full{}, limit{}, sum{};  ///< sum: limit and layer
};

struct PerturbationStudy {
  std::vector<double> eps;
  int index = 0;                                ///< of the limit
  std::vector<PerturbedEigenvalue> slow, fast;  ///< by size
  Mode::Fate fate = Mode::Fate::decays;         ///< of the fast part: the worst one
  double gap = 0;   ///< slowest of the fast over fastest of the slow; infinity if nothing else moves
  double time = 0;  ///< in which the slowest of what decays falls to 1/e, or a fast angle turns by 1
  enum class Layer { nonlinear, linearised, none } layer = Layer::none;
  double delay = 0;  ///< until the layer begins to decay; long beside a sheet that repels
  /// What (95) makes of the start, where that is not a rest: it goes on moving, or runs away.
  std::optional<Led> astray{};
  /// The start is so near to a border between what two sheets attract that errors of the runs decide where it is led.
  bool border = false;
  std::vector<PerturbedEntry> start;
  double from = 0, to = 0;             ///< where distances from the limit are taken
  std::vector<Shrinking> distances;    ///< max |full - limit|/(1 + |limit|) by block
  std::vector<std::string> lasting{};  ///< names of those that do not shrink, unless what is fast lasts
  /// How far two runs with the smallest eps come apart where one has a hundred times the tolerance; the same measure.
  double apart = 0;
  Shrinking alone, corrected;  ///< within the layer: distance from the limit, and from limit + layer
  LayerCurve curve;
  /// Where an attracting limit stops being one: a fast eigenvalue along it comes to the right half plane.
  std::optional<double> attracts_until{};
  /// Then: where each motion is first farther than a tenth from it; NaN if it is not until the end.
  std::vector<double> leaves{};
  /// What is beside the limit grows by the exponential of this from there until they leave, or until the end.
  std::vector<double> grown{};
  /// By so much that errors of the runs decide when they leave.
  bool leaves_by_rounding = false;
  std::string unfollowed{};  ///< why the limit's eigenvalues could not be followed to the end
  /// The limit itself could not be followed beyond: at a fold, motions jump to elsewhere.
  std::optional<double> limit_ends{};
  std::string why_limit_ends{};
};

/// Throws Error where there is nothing to compare: no entries in common, eps too small or too large, runs that fail.
PerturbationStudy study_perturbation(const PerturbedProblem&, const PerturbationOptions&);

}  // namespace dalembert
