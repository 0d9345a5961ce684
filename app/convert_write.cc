// The model file of a mechanism that was read from another format.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/convert.h"

namespace dalembert::app {

namespace {

/// With all its digits, but without the dust that turning by right angles leaves.
std::string written(double x, double scale = 1) {
  return fmt::format("{}", std::abs(x) < 1e-15 * scale ? 0 : x);
}

std::string written(const Eigen::Vector3d& v) {
  const double scale = v.cwiseAbs().maxCoeff();
  return fmt::format("[{}, {}, {}]", written(v[0], scale), written(v[1], scale), written(v[2], scale));
}

std::string written(const Eigen::Matrix3d& m) {
  const double scale = m.cwiseAbs().maxCoeff();
  const bool diagonal = (m - Eigen::Matrix3d(m.diagonal().asDiagonal())).isZero(1e-15 * scale);
  if (diagonal) return written(Eigen::Vector3d(m.diagonal()));
  std::string rows;
  for (int i = 0; i < 3; ++i)
    rows += fmt::format("{}[{}, {}, {}]", i ? ", " : "", written(m(i, 0), scale), written(m(i, 1), scale),
                        written(m(i, 2), scale));
  return "[" + rows + "]";
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 127)
      result += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    else
      result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  }
  return result + "\"";
}

std::string body(const Link& link) {
  const Eigen::Quaterniond e(link.frame.linear());
  std::string text = fmt::format("\n[[body]]\nname = {}\nmass = {}\ninertia = {}\nposition = {}\n",
                                 quoted(link.name), written(link.mass), written(link.inertia),
                                 written(Eigen::Vector3d(link.frame * link.centre)));
  if (std::abs(std::abs(e.w()) - 1) > 1e-15)
    text += fmt::format("orientation = [{}, {}, {}, {}]\n", written(e.w()), written(e.x()), written(e.y()),
                        written(e.z()));
  return text;
}

std::string joint(const Connection& c) {
  static const std::map<std::string, std::vector<std::string>> axes = {
      {"revolute", {"axis"}},
      {"prismatic", {"axis"}},
      {"screw", {"axis"}},
      {"planar", {"normal"}},
      {"universal", {"first_axis", "second_axis"}},
      {"fixed", {}},
      {"spherical", {}}};
  std::string text =
      fmt::format("\n[[joint]]\nname = {}\nkind = \"{}\"\nbodies = [{}, {}]\nat = {}\n", quoted(c.name),
                  c.kind, quoted(c.links[0]), quoted(c.links[1]), written(c.at));
  const auto& keys = axes.at(c.kind);
  for (std::size_t i = 0; i < keys.size(); ++i) text += fmt::format("{} = {}\n", keys[i], written(c.axes[i]));
  if (c.kind == "screw") text += fmt::format("pitch = {}\n", written(c.pitch));
  return text;
}

std::string gear(const Connection& c) {
  return fmt::format("\n[[joint]]\nname = {}\nkind = \"gear\"\nfirst = {}\nsecond = {}\nratio = {}\n",
                     quoted(c.mimic->gear), quoted(c.mimic->joint), quoted(c.name), written(c.mimic->ratio));
}

std::string forces(const Connection& c) {
  std::string text;
  if (c.damping != 0 || c.friction != 0) {
    text += fmt::format("\n[[force]]\nname = {}\nkind = \"friction\"\njoint = {}\n",
                        quoted(c.name + "_friction"), quoted(c.name));
    if (c.damping != 0) text += fmt::format("viscous = {}\n", written(c.damping));
    if (c.friction != 0) text += fmt::format("coulomb = {}\n", written(c.friction));
  }
  if (c.stiffness != 0)
    text += fmt::format(
        "\n[[force]]\nname = {}\nkind = \"torsion-spring\"\njoint = {}\nstiffness = {}\nangle = {}\n",
        quoted(c.name + "_spring"), quoted(c.name), written(c.stiffness), written(c.rest));
  return text;
}

/// A comment stays one, whatever names are in it.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
  return text;
}

}  // namespace

std::string to_model_file(const Draft& draft, const std::string& source) {
  std::string text = "# Converted from " + one_line(source) + ".\n";
  if (!draft.left_out.empty()) text += "# Could not carry over:\n";
  for (const auto& line : draft.left_out) text += "# - " + one_line(line) + "\n";
  text += fmt::format("title = {}\nspace = \"spatial\"\ngravity = {}\n", quoted(draft.title),
                      written(draft.gravity));
  for (const auto& link : draft.links) text += body(link);
  for (const auto& c : draft.joints) text += joint(c);
  for (const auto& c : draft.joints)
    if (c.mimic) text += gear(c);
  for (const auto& c : draft.joints) text += forces(c);
  return text;
}

}  // namespace dalembert::app
