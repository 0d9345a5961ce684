// How the experiments of [AscherLin1997] are run and compared.
#include <cmath>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/core/text.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"
#include "dalembert/problem/mechanical.h"
#include "papers/ascher_lin/parts.h"

namespace dalembert::ascher_lin {

namespace {

class Watch final : public Observer {
 public:
  Watch(const std::vector<double>& times, Measured& result) : times_(times), result_(result) {
    for (auto* list : {&result.x, &result.v, &result.position, &result.velocity})
      list->assign(times.size(), not_a_number);
  }
  void begin(const Problem& problem, const State&) override { problem_ = &problem; }
  void step(const StepView& view) override {
    for (std::size_t k = 0; k < times_.size(); ++k)
      if (std::abs(view.end() - times_[k]) < 1e-9) look(k, view.at(view.end(), Depth::coordinates));
  }

 private:
  void look(std::size_t k, const State& state) {
    const auto exact = problem_->exact(state.t);
    const auto error = [&](Eigen::Index first, Eigen::Index size) {
      return exact ? largest((state.y - exact->y).segment(first, size)) : not_a_number;
    };
    if (const auto* index2 = as<Hessenberg>(problem_)) {
      const Eigen::Index n = differential_size(index2->layout());
      Vector g(state.y.size() - n);
      index2->g(state.t, state.y.head(n), g);
      result_.x[k] = error(0, n);
      result_.position[k] = largest(g);
    } else {
      const auto& mechanical = as<Mechanical>(*problem_);
      const auto n = mechanical.sizes();
      Statistics unused;
      Mechanics mechanics(mechanical, Symmetry::symmetric, unused);
      const auto residuals = mechanics.residuals(state.t, state.y.head(n.q), state.y.segment(n.q, n.v));
      result_.x[k] = error(0, n.q);
      result_.v[k] = error(n.q, n.v);
      result_.position[k] = residuals.position;
      result_.velocity[k] = residuals.velocity;
    }
  }
  std::vector<double> times_;
  Measured& result_;
  const Problem* problem_ = nullptr;
};

}  // namespace

Summary solve(const Experiment& e, const std::vector<Observer*>& observers) {
  RunOptions options{.scrutiny = Scrutiny::method};
  options.request = {e.formulation, e.method};
  options.control = Control::fixed;
  options.projection = Projection::off;
  options.step = e.step;
  options.end = e.end;
  options.options = e.options;
  return run(make_problem(e.problem, e.parameters), options, observers);
}

std::map<std::string, double> srm(double eps, int iterates, std::map<std::string, double> more) {
  more["eps"] = eps;
  more["iterates"] = iterates;
  more["good-start"] = 0;
  return more;
}

Measured measure(const Experiment& e, const std::vector<double>& times) {
  Measured result;
  Watch watch(times, result);
  solve(e, {&watch});
  return result;
}

bool agrees(const std::string& printed, double ours) {
  const auto point = printed.find('.'), exponent = printed.find('e');
  const double value = number_in(printed).value();
  const auto decimals = static_cast<double>(exponent - point - 1);
  const double unit = std::pow(10, number_in(printed.substr(exponent + 1)).value() - decimals);
  return std::abs(ours - value) <= std::max(.02 * std::abs(value), unit);
}

}  // namespace dalembert::ascher_lin
