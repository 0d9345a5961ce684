// Every claim of every method: the order of a method is the lowest slope over problems that exercise every term.
// Each slope must reach the claim; the lowest one must not exceed it (some problems are kinder than the claim).
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

// Above order 5 double precision leaves less than a decade of steps between too coarse and rounding, and slopes are
// still settling there; that such tableaus have exactly their order is proven by exact algebra in MethodRegistry.
double margin(double order) {
  return order > 5 ? 0.5 : 0.3;
}

struct Trial {
  std::string formulation, problem;
  double end;
};

// Problems with solutions known at all times, in which no block is constant.
const std::vector<Trial>& trials() {
  static const std::vector<Trial> all = {
      {"direct", "manufactured-ode", 3}, {"index1", "manufactured", 3},   {"baumgarte", "manufactured", 3},
      {"index2", "manufactured", 3},     {"index1", "pendulum", 10},      {"index2", "pendulum", 10},
      {"direct", "exact-index3", 1},     {"direct", "ascher-petzold", 1}, {"direct", "exact-index2", 1}};
  return all;
}

struct Case {
  const MethodEntry* method;
  Kind kind;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& m : all_methods())
    for (const Kind kind : {Kind::ode, Kind::index2, Kind::mechanical, Kind::implicit, Kind::partitioned})
      if (m.accepts(kind)) all.push_back({&m, kind});
  return all;
}

bool fits(const Case& c, const Trial& trial) {
  if (c.method->claims.front().needs.find("linear in z") != std::string::npos &&
      trial.problem == "exact-index2")
    return false;
  for (const auto& f : all_formulations())
    if (f.name == trial.formulation && f.from == find_problem(trial.problem).kind && f.to == c.kind)
      return true;
  return false;
}

/// "columns=3, f linear in z" holds the options under which the claim is made.
std::map<std::string, double> options_in(const std::string& needs) {
  std::map<std::string, double> options;
  const auto equals = needs.find('=');
  if (equals != std::string::npos) options[needs.substr(0, equals)] = std::stod(needs.substr(equals + 1));
  return options;
}

/// The largest error of each block over all steps: one that happens to pass through zero at the end hides nothing.
class WorstError final : public Observer {
 public:
  void begin(const Problem& problem, const State&) override { problem_ = &problem; }
  void step(const StepView& view) override {
    const State& ours = view.at(view.end(), Depth::multipliers);
    const auto exact = problem_->exact(view.end());
    const Layout layout = problem_->layout();
    for (const auto& block : layout.blocks())
      for (Eigen::Index i = block.offset; i < block.offset + block.size; ++i) {
        double& worst = errors[block.role == Role::differential ? "y" : "z"][block.name];
        worst = std::max(worst, std::abs(ours.y[i] - exact->y[i]) / (1 + std::abs(exact->y[i])));
      }
  }
  std::map<std::string, std::map<std::string, double>> errors;  // by part of a claim, then by block

 private:
  const Problem* problem_ = nullptr;
};

using Points = std::vector<std::pair<double, double>>;  // (h, error)

/// Least squares over the finest runs that are clear of rounding and of steps too coarse to tell.
double slope(const Points& all, double coarse) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;
  for (auto it = all.rbegin(); it != all.rend() && n < 5; ++it) {
    if (!(it->second > 4e-12 && it->second < coarse)) continue;
    const double x = std::log(it->first), y = std::log(it->second);
    sx += x, sy += y, sxx += x * x, sxy += x * y, n += 1;
  }
  return n < 4 ? not_a_number : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

class Order : public testing::TestWithParam<Case> {
 protected:
  /// Slopes by part ("y" or "z") and block.
  void measure(const Trial& trial, std::map<std::string, std::map<std::string, double>>& slopes) {
    const Case& c = GetParam();
    const auto problem = make_problem(trial.problem);
    std::map<std::string, std::map<std::string, Points>> points;
    // High orders cross the clear range within a factor 10 of steps: look there more finely.
    const bool high = c.method->order(c.kind) > 5;
    for (double steps = 4; steps <= 20000; steps *= high ? 1.15 : std::sqrt(2.0)) {
      RunOptions options;
      options.wish = {trial.formulation, c.method->name};
      options.control = Control::fixed;
      options.end = trial.end;
      options.step = (trial.end - problem->start().t) / std::round(steps);
      options.options = options_in(c.method->claims.front().needs);
      WorstError watch;
      const Summary summary = run(problem, options, {&watch});
      if (points.empty() && summary.outcome != Outcome::ok)
        continue;  // steps too long for the stage equations
      ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
      double most = 0;
      for (const auto& [part, blocks] : watch.errors)
        for (const auto& [block, error] : blocks) {
          points[part][block].push_back({*options.step, error});
          most = std::max(most, error);
        }
      if (most < 4e-12) break;
    }
    for (const auto& [part, blocks] : points)
      for (const auto& [block, p] : blocks) slopes[part][block] = slope(p, high ? 1e-5 : 1e-2);
  }
};

TEST_P(Order, IsWhatIsClaimed) {
  const Case& c = GetParam();
  std::map<std::string, double> lowest;
  for (const Trial& trial : trials()) {
    if (!fits(c, trial)) continue;
    std::map<std::string, std::map<std::string, double>> slopes;
    measure(trial, slopes);
    for (const auto& [part, blocks] : slopes)
      for (const auto& [block, observed] : blocks) {
        if (std::isnan(observed)) continue;  // errors fall to rounding within four runs
        EXPECT_GE(observed, c.method->order(c.kind) - margin(c.method->order(c.kind)))
            << c.method->name << " on " << trial.problem << " by " << trial.formulation << ", block "
            << block;
        lowest[part] = lowest.contains(part) ? std::min(lowest[part], observed) : observed;
      }
  }
  for (const auto& claim : c.method->claims)
    if (claim.kind == c.kind) {
      ASSERT_TRUE(lowest.contains(claim.block)) << "claim for block " << claim.block << " was not tested";
      EXPECT_NEAR(lowest[claim.block], claim.order, margin(claim.order))
          << c.method->name << ", block " << claim.block;
      std::printf("%-9s %-10s %s: claimed %g, observed %.2f\n", c.method->name.c_str(),
                  std::string(name(c.kind)).c_str(), claim.block.c_str(), claim.order, lowest[claim.block]);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Order, testing::ValuesIn(cases()), [](const auto& given) {
  return given.param.method->name + "_" + std::string(name(given.param.kind));
});

TEST(Claims, EveryMethodMakesThem) {
  for (const auto& m : all_methods()) EXPECT_FALSE(m.claims.empty()) << m.name;
}

}  // namespace
}  // namespace dalembert
