// dalembert paper: what a paper prints beside what we get.
#include "papers/paper.h"

#include <filesystem>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/json.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

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
    all += table.id + ": " + table.title + "\n\n" + lines.text() + "\n" +
           (reasons.empty() ? "" : reasons + "\n");
  }
  for (const auto& file : report.written) all += "written: " + file.string() + "\n";
  return all + std::to_string(rows) + " rows, " + std::to_string(differ) + " differ\n";
}

PaperOptions options(const Call& call) {
  PaperOptions o;
  if (!call.out.empty()) {
    std::error_code trouble;
    std::filesystem::create_directories(call.out, trouble);
    if (trouble || !std::filesystem::is_directory(call.out))
      throw Error(
          "cannot write into '" + call.out + "': " + (trouble ? trouble.message() : "it is not a directory"),
          "--out must name a directory that can be written");
    o.out = call.out;
  }
  o.progress = [](const std::string& what) { std::cerr << what << "\n"; };
  return o;
}

Status show(const Call& call) {
  const PaperEntry& entry = find_paper(call.id);
  const PaperReport report = entry.run(call.table, options(call));
  if (call.json)
    print(to_json(report));
  else
    std::cout << text(report);
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
             arguments.option("--out", call->out, "the directory for data and plots", "DIR");
             arguments.flag("--json", call->json, "print JSON");
             return [call] { return show(*call); };
           }}};
}

}  // namespace dalembert::app
