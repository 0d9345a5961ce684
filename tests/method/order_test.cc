// Every claim of every method: the order of a method is the lowest slope over problems that exercise every term.
// Each slope must reach the claim; the lowest one must not exceed it (some problems are kinder than the claim).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

// Above order 5 double precision leaves less than a decade of steps between too coarse and rounding, and slopes are
// still settling there; that such tableaus have exactly their order is proven by exact algebra in MethodRegistry.
// Above order 8 a handful of whole numbers of steps is all there is.
double margin(double order) {
  return order > 8 ? 1.0 : order > 5 ? 0.5 : 0.3;
}

struct Trial {
  std::string formulation, problem;
  double end;
};

// Problems with solutions known at all times, in which no block is constant. `manufactured`, which has every term, is
// tried in every formulation there is, but for those that approximate: their error does not vanish with the step.
const std::vector<Trial>& trials() {
  static const std::vector<Trial> all = [] {
    std::vector<Trial> some = {{"direct", "manufactured-ode", 3}, {"index1", "pendulum", 10},
                               {"index2", "pendulum", 10},        {"direct", "exact-index3", 1},
                               {"direct", "ascher-petzold", 1},   {"direct", "exact-index2", 1},
                               {"fields", "coupled-linear", 5},   {"fields", "coupled-nonlinear", 3}};
    std::set<std::string> names;
    for (const auto& f : all_formulations())
      if (f.from == Kind::mechanical && !f.approximate && names.insert(f.name).second)
        some.push_back({f.name, "manufactured", 3});
    return some;
  }();
  return all;
}

struct Case {
  const MethodEntry* method;
  Kind kind;
  int index;  // of implicit problems; 0 otherwise

  std::string name() const {
    return method->name + "_" + std::string(dalembert::name(kind)) + (index > 0 ? std::to_string(index) : "");
  }
  /// The claims about this kind and index, by part: "y", "z" or "index-k".
  std::map<std::string, Claim> claims() const {
    std::map<std::string, Claim> mine;
    for (const auto& claim : method->claims)
      if (claim.kind == kind && claim.index == index) mine[claim.block] = claim;
    return mine;
  }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& m : all_methods())
    for (const Kind kind : all_kinds())
      for (const int index : {0, 1, 2, 3})
        // Order 13 leaves no two step sizes between too coarse and rounding: there the algebra of collocation_test speaks.
        if (Case c{&m, kind, index}; !c.claims().empty() && m.order(kind) < 10) all.push_back(c);
  return all;
}

/// The formulation of a trial that leads where the case wants it.
const FormulationEntry* edge(const Case& c, const Trial& trial) {
  const auto problem = make_problem(trial.problem);
  for (const auto& f : all_formulations())
    if (f.name == trial.formulation && f.from == problem->kind() && f.to == c.kind &&
        (c.index == 0 || rewritten_index(f, *problem) == c.index) && (!f.freezes || c.method->predicts))
      return &f;
  return nullptr;
}

bool fits(const Case& c, const Trial& trial) {
  if (c.claims().begin()->second.needs.find("linear in z") != std::string::npos &&
      trial.problem == "exact-index2")
    return false;
  // Their slopes settle below the errors that are looked at here: rosenbrock_test looks further.
  if (c.method->name == "rodas4" && trial.problem == "pendulum") return false;
  if (c.method->name == "rodas5p" && trial.formulation == "baumgarte") return false;
  return edge(c, trial) != nullptr;
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
  /// The part of a claim each block belongs to.
  explicit WorstError(std::map<std::string, std::string> parts) : parts_(std::move(parts)) {}
  void begin(const Problem& problem, const State&) override { problem_ = &problem; }
  void step(const StepView& view) override {
    const State& ours = view.at(view.end(), Depth::multipliers);
    const auto exact = problem_->exact(view.end());
    const Layout layout = problem_->layout();
    for (const auto& block : layout.blocks()) {
      if (!parts_.contains(block.name)) continue;
      for (Eigen::Index i = block.offset; i < block.offset + block.size; ++i) {
        double& worst = errors[parts_.at(block.name)][block.name];
        worst = std::max(worst, std::abs(ours.y[i] - exact->y[i]) / (1 + std::abs(exact->y[i])));
      }
    }
  }
  std::map<std::string, std::map<std::string, double>> errors;  // by part of a claim, then by block

 private:
  std::map<std::string, std::string> parts_;
  const Problem* problem_ = nullptr;
};

/// Blocks of the original state and the part of a claim they belong to; those a formulation leaves out are not tested.
std::map<std::string, std::string> parts(const Case& c, const Trial& trial) {
  const auto problem = make_problem(trial.problem);
  std::map<std::string, std::string> all;
  if (c.index == 0) {
    const Layout layout = problem->layout();
    for (const auto& b : layout.blocks()) all[b.name] = b.role == Role::differential ? "y" : "z";
    return all;
  }
  Statistics unused;
  const FormulationEntry& f = *edge(c, trial);
  const Layout layout = f.make(*problem, Parameters(f.options, {}, f.name), unused)->rewritten().layout();
  for (const auto& b : layout.blocks()) all[b.name] = "index-" + std::to_string(std::max(b.index, 1));
  return all;
}

using Points = std::vector<std::pair<double, double>>;  // (h, error)

/// Rounding as it appears in a part: entries of index 2 and 3 are differences of rounded ones, over h and h^2. The
/// multipliers of methods for mechanical problems are of index 3.
double floor_of(Kind kind, const std::string& part, double h) {
  const double rounding = 1e4 * std::numeric_limits<double>::epsilon();
  const bool third = part == "index-3" || (kind == Kind::mechanical && part == "z");
  return std::max(4e-12, third ? rounding / (h * h) : part == "index-2" ? rounding / h : 0);
}

/// Least squares over the finest runs that are clear of rounding and of steps too coarse to tell.
double slope(Kind kind, const Points& all, const std::string& part, double coarse) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;
  for (auto it = all.rbegin(); it != all.rend() && n < 5; ++it) {
    if (!(it->second > floor_of(kind, part, it->first) && it->second < coarse)) continue;
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
    const double most_steps = c.method->order(c.kind) > 1 && c.index > 0 ? 3000 : 20000;
    for (double steps = 4; steps <= most_steps;
         steps = high ? std::max(steps + 1, 1.15 * steps) : std::sqrt(2.0) * steps) {
      RunOptions options;
      options.request = {trial.formulation, c.method->name};
      options.control = Control::fixed;
      options.end = trial.end;
      options.step = (trial.end - problem->start().t) / std::round(steps);
      options.options = options_in(c.claims().begin()->second.needs);
      // Claims are about what the method itself finds, not about multipliers computed from q and v.
      for (const auto& option : edge(c, trial)->options)
        if (option.name == "multipliers") options.options["multipliers"] = 1;
      WorstError watch(parts(c, trial));
      const Summary summary = run(problem, options, {&watch});
      if ((steps < 65 || points.empty()) &&
          summary.outcome != Outcome::ok) {  // too long for the stage equations
        points.clear();
        continue;
      }
      ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
      bool clear = false;
      for (const auto& [part, blocks] : watch.errors)
        for (const auto& [block, error] : blocks) {
          points[part][block].push_back({*options.step, error});
          clear = clear || error > floor_of(c.kind, part, *options.step);
        }
      if (!clear) break;
    }
    for (const auto& [part, blocks] : points)
      for (const auto& [block, p] : blocks)
        slopes[part][block] = slope(c.kind, p, part,
                                    high                                          ? 1e-5
                                    : c.index > 0 && c.method->order(c.kind) == 1 ? 5e-2
                                                                                  : 1e-2);
  }
};

TEST_P(Order, IsWhatIsClaimed) {
  const Case& c = GetParam();
  const auto claims = c.claims();
  std::map<std::string, double> lowest;
  for (const Trial& trial : trials()) {
    if (!fits(c, trial)) continue;
    std::map<std::string, std::map<std::string, double>> slopes;
    measure(trial, slopes);
    for (const auto& [part, blocks] : slopes)
      for (const auto& [block, observed] : blocks) {
        if (std::isnan(observed) || !claims.contains(part)) continue;  // to rounding within four runs
        const double order = claims.at(part).order;
        EXPECT_GE(observed, order - margin(order)) << c.method->name << " on " << trial.problem << " by "
                                                   << trial.formulation << ", block " << block;
        lowest[part] = lowest.contains(part) ? std::min(lowest[part], observed) : observed;
      }
  }
  for (const auto& [part, claim] : claims) {
    ASSERT_TRUE(lowest.contains(part)) << "claim for " << part << " was not tested";
    EXPECT_NEAR(lowest[part], claim.order, margin(claim.order)) << c.method->name << ", " << part;
    std::printf("%-9s %-10s %s: claimed %g, observed %.2f\n", c.method->name.c_str(), c.name().c_str(),
                part.c_str(), claim.order, lowest[part]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Order, testing::ValuesIn(cases()), [](const auto& given) {
  std::string name = given.param.name();
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
});

TEST(Claims, EveryMethodMakesThem) {
  for (const auto& m : all_methods()) EXPECT_FALSE(m.claims.empty()) << m.name;
}

}  // namespace
}  // namespace dalembert
