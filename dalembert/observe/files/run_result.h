// A result file, read back.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/observe/files/run_file.h"

namespace dalembert {

/// What an .h5 file holds; of a run that was killed, what it held by then.
struct RunResult {
  RunHead head{};
  RunRecord
      record{};  ///< the run, as far as files hold it: its state is the last row, its layout has names and units only
  bool ended = false;    ///< by itself; otherwise the record has neither outcome nor statistics
  std::string report{};  ///< JSON, once it has ended
  std::optional<Checkpoint> checkpoint{};  ///< from which the run can be resumed
  std::string checkpoint_program{};        ///< that wrote it, and alone can read it
  std::string beside{};                    ///< what observers remember there
};

/// Throws Error if the file cannot be read, or is none of ours.
RunResult read_result(const std::filesystem::path&);

}  // namespace dalembert
