// A model file or a problem of the catalogue whose parameters change from run to run, as sweep, fit and minimize take it.
#pragma once

#include <string>
#include <vector>

#include "app/subject.h"
#include "dalembert/sweep/worker.h"

namespace dalembert::app {

/// What these commands are told about their runs.
struct VariedCall {
  std::string what, end;
  SettingTexts settings;
  std::vector<std::string> set, start;
};

/// The options WHAT, --set, --formulation, --method, --rtol and --start; what --rtol is without the option.
void add_varied(Arguments&, VariedCall&, const std::string& usual_rtol);
/// --end
void add_end(Arguments&, VariedCall&);

/// Settings of the call over those of the file; the end stays with each model, unless the call has one. Ctrl-C ends the runs.
RunOptions options(const VariedCall&, const RunSettings& of_file, const Problem&);

/// From a file each thread has its own family of models, from the catalogue problems are made. The call must live as long.
ProblemMakers makers(const VariedCall&, const Subject&);

/// Names without a point are parameters: the file or the catalogue knows them. Throws Error.
void check_parameter(const Subject&, const std::string& name);
/// The parameters that there are.
const std::vector<Parameter>& parameters_of(const Subject&);

}  // namespace dalembert::app
