#include "app/pushing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/text.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

struct Share {
  std::string name;
  double force;  ///< along what is left
};

/// The force at rest in a state, on displacements.
Vector force_at(const Mechanical& problem, const State& state, const Vector& s) {
  const auto n = problem.sizes();
  Vector f(n.v);
  problem.force(*problem.placed_at(state.t, state.y.head(n.q)), Vector::Zero(n.v), s, f);
  return f;
}

Vector weight(const Model& model, Eigen::Index displacements) {
  Vector f = Vector::Zero(displacements);
  const Eigen::Index axes = model.space == "planar" ? 2 : 3;
  for (const BodyRecord& body : model.mechanism->bodies())
    for (Eigen::Index i = 0; i < axes; ++i) f[body.v + i] = body.mass * model.gravity[i];
  return f;
}

/// A force, or a branch of a network that is joined to bodies.
bool acts(const ModelElement& element) {
  return element.section == "force" ||
         (element.section == "branch" &&
          !(element.bodies.empty() && element.joints.empty() && element.ends.empty()));
}

/// The text without the section that begins in this line; "" if it does not begin with [[ there.
std::string without_section(const std::string& text, int line) {
  std::string rest;
  int at = 0;
  bool inside = false;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size() - 1) + 1;
    const std::string one = text.substr(from, to - from);
    const std::size_t first = one.find_first_not_of(" \t");
    const bool header = first != std::string::npos && one[first] == '[';
    if (++at == line) {
      if (!header || one.compare(first, 2, "[[") != 0) return "";
      inside = true;
    } else if (header) {
      inside = false;
    }
    if (!inside) rest += one;
    from = to;
  }
  return rest;
}

/// The force that the element adds; nothing if the file cannot be read without it, or has other states then.
std::optional<Vector> added_by(const ModelElement& element, const Subject& subject,
                               const std::vector<std::string>& set, const Mechanical& problem,
                               const State& state, const Vector& s) {
  const ModelText& file = subject.model->texts.front();
  if (element.place.file != file.name) return {};
  const std::string text = without_section(file.text, element.place.line);
  if (text.empty()) return {};
  try {
    const Subject less = find_subject(subject.name, set, text);
    const Mechanical* other = as_mechanical(*less.problem);
    if (other == nullptr || other->sizes().v != problem.sizes().v || other->sizes().q != problem.sizes().q ||
        other->sizes().s != problem.sizes().s)
      return {};
    return force_at(problem, state, s) - force_at(*other, state, s);
  } catch (const Error&) {  // a watch asks for it, for instance
    return {};
  }
}

}  // namespace

std::string pushing(const Subject& subject, const std::vector<std::string>& set, const Mechanical& problem,
                    const Equilibrium& rest) {
  const double left = rest.push.size() == 0 ? 0 : rest.push.norm();
  if (!subject.model || !(left > 0)) return "";
  const auto n = problem.sizes();
  const Vector s = rest.state.y.segment(n.q + n.v, n.s), all = force_at(problem, rest.state, s);
  const auto along = [&](const Vector& f) { return f.dot(rest.push) / left; };
  std::vector<Share> shares;
  const Vector heavy = weight(*subject.model, n.v);
  Vector others = all - heavy;
  if (heavy.norm() > 0) shares.push_back({"weight", along(heavy)});
  std::string unknown;
  int line = 0;
  for (const ModelElement& element : subject.model->elements) {
    if (element.place.line == line || !acts(element)) continue;  // repeated: one section
    line = element.place.line;
    const std::string name = element.name.empty() ? element.kind : element.name;
    if (const auto f = added_by(element, subject, set, problem, rest.state, s)) {
      shares.push_back({name, along(*f)});
      others -= *f;
    } else {
      unknown += (unknown.empty() ? "" : " and ") + name;
    }
  }
  if (!unknown.empty()) shares.push_back({unknown, along(others)});
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.force > b.force; });
  std::string pushes, holds;
  for (const Share& each : shares) {
    if (std::abs(each.force) < .01 * left) continue;
    std::string& list = each.force > 0 ? pushes : holds;
    list += (list.empty() ? "" : ", ") + each.name + " with " + number(std::abs(each.force), 3);
  }
  return pushes.empty() ? "" : pushes + (holds.empty() ? "" : "; against it " + holds);
}

}  // namespace dalembert::app
