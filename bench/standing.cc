#include "bench/standing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/chain_case.h"

namespace dalembert::bench {
namespace {

const Row::Entry* fastest(const Row& row, const auto& counts) {
  const Row::Entry* best = nullptr;
  for (const Row::Entry& each : row.entries)
    if (each.standing.reached && counts(each) &&
        (best == nullptr || each.standing.seconds.median < best->standing.seconds.median))
      best = &each;
  return best;
}

std::vector<Row> rows_of(const Case& c, const std::vector<double>& errors, const Trial& trial) {
  const auto all = stand(c, errors, trial);
  std::vector<Row> rows;
  for (std::size_t e = 0; e < errors.size(); ++e) {
    rows.push_back({c.problem, errors[e]});
    for (std::size_t k = 0; k < all.size(); ++k)
      rows.back().entries.push_back({c.contenders[k].name, c.contenders[k].ours, all[k][e]});
  }
  return rows;
}

std::string milliseconds(double seconds) {
  const double ms = 1e3 * seconds;
  return ms < 99.95 ? fmt::format("{:#.3g}", ms) : fmt::format("{:.0f}", ms);
}

}  // namespace

const Row::Entry* Row::best_of_ours() const {
  return fastest(*this, [](const Entry& each) { return each.ours; });
}

const Row::Entry* Row::best_of(const std::string& code) const {
  return fastest(*this, [&](const Entry& each) { return each.name.starts_with(code); });
}

std::vector<Row> standings(const Case& c) {
  Trial trial;
  trial.confirmed = 2;
  trial.tighter = 4;
  trial.rounds = 2;
  trial.budget = .5;
  for (int halves = 2; halves <= 24; ++halves) trial.tolerances.push_back(std::pow(10, -halves / 2.));
  return rows_of(c, {1e-4, 1e-6, 1e-8}, trial);
}

std::vector<Row> chain_standings(const Chain& chain, double error) {
  Trial trial;
  trial.budget = 5;
  trial.fewest = 1;
  trial.most = 15;
  trial.tighter = chain.n <= 100 ? 2 : 0;  // runs of long ones take half a minute
  for (int halves = 4; halves <= 20; ++halves) trial.tolerances.push_back(std::pow(10, -halves / 2.));
  double spread = 0;
  const Case c = chain_case(chain, spread);
  if (!(spread < error / 10))
    fmt::print(stderr, "{}: two of our pairs agree to {:.1e} only\n", c.problem, spread);
  return rows_of(c, {error}, trial);
}

void print(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const Row::Entry* ours = row.best_of_ours();
    fmt::print(
        "\n| {}, error {:.0e} | tolerance | error | steps | evaluations | ms | quartiles | runs | times ours "
        "|\n",
        row.problem, row.error);
    fmt::print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (const Row::Entry& each : row.entries) {
      const Standing& at = each.standing;
      if (!at.reached) {
        fmt::print("| {} | not reached | | | | | | | |\n", each.name);
        continue;
      }
      fmt::print(
          "| {} | {:.1e} | {:.1e} | {} | {} | {} | {} to {} | {} | {} |\n", each.name, at.tolerance,
          at.result.error, at.result.steps, at.result.evaluations, milliseconds(at.seconds.median),
          milliseconds(at.seconds.low), milliseconds(at.seconds.high), at.seconds.runs,
          ours == nullptr ? "" : fmt::format("{:.2f}", at.seconds.median / ours->standing.seconds.median));
    }
  }
  std::fflush(stdout);
}

void print_summary(const std::vector<Row>& rows) {
  const std::vector<std::string> codes = {"IDA", "RADAU5", "DOP853", "HEM5", "PHEM56", "Simbody"};
  fmt::print("\n| | error | ours, ms | pair | chosen |");
  for (const std::string& code : codes) fmt::print(" {} |", code);
  fmt::print("\n| --- | ---: | ---: | --- | ---: |");
  for (std::size_t k = 0; k < codes.size(); ++k) fmt::print(" ---: |");
  fmt::print("\n");
  for (const Row& row : rows) {
    const Row::Entry* ours = row.best_of_ours();
    if (ours == nullptr) {
      fmt::print("| {} | {:.0e} | not reached |\n", row.problem, row.error);
      continue;
    }
    const double best = ours->standing.seconds.median;
    const auto of = [&](const Row::Entry* entry) {
      if (entry == nullptr) return std::string();
      const double median = entry->standing.seconds.median;
      return fmt::format("{} ({:.2f})", milliseconds(median), median / best);
    };
    fmt::print("| {} | {:.0e} | {} | {} | {} |", row.problem, row.error, milliseconds(best),
               ours->name.substr(std::min(ours->name.size(), ours->name.find(' ') + 1)),
               of(row.best_of("ours, chosen")));
    for (const std::string& code : codes) fmt::print(" {} |", of(row.best_of(code)));
    fmt::print("\n");
  }
  std::fflush(stdout);
}

}  // namespace dalembert::bench
