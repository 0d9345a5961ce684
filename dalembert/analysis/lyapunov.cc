#include "dalembert/analysis/lyapunov.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

namespace {

constexpr std::size_t fewest_records = 64;
constexpr double unsettled = .25;     // of S: what columns that have not found their directions yet may add
constexpr double power_of_time = 5;   // growth of S that parting like a power of the time does not reach soon
constexpr double certain_errors = 4;  // errors that a leading exponent is away from zero if it is not zero

/// In general position, so that none of them misses the direction that grows most.
Matrix any_columns(const Matrix& basis, Eigen::Index count) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  Matrix mixed(basis.cols(), count);
  for (double& x : mixed.reshaped()) x = normal(random);
  return basis * (mixed.householderQr().householderQ() * Matrix::Identity(basis.cols(), count));
}

/// Makes the columns orthonormal again; adds the logarithms of their lengths.
void orthonormalise(Matrix& W, Vector& S) {
  const Eigen::HouseholderQR<Matrix> qr(W);
  S += qr.matrixQR().diagonal().cwiseAbs().array().log().matrix();
  W = qr.householderQ() * Matrix::Identity(W.rows(), W.cols());
}

/// Of dS/dt between two records, with weights that vanish at both.
Vector weighted_mean(const LyapunovSpectrum& s, std::size_t first, std::size_t last) {
  Vector sum = Vector::Zero(s.sums.front().size());
  double weights = 0;
  const double begin = s.times[first], length = s.times[last] - begin;
  for (std::size_t k = first; k < last; ++k) {
    const double u = ((s.times[k] + s.times[k + 1]) / 2 - begin) / length;
    const double w = 1 - std::cos(2 * std::numbers::pi * u);
    sum += w * (s.sums[k + 1] - s.sums[k]);
    weights += w * (s.times[k + 1] - s.times[k]);
  }
  return sum / weights;
}

/// The means of so many blocks, and the times in their middle.
struct Blocks {
  Blocks(const LyapunovSpectrum& s, std::size_t count) : means(s.sums.front().size(), count), middles(count) {
    const std::size_t last = s.times.size() - 1;
    for (std::size_t b = 0; b < count; ++b) {
      const std::size_t first = b * last / count, end = (b + 1) * last / count;
      means.col(static_cast<Eigen::Index>(b)) = weighted_mean(s, first, end);
      middles[static_cast<Eigen::Index>(b)] = (s.times[first] + s.times[end]) / 2;
    }
  }
  /// The standard errors of the mean.
  Vector scatter() const {
    const auto n = static_cast<double>(means.cols());
    const Matrix about = means.colwise() - means.rowwise().mean();
    return (about.rowwise().squaredNorm() / (n * (n - 1))).cwiseSqrt();
  }
  Matrix means;
  Vector middles;
};

/// Means that fall or rise with the time, a + b/t: neighbours that part like a power of t, or columns that still turn.
struct Drift {
  Drift(const Blocks& blocks, Eigen::Index i, double begin) {
    const auto n = static_cast<double>(blocks.middles.size());
    const Vector x = (blocks.middles.array() - begin).inverse(), y = blocks.means.row(i).transpose();
    const Vector dx = x.array() - x.mean();
    const double slope = dx.dot(y) / dx.squaredNorm(), shift = y.mean() - slope * x.mean();
    const double left = (y - slope * x - Vector::Constant(y.size(), shift)).squaredNorm() / (n - 2);
    limit = shift;
    error = std::sqrt(left * (1 / n + x.mean() * x.mean() / dx.squaredNorm()));
    certain = std::abs(slope) > 2.5 * std::sqrt(left / dx.squaredNorm());
  }
  double limit = 0, error = 0;
  bool certain = false;
};

/// Largest first.
void sort(LyapunovSpectrum& s) {
  std::vector<Eigen::Index> order(s.exponents.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return s.exponents[static_cast<std::size_t>(a)].value > s.exponents[static_cast<std::size_t>(b)].value;
  });
  std::vector<LyapunovExponent> sorted;
  for (const Eigen::Index i : order) sorted.push_back(s.exponents[static_cast<std::size_t>(i)]);
  s.exponents = std::move(sorted);
  for (Vector& sums : s.sums) sums = Vector(sums(order));
}

void average(LyapunovSpectrum& s, double begin) {
  if (s.times.size() < fewest_records) {
    if (s.outcome == Outcome::ok || s.outcome == Outcome::interrupted)
      s.message =
          "the time is too short: fewer than " + std::to_string(fewest_records) + " records were made";
    return;
  }
  const std::size_t last = s.times.size() - 1;
  const Vector value = weighted_mean(s, 0, last), plain = s.sums.back() / (s.times.back() - s.times.front());
  const Blocks many(s, 16), halves(s, 2);
  const Vector short_blocks = many.scatter(), long_blocks = Blocks(s, 4).scatter();
  for (Eigen::Index i = 0; i < value.size(); ++i) {
    const bool regular = long_blocks[i] < short_blocks[i] / 10;  // chance does that once in 700
    LyapunovExponent e{value[i], regular ? long_blocks[i] : short_blocks[i], plain[i]};
    if (const Drift drift(many, i, begin); drift.certain) {
      e.error = std::max(e.error, std::hypot(drift.error, e.value - drift.limit));
      e.drifts = true;
    }
    e.error = std::max(e.error, std::abs(halves.means(i, 0) - halves.means(i, 1)) / 2);
    const double span = s.times.back() - s.times.front();
    e.error = std::max(e.error, unsettled / span);
    // So little parting or coming together is what a power of the time makes of it, too.
    if (std::abs(e.value) * span < power_of_time) e.error = std::max(e.error, std::abs(e.value));
    s.exponents.push_back(e);
  }
  sort(s);
}

}  // namespace

double LyapunovSpectrum::sum() const {
  double all = 0;
  for (const auto& e : exponents) all += e.value;
  return all;
}

std::optional<double> LyapunovSpectrum::kaplan_yorke() const {
  double before = 0;
  for (std::size_t j = 0; j < exponents.size(); ++j) {
    const double after = before + exponents[j].value;
    if (after < 0) return j == 0 ? 0 : static_cast<double>(j) + before / std::abs(exponents[j].value);
    before = after;
  }
  return {};
}

LyapunovSpectrum lyapunov_spectrum(std::shared_ptr<const Problem> problem, const LyapunovOptions& options) {
  const double end = checked_end(options.end, *problem, options.flow.start);
  TangentFlow flow(std::move(problem), options.flow);
  LyapunovSpectrum s;
  s.dimension = flow.dimension();
  if (s.dimension == 0) throw Error("the constraints leave no freedom: there are no neighbouring motions");
  const Eigen::Index count = options.count.value_or(s.dimension);
  if (count < 1 || count > s.dimension)
    throw Error(std::to_string(count) + " exponents are asked for",
                "the tangent space has dimension " + std::to_string(s.dimension));
  const double begin = flow.start().t, discard = options.discard.value_or((end - begin) / 10);
  if (!(discard >= 0 && discard < end - begin))
    throw Error("the time to discard is " + short_number(discard),
                "it must lie between 0 and " + short_number(end - begin));
  const double interval = options.interval.value_or((end - begin - discard) / 4000);
  if (!(interval > 0)) throw Error("the interval is " + short_number(interval), "it must be positive");

  const auto follow = [&](std::size_t pieces) {
    Vector S = Vector::Zero(count);
    s.times.clear(), s.sums.clear();
    flow.begin(flow.start(), any_columns(flow.basis(begin, flow.start().y), count));
    double told = begin;
    const auto tell = [&](double t) {
      if (!(t >= told + interval)) return false;
      told = t;
      if (options.progress) options.progress(t);
      return true;
    };
    s.outcome = flow.advance(begin + discard, [&](double t, Matrix& W) {
      orthonormalise(W, S);
      tell(t);
      return TangentFlow::Columns::changed;
    });
    if (s.outcome != Outcome::ok) return;
    S.setZero();
    told = begin + discard;
    s.times.push_back(told);
    s.sums.push_back(S);
    for (std::size_t k = 1; k <= pieces && s.outcome == Outcome::ok; ++k) {
      const double part = static_cast<double>(k) / static_cast<double>(pieces);
      s.outcome = flow.advance(k == pieces ? end : begin + discard + (end - begin - discard) * part,
                               [&](double t, Matrix& W) {
                                 orthonormalise(W, S);
                                 if (tell(t) || t == end) {
                                   s.times.push_back(t);
                                   s.sums.push_back(S);
                                 }
                                 return TangentFlow::Columns::changed;
                               });
    }
  };
  follow(1);
  // Steps of a motion at rest, or nearly so, are too long for records.
  if (s.outcome == Outcome::ok && s.times.size() < fewest_records) follow(2 * fewest_records);
  s.message = flow.message();
  s.statistics = flow.statistics();
  average(s, begin);
  return s;
}

namespace {

/// Two digits, upwards.
std::string rounded(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return short_number(std::ceil(x / unit) * unit);
}

/// Two digits of the error, upwards, and as many of the value: "-0.0522 +- 0.0013".
std::string with_error(double value, double error) {
  if (!(error > 0)) return short_number(value);
  const int digits = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 12);
  const double unit = std::pow(10, -digits);
  return fmt::format("{:.{}f} +- {:.{}f}", value, digits, std::ceil(error / unit * (1 - 1e-9)) * unit,
                     digits);
}

}  // namespace

std::string sentence(const LyapunovSpectrum& s) {
  if (s.exponents.empty()) return "no exponents: " + s.message;
  const auto& [value, error, plain, drifts] = s.exponents.front();
  // Zero, for instance along the motion itself, is met only as well as the steps are accurate.
  const double certain = certain_errors * error + 1e-6;
  if (std::abs(value) <= certain)
    return "the leading exponent is zero within its error: neighbouring motions part or come together no "
           "faster "
           "than exp(" +
           rounded(std::abs(value) + certain) + " t), if they do" +
           (drifts ? "; the means still change with the time, as where they part like a power of it" : "");
  const std::string rate = "like exp((" + with_error(value, error) + ") t)";
  if (value < 0) return "neighbouring motions come together " + rate;
  if (const double grown = value * (s.times.back() - s.times.front()); grown < power_of_time)
    return "neighbouring motions part, by a factor of " + rounded(std::exp(grown)) +
           " in this time: that may be a power of the time as well as an exponential, and only a longer time "
           "tells";
  return "neighbouring motions part " + rate +
         ": chaos, if the motion is bounded and neither an equilibrium nor periodic";
}

}  // namespace dalembert
