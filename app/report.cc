// dalembert report: the page of runs, from their result files.
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/page_file.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/core/error.h"
#include "dalembert/observe/files/run_result.h"

namespace dalembert::app {

namespace {

struct Call {
  std::vector<std::string> results;
  PageFile page;
};

/// A file of results as a page takes it. What was run is found again by its name and the text that the file keeps.
PageRun page_run(const std::string& file) {
  RunResult result = read_result(file);
  RunRecord& record = result.record;
  std::vector<std::string> set;
  for (const RecordParameter& p : record.parameters) set.push_back(p.name + "=" + number(p.value, 17));
  std::optional<std::string> text;
  if (!record.sources.empty()) text = record.sources.front().text;
  Subject subject = find_subject(record.subject, text ? std::vector<std::string>{} : set, text);
  return {std::move(record), subject.problem, std::move(subject.model)};
}

Status report(Call call) {
  if (call.results.empty())
    throw Error("no result to show", "name an .h5 file that `dalembert run --out` wrote");
  if (call.page.file.empty())
    call.page.file = std::filesystem::path(call.results.front()).replace_extension(".html").string();
  check_outputs({page_output(call.page)}, call.results);
  std::vector<PageRun> runs;
  for (const std::string& file : call.results) runs.push_back(page_run(file));
  return write_page(call.page, runs);
}

}  // namespace

std::vector<CommandEntry> commands_in_report() {
  return {{.name = "report",
           .rank = 15,
           .summary = "write the page of a run from its result file; several are shown beside each other",
           .examples = {"dalembert report crank.h5", "dalembert report a.h5 b.h5 --report both.html --open"},
           .add = [](Arguments& arguments) -> Action {
             const auto call = std::make_shared<Call>();
             arguments.words("RESULT", call->results, "result files (.h5)");
             add_page(arguments, call->page);
             return [call] { return report(*call); };
           }}};
}

}  // namespace dalembert::app
