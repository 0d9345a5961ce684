#include "dalembert/fit/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/core/error.h"
#include "dalembert/linear/decompositions.h"

namespace dalembert {

namespace {

using Found = SearchResult::Found;

/// What the runs have at the times of the data, column after column; where nothing was measured, 0.
Vector sampled(const MeasuredData& data, const SweepProblem& made,
               const std::function<const Summary&(Observer&)>& run) {
  Samples samples(made, data);
  run(samples);
  if (!samples.complete()) throw Error("the run ends before the last time of the data");
  Vector all =
      Eigen::Map<const Vector>(samples.values().data(), static_cast<Eigen::Index>(samples.values().size()));
  const std::size_t times = data.t.size();
  for (std::size_t k = 0; k < data.columns.size(); ++k)
    for (std::size_t i = 0; i < times; ++i)
      if (std::isnan(data.columns[k].values[i])) all[static_cast<Eigen::Index>(k * times + i)] = 0;
  return all;
}

Vector residual(const MeasuredData& data, const Vector& values) {
  const std::size_t times = data.t.size();
  Vector r = Vector::Zero(values.size());
  for (std::size_t k = 0; k < data.columns.size(); ++k)
    for (std::size_t i = 0; i < times; ++i) {
      const double y = data.columns[k].values[i];
      const auto at = static_cast<Eigen::Index>(k * times + i);
      if (!std::isnan(y)) r[at] = (values[at] - y) / *data.columns[k].scale;
    }
  return r;
}

std::size_t measured_numbers(const MeasuredData& data) {
  std::size_t count = 0;
  for (const auto& column : data.columns) count += column.count();
  return count;
}

/// What the data say about the parameters that are not held at a side of their range.
class Judgement {
 public:
  Judgement(const FitTask& task, const LeastSquaresResult& found, double noise, FitResult& out)
      : task_(task), found_(found), noise_(noise), out_(out) {}

  void pass() {
    sides();
    if (found_.jacobian.size() == 0) {
      for (Found& p : out_.parameters) p.determined = false;
      return;
    }
    effective();
    combinations();
    errors();
  }

 private:
  void sides() {
    for (std::size_t k = 0; k < out_.parameters.size(); ++k) {
      const double u = found_.u[static_cast<Eigen::Index>(k)];
      double push = 0;
      if (found_.jacobian.size() > 0)
        push = found_.jacobian.col(static_cast<Eigen::Index>(k)).dot(found_.residuals);
      if (u <= 0 && push >= 0) out_.parameters[k].side = Found::Side::lower;
      if (u >= 1 && push <= 0) out_.parameters[k].side = Found::Side::upper;
    }
  }

  /// Columns of the Jacobian that are more than the noise of differences.
  void effective() {
    const Vector steps = difference_steps();
    for (std::size_t k = 0; k < out_.parameters.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      const double size = found_.jacobian.col(i).norm(), doubt = found_.uncertainty[i];
      const bool none = size == 0 || (size <= noise_ / steps[i] && doubt >= 0.1 * size);
      if (none) {
        out_.parameters[k].determined = false;
        out_.undetermined.push_back({out_.parameters[k].name});
        continue;
      }
      out_.uncertainty = std::max(out_.uncertainty, doubt / size);
      if (out_.parameters[k].side == Found::Side::inside) free_.push_back(i);
    }
  }

  /// Of columns of length 1: directions in which all of them together change nothing, as far as differences know.
  void combinations() {
    while (!free_.empty()) {
      const Matrix A = scaled();
      double doubt = 0;
      for (const Eigen::Index k : free_)
        doubt += std::pow(found_.uncertainty[k] / found_.jacobian.col(k).norm(), 2);
      const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
      const Vector s = svd.singularValues();
      const Eigen::Index last = s.size() - 1;
      const bool short_of_rows = A.rows() < A.cols();
      if (!short_of_rows && s[last] > std::max(1e-6, std::sqrt(doubt)) * s[0]) return;
      const Vector v = svd.matrixV().col(last);
      // Who is in it at all has no error of its own, however little of it he is; 1e-3 is what derivatives may be wrong by.
      std::vector<std::string> names;
      std::vector<Eigen::Index> rest;
      for (std::size_t i = 0; i < free_.size(); ++i) {
        const bool in = std::abs(v[static_cast<Eigen::Index>(i)]) > 1e-3 * v.lpNorm<Eigen::Infinity>();
        if (in) {
          Found& p = out_.parameters[static_cast<std::size_t>(free_[i])];
          names.push_back(p.name);
          p.determined = false;
        } else {
          rest.push_back(free_[i]);
        }
      }
      out_.undetermined.push_back(std::move(names));
      free_ = std::move(rest);
    }
  }

  void errors() {
    const auto p = static_cast<Eigen::Index>(free_.size());
    const auto count = static_cast<Eigen::Index>(measured_numbers(task_.data));
    if (p == 0 || count <= p) return;
    // Steps of length 1 in columns of length 1, so that the inverse is one of numbers near 1.
    const Matrix A = scaled();
    const Matrix inverse = (A.transpose() * A).inverse();
    const double s = std::sqrt(found_.residuals.squaredNorm() / static_cast<double>(count - p));
    out_.correlation.resize(p, p);
    for (Eigen::Index i = 0; i < p; ++i) {
      const Eigen::Index k = free_[static_cast<std::size_t>(i)];
      const double in_box = s * std::sqrt(inverse(i, i)) / found_.jacobian.col(k).norm();
      out_.parameters[static_cast<std::size_t>(k)].error =
          in_box * std::abs(stretch(task_.unknowns[static_cast<std::size_t>(k)], found_.u[k]));
      for (Eigen::Index j = 0; j < p; ++j)
        out_.correlation(i, j) = inverse(i, j) / std::sqrt(inverse(i, i) * inverse(j, j));
    }
  }

  Matrix scaled() const {
    Matrix A(found_.jacobian.rows(), static_cast<Eigen::Index>(free_.size()));
    for (std::size_t i = 0; i < free_.size(); ++i)
      A.col(static_cast<Eigen::Index>(i)) = found_.jacobian.col(free_[i]).normalized();
    return A;
  }

  Vector difference_steps() const {
    Vector steps(found_.u.size());
    for (Eigen::Index k = 0; k < steps.size(); ++k)
      steps[k] = difference_step(task_.unknowns[static_cast<std::size_t>(k)], found_.u[k]);
    return steps;
  }

  const FitTask& task_;
  const LeastSquaresResult& found_;
  double noise_;
  FitResult& out_;
  std::vector<Eigen::Index> free_;
};

void check(const FitTask& task) {
  check_unknowns(task.unknowns);
  const std::size_t numbers = measured_numbers(task.data);
  if (numbers < task.unknowns.size())
    throw Error("there are " + std::to_string(task.unknowns.size()) + " parameters for " +
                    std::to_string(numbers) + " measured numbers",
                "measure more, or seek less");
  for (const auto& column : task.data.columns)
    if (!column.scale || !(*column.scale > 0) || !std::isfinite(*column.scale))
      throw Error("the scale of column '" + column.name + "' is not a positive number",
                  "give the size of its errors");
}

}  // namespace

std::string FitResult::sentence() const {
  switch (ending) {
    case FitEnding::converged:
      return "no step makes it better";
    case FitEnding::stuck:
      return "did not converge: derivatives promise what no step keeps; begin elsewhere (starts), or with a "
             "tighter tolerance";
    case FitEnding::no_derivative:
      return "did not converge: runs on both sides of the point end early, so there is no derivative";
    case FitEnding::no_start:
      return "the run at the start ends early; begin elsewhere, or let several searches begin (starts)";
    case FitEnding::too_many_runs:
      return "did not converge within the number of runs that it may make";
    case FitEnding::interrupted:
      return "ended from outside (Ctrl-C); these are the best values so far";
  }
  return {};
}

FitResult fit(const FitTask& task) {
  check(task);
  TrialTask trial{
      task.makers, task.options, task.unknowns,
      [&task](const SweepProblem& made, const auto& run) { return sampled(task.data, made, run); },
      task.threads};
  trial.options.end = task.data.t.back();
  trial.options.outputs.clear();
  Trials trials(trial);
  const auto numbers = static_cast<double>(measured_numbers(task.data));
  const double noise = 100 * std::max(task.options.tolerance.relative, 1e-14) * std::sqrt(numbers);
  LeastSquaresTask search;
  search.residuals = [&](const std::vector<Vector>& points) {
    auto all = trials.at(points);
    for (auto& values : all)
      if (values) *values = residual(task.data, *values);
    return all;
  };
  search.steps = [&](const Vector& u) {
    Vector steps(u.size());
    for (Eigen::Index k = 0; k < u.size(); ++k)
      steps[k] = difference_step(task.unknowns[static_cast<std::size_t>(k)], u[k]);
    return steps;
  };
  search.enough = [&] { return trials.runs() >= task.most_runs || trials.interrupted(); };
  search.noise = noise;

  std::vector<LeastSquaresResult> all;
  for (const Vector& start : starts(task.unknowns, task.starts, task.seed)) {
    if (!all.empty() && search.enough()) break;
    all.push_back(least_squares(search, start));
  }
  const auto size = [](const LeastSquaresResult& r) {
    return r.found() ? r.residuals.norm() : std::numeric_limits<double>::infinity();
  };
  const auto best = std::min_element(all.begin(), all.end(),
                                     [&](const auto& a, const auto& b) { return size(a) < size(b); });

  FitResult out;
  out.ending = trials.interrupted() ? FitEnding::interrupted : best->ending;
  out.searches = static_cast<int>(all.size());
  for (const auto& other : all)
    if (size(other) <= std::max(size(*best) * (1 + 1e-4), noise)) ++out.as_good;
  out.start_deviation = all.front().found() ? all.front().norms.front() / std::sqrt(numbers)
                                            : std::numeric_limits<double>::quiet_NaN();
  const Values values = from_box(task.unknowns, best->u);
  for (const Unknown& x : task.unknowns)
    out.parameters.push_back({x.range.name, x.unit, x.start, values.at(x.range.name)});
  if (best->found()) {
    Judgement(task, *best, noise, out).pass();
    out.deviation = best->residuals.norm() / std::sqrt(numbers);
    for (const double norm : best->norms) out.history.push_back(norm / std::sqrt(numbers));
    const auto times = static_cast<Eigen::Index>(task.data.t.size());
    for (std::size_t k = 0; k < task.data.columns.size(); ++k) {
      const auto& column = task.data.columns[k];
      const Vector r = best->residuals.segment(static_cast<Eigen::Index>(k) * times, times) * *column.scale;
      out.deviations.push_back(r.norm() / std::sqrt(static_cast<double>(column.count())));
      std::vector<double> fitted;
      for (Eigen::Index i = 0; i < times; ++i)
        fitted.push_back(column.values[static_cast<std::size_t>(i)] + r[i]);
      out.fitted.push_back(std::move(fitted));
    }
  }
  out.runs = trials.runs();
  out.failures = trials.failures();
  return out;
}

}  // namespace dalembert
