#include "dalembert/core/tolerance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

namespace {

constexpr double least_relative = 1e-14;  // 16 digits, less what the sums of a few steps lose

void validate_absolute(const std::string& what, double value) {
  if (!std::isfinite(value) || value < 0)
    throw Error(what + " is " + short_number(value), "it must be a finite number, 0 or larger");
  if (value == 0)
    throw Error(what + " is 0", "components that pass through zero need a positive atol, for instance 1e-10");
}

/// "q", "q.crank" and "q.crank.x" stand for q.crank.x.
bool stands_for(const std::string& name, const std::string& label) {
  return label.starts_with(name) && (label.size() == name.size() || label[name.size()] == '.');
}

}  // namespace

void Tolerance::validate() const {
  if (!std::isfinite(relative) || relative < 0)
    throw Error("rtol is " + short_number(relative), "it must be a finite number, 0 or larger");
  validate_absolute("atol", absolute);
  for (const auto& [name, value] : named) validate_absolute("atol of " + name, value);
  if (relative != 0 && relative < least_relative)
    throw Error("rtol is " + short_number(relative),
                "double precision cannot hold less than 1e-14; take 1e-13 or larger, or 0");
}

void Tolerance::refuse_unknown(const Layout& layout) const {
  for (const auto& [name, value] : named) {
    std::vector<std::string> known;
    bool found = false;
    for (const auto& block : layout.blocks()) {
      known.push_back(block.name);
      for (Eigen::Index i = block.offset; i < block.offset + block.size; ++i) {
        known.push_back(layout.label(i));
        found = found || stands_for(name, known.back());
      }
    }
    if (!found) throw unknown("block or entry of atol", name, known);
  }
}

bool Tolerance::names(const std::string& label) const {
  return std::any_of(named.begin(), named.end(),
                     [&](const auto& each) { return stands_for(each.first, label); });
}

ErrorScale Tolerance::on(const Layout& layout) const {
  ErrorScale scale{relative, absolute};
  if (named.empty()) return scale;
  scale.entries = Vector::Constant(layout.size(), absolute);
  for (Eigen::Index i = 0; i < layout.size(); ++i) {
    const std::string label = layout.label(i);
    std::size_t longest = 0;
    for (const auto& [name, value] : named)
      if (name.size() > longest && stands_for(name, label)) {
        longest = name.size();
        scale.entries[i] = value;
      }
  }
  return scale;
}

double Tolerance::least() const {
  double all = absolute;
  for (const auto& [name, value] : named) all = std::min(all, value);
  return all;
}

Tolerance Tolerance::times(double factor) const {
  Tolerance all{factor * relative, factor * absolute, named};
  for (auto& [name, value] : all.named) value *= factor;
  return all;
}

Tolerance Tolerance::carried(const Layout& from, const Layout& to) const {
  Tolerance all = *this;
  if (named.empty()) return all;
  double least = std::numeric_limits<double>::infinity();
  const Vector old = on(from).entries;
  for (const auto& block : from.blocks())
    if (block.role == Role::differential && block.size > 0 && to.find(block.name) == nullptr)
      least = std::min(least, old.segment(block.offset, block.size).minCoeff());
  for (const auto& block : to.blocks())
    if (block.role == Role::differential && from.find(block.name) == nullptr && std::isfinite(least))
      all.named[block.name] = least;
  return all;
}

}  // namespace dalembert
