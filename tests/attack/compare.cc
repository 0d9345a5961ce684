#include "tests/attack/compare.h"

#include <algorithm>
#include <cmath>

#include "dalembert/core/error.h"

namespace dalembert::attack {

namespace {

constexpr double most_growth = 1e5;
constexpr std::int64_t most_steps = 20'000;

/// The largest |a - b| by group; numbers that one of them does not know are left out.
ByGroup differences(const Table& a, const Table& b) {
  ByGroup by_group;
  for (const std::string& group : a.groups) by_group[group] = 0;
  for (std::size_t row = 0; row < std::min(a.rows.size(), b.rows.size()); ++row)
    for (std::size_t i = 0; i < a.groups.size(); ++i) {
      if (a.names[i] == energy_scale) continue;
      const auto column = static_cast<Eigen::Index>(i);
      double& most = by_group[a.groups[i]];
      if (const double d = std::abs(a.rows[row][column] - b.rows[row][column]); d > most) most = d;
    }
  return by_group;
}

std::map<std::string, double> moved_start(const Mechanism& mechanism, std::uint64_t seed, double delta) {
  Dice dice(seed);
  std::map<std::string, double> moved;
  const State start = mechanism.start();
  const Layout layout = mechanism.layout();
  for (const Block& block : layout.blocks())
    if (block.role == Role::differential)
      for (Eigen::Index i = block.offset; i < block.offset + block.size; ++i)
        moved[layout.label(i)] = start.y[i] + delta * (1 + std::abs(start.y[i])) * dice.uniform(-1, 1);
  return moved;
}

/// Families that have nothing in common but the equations.
const std::vector<DrawnRun>& families() {
  static const std::vector<DrawnRun> all = {{{"index1", "dop853"}, 1e-12},
                                            {{"ggl", "radau"}, 1e-11},
                                            {{"index2", "hem5"}, 1e-11},
                                            {{"maggi-qr", "dopri5"}, 1e-11},
                                            {{"index1", "radau"}, 1e-11}};
  return all;
}

bool may_jump(const std::string& name) {
  return !name.starts_with("q.") && !name.starts_with("v.") && !name.starts_with("s.") &&
         !name.starts_with("energy.");
}

ByGroup times(double factor, ByGroup numbers) {
  for (auto& [group, number] : numbers) number *= factor;
  return numbers;
}

}  // namespace

Verdict compare(const Table& table, const Table& expected, const ByGroup& allowed,
                const std::vector<Vector>& range) {
  Verdict worst;
  for (std::size_t row = 0; row < std::min(table.rows.size(), expected.rows.size()); ++row)
    for (std::size_t i = 0; i < table.groups.size(); ++i) {
      const auto column = static_cast<Eigen::Index>(i);
      const double value = table.rows[row][column], right = expected.rows[row][column];
      if (std::isnan(right) || table.names[i] == energy_scale) continue;
      if (std::isnan(value) && table.names[i].starts_with("mu.")) continue;  // slides here, sticks there
      const double excess =
          std::abs(value - right) / (allowed.at(table.groups[i]) + (range.empty() ? 0 : range[row][column]));
      if (!(excess <= worst.excess)) worst = {excess, table.names[i], table.times[row], value, right};
    }
  return worst;
}

ByGroup sizes(const Table& table) {
  Table nothing = table;
  for (Vector& row : nothing.rows) row = row.unaryExpr([](double x) { return std::isnan(x) ? x : 0.; });
  ByGroup all = differences(table, nothing);
  for (auto& [group, size] : all) size += 1;
  const auto scale = std::find(table.names.begin(), table.names.end(), energy_scale);
  if (scale != table.names.end() && !table.rows.empty()) {
    const auto column = scale - table.names.begin();
    double& size = all.at(table.groups[static_cast<std::size_t>(column)]);
    if (const double last = table.rows.back()[column]; last > size) size = last;
  }
  return all;
}

Truth::Truth(const Model& model, int pieces, View view)
    : model_(model), pieces_(pieces), view_(std::move(view)) {}

bool Truth::ask_next() {
  while (asked_ < families().size()) {
    const DrawnRun& family = families()[asked_++];
    const Trial trial =
        attempt(model_, family, {.pieces = pieces_, .careful = true, .most_steps = most_steps});
    endings_ += (endings_.empty() ? "" : ", ") + family.pair() + " " + trial.outcome();
    if (!trial.ok()) continue;
    if (known_.empty()) run_ = family;
    known_.push_back(view_(trial.table));
    return true;
  }
  return false;
}

const Table* Truth::table() {
  if (known_.empty()) ask_next();
  return known_.empty() ? nullptr : &known_.front();
}

void Truth::measure_growth() {
  constexpr double delta = 1e-6;
  const ByGroup size = sizes(*table());
  ByGroup found = size;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Trial moved = attempt(
        model_, {run_.request, 1e-10},
        {.pieces = pieces_, .start = moved_start(*model_.mechanism, seed, delta), .most_steps = most_steps});
    if (!moved.ok()) return;
    for (const auto& [group, difference] : differences(view_(moved.table), *table())) {
      found[group] = std::max(found[group], 2 * difference / delta);
      if (!(found[group] < most_growth * size.at(group))) return;
    }
  }
  growth_ = found;
}

std::optional<ByGroup> Truth::growth(double accuracy) {
  if (known_.size() < 2) {
    if (!ask_next()) return {};
    measure_growth();
  }
  if (!growth_) return {};
  const ByGroup doubt = differences(known_[0], known_[1]);
  for (const auto& [group, size] : *growth_)
    if (10 * doubt.at(group) > accuracy * size) return {};
  return growth_;
}

/// By how much each number that may jump changes close to its time.
std::vector<Vector> Truth::changes(double beside) {
  const Table& coarse = *table();
  const Table finer = view_(
      attempt(model_, run_, {.pieces = pieces_, .careful = true, .beside = beside, .most_steps = most_steps})
          .table);
  std::vector<Vector> all;
  for (std::size_t row = 0; row < coarse.rows.size(); ++row) {
    Vector change = Vector::Zero(coarse.rows[row].size());
    for (std::size_t other = 0; other < finer.rows.size(); ++other)
      if (std::abs(finer.times[other] - coarse.times[row]) < 1.5 * beside)
        for (Eigen::Index i = 0; i < change.size(); ++i)
          if (may_jump(coarse.names[static_cast<std::size_t>(i)]))
            if (const double d = std::abs(finer.rows[other][i] - coarse.rows[row][i]); d > change[i])
              change[i] = d;
    all.push_back(change);
  }
  return all;
}

std::optional<Verdict> Truth::judge(const Table& table_of_run, double tolerance) {
  const Table looked_at = view_(table_of_run);
  Verdict verdict = compare(looked_at, *table(), times(generous * tolerance, sizes(*table())));
  if (!verdict.wrong()) return verdict;
  const auto grown = growth(generous * tolerance);
  if (!grown) return {};
  const ByGroup allowed = times(generous * tolerance, *grown);
  verdict = compare(looked_at, *table(), allowed);
  if (!verdict.wrong() || !may_jump(verdict.name)) return verdict;
  const double beside = std::min(generous * tolerance, .05) * table()->times.back();
  return compare(looked_at, *table(), allowed, changes(beside));
}

}  // namespace dalembert::attack
