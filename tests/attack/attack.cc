// Attacks the program with random mechanisms: attack [--runs N] [--pairs M] [--seed S] [--keep DIR] [--allow K] [--loosen F]
//
// Runs are compared with tight runs of other families, pairs of texts that mean one mechanism with each other. Every run
// that ends ok and is off by more than 1000 rtol times the growth of the motion is listed, with the file and the command that
// repeat it if there is a folder to keep them in. Ends with 1 if there are more than K of them. To see that it sees anything,
// let runs be F times as loose as what they are judged by.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "dalembert/core/error.h"
#include "dalembert/model/element_entry.h"
#include "tests/attack/compare.h"
#include "tests/attack/metamorphic.h"
#include "tests/attack/reduce.h"

using namespace dalembert;
using namespace dalembert::attack;

namespace {

struct Call {
  std::size_t runs = 300, pairs = 60, allow = 0;
  std::uint64_t seed = 1;
  double loosen = 1;
  std::string keep;
};

struct Count {
  std::size_t runs = 0, ok = 0, wrong = 0;
};

struct Tally {
  std::map<std::string, std::size_t> outcomes, no_truth, lost, twins;
  std::map<std::string, Count> by_pair;
  std::set<std::string> kinds;
  std::vector<double> errors;  ///< of runs that ended ok: the worst number, over rtol and growth
  std::size_t mechanisms = 0, unreadable = 0, unknown = 0, ok = 0, wrong = 0, warned = 0, compared = 0,
              differ = 0;
};

std::string digits(double x) {
  return fmt::format("{:.17g}", x);
}

std::string command(const std::string& file, const DrawnRun& run, int pieces) {
  std::string pair;
  if (!run.request.method.empty())
    pair = fmt::format(" --formulation {} --method {}", run.request.formulation, run.request.method);
  return fmt::format("dalembert run {}{} --rtol {} --output {}", file, pair, run.tolerance, pieces);
}

/// Known digits, so that a run of the file shows how far it is from them.
std::string reference(const Table& truth, double t) {
  std::string text;
  for (std::size_t row = 0; row < truth.rows.size(); ++row) {
    if (truth.times[row] != t && row + 1 != truth.rows.size()) continue;
    text += fmt::format("\n[[reference]]\nt = {}\nsource = \"tight runs that agree\"\n[reference.values]\n",
                        digits(truth.times[row]));
    for (std::size_t i = 0; i < truth.names.size(); ++i)
      for (const char* block : {"q.", "v.", "s.", "lambda."})
        if (const double value = truth.rows[row][static_cast<Eigen::Index>(i)];
            truth.names[i].starts_with(block) && !std::isnan(value))
          text += fmt::format("\"{}\" = {}\n", truth.names[i], digits(value));
  }
  return text;
}

std::string keep(const Call& call, const std::string& name, const std::string& text) {
  if (call.keep.empty()) return name;
  const std::string file = (std::filesystem::path(call.keep) / name).string();
  std::ofstream(file) << text;
  return file;
}

std::string described(const Verdict& v) {
  return fmt::format("{} at t = {:.6g} is {:.10g} instead of {:.10g}, {:.3g} times what is allowed", v.name,
                     v.t, v.value, v.expected, v.excess);
}

/// What is wrong with a run of a drawing whose motion is known: "wrong", how it ended if not well, "" otherwise.
std::string fault(const Drawing& drawing, const DrawnRun& run) try {
  const Model model = Model::from_text(drawing.text());
  Truth truth(model, drawing.pieces, [](const Table& all) { return all; });
  const Trial trial = attempt(model, run, {.pieces = drawing.pieces});
  if (truth.table() == nullptr) return "";
  if (!trial.ok()) return trial.outcome();
  const auto verdict = truth.judge(trial.table, run.tolerance);
  return verdict && verdict->wrong() ? "wrong" : "";
} catch (const Error&) {
  return "";  // without a body that others hold on to
}

/// The file of a run, with the digits that are known, and one with the least that has its fault.
std::string keep_fault(const Call& call, const Drawing& drawing, const DrawnRun& run,
                       const std::string& which, const std::string& name, const std::string& known) {
  if (!call.keep.empty())
    keep(call, "least-" + name,
         reduce(drawing, [&](const Drawing& d) { return fault(d, run) == which; }).text());
  return keep(call, name, drawing.text() + known);
}

void attack_mechanism(const Call& call, std::uint64_t seed, std::size_t runs, Tally& tally) {
  const Drawing drawing = draw_mechanism(seed);
  keep(call, "current.toml", drawing.text());
  tally.kinds.insert(drawing.kinds.begin(), drawing.kinds.end());
  ++tally.mechanisms;
  std::optional<Model> model;
  try {
    model = Model::from_text(drawing.text());
  } catch (const Error& error) {
    ++tally.unreadable;
    fmt::print("unreadable: seed {}: {}\n", seed, error.what());
    return;
  }
  Truth truth(*model, drawing.pieces, [](const Table& all) { return all; });
  if (truth.table() == nullptr) {
    ++tally.no_truth[truth.outcomes()];
    keep(call, fmt::format("no-truth-{}.toml", seed), "# " + truth.outcomes() + "\n" + drawing.text());
    return;
  }
  Dice dice(seed + 1);
  for (std::size_t i = 0; i < runs; ++i) {
    const DrawnRun run = draw_run(dice, *model->mechanism);
    const Trial trial =
        attempt(*model, {run.request, call.loosen * run.tolerance}, {.pieces = drawing.pieces});
    ++tally.outcomes[trial.outcome()];
    Count& count = tally.by_pair[run.pair()];
    ++count.runs;
    if (!trial.ok()) {
      if (trial.summary.outcome == Outcome::too_many_steps || trial.summary.outcome == Outcome::interrupted)
        continue;
      ++tally.lost[run.pair() + ": " + trial.outcome()];
      const std::string file =
          keep_fault(call, drawing, run, trial.outcome(), fmt::format("lost-{}-{}.toml", seed, i),
                     reference(*truth.table(), -1));
      fmt::print("lost: {}: {} {}\n  {}\n", run.pair(), trial.outcome(), trial.thrown + trial.summary.message,
                 command(file, run, drawing.pieces));
      continue;
    }
    ++tally.ok;
    ++count.ok;
    const auto verdict = truth.judge(trial.table, run.tolerance);
    if (!verdict) {
      ++tally.unknown;
      continue;
    }
    tally.errors.push_back(generous * verdict->excess);
    if (!verdict->wrong()) continue;
    const bool warned = !trial.summary.warnings.empty();
    ++(warned ? tally.warned : tally.wrong);
    ++count.wrong;
    const std::string file = keep_fault(call, drawing, run, "wrong", fmt::format("wrong-{}-{}.toml", seed, i),
                                        reference(*truth.table(), verdict->t));
    fmt::print("{}: seed {}: {}: {}\n  {}\n", warned ? "warned" : "WRONG", seed, run.pair(),
               described(*verdict), command(file, run, drawing.pieces));
  }
}

void attack_twins(const Call& call, std::uint64_t seed, Tally& tally) {
  const Twins twins = draw_twins(seed);
  keep(call, "current.toml", twins.first.text());
  keep(call, "current-twin.toml", twins.second.text());
  TwinVerdict result;
  try {
    result = compare_twins(twins, seed);
  } catch (const Error& error) {
    ++tally.unreadable;
    fmt::print("unreadable: twins {} ({}): {}\n", seed, twins.change, error.what());
    return;
  }
  using Sort = TwinVerdict::Sort;
  const std::string outcome = result.sort == Sort::agree      ? "agree"
                              : result.sort == Sort::unknown  ? "no truth"
                              : result.sort == Sort::differ   ? "DIFFER"
                              : result.first == result.second ? "both refused"
                                                              : "one refused";
  ++tally.twins[twins.change + ": " + outcome];
  if (result.sort == Sort::agree) ++tally.compared;
  if (result.sort != Sort::differ && outcome != "one refused") return;
  if (result.sort == Sort::differ) ++tally.differ;
  const std::string a = keep(call, fmt::format("twins-{}-a.toml", seed), twins.first.text());
  const std::string b = keep(call, fmt::format("twins-{}-b.toml", seed), twins.second.text());
  fmt::print("{}: twins {} by {}: {}\n  {}\n  {}\n", outcome, seed, twins.change,
             result.sort == Sort::differ ? described(result.verdict) : result.first + ", " + result.second,
             command(a, result.run, twins.first.pieces), command(b, result.run, twins.second.pieces));
}

/// Kinds of the registry that no mechanism had: a new one shows up here until somebody draws it.
std::string never_drawn(const std::set<std::string>& kinds) {
  std::string never;
  for (const ElementEntry& entry : all_elements()) {
    using Space = ElementEntry::Space;
    const std::string kind = entry.section + " " + entry.kind;
    const bool plane = kinds.count(kind + " in the plane") > 0, space = kinds.count(kind + " in space") > 0;
    if (entry.space == Space::planar ? !plane : entry.space == Space::spatial ? !space : !plane && !space)
      never += (never.empty() ? "" : ", ") + kind + (entry.space == Space::spatial ? " in space" : "");
  }
  return never.empty() ? "nothing" : never;
}

void print_errors(std::vector<double> errors) {
  if (errors.empty()) return;
  std::sort(errors.begin(), errors.end());
  const auto at = [&](double part) {
    return errors[static_cast<std::size_t>(part * static_cast<double>(errors.size() - 1))];
  };
  fmt::print(
      "errors       over rtol and size or growth: median {:.2g}, 90 % below {:.2g}, 99 % below {:.2g}, "
      "largest "
      "{:.2g}\n",
      at(.5), at(.9), at(.99), errors.back());
}

void print(const Tally& tally) {
  fmt::print("\nmechanisms   {}, {} unreadable\n", tally.mechanisms, tally.unreadable);
  for (const auto& [why, count] : tally.no_truth) fmt::print("  {:6} {}\n", count, why);
  std::size_t runs = 0;
  for (const auto& [outcome, count] : tally.outcomes) runs += count;
  fmt::print("runs         {}: {} ok, {} of them beyond what the truth can judge\n", runs, tally.ok,
             tally.unknown);
  for (const auto& [outcome, count] : tally.outcomes) fmt::print("  {:6} {}\n", count, outcome);
  print_errors(tally.errors);
  fmt::print("lost         where another family comes to the end\n");
  for (const auto& [which, count] : tally.lost) fmt::print("  {:6} {}\n", count, which);
  fmt::print("wrong        {} silently, {} with a warning\n", tally.wrong, tally.warned);
  for (const auto& [pair, count] : tally.by_pair)
    if (count.wrong > 0)
      fmt::print("  {:6.1f} per 1000 ({} of {} ok) {}\n",
                 1000. * static_cast<double>(count.wrong) / static_cast<double>(count.ok), count.wrong,
                 count.ok, pair);
  fmt::print("pairs        {} agree, {} differ\n", tally.compared, tally.differ);
  for (const auto& [which, count] : tally.twins) fmt::print("  {:6} {}\n", count, which);
  fmt::print("never drawn  {}\n", never_drawn(tally.kinds));
}

constexpr const char* usage =
    "attack [--runs N] [--pairs M] [--seed S] [--keep DIR] [--allow K] [--loosen F]";

Call read(int count, char** arguments) {
  Call call;
  for (int i = 1; i < count; i += 2) {
    const std::string option = arguments[i], value = i + 1 < count ? arguments[i + 1] : "";
    if (value.empty())
      throw Error("what is " + option + "?", usage);
    else if (option == "--runs")
      call.runs = std::stoul(value);
    else if (option == "--pairs")
      call.pairs = std::stoul(value);
    else if (option == "--seed")
      call.seed = std::stoull(value);
    else if (option == "--allow")
      call.allow = std::stoul(value);
    else if (option == "--keep")
      call.keep = value;
    else if (option == "--loosen")
      call.loosen = std::stod(value);
    else
      throw Error("unknown option " + option, usage);
  }
  if (!call.keep.empty()) std::filesystem::create_directories(call.keep);
  return call;
}

}  // namespace

int main(int count, char** arguments) {
  constexpr std::size_t runs_each = 8;
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);  // a run may take hours: what is found is seen at once
  try {
    const Call call = read(count, arguments);
    Tally tally;
    Dice seeds(call.seed);
    for (std::size_t i = 0; i < call.runs; i += runs_each)
      attack_mechanism(call, seeds.seed() % 1'000'000'000, std::min(runs_each, call.runs - i), tally);
    for (std::size_t i = 0; i < call.pairs; ++i) attack_twins(call, seeds.seed() % 1'000'000'000, tally);
    print(tally);
    return tally.wrong + tally.differ > call.allow || tally.unreadable > 0 ? 1 : 0;
  } catch (const Error& error) {
    fmt::print(stderr, "attack: {}\n", error.sentence());
  } catch (const std::exception& error) {
    fmt::print(stderr, "attack: {}\n", error.what());
  }
  return 2;
}
