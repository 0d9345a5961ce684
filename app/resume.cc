// dalembert resume: a run that was interrupted goes on in its file.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/run_call.h"
#include "app/screen.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

struct ResumeCall {
  std::string file;
  bool quiet = false, json = false;
};

Status resume(const ResumeCall& mine) {
  const Resumption resumption = read_resumption(mine.file);
  const auto call = call_of(resumption.result);
  if (!call->accuracy.empty())
    throw Error("a run with --accuracy is several runs, and cannot be resumed", "run it again");
  call->quiet = mine.quiet;
  call->json = mine.json;
  std::error_code none;
  std::filesystem::current_path(resumption.result.head.folder, none);  // names of files are seen from there
  const auto same = std::find_if(call->files.out.begin(), call->files.out.end(),
                                 [&](const std::string& file) { return same_file(file, resumption.file); });
  if (same == call->files.out.end()) {  // it was moved here
    std::erase_if(call->files.out, [](const std::string& file) { return file.ends_with(".h5"); });
    call->files.out.push_back(resumption.file);
  }
  // A page and a picture show all of the run, and the rest alone is made here: the file has the whole of it.
  const PageFile page = std::exchange(call->page, {});
  const std::string plot = std::exchange(call->plot, {});
  call->of.clear();
  const Status status = simulate(*call, resumption.result.head.arguments, &resumption);
  if (!plot.empty())
    complain("'" + plot +
             "' is not drawn: a run that is resumed has seen its rest only; `dalembert run` draws all");
  if (page.file.empty()) return status;
  return std::max(status, write_page(page, {page_run(resumption.file)}));
}

Action add_resume(Arguments& arguments) {
  const auto call = std::make_shared<ResumeCall>();
  arguments.required_word("FILE", call->file,
                          "an .h5 file of a run that was interrupted; the run goes on in it");
  arguments.flag("--quiet", call->quiet, "show neither progress nor report");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return resume(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_resume() {
  return {{.name = "resume",
           .rank = 11,
           .summary = "go on with a run that was interrupted or killed, in its .h5 file",
           .examples = {"dalembert resume long.h5"},
           .add = add_resume}};
}

}  // namespace dalembert::app
