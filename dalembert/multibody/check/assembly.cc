// Puts the bodies together as a run would, and says what that took: how far each body was moved, which joints do not fit
// together, and which of them ended up back to front.
#include <algorithm>
#include <cmath>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/constraints/start_correction.h"
#include "dalembert/multibody/check/chapters.h"
#include "dalembert/multibody/check/loops.h"
#include "dalembert/multibody/check/submechanism.h"

namespace dalembert::check {

using Eigen::Vector3d;

namespace {

constexpr Eigen::Index most_dense = 600;  // velocities put together by a dense factorisation
constexpr std::size_t most_joints = 60;   // of a loop from which one after the other is taken away
constexpr int most_loops = 20;            // looked at
constexpr std::size_t most_alone = 200;   // joints on no loop: one by itself hardly ever fails

struct Fit {
  bool holds = false;
  Vector residual;  ///< of holonomic rows, where they fit best
  State state;
};

/// Rows may depend on each other.
Fit fit(const Mechanical& problem, State state) {
  const auto n = problem.sizes();
  Fit found{.holds = true, .residual = Vector::Zero(n.holonomic), .state = std::move(state)};
  if (n.holonomic == 0 || n.v == 0) return found;
  auto q = found.state.y.head(n.q);
  StartCorrection start(problem, found.state, Vector::Zero(found.state.y.size()),
                        StartOptions::Metric::entries, Manifold::Rows::dependent);
  const NearestPoint point = start.move_positions(q);
  found.holds = point.outcome == Outcome::ok;
  found.residual = point.residual.head(n.holonomic);
  return found;
}

/// Joints that do not fit together, while they would without any one of them.
std::vector<Mechanism::Joint> smallest_conflict(const Mechanism& m, std::vector<Mechanism::Joint> loop,
                                                const State& start) {
  for (std::size_t k = 0; k < loop.size() && loop.size() > 1;) {
    std::vector<Mechanism::Joint> fewer = loop;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    const Submechanism part(m, fewer, start);
    if (fit(part, part.start()).holds)
      ++k;
    else
      loop = fewer;
  }
  return loop;
}

/// How much longer a rod would have to be: from g = (D.D - L^2)/(2 L).
double missing_length(const Mechanism& m, const Placement& at, const JointRecord& rod, double g) {
  const double D = (pose_of(m, at, rod.b).place(rod.on_b) - pose_of(m, at, rod.a).place(rod.on_a)).norm();
  return std::abs(D + g - std::hypot(g, D));
}

/// "hinge is open by 0.1 m, slide by 0.02 rad"
std::string residuals(const Mechanism& m, const Submechanism& part, const Fit& best) {
  const Layout layout = m.layout();
  const Block& rows = layout["lambda"];
  const auto owner = joint_of_rows(m);
  const auto at = m.placed_at(part.widen(best.state));
  std::vector<std::string> words;
  for (const auto j : part.joints()) {
    const JointRecord& joint = m.joints()[static_cast<std::size_t>(j)];
    double far = 0, turned = 0;
    for (Eigen::Index i = 0; i < best.residual.size(); ++i) {
      const auto row = static_cast<std::size_t>(part.rows()[static_cast<std::size_t>(i)]);
      if (owner[row] != j) continue;
      const double g = best.residual[i];
      double& size = rows.units[row] == "N m" ? turned : far;
      size = std::max(size, joint.kind == "distance" ? missing_length(m, *at, joint, g) : std::abs(g));
    }
    std::string text;
    if (far > consistent) text += number(far) + " m";
    if (turned > consistent) text += (text.empty() ? "" : " and ") + number(turned) + " rad";
    if (!text.empty()) words.push_back(joint.name + (words.empty() ? " is open by " : " by ") + text);
  }
  return list(words);
}

/// Loop by loop; returns whether any was found.
bool name_conflicts(const Mechanism& m, const State& start, Findings& into) {
  const auto at = m.placed_at(start);
  Vector g = Vector::Zero(m.sizes().holonomic);
  m.g(*at, g);
  int found = 0;
  for (const auto& loop : loops_of(m, *at)) {
    double off = 0;
    for (const auto j : loop) {
      const JointRecord& joint = m.joints()[static_cast<std::size_t>(j)];
      off = std::max(off, largest(g.segment(joint.first, joint.count)));
    }
    if (off <= consistent || (loop.size() == 1 && m.joints().size() > most_alone)) continue;
    const Submechanism all(m, loop, start);
    if (all.sizes().v > most_dense) continue;
    if (fit(all, all.start()).holds) continue;
    const auto few = loop.size() <= most_joints ? smallest_conflict(m, loop, start) : loop;
    const Submechanism part(m, few, start);
    const std::string open = residuals(m, part, fit(part, part.start()));
    const bool alone = few.size() == 1;
    into.list.push_back({Finding::Severity::error, "conflict",
                         joints(m, few) + (alone ? " cannot be met" : " cannot be brought together") +
                             (open.empty() ? "" : ": where they fit best, " + open),
                         alone ? "change its points or its bodies"
                               : "change a length or a point, or leave one of them out: without any one of "
                                 "them the others fit",
                         joint_names(m, few)});
    if (++found == most_loops) break;
  }
  return found > 0;
}

void measure_moves(const Mechanism& m, const State& from, const State& to, Findings& into) {
  const auto n = m.sizes();
  Vector u(n.v);
  m.difference(from.y.head(n.q), to.y.head(n.q), u);
  const Vector dv = to.y.segment(n.q, n.v) - from.y.segment(n.q, n.v);
  const auto at = m.placed_at(to);
  for (std::size_t b = 0; b < m.bodies().size(); ++b) {
    const Twist move = twist_of(m, *at, u, static_cast<int>(b)),
                speed = twist_of(m, *at, dv, static_cast<int>(b));
    const Findings::Move all{m.bodies()[b].name, move.velocity.norm(), move.spin.norm(),
                             speed.velocity.norm(), speed.spin.norm()};
    if (std::max({all.distance, all.turn, all.velocity, all.spin}) > 1e-9) into.moves.push_back(all);
  }
  std::stable_sort(into.moves.begin(), into.moves.end(), [](const auto& x, const auto& y) {
    return std::max(x.distance, x.turn) > std::max(y.distance, y.turn);
  });
  const auto most = [&](double Findings::Move::*what) {
    return std::max_element(into.moves.begin(), into.moves.end(),
                            [&](const auto& x, const auto& y) { return x.*what < y.*what; });
  };
  std::vector<std::string> words, names;
  const auto add = [&](double Findings::Move::*what, const std::string& unit) {
    if (into.moves.empty()) return;
    const auto worst = most(what);
    if ((*worst).*what <= 1e-9) return;
    const bool again = !names.empty() && names.back() == worst->body;
    words.push_back((again ? "" : "body " + worst->body + " by ") + number((*worst).*what) + " " + unit);
    names.push_back(worst->body);
  };
  add(&Findings::Move::distance, "m");
  add(&Findings::Move::turn, "rad");
  const auto say = [&](const char* what, const char* hint) {
    if (!words.empty())
      into.list.push_back(
          {Finding::Severity::note, "moved", std::string(what) + list(words) + " at most", hint, {}, names});
    words.clear(), names.clear();
  };
  say("the positions given do not satisfy the joints; they are moved: ",
      "give consistent positions if that was not meant");
  add(&Findings::Move::velocity, "m/s");
  add(&Findings::Move::spin, "rad/s");
  say("the velocities given do not satisfy the joints; they are changed: ",
      "give consistent velocities if that was not meant");
}

void find_reversed(const Mechanism& m, const State& state, Findings& into) {
  const auto at = m.placed_at(state);
  for (const Mechanism::Joint j : turned_over(m, *at)) {
    const JointRecord& joint = m.joints()[static_cast<std::size_t>(j)];
    const bool axes =
        (pose_of(m, *at, joint.a).R * joint.axis_a).dot(pose_of(m, *at, joint.b).R * joint.axis_b) < -.999;
    const int b = joint.b >= 0 ? joint.b : joint.a;
    const std::string& name = m.bodies()[static_cast<std::size_t>(b)].name;
    into.list.push_back({Finding::Severity::warning,
                         "reversed",
                         "joint " + joint.name + " was put together back to front: its two " +
                             (axes ? "axes point against each other" : "bodies are turned by half a turn"),
                         "give body " + name + " a position nearer to the one that is meant",
                         {joint.name},
                         {name}});
  }
}

}  // namespace

State assemble(const Mechanism& m, Findings& into) {
  const State given = m.start();
  State state = given;
  const StartReport report = make_consistent(m, state);
  into.assembly = report.outcome;
  into.assembly_message = report.message;
  if (report.outcome == Outcome::ok) {
    measure_moves(m, given, state, into);
    find_reversed(m, state, into);
    return state;
  }
  if (name_conflicts(m, given, into)) return given;
  // Positions may be fine, and velocities, masses or ranks not: others look at that, where the bodies are now.
  Vector g = Vector::Zero(m.sizes().holonomic);
  m.g(*m.placed_at(given), g);
  if (largest(g) <= consistent) return given;
  if (m.sizes().v <= most_dense) {
    const Fit found = fit(m, given);
    if (found.holds) return found.state;
  }
  into.list.push_back({Finding::Severity::error, "assembly", report.message,
                       "give positions nearer to ones that satisfy all joints"});
  return given;
}

}  // namespace dalembert::check
