#include "app/unknowns.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/outputs.h"
#include "app/quantity.h"
#include "app/screen.h"
#include "app/text.h"
#include "dalembert/core/csv.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/core/text.h"

namespace dalembert::app {

namespace {

using Side = SearchResult::Found::Side;

/// Of an initial value: its number and unit in the problem. Throws Error if there is none of that name.
void find_entry(const Problem& problem, Unknown& x) {
  const Layout layout = problem.layout();
  const State start = problem.start();
  std::vector<std::string> known;
  for (const Block& block : layout.blocks())
    for (Eigen::Index i = 0; i < block.size; ++i) {
      known.push_back(layout.label(block.offset + i));
      if (known.back() != x.range.name) continue;
      x.start = start.y[block.offset + i];
      x.unit = block.units[static_cast<std::size_t>(i)];
      return;
    }
  throw unknown("entry of the state", x.range.name, known);
}

const char* name(Side side) {
  return side == Side::lower ? "lower" : side == Side::upper ? "upper" : "inside";
}

}  // namespace

void add_search(Arguments& arguments, SearchCall& call) {
  arguments.option(
      "--vary", call.vary,
      "a parameter that is sought, or an initial value such as q.x, and its range: LOW:HIGH, or "
      "LOW:HIGH:log to search in equal ratios (may be repeated). The search begins at the value that "
      "the model or --set gives it",
      "NAME=RANGE");
  arguments.option("--starts", call.starts,
                   "how many searches are made: the others begin at a Latin hypercube (default: 1)", "N");
  arguments.option("--seed", call.seed, "the same seed begins at the same places (default: 1)", "S");
  arguments.option("--runs", call.runs, "how many runs are made at most (default: 10000)", "N");
  arguments.option("--threads", call.threads, "how many runs are made at once (default: one on each core)",
                   "N");
  arguments.option("--out", call.out,
                   "write the values that were found to a .csv file, which sweep --cases reads", "FILE");
  arguments.option("--plot", call.plot, "write a picture to a .svg file, or a .png", "FILE");
  arguments.flag("--quiet", call.quiet, "show no report");
  arguments.flag("--json", call.json, "print JSON");
}

void check_search(const SearchCall& call, const std::string& data) {
  std::vector<Output> outputs = {{"--out", call.out, ".csv"}};
  if (!call.plot.empty()) outputs.push_back(picture_output("--plot", call.plot));
  std::vector<std::string> inputs = {call.what};
  if (!data.empty()) inputs.push_back(data);
  check_outputs(outputs, inputs);
}

std::vector<Unknown> unknowns(const SearchCall& call, const Subject& subject) {
  const Values set = to_parameters(call.set), started = to_assignments("--start", call.start);
  std::vector<Unknown> all;
  for (const auto& text : call.vary) {
    Unknown x{read_variation(text), {}, 0};
    const std::string& name = x.range.name;
    if (!x.range.values.empty())
      throw Error("'" + text + "' is not a range to search in", "write " + name + "=LOW:HIGH");
    check_parameter(subject, name);
    bool told = false;
    if (name.find('.') != std::string::npos) {
      find_entry(*subject.problem, x);
      told = started.contains(name);
      if (told) x.start = started.at(name);
    } else {
      const auto& known = parameters_of(subject);
      const auto p = std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.name == name; });
      x.unit = p->unit;
      told = set.contains(name);
      x.start = told ? set.at(name) : p->value;
    }
    const bool inside = x.start >= x.range.low && x.start <= x.range.high;
    if (!inside && !told) x.start = middle(x.range);
    all.push_back(std::move(x));
  }
  check_unknowns(all);
  return all;
}

void read_search(SearchCall& call, const Subject& subject, SearchTask& task) {
  task.unknowns = unknowns(call, subject);
  task.makers = makers(call, subject);
  // as tight as differences need it, unless the call or the file says so
  const RunSettings of_file = subject.settings();
  if (call.settings.rtol.empty() && (!of_file.rtol || *of_file.rtol > tolerance_for_differences))
    call.settings.rtol = full_number(tolerance_for_differences);
  task.options = options(call, of_file, *subject.problem);
  task.starts = static_cast<int>(to_count("--starts", call.starts, 100'000));
  task.seed = static_cast<std::uint64_t>(to_count("--seed", call.seed));
  task.most_runs = to_count("--runs", call.runs);
  if (!call.threads.empty()) task.threads = static_cast<int>(to_count("--threads", call.threads, 4096));
}

double seconds_of(const std::function<void()>& what) {
  const auto begun = std::chrono::steady_clock::now();
  what();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

Status tell(const SearchCall& call, const SearchReport& report) {
  if (call.json)
    print(report.json);
  else if (!call.quiet)
    say(report.text);
  Status status = done;
  const auto file = [&](const std::string& path, const std::function<void()>& write) {
    if (path.empty() || !report.found) return;
    const Status one = written(write);
    if (one == done && !call.quiet && !call.json) say("written      " + path + "\n");
    status = std::max(status, one);
  };
  file(call.out, [&] { write_text(call.out, values_as_csv(report.parameters)); });
  file(call.plot, [&] { write_picture(call.plot, report.picture()); });
  return report.right ? status : ended_early;
}

std::string table(const std::vector<SearchResult::Found>& found, const std::vector<Unknown>& unknowns) {
  Table rows({"parameter", "unit", "start", "found", "standard error", "range", "remark"});
  for (std::size_t k = 0; k < found.size(); ++k) {
    const auto& p = found[k];
    const Variation& range = unknowns[k].range;
    rows.add({p.name, p.unit, number(p.start), number(p.value, 9), p.error ? number(*p.error, 3) : "",
              short_number(range.low) + " to " + short_number(range.high),
              !p.determined            ? "not determined"
              : p.side == Side::inside ? ""
                                       : std::string("at its ") + name(p.side) + " bound"});
  }
  return shown(rows, "  ");
}

Json to_json(const std::vector<SearchResult::Found>& found) {
  Json all = Json::array();
  for (const auto& p : found)
    all.push_back({{"name", p.name},
                   {"unit", p.unit},
                   {"start", p.start},
                   {"value", p.value},
                   {"error", p.error ? Json(*p.error) : Json()},
                   {"bound", name(p.side)},
                   {"determined", p.determined}});
  return all;
}

std::string failures(const Failures& all) {
  std::string out;
  for (const auto& [pattern, failure] : all)
    out += fmt::format("ended early  {}, the first: {}\n",
                       plural(static_cast<long>(failure.runs), "run", "runs"), failure.first);
  return out;
}

Json to_json(const Failures& failures) {
  Json all = Json::array();
  for (const auto& [pattern, failure] : failures)
    all.push_back({{"runs", failure.runs}, {"message", failure.first}});
  return all;
}

std::string values_as_csv(const std::vector<SearchResult::Found>& found) {
  std::vector<std::string> names, values;
  for (const auto& p : found) {
    names.push_back(csv_cell(p.name));
    values.push_back(full_number(p.value));
  }
  return join(names, ",") + "\n" + join(values, ",") + "\n";
}

}  // namespace dalembert::app
