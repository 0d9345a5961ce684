#include "app/page_file.h"

#include <spawn.h>

#include <algorithm>

#include "app/bibliography.h"
#include "app/commands.h"
#include "app/run_call.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/observe/files/run_result.h"
#include "dalembert/problem/catalogue.h"

extern char** environ;

namespace dalembert::app {

namespace {

std::string keys_of(const std::string& formulation, const std::string& method) {
  std::string keys = " " + find_method(method).cite;
  for (const FormulationEntry& entry : find_formulation(formulation)) keys += " " + entry.cite;
  return keys;
}

/// Of everything that was used, each once.
std::vector<std::string> bibtex(const Subject& subject, const Summary& s) {
  std::string keys = subject.model ? "" : find_problem(subject.name).cite;
  keys += keys_of(s.formulation, s.method);
  for (const PairChange& c : s.changes) keys += keys_of(c.formulation, c.method);
  std::vector<std::string> all;
  for (const Reference& reference : find_references(keys))
    if (std::find(all.begin(), all.end(), reference.bibtex) == all.end()) all.push_back(reference.bibtex);
  return all;
}

/// The call as it can be typed again; without what only says where its page goes.
std::string command_line() {
  std::string line = "dalembert";
  const auto& words = call_arguments();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--open" || words[i].starts_with("--report=")) continue;
    if (words[i] == "--report")
      ++i;
    else
      line += " " + shell_word(words[i]);
  }
  return line;
}

void open_in_browser(const std::string& file) {
  std::string program = "xdg-open", name = file;
  char* const arguments[] = {program.data(), name.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0)
    throw Error("cannot open '" + file + "': there is no xdg-open here; open it in a browser yourself");
}

}  // namespace

void add_page(Arguments& arguments, PageFile& page) {
  arguments.option(
      "--report", page.file,
      "write a page that plays the motion, with plots and what the run says of itself; one .html "
      "file that needs no network",
      "FILE");
  arguments.flag("--open", page.open, "open the page of --report in a browser");
}

Output page_output(const PageFile& page) {
  if (page.open && page.file.empty())
    throw Error("--open is given, but no page", "name it with --report FILE.html");
  if (!page.file.empty()) require_pages();
  return {"--report", page.file, ".html"};
}

std::vector<double> page_rows(const Problem& problem, const RunOptions& o) {
  return output_times(begin_time(o.start, problem), o.end.value_or(problem.end()), 1000);
}

PageRun page_run(const RunReport& report, RunRecord record, const Tolerance& tolerance) {
  const Subject& subject = report.subject;
  record.program = version_name();
  record.command = command_line();
  record.subject = subject.name;
  record.title = subject.summary.empty() ? subject.name : subject.summary;
  record.tolerance = tolerance;
  record.references = bibtex(subject, report.summary);
  if (subject.model) {
    for (const ModelText& text : subject.model->texts) record.sources.push_back({text.name, text.text});
    for (const Parameter& p : subject.model->parameters)
      record.parameters.push_back({p.name, p.unit, p.value});
  }
  if (report.estimate) record.accuracy = sentence(*report.estimate);
  if (report.certificate) {
    const auto right = compare(*report.certificate, report.summary, subject.watches());
    const auto& values = report.certificate->end.values;
    for (std::size_t i = 0; i < std::min(right.size(), values.size()); ++i)
      if (values[i].status != CertainValue::Status::undetermined)
        record.digits.push_back({values[i].name, right[i].right});
  }
  return {std::move(record), subject.problem, subject.model};
}

PageRun recorded(const Subject& subject, const RunOptions& o) {
  Monitor monitor(o.tolerance);
  RunRecorder recorder(*subject.problem, subject.watches(), &monitor, page_rows(*subject.problem, o));
  const Summary summary = run(subject.problem, o, {&monitor, &recorder});
  const std::optional<Certificate> certificate;
  const std::optional<ErrorEstimate> estimate;
  return page_run({subject, summary, monitor, {}, certificate, estimate}, recorder.take(summary),
                  o.tolerance);
}

PageRun page_run(const std::string& file) {
  RunResult result = read_result(file);
  RunRecord& record = result.record;
  if (record.subject.empty())
    throw Error("'" + file + "' holds a state alone, not a run",
                "give an .h5 file that `dalembert run --out` wrote");
  const std::shared_ptr<RunCall> call = call_of(result);
  std::optional<std::string> text;
  if (!record.sources.empty()) text = record.sources.front().text;
  Subject subject = find_subject(record.subject, call->set, text);
  if (result.ended) {
    Summary& s = record.summary;
    record.references = bibtex(subject, s);
    const bool own_start = call->start.empty() && call->from_state.empty();
    if (const auto exact = own_start ? subject.problem->exact(s.state.t) : std::nullopt)
      s.error = block_errors(*subject.problem, s.state, s.layout, *exact);
  }
  if (subject.model)
    for (const Parameter& p : subject.model->parameters)
      record.parameters.push_back({p.name, p.unit, p.value});
  return {std::move(record), subject.problem, std::move(subject.model)};
}

Status write_page(const PageFile& to, const std::vector<PageRun>& runs) {
  return written([&] {
    write_text(to.file, page(runs));
    if (to.open) open_in_browser(to.file);
  });
}

}  // namespace dalembert::app
