// The algorithms of NLopt, as the optimizer of `dalembert minimize`.
#include <nlopt.h>

#include <memory>
#include <string>

#include "dalembert/core/error.h"
#include "dalembert/fit/optimizer.h"

namespace dalembert::app {

namespace {

nlopt_algorithm algorithm_of(const Algorithm& algorithm) {
  const std::string name = algorithm.name;
  if (name == "cobyla") return NLOPT_LN_COBYLA;
  if (name == "slsqp") return NLOPT_LD_SLSQP;
  if (name == "bobyqa") return NLOPT_LN_BOBYQA;
  if (name == "sbplx") return NLOPT_LN_SBPLX;
  throw Error("NLopt is not asked for '" + name + "'");
}

/// NLopt asks for the objective and for each condition by itself: what the last point gave is remembered.
class Asked {
 public:
  Asked(const BoxProblem& program, nlopt_opt search) : program_(program), search_(search) {}

  double row(Eigen::Index row, unsigned n, const double* x, double* gradient) {
    const Vector u = Eigen::Map<const Vector>(x, static_cast<Eigen::Index>(n));
    // Where conditions contradict each other an algorithm may ask for the same point for ever.
    if (row == 0 && values_.size() > 0 && u == at_ && ++repeated_ > most_repeated)
      return stuck_ = true, give_up();
    if (values_.size() == 0 || u != at_) {
      const auto found = program_.values(u);
      if (!found) return give_up();
      at_ = u;
      values_ = *found;
      repeated_ = 0;
      derivatives_.resize(0, 0);
    }
    if (gradient != nullptr) {
      if (derivatives_.size() == 0) {
        const auto found = program_.derivatives(u);
        if (!found) return give_up();
        derivatives_ = *found;
      }
      Eigen::Map<Vector>(gradient, static_cast<Eigen::Index>(n)) = derivatives_.row(row).transpose();
    }
    return values_[row];
  }
  bool stuck() const { return stuck_; }

 private:
  static constexpr int most_repeated = 20;

  double give_up() {
    nlopt_force_stop(search_);
    return 1e300;
  }

  const BoxProblem& program_;
  nlopt_opt search_;
  Vector at_, values_;
  Matrix derivatives_;
  int repeated_ = 0;
  bool stuck_ = false;
};

struct Row {
  Asked* asked;
  Eigen::Index number;
};

double ask(unsigned n, const double* x, double* gradient, void* row) {
  const Row& r = *static_cast<Row*>(row);
  return r.asked->row(r.number, n, x, gradient);
}

class Nlopt final : public Optimizer {
 public:
  OptimizerEnding minimise(const BoxProblem& program, const Algorithm& algorithm,
                           const Vector& start) const override {
    const auto n = static_cast<unsigned>(program.size);
    const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> search(
        nlopt_create(algorithm_of(algorithm), n), nlopt_destroy);
    if (!search) throw Error("NLopt cannot search in so many parameters", "seek less");
    Asked asked(program, search.get());
    std::vector<Row> rows;
    for (std::size_t i = 0; i <= program.equal.size(); ++i)
      rows.push_back({&asked, static_cast<Eigen::Index>(i)});
    nlopt_set_lower_bounds1(search.get(), 0);
    nlopt_set_upper_bounds1(search.get(), 1);
    nlopt_set_min_objective(search.get(), ask, rows.data());
    for (std::size_t i = 0; i < program.equal.size(); ++i)
      program.equal[i] ? nlopt_add_equality_constraint(search.get(), ask, &rows[i + 1], program.tolerance)
                       : nlopt_add_inequality_constraint(search.get(), ask, &rows[i + 1], program.tolerance);
    nlopt_set_xtol_abs1(search.get(), program.precision);
    if (algorithm.needs == Algorithm::Needs::derivatives) nlopt_set_ftol_rel(search.get(), 1e-10);
    nlopt_set_initial_step1(search.get(), program.step);
    Vector u = start;
    double f = 0;
    const nlopt_result result = nlopt_optimize(search.get(), u.data(), &f);
    if (asked.stuck()) return OptimizerEnding::failed;
    if (result == NLOPT_FORCED_STOP) return OptimizerEnding::stopped;
    // Where rounding ends the progress, there is no better point to be had.
    return result > 0 || result == NLOPT_ROUNDOFF_LIMITED ? OptimizerEnding::converged
                                                          : OptimizerEnding::failed;
  }
};

}  // namespace

extern "C" const Optimizer* dalembert_optimizer() {
  static const Nlopt optimizer;
  return &optimizer;
}

}  // namespace dalembert::app
