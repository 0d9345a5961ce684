#include "app/run_files.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/commands.h"
#include "app/outputs.h"
#include "app/text.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert::app {

namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::pair<std::string, std::string>> settings_of(const Subject& subject, const RunOptions& o) {
  std::vector<std::pair<std::string, std::string>> all = {
      {"formulation", o.request.answer ? o.request.answer->pair.formulation->name : o.request.formulation},
      {"method", o.request.answer ? o.request.answer->pair.method->name : o.request.method},
      {"rtol", full_number(o.tolerance.relative)},
      {"atol", full_number(o.tolerance.absolute)},
      {"controller", control_names()[static_cast<std::size_t>(o.control)]},
      {"end", full_number(o.end.value_or(subject.problem->end()))},
  };
  for (const auto& [name, value] : o.tolerance.named) all.emplace_back("atol of " + name, full_number(value));
  if (o.step) all.emplace_back("step", full_number(*o.step));
  if (o.max_step) all.emplace_back("max-step", full_number(*o.max_step));
  for (const auto& [name, value] : o.options) all.emplace_back("option " + name, full_number(value));
  for (const auto& [name, value] : o.start) all.emplace_back("start " + name, full_number(value));
  if (subject.model)
    for (const auto& p : subject.model->parameters)
      all.emplace_back("parameter " + p.name, full_number(p.value));
  return all;
}

}  // namespace

FileOptions to_file_options(const FileCall& call) {
  FileOptions options;
  if (!call.names.empty() && call.names != "full" && call.names != "safe")
    throw Error("--names is '" + call.names + "'", "it must be full or safe");
  if (!call.units.empty() && call.units != "names" && call.units != "line")
    throw Error("--units is '" + call.units + "'", "it must be names or line");
  if (call.names == "safe") options.names = FileOptions::Names::safe;
  if (call.units == "line") options.units = FileOptions::Units::second_line;
  if (!call.every.empty()) options.seconds = to_number("--checkpoint", call.every);
  if (!(options.seconds >= 0) || !std::isfinite(options.seconds))
    throw Error("--checkpoint is '" + call.every + "'", "it must be a number of seconds");
  return options;
}

RunHead head_of(const Subject& subject, const RunOptions& options,
                const std::vector<std::string>& arguments) {
  RunHead head{.columns = columns_of(subject.problem->report(), subject.watches()),
               .program = version_name(),
               .subject = subject.name,
               .title = subject.summary,
               .arguments = arguments,
               .folder = fs::current_path().string(),
               .settings = settings_of(subject, options)};
  if (subject.model)
    head.sources.push_back({subject.name, subject.text ? *subject.text : content(subject.name)});
  return head;
}

RunFiles::RunFiles(const FileCall& call, const RunHead& head, const Subject& subject, Monitor& monitor,
                   const Resumption* resumed)
    : names_(call.out) {
  for (const auto& file : names_) {
    FileOptions options = to_file_options(call);
    const bool goes_on = resumed != nullptr && same_file(file, resumed->file);
    if (goes_on) options.resume_after = resumed->result.checkpoint->t;
    writers_.push_back(std::make_unique<FileWriter>(file, head, subject.watches(), options));
    FileWriter& writer = *writers_.back();
    writer.watch(monitor);
    if (goes_on) writer.put_back(resumed->result.beside);
    if (resumed != nullptr && !goes_on)
      writer.repeat(resumed->result.record.times, resumed->result.record.values,
                    resumed->result.checkpoint->t);
  }
}

void RunFiles::observe(std::vector<Observer*>& observers) const {
  for (const auto& writer : writers_) observers.push_back(writer.get());
}

std::vector<std::string> RunFiles::finish(const RunReport& report, std::vector<std::string>& trouble) {
  std::vector<std::string> whole;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const bool written = writers_[i]->status() == Outcome::ok;
    if (written) writers_[i]->conclude({report.summary, to_json(report).text()});
    if (writers_[i]->status() == Outcome::ok)
      whole.push_back(names_[i]);
    else
      trouble.push_back(writers_[i]->trouble());
  }
  return whole;
}

Resumption read_resumption(const std::string& file) {
  Resumption resumption{fs::absolute(file).string(), read_result(file)};
  const RunResult& result = resumption.result;
  const std::string name = "'" + file + "'";
  const Summary& s = result.record.summary;
  if (result.head.subject.empty())
    throw Error(name + " holds a state alone, not a run", "`dalembert run --from-state` begins with it");
  if (result.ended && s.outcome != Outcome::interrupted && s.outcome != Outcome::output_failed)
    throw Error("the run in " + name + " has ended: " + s.message, "there is nothing to resume");
  if (!result.checkpoint)
    throw Error(name + " holds nothing that the run could go on from",
                "it was interrupted too early, or its method or formulation cannot be resumed; run it again");
  if (result.checkpoint_program != version_name())
    throw Error(name + " was written by " + result.checkpoint_program + ", and this is " + version_name(),
                "only the same version can go on with a run");
  return resumption;
}

std::optional<std::string> text_of_model(const RunResult& result) {
  if (result.head.sources.empty()) return {};
  const RecordSource& source = result.head.sources.front();
  if (content(source.name) == source.text) return {};
  return source.text;
}

}  // namespace dalembert::app
