// Files that a call asks to be written. Names are refused before anything is computed; what cannot be written later ends the
// call early, after everything else was said.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/commands.h"

namespace dalembert::app {

struct Output {
  std::string option;   ///< "--out"
  std::string file;     ///< "" if it was not asked for
  std::string suffix;   ///< ".csv"
  std::string other{};  ///< ".h5", if that would do too
};

/// Do two names lead to one file?
bool same_file(const std::string& a, const std::string& b);

/// Throws Error unless each file may be written: its name ends in the suffix, and so does that of what it is a link to; it is
/// no folder but in one, none of the files that the call reads, and no two are one file.
void check_outputs(const std::vector<Output>&, const std::vector<std::string>& inputs);

/// Writes a file, or says on standard error that and why it could not be written.
Status written(const std::function<void()>& write);
/// The whole file is this text. Throws Error.
void write_text(const std::string& file, const std::string& text);

}  // namespace dalembert::app
