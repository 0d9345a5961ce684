// dalembert sweep: many runs with other parameters, on all cores.
#include "dalembert/sweep/sweep.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/json.h"
#include "app/module.h"
#include "app/outputs.h"
#include "app/page_file.h"
#include "app/quantity.h"
#include "app/screen.h"
#include "app/sweep_picture.h"
#include "app/sweep_table.h"
#include "app/text.h"
#include "app/varied.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/core/text.h"

namespace dalembert::app {

namespace {

using Clock = std::chrono::steady_clock;

struct Call : VariedCall {
  std::string cases, random, latin, seed = "1", threads, out, plot;
  PageFile page;
  std::vector<std::string> vary, results;
  bool resume = false, quiet = false, json = false, mpi = false;
};

Design design(const Call& call) {
  const int ways = !call.cases.empty() + !call.random.empty() + !call.latin.empty();
  if (ways > 1) throw Error("--cases, --random and --latin exclude each other", "give one of them");
  if (!call.cases.empty() && !call.vary.empty())
    throw Error("--cases and --vary are given", "the file of --cases says what is varied");
  if (!call.cases.empty()) return design_from_csv(call.cases);
  std::vector<Variation> variations;
  for (const auto& text : call.vary) variations.push_back(read_variation(text));
  const auto seed = static_cast<std::uint64_t>(to_count("--seed", call.seed));
  if (!call.random.empty())
    return at_random(variations, static_cast<std::size_t>(to_count("--random", call.random)), seed);
  if (!call.latin.empty())
    return latin_hypercube(variations, static_cast<std::size_t>(to_count("--latin", call.latin)), seed);
  return grid(variations);
}

/// Throws Error for names that are not known, and for those that are set as well.
void check_names(const Call& call, const Subject& subject, const Design& d) {
  const Values set = to_parameters(call.set);
  for (const auto& name : d.names) {
    check_parameter(subject, name);
    if (set.contains(name))
      throw Error("parameter '" + name + "' is set and varied", "give one of --set and --vary");
  }
}

std::vector<Quantity> quantities(const Call& call, const Subject& subject) {
  std::vector<Quantity> all;
  for (const auto& text : call.results) all.push_back(read_quantity(text));
  return all.empty() ? usual_quantities(*subject.problem, subject.watches()) : all;
}

/// Past the screen, which would show what moves the cursor.
void show(const std::string& line) {
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

/// On a terminal a line that is wiped away, otherwise nothing.
class SweepProgress {
 public:
  SweepProgress(std::size_t done, std::size_t all, bool shown)
      : first_(done), all_(all), shown_(shown && isatty(STDERR_FILENO) == 1) {}
  void row(const SweepRow& row) {
    if (!row.good()) ++failed_;
    const auto now = Clock::now();
    if (!shown_ || now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    const double passed = std::chrono::duration<double>(now - begun_).count();
    const auto made = static_cast<double>(row.number + 1 - first_);
    const double left = passed / made * static_cast<double>(all_ - row.number - 1);
    show(fmt::format("\r{} of {} runs, {} ended early, {:.0f} s left \033[K", row.number + 1, all_, failed_,
                     left));
  }
  ~SweepProgress() {
    if (shown_) show("\r\033[K");
  }

 private:
  std::size_t first_, all_, failed_ = 0;
  bool shown_;
  Clock::time_point begun_ = Clock::now(), last_ = begun_;
};

/// The rows cannot be written any more; why, has been said.
struct Unwritten {};

/// Rows that a file has are of this call if one of them, made again, is the same. Throws Error.
void check_rows(const SweepResult& result, const std::string& file) {
  const SweepRow* good = nullptr;
  for (const auto& [number, row] : result.task.made)
    if (row.good()) good = &row;
  for (const SweepRow& row : result.rows)
    if (row.good() && (good == nullptr || row.number < good->number)) good = &row;
  if (good == nullptr) return;
  SweepTask one = result.task;
  one.made.clear();
  one.ahead = nullptr;
  one.design.cases = {result.task.design.cases[good->number]};
  one.first = 0;
  one.threads = 1;
  one.crew = nullptr;  // which would be sent home
  sweep(one, [&](const SweepRow& row) {
    bool same = row.outcome == good->outcome && row.steps == good->steps;
    for (std::size_t i = 0; same && i < row.values.size(); ++i)
      same = row.values[i] == good->values[i] || (std::isnan(row.values[i]) && std::isnan(good->values[i]));
    if (!same)
      throw Error(fmt::format("case {} of '{}' comes out otherwise with this call", good->number + 1, file),
                  "resume with the call that wrote the file, and the same version; or name another file");
  });
}

Json to_json(const Call& call, const SweepResult& result, double seconds) {
  Json runs = Json::array();
  for (const SweepRow& row : result.rows) {
    Json parameters = Json::object(), values = Json::object();
    for (std::size_t i = 0; i < result.task.design.names.size(); ++i)
      parameters[result.task.design.names[i]] = result.task.design.cases[row.number][i];
    for (std::size_t i = 0; i < row.values.size(); ++i)
      values[result.task.quantities[i].name()] = row.values[i];
    runs.push_back({{"case", row.number + 1},
                    {"parameters", parameters},
                    {"values", values},
                    {"outcome", row.outcome},
                    {"message", row.message},
                    {"warnings", row.warnings},
                    {"steps", row.steps}});
  }
  return {{"problem", call.what},
          {"cases", result.task.design.cases.size()},
          {"seconds", seconds},
          {"runs", runs}};
}

/// Some of the runs once more, with everything recorded: as many as an eye can tell apart, evenly chosen.
std::vector<PageRun> runs_of_page(const Call& call, const SweepResult& result) {
  constexpr std::size_t most = 8;
  std::vector<const SweepRow*> good;
  for (const SweepRow& row : result.rows)
    if (row.good()) good.push_back(&row);
  const std::size_t count = std::min(good.size(), most);
  std::vector<PageRun> all;
  for (std::size_t k = 0; k < count; ++k) {
    const SweepRow& row = *good[count == 1 ? 0 : k * (good.size() - 1) / (count - 1)];
    std::vector<std::string> set = call.set;
    Call one = call;
    for (const auto& [name, value] : result.task.design.values(row.number))
      (name.find('.') == std::string::npos ? set : one.start).push_back(name + "=" + full_number(value));
    const Subject subject = find_subject(call.what, set);
    const RunOptions o = options(one, subject.settings(), *subject.problem);
    all.push_back(recorded(subject, o));
    all.back().record.label = parameters(result, row.number);
  }
  return all;
}

/// The processes of mpirun; nullptr if this one is alone.
Crew* crew(const Call& call) {
  if (!call.mpi) return nullptr;
  using Find = Crew*();
  return reinterpret_cast<Find*>(
      find_in_module("mpi", "dalembert_crew", "install MPI with `tools/setup mpi` and build again"))();
}

Status sweep_command(const Call& call) {
  const bool hdf5 = std::filesystem::path(call.out).extension() == ".h5";
  check_outputs({{"--out", call.out, hdf5 ? ".h5" : ".csv", hdf5 ? "" : ".h5"},
                 {"--plot", call.plot, ".svg"},
                 page_output(call.page)},
                {call.what, call.cases});
  if (call.resume && call.out.empty())
    throw Error("--resume is given without --out", "name the file to go on with");
  const Subject subject = find_subject(call.what, call.set);
  SweepResult result{.subject = subject.name, .program = version_name()};
  SweepTask& task = result.task;
  task.makers = makers(call, subject);
  task.options = options(call, subject.settings(), *subject.problem);
  task.quantities = quantities(call, subject);
  task.design = design(call);
  task.crew = crew(call);
  if (task.crew != nullptr) task.threads = 1;  // in each process
  if (!call.threads.empty())
    task.threads = static_cast<int>(std::min(to_count("--threads", call.threads), 4096L));
  check_names(call, subject, task.design);
  if (task.crew != nullptr && !task.crew->leads()) return follow(task), done;
  result.units = units(task);

  RowsAhead ahead(call.out, result);
  if (call.resume) {
    read_rows(call.out, result);
    task.made = ahead.read();
    check_rows(result, call.out);
  } else if (!call.out.empty()) {
    ahead.forget();
  }
  if (!call.out.empty()) task.ahead = [&](const SweepRow& row) { ahead.add(row); };
  task.first = result.rows.size();
  std::unique_ptr<SweepFile> file;
  if (!call.out.empty()) file = open_sweep_file(call.out, result);
  const auto begun = Clock::now();
  Status kept = done;  // the rows, in the file
  const auto keep = [&](auto&& write) {
    if (file && kept == done) kept = written(write);
    return kept == done;
  };
  try {
    SweepProgress progress(task.first, task.design.cases.size(), !call.quiet);
    sweep(task, [&](const SweepRow& row) {
      if (!keep([&] { file->write(row); })) throw Unwritten();
      progress.row(row);
      result.rows.push_back(row);
    });
  } catch (const Unwritten&) {
  }
  keep([&] { file->close(); });
  const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  if (call.json)
    print(to_json(call, result, seconds));
  else if (!call.quiet)
    say(text(title(subject), result, seconds));
  const auto name = [&](const std::string& made, Status status) {
    if (status == done && !made.empty() && !call.quiet && !call.json) say("written      " + made + "\n");
    return status;
  };
  if (name(call.out, kept) != done) return kept;
  if (!call.out.empty() && result.rows.size() == task.design.cases.size()) ahead.forget();
  Status status = done;
  if (!call.plot.empty())
    status = name(call.plot, written([&] { write_text(call.plot, sweep_picture(title(subject), result)); }));
  if (!call.page.file.empty()) {
    const std::vector<PageRun> runs = runs_of_page(call, result);
    if (runs.empty()) complain("no run came to its end, so there is no page");
    status = std::max(status, runs.empty() ? ended_early : name(call.page.file, write_page(call.page, runs)));
  }
  if (result.rows.size() < task.design.cases.size()) {
    complain(fmt::format("interrupted after {} of {} runs{}", result.rows.size(), task.design.cases.size(),
                         file ? "; the same call with --resume goes on with the rest" : ""));
    return ended_early;
  }
  const bool some =
      std::any_of(result.rows.begin(), result.rows.end(), [](const SweepRow& r) { return r.good(); });
  return some ? status : ended_early;
}

}  // namespace

std::vector<CommandEntry> commands_in_sweep() {
  return {
      {.name = "sweep",
       .rank = 20,
       .summary = "make many runs with other parameters, on all cores",
       .examples =
           {"dalembert sweep pendulum --vary l=0.5:2:16 --result \"max(lambda.bar)\" --out length.csv",
            "dalembert sweep models/four-bar.toml --vary a=0.1:0.2:11 --vary b=0.45:0.6:11 --plot map.svg",
            "dalembert sweep andrews --latin 100 --vary mom=0.02:0.04 --out latin.csv --resume",
            "mpirun -n 8 dalembert sweep andrews --latin 10000 --vary mom=0.02:0.04 --mpi --out latin.h5"},
       .add = [](Arguments& arguments) -> Action {
         const auto call = std::make_shared<Call>();
         add_varied(arguments, *call, "1e-6");
         arguments.option("--vary", call->vary,
                          "a parameter, or an initial value such as q.x, and its values: FROM:TO:COUNT, "
                          "FROM:TO:COUNT:log, or a list A,B,C; with --random and --latin a range FROM:TO. "
                          "Several make all "
                          "combinations (may be repeated)",
                          "NAME=VALUES");
         arguments.option(
             "--cases", call->cases,
             "read the values from a .csv file: a line of names, and a line of numbers for each run", "FILE");
         arguments.option("--random", call->random, "draw the values of so many runs independently", "N");
         arguments.option(
             "--latin", call->latin,
             "draw the values of so many runs as a Latin hypercube, which fills the ranges evenly", "N");
         arguments.option("--seed", call->seed, "the same seed draws the same values (default: 1)", "S");
         arguments.list(
             "--result", call->results,
             "what is kept of each run, separated by commas: max(NAME), min, mean or end of a watch or an "
             "entry of the state, time(EVENT), count(EVENT) (default: the watches at the end)",
             "R");
         add_end(arguments, *call);
         arguments.option("--threads", call->threads,
                          "how many runs are made at once (default: one on each core)", "N");
         arguments.flag(
             "--mpi", call->mpi,
             "share the runs with the other processes of mpirun; --threads (default: 1) is then of the "
             "first process, the others make one run at a time");
         arguments.option("--out", call->out,
                          "write a line for each run to a .csv or an .h5 file, as they come", "FILE");
         arguments.flag("--resume", call->resume,
                        "keep the lines that the file of --out has, and make the rest");
         arguments.option(
             "--plot", call->plot,
             "write a picture to a .svg file: curves over one parameter, fields of colour over two", "FILE");
         add_page(arguments, call->page);
         arguments.flag("--quiet", call->quiet, "show neither progress nor report");
         arguments.flag("--json", call->json, "print JSON");
         return [call] { return sweep_command(*call); };
       }}};
}

}  // namespace dalembert::app
