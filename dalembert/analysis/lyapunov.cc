#include "dalembert/analysis/lyapunov.h"

#include <cmath>
#include <numbers>
#include <random>

#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

namespace {

constexpr std::size_t fewest_records = 64;
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

/// The standard error of the mean, from the means of so many blocks.
Vector scatter(const LyapunovSpectrum& s, std::size_t blocks) {
  const std::size_t last = s.times.size() - 1;
  Matrix means(s.sums.front().size(), blocks);
  for (std::size_t b = 0; b < blocks; ++b)
    means.col(static_cast<Eigen::Index>(b)) = weighted_mean(s, b * last / blocks, (b + 1) * last / blocks);
  means.colwise() -= means.rowwise().mean().eval();
  const auto n = static_cast<double>(blocks);
  return (means.rowwise().squaredNorm() / (n * (n - 1))).cwiseSqrt();
}

void average(LyapunovSpectrum& s) {
  if (s.times.size() < fewest_records) {
    if (s.outcome == Outcome::ok || s.outcome == Outcome::interrupted)
      s.message =
          "the time is too short: fewer than " + std::to_string(fewest_records) + " records were made";
    return;
  }
  const std::size_t last = s.times.size() - 1;
  const Vector value = weighted_mean(s, 0, last), plain = s.sums.back() / (s.times.back() - s.times.front());
  const Vector short_blocks = scatter(s, 16), long_blocks = scatter(s, 4);
  for (Eigen::Index i = 0; i < value.size(); ++i) {
    const bool regular = long_blocks[i] < short_blocks[i] / 10;  // chance does that once in 700
    s.exponents.push_back({value[i], regular ? long_blocks[i] : short_blocks[i], plain[i]});
  }
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

  Vector S = Vector::Zero(count);
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
  S.setZero();
  told = begin + discard;
  if (s.outcome == Outcome::ok) {
    s.times.push_back(told);
    s.sums.push_back(S);
    s.outcome = flow.advance(end, [&](double t, Matrix& W) {
      orthonormalise(W, S);
      if (tell(t) || t == end) {
        s.times.push_back(t);
        s.sums.push_back(S);
      }
      return TangentFlow::Columns::changed;
    });
  }
  s.message = flow.message();
  s.statistics = flow.statistics();
  average(s);
  return s;
}

std::string sentence(const LyapunovSpectrum& s) {
  if (s.exponents.empty()) return "no exponents: " + s.message;
  const auto& [value, error, plain] = s.exponents.front();
  // Zero, for instance along the motion itself, is met only as well as the steps are accurate.
  if (std::abs(value) <= certain_errors * error + 1e-6)
    return "the leading exponent is zero within its error: neighbouring motions stay about as far apart as "
           "they are";
  const std::string rate = "like exp(" + short_number(std::round(value * 1e4) / 1e4) + " t)";
  if (value < 0) return "neighbouring motions come together " + rate;
  return "neighbouring motions part " + rate +
         ": chaos, if the motion is bounded and neither an equilibrium nor periodic";
}

}  // namespace dalembert
