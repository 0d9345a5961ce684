// dalembert paper: what a paper prints beside what we get.
#include "papers/paper.h"

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "app/commands.h"
#include "app/json.h"
#include "app/outputs.h"
#include "app/screen.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

namespace fs = std::filesystem;

struct Call {
  std::string id, table, out;
  bool json = false;
};

/// Programs read two verdicts only: a row without a printed value has nothing to differ from.
Json to_json(const PaperRow& row) {
  const bool printed = row.verdict != Verdict::not_printed;
  return {{"label", row.label},
          {"quantity", row.quantity},
          {"paper", printed ? number_or_text(row.paper) : Json()},
          {"ours", number_or_text(row.ours)},
          {"verdict", row.verdict == Verdict::differs ? "differs" : "agrees"},
          {"why", printed ? row.why : "not printed in the paper" + (row.why.empty() ? "" : "; " + row.why)}};
}

Json to_json(const PaperReport& report) {
  Json tables = Json::array();
  for (const auto& table : report.tables) {
    Json rows = Json::array();
    for (const auto& row : table.rows) rows.push_back(to_json(row));
    tables.push_back({{"id", table.id}, {"title", table.title}, {"rows", rows}});
  }
  return {{"paper", report.paper}, {"tables", tables}};
}

std::string text(const PaperReport& report) {
  std::string all;
  int differ = 0, rows = 0;
  for (const auto& table : report.tables) {
    Table lines({"", "quantity", "paper", "ours", "verdict"});
    std::string reasons;
    for (const auto& row : table.rows) {
      lines.add({row.label, row.quantity, row.paper, row.ours, to_string(row.verdict)});
      if (!row.why.empty()) reasons += "  " + row.label + ": " + row.why + "\n";
      differ += row.verdict == Verdict::differs ? 1 : 0;
      ++rows;
    }
    all += table.id + ": " + table.title + "\n\n" + shown(lines) + "\n" +
           (reasons.empty() ? "" : reasons + "\n");
  }
  for (const auto& file : report.written) all += "written: " + file.string() + "\n";
  return all + std::to_string(rows) + " rows, " + std::to_string(differ) + " differ\n";
}

/// A folder inside another one, for files that are not yet what they shall be; nothing of it stays.
class Draft {
 public:
  explicit Draft(const fs::path& inside) : folder_(inside / (".draft-" + std::to_string(::getpid()))) {
    std::error_code trouble;
    fs::create_directories(folder_, trouble);
    if (trouble)
      throw Error("cannot write into '" + inside.string() + "': " + trouble.message(),
                  "--out must name a folder that can be written");
  }
  ~Draft() {
    std::error_code none;
    fs::remove_all(folder_, none);
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
};

Status show(const Call& call) {
  const PaperEntry& entry = find_paper(call.id);
  PaperOptions o;
  o.progress = tell;
  std::optional<Draft> draft;
  if (!call.out.empty()) o.out = draft.emplace(call.out).folder();
  PaperReport report = entry.run(call.table, o);
  if (draft) draft->keep(report.written);
  if (call.json)
    print(to_json(report));
  else
    say_page(text(report));
  return done;
}

}  // namespace

std::vector<CommandEntry> commands_in_paper() {
  return {{.name = "paper",
           .rank = 90,
           .summary = "rerun the tables of a paper: printed value, our value, verdict, reason",
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
