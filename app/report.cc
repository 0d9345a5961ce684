// dalembert report: the page of runs, from their result files.
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/page_file.h"
#include "app/screen.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

struct Call {
  std::vector<std::string> results;
  PageFile page;
};

Status report(Call call) {
  if (call.results.empty())
    throw Error("no result to show", "name an .h5 file that `dalembert run --out` wrote");
  if (call.page.file.empty())
    call.page.file = std::filesystem::path(call.results.front()).replace_extension(".html").string();
  check_outputs({page_output(call.page)}, call.results);
  std::vector<PageRun> runs;
  for (const std::string& file : call.results) runs.push_back(page_run(file));
  const Status status = write_page(call.page, runs);
  if (status == done) say("written      " + call.page.file + "\n");
  return status;
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
