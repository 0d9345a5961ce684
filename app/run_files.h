// The files that a run writes, and what they say about it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run_report.h"
#include "app/subject.h"
#include "dalembert/observe/files/run_file.h"
#include "dalembert/observe/files/run_result.h"

namespace dalembert::app {

/// What the options of `run` say about files.
struct FileCall {
  std::vector<std::string> out;
  std::string names, units, every;
};
/// "--names safe", "--units line", "--checkpoint 10". Throws Error.
FileOptions to_file_options(const FileCall&);

/// A run that goes on in its own file.
struct Resumption {
  std::string file;
  RunResult result;
};

/// What is known before it begins.
RunHead head_of(const Subject&, const RunOptions&, const std::vector<std::string>& arguments);

/// The writers of all files; those of a run that is resumed begin with the rows that there are.
class RunFiles {
 public:
  RunFiles(const FileCall&, const RunHead&, const Subject&, Monitor&, const Resumption*);
  void observe(std::vector<Observer*>& observers) const;
  /// The run has ended: what it has to say goes into the files that hold more than rows. Returns those that are whole; `trouble`
  /// gets a sentence for each that is not.
  std::vector<std::string> finish(const RunReport&, std::vector<std::string>& trouble);

 private:
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<FileWriter>> writers_;
};

/// Reads a result that can be resumed, or throws Error with the reason why it cannot.
Resumption read_resumption(const std::string& file);
/// The text of the model as the run had it, if the file does not hold it any more.
std::optional<std::string> text_of_model(const RunResult&);

}  // namespace dalembert::app
