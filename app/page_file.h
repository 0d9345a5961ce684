// The page of a run: --report FILE.html and --open.
#pragma once

#include <string>
#include <vector>

#include "app/arguments.h"
#include "app/outputs.h"
#include "app/run_report.h"
#include "dalembert/page/page.h"

namespace dalembert::app {

struct PageFile {
  std::string file;  ///< "" if none was asked for
  bool open = false;
};
void add_page(Arguments&, PageFile&);
/// It may be written, and this build can: throws Error otherwise.
Output page_output(const PageFile&);

/// The rows of a page where no outputs are asked for: enough for the eye.
std::vector<double> page_rows(const Problem&, const RunOptions&);

/// What was recorded, with everything that is known about the run.
PageRun page_run(const RunReport&, RunRecord, const Tolerance&);

/// Made for its page: with everything recorded.
PageRun recorded(const Subject&, const RunOptions&);
/// From a result file (.h5). What was run is found again by its name and the text that the file keeps. Throws Error.
PageRun page_run(const std::string& result_file);

/// Writes it, and opens it in a browser if that was asked for.
Status write_page(const PageFile&, const std::vector<PageRun>&);

}  // namespace dalembert::app
