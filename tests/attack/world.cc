#include "tests/attack/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace dalembert::attack {

namespace {

std::string shortest(double value) {
  return fmt::format("{}", value);
}

/// The variable of a law, given in the units and the frame of the world.
std::string variable(const std::string& name, const World& world) {
  struct Written {
    std::string name;
    Dimension dimension;
  };
  static const std::map<std::string, Written> known = {
      {"t", {"t", duration}},      {"length", {"length", length}},       {"rate", {"rate", speed}},
      {"angle", {"angle", pure}},  {"voltage", {"voltage", {1, 2, -3}}}, {"pressure", {"pressure", pressure}},
      {"speed", {"speed", speed}}, {"angular_speed", {"speed", spin}}};
  if (name == "x") {  // of a point, along the first axis of the drawing
    const Eigen::Vector3d axis = world.turn.col(0);
    std::string text = fmt::format("({}*x + {}*y", axis[0], axis[1]);
    if (axis[2] != 0) text += fmt::format(" + {}*z", axis[2]);
    const double offset = axis.dot(world.shift) * world.length;
    return text + fmt::format(" - ({}))/{}", offset, world.length);
  }
  const Written& written = known.at(name);
  const double factor = world.factor(written.dimension);
  return factor == 1 ? written.name : "(" + written.name + "/" + shortest(factor) + ")";
}

}  // namespace

double World::factor(const Dimension& d) const {
  return std::pow(mass, d.mass) * std::pow(length, d.length) * std::pow(time, d.time);
}

std::string World::number(double value, const Dimension& d) const {
  return shortest(value * factor(d));
}

std::string World::numbers(const std::vector<double>& values, const Dimension& d) const {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + number(value, d);
  return "[" + text + "]";
}

Eigen::Vector3d World::point(const Eigen::Vector3d& p) const {
  return (turn * p + shift) * length;
}

std::string World::law(const std::string& text, const Dimension& result) const {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      out += text[i];
      continue;
    }
    std::size_t end = i + 1;
    while (end < text.size() &&
           (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
      ++end;
    out += variable(text.substr(i + 1, end - i - 1), *this);
    i = end - 1;
  }
  return factor(result) == 1 ? out : shortest(factor(result)) + "*(" + out + ")";
}

Eigen::Vector3d World::point_back(const Eigen::Vector3d& p) const {
  return turn.transpose() * (p / length - shift);
}

Eigen::Vector3d World::vector_back(const Eigen::Vector3d& v, const Dimension& d) const {
  return turn.transpose() * v / factor(d);
}

double World::loosened() const {
  return std::max({1., 1 / length, time / length, time});
}

std::string in_quotes(const std::string& text) {
  return "\"" + text + "\"";
}

}  // namespace dalembert::attack
