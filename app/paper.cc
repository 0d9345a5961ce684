// dalembert paper: what a paper prints beside what we get.
#include "papers/paper.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "app/commands.h"
#include "app/json.h"
#include "app/outputs.h"
#include "app/screen.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "papers/expected.h"

namespace dalembert::app {

namespace {

namespace fs = std::filesystem;

struct Call {
  std::string id, table, out;
  bool json = false;
};

Json to_json(const PaperRow& row) {
  Json reference;
  if (row.reference)
    reference = {{"value", number_or_text(row.reference->value)},
                 {"origin", row.reference->origin},
                 {"verdict", to_string(row.reference->verdict)}};
  return {{"label", row.label},
          {"quantity", row.quantity},
          {"variant", row.variant.empty() ? Json() : Json(row.variant)},
          {"printed", row.printed.empty() ? Json() : number_or_text(row.printed)},
          {"reference", reference},
          {"ours", number_or_text(row.ours)},
          {"verdict", to_string(row.verdict)},
          {"why", row.why}};
}

Json to_json(const PaperReport& report, const std::vector<std::string>& surprises) {
  Json tables = Json::array();
  for (const auto& table : report.tables) {
    Json rows = Json::array();
    for (const auto& row : table.rows) rows.push_back(to_json(row));
    tables.push_back({{"id", table.id}, {"title", table.title}, {"rows", rows}});
  }
  return {{"paper", report.paper}, {"tables", tables}, {"unexpected", surprises}};
}

/// "53 printed figures: 20 agree, ...": a figure is counted once, in whatever ways it is read.
std::string count(const PaperReport& report) {
  std::map<Verdict, int> figures;
  int variants = 0, referred = 0;
  for (const auto& table : report.tables)
    for (const auto& row : table.rows) {
      if (row.variant.empty())
        ++figures[row.verdict];
      else
        ++variants;
      referred += row.verdict == Verdict::not_printed && row.reference ? 1 : 0;
    }
  const int printed = figures[Verdict::agrees] + figures[Verdict::differs] + figures[Verdict::unexplained];
  std::string all = fmt::format(
      "printed      {}: {} agree, {} differ for a reason that is checked, {} differ unexplained\n", printed,
      figures[Verdict::agrees], figures[Verdict::differs], figures[Verdict::unexplained]);
  if (figures[Verdict::not_printed] > 0)
    all += fmt::format("not printed  {}, of which {} have a reference\n", figures[Verdict::not_printed],
                       referred);
  if (variants > 0) all += fmt::format("variants     {} other readings of printed figures\n", variants);
  return all;
}

/// What the references of a table are, each once.
std::string origins(const PaperTable& table) {
  std::set<std::string> all;
  std::string text;
  for (const auto& row : table.rows)
    if (row.reference && all.insert(row.reference->origin).second)
      text += "  reference: " + row.reference->origin + "\n";
  return text;
}

/// Reasons and remarks, each once, with the rows that it is about.
std::string reasons(const PaperTable& table) {
  std::vector<std::string> order;
  std::map<std::string, std::string> about;
  for (const auto& row : table.rows) {
    if (row.why.empty()) continue;
    const auto [found, fresh] = about.try_emplace(row.why, "");
    if (fresh) order.push_back(row.why);
    const std::string who =
        row.label + (row.variant.empty() ? "" : ", " + row.variant) + " (" + row.quantity + ")";
    found->second += (found->second.empty() ? "" : "; ") + who;
  }
  std::string text;
  for (const auto& why : order) text += "  " + why + "\n      " + about[why] + "\n";
  return text;
}

std::string text(const PaperReport& report, const std::vector<std::string>& surprises) {
  std::string all;
  for (const auto& table : report.tables) {
    Table lines({"", "quantity", "printed", "reference", "ours", "verdict"});
    for (const auto& row : table.rows)
      lines.add({row.label + (row.variant.empty() ? "" : ", " + row.variant), row.quantity, row.printed,
                 row.reference ? row.reference->value : "", row.ours, verdict_of(row)});
    const std::string notes = origins(table) + reasons(table);
    all += table.id + ": " + table.title + "\n\n" + shown(lines) + "\n" + (notes.empty() ? "" : notes + "\n");
  }
  for (const auto& file : report.written) all += "written: " + file.string() + "\n";
  all += count(report);
  if (surprises.empty()) return all + "verdicts     as expected\n";
  for (const auto& one : surprises) all += "unexpected   " + one + "\n";
  return all;
}

/// A folder inside another one, for files that are not yet what they shall be; nothing of it stays.
class Draft {
 public:
  explicit Draft(const fs::path& inside) : folder_(inside / (".draft-" + std::to_string(::getpid()))) {
    std::error_code trouble;
    for (fs::path each = inside; !each.empty() && !fs::exists(each, trouble); each = each.parent_path())
      made_.push_back(each);
    fs::create_directories(folder_, trouble);
    if (trouble)
      throw Error("cannot write into '" + inside.string() + "': " + trouble.message(),
                  "--out must name a folder that can be written");
  }
  ~Draft() {
    std::error_code none;
    fs::remove_all(folder_, none);
    for (const auto& each : made_) fs::remove(each, none);  // those that are empty
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const fs::path& folder() const { return folder_; }
  /// Puts the files where they belong, unless that would replace something of another kind.
  void keep(std::vector<fs::path>& files) const {
    std::vector<Output> all;
    for (const auto& file : files)
      all.push_back({"--out", (folder_.parent_path() / file.filename()).string(), file.extension().string()});
    check_outputs(all, {});
    for (std::size_t i = 0; i < files.size(); ++i) {
      fs::rename(files[i], all[i].file);
      files[i] = all[i].file;
    }
  }

 private:
  fs::path folder_;
  std::vector<fs::path> made_;  // that were not there, innermost first
};

Status show(const Call& call) {
  const PaperEntry& entry = find_paper(call.id);
  PaperOptions o;
  o.progress = tell;
  std::optional<Draft> draft;
  if (!call.out.empty()) o.out = draft.emplace(call.out).folder();
  PaperReport report = entry.run(call.table, o);
  if (draft) draft->keep(report.written);
  const auto surprises = unexpected(report);
  if (call.json)
    print(to_json(report, surprises));
  else
    say_page(text(report, surprises));
  return surprises.empty() ? done : ended_early;
}

}  // namespace

std::vector<CommandEntry> commands_in_paper() {
  return {{.name = "paper",
           .rank = 90,
           .summary = "rerun the tables of a paper: printed value, reference, ours, verdict",
           .examples = {"dalembert paper brasey-hairer", "dalembert paper brasey-hairer 1 --json"},
           .add = [](Arguments& arguments) -> Action {
             const auto call = std::make_shared<Call>();
             arguments.required_word("ID", call->id, "the paper (see `dalembert papers`)");
             arguments.word("TABLE", call->table, "one of its tables (default: all)");
             arguments.option("--out", call->out, "the folder for data and plots", "DIR");
             arguments.flag("--json", call->json, "print JSON");
             return [call] { return show(*call); };
           }}};
}

}  // namespace dalembert::app
