// dalembert compare: every pair at several tolerances, error against work.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>

#include "app/commands.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/outputs.h"
#include "app/page_file.h"
#include "app/picture.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "app/work_precision.h"
#include "dalembert/analysis/choice_cost.h"
#include "dalembert/control/reporter.h"
#include "dalembert/control/run_settings.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what, end, limit = "20", out, plot, cost = "evaluations";
  std::vector<std::string> formulations, methods, set, rtol;
  PageFile page;
  bool json = false, quiet = false;
};

/// Ends a run that takes too long to be of interest.
class Deadline final : public Observer {
 public:
  explicit Deadline(double seconds) : seconds_(seconds), begun_(Clock::now()) {}
  void step(const StepView&) override {
    late_ = std::chrono::duration<double>(Clock::now() - begun_).count() > seconds_;
  }
  Outcome status() const override { return late_ ? Outcome::interrupted : Outcome::ok; }
  std::string trouble() const override {
    return "took longer than the " + number(seconds_) + " s of --limit";
  }

 private:
  using Clock = std::chrono::steady_clock;
  double seconds_;
  Clock::time_point begun_;
  bool late_ = false;
};

struct Line {
  Pair pair;
  double rtol;
  Summary summary;
  std::map<std::string, double> errors;  // by block
  double error() const {
    if (errors.empty() || !good(summary.outcome)) return not_a_number;
    double worst = 0;
    for (const auto& [block, e] : errors) worst = std::isnan(e) ? e : std::max(worst, e);
    return worst;
  }
};

bool wanted(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

/// Feasible, with an error estimate, and not left out by the call. Misspelt names are refused.
std::vector<Pair> pairs(const Call& call, const Problem& problem) {
  for (const auto& name : call.formulations) find_formulation(name);
  for (const auto& name : call.methods) find_method(name);
  std::vector<Pair> chosen;
  for (const auto& pair : feasible_pairs(problem))
    if (adapts(pair, problem) && wanted(call.formulations, pair.formulation->name) &&
        wanted(call.methods, pair.method->name))
      chosen.push_back(pair);
  if (chosen.empty())
    throw Error("no feasible pair with an error estimate is left",
                "`dalembert pairs " + call.what + "` lists all");
  return chosen;
}

/// What the file says of a run besides its pair, tolerances and steps, which are compared here.
RunOptions options(const Subject& subject, const PairRequest& pair, double rtol, double end) {
  RunSettings mine;
  mine.formulation = pair.formulation, mine.method = pair.method;
  mine.rtol = rtol;
  mine.controller = Control::pi;
  mine.end = end;
  RunSettings all = merge(mine, subject.settings());
  all.output.reset();  // only the end is compared
  return resolve(all, *subject.problem).options;
}

/// The solution at the end: known, or computed here with a tolerance beyond all others.
struct Reference {
  State state;
  std::string origin;
};

Reference reference(const Subject& subject, double end, double tightest) {
  const auto& problem = subject.problem;
  if (auto exact = problem->exact(end)) return {*exact, "known digits"};
  const Summary summary = run(problem, options(subject, {"auto", "auto"}, tightest / 100, end));
  if (!good(summary.outcome))
    throw Error("no solution at the end is known, and none could be computed: " + summary.message);
  return {reported(summary.state, summary.layout, problem->layout()),
          fmt::format("{} with {} at rtol {:g}", summary.formulation, summary.method, tightest / 100)};
}

/// Other programs disturb single runs; the shortest of several is what it takes.
void repeat(const std::shared_ptr<const Problem>& problem, const RunOptions& o, Summary& summary) {
  constexpr int most = 20;
  constexpr double enough = 0.2;  // seconds in all
  double spent = summary.seconds;
  for (int k = 1; k < most && (k < 3 || spent < enough) && spent < 10 && good(summary.outcome); ++k) {
    const double again = run(problem, o).seconds;
    spent += again;
    summary.seconds = std::min(summary.seconds, again);
  }
}

std::vector<Line> sweep(const Call& call, const Subject& subject, const std::vector<double>& tolerances,
                        double limit, double end, const State& reference) {
  const auto& problem = subject.problem;
  const auto& interrupt = watch_for_interrupt();
  std::vector<Line> lines;
  for (const auto& pair : pairs(call, *problem))
    for (const double rtol : tolerances) {
      if (interrupt.load()) return lines;
      if (!call.quiet) tell(fmt::format("{} {} {:g}", pair.formulation->name, pair.method->name, rtol));
      RunOptions o = options(subject, {pair.formulation->name, pair.method->name}, rtol, end);
      o.interrupt = &interrupt;
      Deadline deadline(limit);
      Line line{pair, rtol, run(problem, o, {&deadline}), {}};
      if (call.cost == "time") repeat(problem, o, line.summary);
      line.errors = block_errors(*problem, line.summary.state, line.summary.layout, reference);
      lines.push_back(std::move(line));
    }
  return lines;
}

std::string table(const std::vector<Line>& lines) {
  Table all({"formulation", "method", "rtol", "error", "steps", "rejected", "f", "Jacobians",
             "factorisations", "seconds", "outcome"});
  for (const auto& l : lines) {
    const Statistics& s = l.summary.statistics;
    all.add({l.pair.formulation->name, l.pair.method->name, number(l.rtol), number(l.error(), 3),
             std::to_string(s.steps), std::to_string(s.rejected), std::to_string(s.force_evaluations),
             std::to_string(s.jacobians), std::to_string(s.factorizations), number(l.summary.seconds, 3),
             good(l.summary.outcome) ? std::string(name(l.summary.outcome)) : l.summary.message});
  }
  return shown(all);
}

Json to_json(const std::vector<Line>& lines) {
  Json runs = Json::array();
  for (const auto& l : lines) {
    Json statistics = Json::object();
    l.summary.statistics.each([&](const char* name, auto value, const char*) { statistics[name] = value; });
    runs.push_back({{"formulation", l.pair.formulation->name},
                    {"method", l.pair.method->name},
                    {"rtol", l.rtol},
                    {"error", l.error()},
                    {"errors", l.errors},
                    {"statistics", statistics},
                    {"seconds", l.summary.seconds},
                    {"outcome", name(l.summary.outcome)},
                    {"message", l.summary.message}});
  }
  return runs;
}

void write_csv(const std::string& file, const std::vector<Line>& lines) {
  std::string all =
      "formulation,method,rtol,error,steps,force_evaluations,jacobians,factorizations,seconds,outcome\n";
  for (const auto& l : lines) {
    const Statistics& s = l.summary.statistics;
    all += fmt::format("{},{},{:g},{:.6e},{},{},{},{},{:.6e},{}\n", l.pair.formulation->name,
                       l.pair.method->name, l.rtol, l.error(), s.steps, s.force_evaluations, s.jacobians,
                       s.factorizations, l.summary.seconds, name(l.summary.outcome));
  }
  write_text(file, all);
}

double cost(const Line& line, const std::string& what) {
  if (what == "time") return line.summary.seconds;
  if (what == "steps") return static_cast<double>(line.summary.statistics.steps);
  return evaluations(line.summary.statistics);
}

void draw(const Call& call, const std::vector<Line>& lines) {
  std::vector<Costs> runs;
  for (const auto& l : lines)
    runs.push_back({l.pair.formulation->name + " " + l.pair.method->name, l.error(), cost(l, call.cost)});
  const std::string label = call.cost == "time" ? "shortest time of several runs [s]" : call.cost;
  write_picture(call.plot, {work_precision(call.what, label, runs)});
}

/// The runs at the tightest tolerance once more, with everything recorded: the best ones, as many as an eye can tell apart. They
/// were measured without.
std::vector<PageRun> runs_of_page(const Subject& subject, std::vector<Line> lines, double rtol, double end) {
  constexpr std::size_t most = 8;
  std::erase_if(lines, [&](const Line& l) { return l.rtol != rtol || !good(l.summary.outcome); });
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.error() < b.error(); });
  lines.resize(std::min(lines.size(), most));
  std::vector<PageRun> all;
  for (const Line& l : lines) {
    const RunOptions o = options(subject, {l.pair.formulation->name, l.pair.method->name}, rtol, end);
    all.push_back(recorded(subject, o));
  }
  return all;
}

Status compare(const Call& call) {
  check_outputs({{"--out", call.out, ".csv"}, picture_output("--plot", call.plot), page_output(call.page)},
                {call.what});
  if (call.cost != "evaluations" && call.cost != "steps" && call.cost != "time")
    throw unknown("cost", call.cost, {"evaluations", "steps", "time"});
  const double limit = to_number("--limit", call.limit);
  if (!(limit > 0)) throw Error("--limit is " + call.limit, "it must be larger than 0");
  const Subject subject = find_subject(call.what, call.set);
  const auto& problem = subject.problem;
  const double end = call.end.empty() ? problem->end() : to_number("--end", call.end);
  std::vector<double> tolerances;
  for (const auto& text : call.rtol) tolerances.push_back(to_number("--rtol", text));
  if (tolerances.empty()) tolerances = {1e-4, 1e-6, 1e-8};
  for (const double rtol : tolerances) Tolerance{rtol, rtol}.validate();
  pairs(call, *problem);  // refuses before anything is computed
  const Reference truth = reference(subject, end, *std::min_element(tolerances.begin(), tolerances.end()));
  const auto lines = sweep(call, subject, tolerances, limit, end, truth.state);
  if (call.json)
    print({{"problem", call.what}, {"end", end}, {"reference", truth.origin}, {"runs", to_json(lines)}});
  else
    say_page(fmt::format("{} to t = {:g}, errors against {}\n\n", call.what, end, truth.origin) +
             table(lines));
  Status status = done;
  if (!call.out.empty()) status = std::max(status, written([&] { write_csv(call.out, lines); }));
  if (!call.plot.empty()) status = std::max(status, written([&] { draw(call, lines); }));
  if (!call.page.file.empty()) {
    const double tightest = *std::min_element(tolerances.begin(), tolerances.end());
    const std::vector<PageRun> runs = runs_of_page(subject, lines, tightest, end);
    if (runs.empty()) std::cerr << "dalembert: no run came to its end, so there is no page\n";
    status = std::max(status, runs.empty() ? ended_early : write_page(call.page, runs));
  }
  return status;
}

}  // namespace

std::vector<CommandEntry> commands_in_compare() {
  return {
      {.name = "compare",
       .rank = 80,
       .summary = "compare error and work of several formulations and methods",
       .examples = {"dalembert compare car-axis --method radau,bdf",
                    "dalembert compare andrews --rtol 1e-6,1e-8 --plot andrews.svg --json"},
       .add = [](Arguments& arguments) -> Action {
         const auto call = std::make_shared<Call>();
         add_subject(arguments, call->what, call->set);
         arguments.list("--formulation", call->formulations,
                        "only these formulations, separated by commas (default: all)", "F");
         arguments.list("--method", call->methods,
                        "only these methods, separated by commas (default: all with an error estimate)", "M");
         arguments.list("--rtol", call->rtol, "tolerances, separated by commas (default: 1e-4,1e-6,1e-8)",
                        "R");
         arguments.option("--end", call->end, "the time to stop at (default: that of the problem)", "T");
         add_page(arguments, call->page);
         arguments.option("--limit", call->limit, "abandon a run after this many seconds (default: 20)", "S");
         arguments.option("--out", call->out, "write the table to a .csv file", "FILE");
         arguments.option("--plot", call->plot, "draw errors against costs to a .svg or .png file", "FILE");
         arguments.option("--cost", call->cost,
                          "what --plot draws as costs; time is the shortest of several runs, which are made "
                          "for it (default: evaluations)",
                          "evaluations|steps|time");
         arguments.flag("--quiet", call->quiet, "do not show progress");
         arguments.flag("--json", call->json, "print JSON");
         return [call] { return compare(*call); };
       }}};
}

}  // namespace dalembert::app
