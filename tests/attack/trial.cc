#include "tests/attack/trial.h"

#include <ctime>
#include <exception>

namespace dalembert::attack {

namespace {

/// Writes down states and watches at the outputs.
class Rows final : public Observer {
 public:
  explicit Rows(const std::vector<Watch>& watches) : watches_(watches) {}
  void output(const State& state) override {
    Vector row(state.y.size() + static_cast<Eigen::Index>(watches_.size()));
    row.head(state.y.size()) = state.y;
    for (std::size_t i = 0; i < watches_.size(); ++i)
      row[state.y.size() + static_cast<Eigen::Index>(i)] = watches_[i].value(state);
    table.times.push_back(state.t);
    table.rows.push_back(row);
  }
  Table table;

 private:
  const std::vector<Watch>& watches_;
};

/// Ends runs that nobody has time for.
class Patience final : public Observer {
 public:
  Outcome status() const override {
    return std::clock() - begin_ > 20 * CLOCKS_PER_SEC ? Outcome::interrupted : Outcome::ok;
  }

 private:
  std::clock_t begin_ = std::clock();
};

std::vector<double> with_neighbours(const std::vector<double>& times, double beside) {
  std::vector<double> all;
  for (const double t : times)
    for (const double near : {t - beside, t, t + beside})
      if (near >= times.front() && near <= times.back() && (all.empty() || near > all.back()))
        all.push_back(near);
  return all;
}

void name_columns(Table& table, const Layout& layout, const std::vector<Watch>& watches) {
  for (const Block& block : layout.blocks())
    for (std::size_t i = 0; i < block.labels.size(); ++i) {
      table.names.push_back(block.name + "." + block.labels[i]);
      table.groups.push_back(block.name + " in " + block.units[i]);
    }
  for (const Watch& watch : watches) {
    table.names.push_back(watch.name);
    table.groups.push_back(watch.name.substr(0, watch.name.find('.')) + " in " + watch.unit);
  }
}

/// Energy and work up to the end, as further columns that are known in the last row only.
void add_energy(Table& table, const std::optional<Monitor::Energy>& energy, double tolerance) {
  table.names.insert(table.names.end(),
                     {"energy.end", "energy.work", "energy.change minus work", std::string(energy_scale)});
  table.groups.insert(table.groups.end(), 4, "energy");
  for (Vector& row : table.rows) {
    row.conservativeResize(row.size() + 4);
    row.tail(4).setConstant(not_a_number);
  }
  if (energy && !table.rows.empty())
    table.rows.back().tail(4) << energy->end, energy->work, energy->error(), energy->allowed / tolerance;
}

}  // namespace

std::string Trial::outcome() const {
  return thrown.empty() ? std::string(name(summary.outcome)) : "refused";
}

Trial attempt(const Model& model, const DrawnRun& drawn, const TrialOptions& how) {
  const Mechanism& mechanism = *model.mechanism;
  RunOptions options;
  options.request = drawn.request;
  options.tolerance = {drawn.tolerance, drawn.tolerance};
  options.end = model.run.end.value_or(1);
  options.outputs = output_times(mechanism.start().t, *options.end, how.pieces);
  if (how.beside > 0) options.outputs = with_neighbours(options.outputs, how.beside);
  options.start = how.start;
  options.most_steps = how.most_steps;
  if (how.careful) options.max_step = *options.end / 200;

  Rows rows(model.watches);
  Patience patience;
  WatchFollower follower(model.watches);
  Monitor monitor({drawn.tolerance, drawn.tolerance});
  Trial trial;
  try {
    trial.summary = run(model.mechanism, options, {&monitor, &follower, &rows, &patience});
  } catch (const std::exception& error) {
    trial.thrown = error.what();
    return trial;
  }
  trial.table = std::move(rows.table);
  name_columns(trial.table, mechanism.report(), model.watches);
  add_energy(trial.table, monitor.energy(), drawn.tolerance);
  return trial;
}

}  // namespace dalembert::attack
