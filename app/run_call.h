// What the arguments of `dalembert run` say.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/page_file.h"
#include "app/run_files.h"
#include "app/subject.h"

namespace dalembert::app {

/// As they were given.
struct RunCall {
  std::string what;
  SettingTexts settings;
  std::string end, step, max_step, controller, output, project, singular, dependent, most_steps, accuracy;
  std::string plot, save_state, from_state;
  std::vector<std::string> atol, set, option, start, keep, at, of;
  FileCall files;
  PageFile page;
  std::function<std::string(const std::string&)>
      as_typed{};  ///< names of options in a sentence, with their dashes
  bool quiet = false, verbose = false, json = false, certify = false;
};

/// How to run. Throws Error for values that are none.
RunSettings settings(const RunCall&);
/// The options, read into a call that outlives the arguments.
void add_options(Arguments&, const std::shared_ptr<RunCall>&);

/// The call that a file was made by. Throws Error if there was none.
std::shared_ptr<RunCall> call_of(const RunResult&);

/// Runs, writes what is asked for, and reports; `arguments` are those of the call, as files keep them.
Status simulate(const RunCall&, const std::vector<std::string>& arguments, const Resumption*);

}  // namespace dalembert::app
