// B and D are differences between models whose parameter is a little larger and smaller, at the same positions, velocities and
// states: what a parameter changes at once is a force, a rate of a state, or what a watch shows.
#include "app/state_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/constraints/redundancy.h"
#include "dalembert/control/reporter.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert::app {

namespace {

/// The model at a state, time going on as in the report.
struct Seen {
  Seen(const Mechanical& problem, const Subject& subject, const ModesReport& report, const State& state,
       Time time)
      : terms(problem, state.t, MechanicalState(problem.sizes()).q(state.y),
              MechanicalState(problem.sizes()).v(state.y), MechanicalState(problem.sizes()).s(state.y),
              report.linear.tolerance, time) {
    State complete = state;
    MechanicalState(problem.sizes()).multipliers(complete.y) = terms.l;
    const State shown = Reporter(problem)(complete);
    const auto watches = subject.watches();
    outputs.resize(static_cast<Eigen::Index>(watches.size()));
    for (std::size_t i = 0; i < watches.size(); ++i)
      outputs[static_cast<Eigen::Index>(i)] = watches[i].value(shown);
  }
  MotionTerms terms;
  Vector outputs;
};

double value_of(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (const Parameter& p : model.parameters) {
    if (p.name == name) return p.value;
    names.push_back(p.name);
  }
  throw unknown("parameter", name, names);
}

/// f(h) by h at 0. States and what watches show have units of their own, so the step is the one of many at which what two
/// neighbours find differs least, for each entry.
template <class F>
Vector derivative(F f, double longest) {
  Vector best, last, least;
  for (double h = longest; h > 1e-9 * longest; h /= 8) {
    const Vector now = (f(h) - f(-h)) / (2 * h);
    if (last.size() == 0) {
      best = now;
      least = Vector::Constant(now.size(), std::numeric_limits<double>::infinity());
    } else {
      for (Eigen::Index i = 0; i < now.size(); ++i)
        if (const double change = std::abs(now[i] - last[i]); change < least[i])
          least[i] = change, best[i] = now[i];
    }
    last = now;
  }
  return best;
}

/// Positions, velocities and states moved along y.
State moved(const Mechanical& problem, const ModesReport& report, const Vector& y) {
  const MechanicalState part(problem.sizes());
  State state = report.linear.state;
  const auto at = problem.placed_at(state);
  Vector q(problem.sizes().q);
  problem.advance(*at, report.linear.u * y, q);
  part.q(state.y) = q;
  part.v(state.y) += report.linear.w * y;
  part.s(state.y) += report.linear.x * y;
  return state;
}

}  // namespace

Json state_space(const BaseCall& call, const Subject& subject, const BaseState& base,
                 const ModesReport& report, const std::vector<std::string>& inputs) {
  if (!subject.model) throw Error("'" + call.what + "' has no watches to be outputs", "take a model file");
  const Time time = call.at == "equilibrium" ? Time::stands_still : Time::goes_on;
  const Linearisation& l = report.linear;
  const Mechanical& problem = report.problem;
  const auto watches = subject.watches();
  const auto outputs = static_cast<Eigen::Index>(watches.size());
  const Eigen::Index n = l.A.rows();
  constexpr double step = 1e-5;

  const Eigen::Index nw = l.free.cols(), ns = l.states;
  Matrix C(outputs, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    // Velocities are no longer zero: time goes on.
    const auto shown = [&](double h) {
      return Seen(problem, subject, report, moved(problem, report, h * Vector::Unit(n, j)), time).outputs;
    };
    const double size =
        j < n - ns ? 0 : std::abs(l.x.col(j).dot(MechanicalState(problem.sizes()).s(l.state.y)));
    C.col(j) = derivative(shown, size > 0 ? 1e-2 * size : 1e-2);
  }

  Matrix B = Matrix::Zero(n, static_cast<Eigen::Index>(inputs.size())), D(outputs, B.cols());
  for (Eigen::Index k = 0; k < B.cols(); ++k) {
    const std::string& name = inputs[static_cast<std::size_t>(k)];
    const double value = value_of(*subject.model, name), h = value == 0 ? step : step * std::abs(value);
    const auto at = [&](double p) {
      BaseCall one = call;
      std::erase_if(one.set, [&](const std::string& set) { return set.starts_with(name + "="); });
      one.set.push_back(name + "=" + full_number(p));
      const Subject other = find_subject(one.what, one.set);
      const Mechanical* same = &mechanical(*other.problem, call.what);
      if (other.problem->events() != nullptr)
        throw Error("inputs of models with dry friction are not known", "leave --input out");
      const auto here = same->placed_at(l.state);
      Vector g(same->sizes().holonomic);
      same->g(*here, g);
      if (other.model->mechanism->imposed(*here) != subject.model->mechanism->imposed(*here))
        throw Error("the rate of parameter '" + name +
                        "' pushes states: it is the voltage of a source in a loop of capacitors",
                    "put a resistance into the loop, as every source has one");
      const Seen seen(*same, other, report, l.state, time);
      const auto most = [](const Matrix& m) { return m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff(); };
      if (largest(g) > 1e-9 || most(seen.terms.J - l.jacobian) > 1e-12 * (1 + most(l.jacobian)))
        throw Error("parameter '" + name + "' moves joints or drives, and is no input",
                    "an input is a parameter that enters forces only");
      return seen;
    };
    const Seen plus = at(value + h), minus = at(value - h);
    const Vector force =
        (plus.terms.f - minus.terms.f - (plus.terms.M - minus.terms.M) * l.acceleration) / (2 * h);
    if (nw > 0) B.block(n - ns - nw, k, nw, 1) = l.mass.partialPivLu().solve(l.free.transpose() * force);
    B.block(n - ns, k, ns, 1) = l.x.rightCols(ns).transpose() * (plus.terms.ds - minus.terms.ds) / (2 * h);
    D.col(k) = (plus.outputs - minus.outputs) / (2 * h);
  }

  Json names = Json::array(), units = Json::array(), without_effect = Json::array();
  for (Eigen::Index k = 0; k < B.cols(); ++k)
    if (B.col(k).isZero(0) && D.col(k).isZero(0))
      without_effect.push_back(inputs[static_cast<std::size_t>(k)]);
  for (const Watch& watch : watches) names.push_back(watch.name), units.push_back(watch.unit);
  return {{"problem", call.what},
          {"where", base.where},
          {"inputs", inputs},
          {"outputs", names},
          {"units", units},
          {"displacements", report.names},
          {"A", to_json(l.A)},
          {"B", to_json(B)},
          {"C", to_json(C)},
          {"D", to_json(D)},
          {"u", to_json(l.u)},
          {"w", to_json(l.w)},
          {"without_effect", without_effect}};
}

}  // namespace dalembert::app
