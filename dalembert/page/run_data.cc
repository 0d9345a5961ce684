#include "dalembert/page/run_data.h"

#include <algorithm>
#include <cmath>

#include "dalembert/multibody/pose.h"
#include "dalembert/page/packing.h"
#include "dalembert/page/scene.h"
#include "dalembert/page/verdict.h"
#include "dalembert/problem/drawable.h"

namespace dalembert {

namespace {

constexpr std::size_t most_numbers = 8'000'000;  // of all columns: some ten megabytes of page at most
constexpr std::size_t most_groups = 6000;        // of steps: more than a screen has points

std::vector<double> every(std::size_t stride, const std::vector<double>& all) {
  std::vector<double> some;
  for (std::size_t i = 0; i < all.size(); i += stride) some.push_back(all[i]);
  if (!all.empty() && (all.size() - 1) % stride != 0) some.push_back(all.back());
  return some;
}

std::vector<double> column(const RunRecord& record, std::size_t which) {
  std::vector<double> values;
  for (std::size_t row = 0; row < record.rows(); ++row) values.push_back(record.value(row, which));
  return values;
}

/// Neighbours in one group; what stands for them is what a reader looks for.
struct StepGroups {
  explicit StepGroups(const std::vector<TriedStep>& steps) {
    const std::size_t in_group = steps.size() / most_groups + 1;
    for (std::size_t i = 0; i < steps.size(); i += in_group)
      add(steps.data() + i, steps.data() + std::min(i + in_group, steps.size()));
  }
  void add(const TriedStep* begin, const TriedStep* end) {
    double low = not_a_number, high = not_a_number, error = 0, tried_again = 0, over = 0;
    for (const TriedStep* step = begin; step != end; ++step) {
      if (step->fate == TriedStep::Fate::rejected) {
        ++tried_again;
        continue;
      }
      low = std::isnan(low) ? step->h : std::min(low, step->h);
      high = std::isnan(high) ? step->h : std::max(high, step->h);
      error = std::max(error, step->error);
      if (step->fate == TriedStep::Fate::crossing) over = 1;
    }
    t.push_back(begin->t);
    shortest.push_back(low);
    longest.push_back(high);
    largest_error.push_back(error);
    order.push_back((end - 1)->order);
    rejected.push_back(tried_again);
    crossing.push_back(over);
  }
  std::vector<double> t{}, shortest{}, longest{}, largest_error{}, order{}, rejected{}, crossing{};
};

struct ReadingGroups {
  explicit ReadingGroups(const RunRecord& record) {
    const auto& all = record.readings;
    const std::size_t in_group = all.size() / most_groups + 1;
    const double start = record.energy ? record.energy->start : 0;
    for (std::size_t i = 0; i < all.size(); i += in_group) {
      const std::size_t end = std::min(i + in_group, all.size());
      double x = 0, v = 0, e = 0;
      for (std::size_t k = i; k < end; ++k) {
        x = worse(x, all[k].position);
        v = worse(v, all[k].velocity);
        if (const double error = all[k].energy - start - all[k].work; !(std::abs(error) < std::abs(e)))
          e = error;
      }
      t.push_back(all[end - 1].t);
      position.push_back(x);
      velocity.push_back(v);
      energy.push_back(e);
    }
  }
  static double worse(double a, double b) { return std::isnan(b) ? b : std::max(a, b); }
  std::vector<double> t{}, position{}, velocity{}, energy{};
};

void write_head(JsonText& json, const PageRun& run) {
  const RunRecord& r = run.record;
  json.member("title", r.title)
      .member("subject", r.subject)
      .member("command", r.command)
      .member("label", r.label);
  json.member("program", r.program).member("rtol", r.tolerance.relative).member("atol", r.tolerance.absolute);
  json.member("space", mechanism_of(run) || as<Drawable>(run.problem.get())
                           ? (is_spatial(run) ? "spatial" : "planar")
                           : "none");
  json.key("gravity").begin_array();
  if (run.model)
    for (const double g : run.model->gravity) json.value(g);
  json.end_array().key("parameters").begin_array();
  for (const RecordParameter& p : r.parameters)
    json.begin_object().member("name", p.name).member("value", p.value).member("unit", p.unit).end_object();
  json.end_array().key("texts").begin_array();
  for (const RecordSource& s : r.sources)
    json.begin_object().member("name", s.name).member("text", s.text).end_object();
  json.end_array().list("references", r.references);
}

}  // namespace

bool is_spatial(const PageRun& run) {
  if (const auto* mechanism = mechanism_of(run)) return !is_planar(*mechanism);
  const auto* drawable = as<Drawable>(run.problem.get());
  return drawable != nullptr && !drawable->sketch().planar;
}

std::string packed(const PageRun& run) {
  const RunRecord& record = run.record;
  const std::vector<DerivedColumn> derived = derived_columns(run);
  const std::size_t width = record.columns.size() + derived.size();
  const std::size_t stride = width * record.rows() / most_numbers + 1;
  const std::vector<double> times = every(stride, record.times);
  const StepGroups steps(record.steps);
  const ReadingGroups readings(record);

  Packing levels;
  JsonText json;
  json.begin_object();
  write_head(json, run);
  json.member("rows", static_cast<long>(times.size())).member("stride", static_cast<long>(stride));
  json.member("rowsOfRun", static_cast<long>(record.rows()));
  json.key("columns").begin_array();
  const auto add = [&](const RecordColumn& head, const std::vector<double>& values) {
    const Levels l = levels.add_levels(every(stride, values));
    json.begin_object().member("name", head.name).member("unit", head.unit).member("group", head.group);
    json.member("low", l.low).member("step", l.step).end_object();
  };
  for (std::size_t i = 0; i < record.columns.size(); ++i) add(record.columns[i], column(record, i));
  for (const DerivedColumn& each : derived) add(each.head, each.values);
  json.end_array();
  json.member("steps", static_cast<long>(steps.t.size()))
      .member("readings", static_cast<long>(readings.t.size()));
  write_scene(json, run, derived);
  write_verdict(json, run);
  json.end_object();

  Packing all;
  all.add_text(json.text());
  all.add_doubles(times);
  all.add_doubles(steps.t);
  all.add_doubles(readings.t);
  all.append(levels);
  for (const auto* each :
       {&steps.shortest, &steps.longest, &steps.largest_error, &steps.order, &steps.rejected, &steps.crossing,
        &readings.position, &readings.velocity, &readings.energy})
    all.add_floats(*each);
  return all.text();
}

}  // namespace dalembert
