#include "dalembert/method/alternation.h"

#include <algorithm>
#include <cmath>

namespace dalembert {

namespace {

constexpr int enough = 10, hint = 4;  // changes of direction in a row: for a verdict, beside a failure
constexpr double growth = 2;          // of the amplitude, since the row began
constexpr double visible = 0.01;      // of the largest multiplier; below it may be rounding seen through h^-2

}  // namespace

void Alternation::bind(const Layout& layout, int least_index) {
  watched_.clear();
  for (const auto& block : layout.blocks())
    if (block.role == Role::algebraic && block.index >= least_index)
      for (Eigen::Index i = 0; i < block.size; ++i) watched_.push_back({.entry = block.offset + i});
  restart();
}

void Alternation::restart() {
  known_ = 0;
  for (Watched& w : watched_) w = {.entry = w.entry};
}

Alternation::Watched Alternation::after(Watched w, double value) const {
  const double change = known_ > 0 ? value - w.value : 0;
  w.now = std::abs(change - w.change) / 2;
  if (known_ > 1 && change * w.change < 0) {
    if (w.row++ == 0) w.first = w.now;
  } else {
    w.row = 0;
  }
  w.value = value;
  w.change = change;
  w.size = std::max(w.size, std::abs(value));
  return w;
}

template <class Next>
std::optional<Trouble> Alternation::worst(int least, Next&& next) const {
  std::optional<Trouble> found;
  for (const Watched& known : watched_)
    if (const Watched w = next(known); grows(w, least))
      if (!found || std::abs(w.change) > found->size) found = {w.entry, std::abs(w.change)};
  return found;
}

bool Alternation::grows(const Watched& w, int least) {
  return w.row >= least && w.now >= growth * w.first && w.now > visible * w.size;
}

void Alternation::accept(In y) {
  for (Watched& w : watched_) w = after(w, y[w.entry]);
  known_ = std::min(known_ + 1, 3);
}

std::optional<Trouble> Alternation::growing(In y) const {
  return worst(enough, [&](const Watched& w) { return after(w, y[w.entry]); });
}

std::optional<Trouble> Alternation::breaking() const {
  return worst(hint, [](const Watched& w) { return w; });
}

}  // namespace dalembert
