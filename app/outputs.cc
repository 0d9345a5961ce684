#include "app/outputs.h"

#include <filesystem>
#include <iostream>

#include "app/screen.h"
#include "dalembert/core/error.h"
#include "dalembert/observe/files/run_file.h"

namespace dalembert::app {

namespace fs = std::filesystem;

namespace {

void check_output(const Output& output, const std::vector<std::string>& inputs) {
  const std::string name = output.option + " '" + output.file + "'";
  const std::string suffix = fs::path(output.file).extension().string();
  if (suffix != output.suffix)
    throw Error(name + ": files of kind '" + suffix + "' are not written",
                "end the name in " + output.suffix + (output.other.empty() ? "" : " or " + output.other));
  for (const auto& input : inputs)
    if (same_file(output.file, input)) throw Error(name + " is what this call reads", "give another name");
  std::error_code none;
  const fs::file_status status = fs::status(output.file, none);
  if (status.type() == fs::file_type::directory) throw Error(name + " is a folder", "name a file in it");
  const fs::path target = behind_links(output.file), folder = target.parent_path();
  if (!fs::exists(folder, none))
    throw Error("cannot write '" + output.file + "': No such file or directory",
                "there is no folder '" + folder.string() + "'");
  if (status.type() == fs::file_type::regular && target.extension() != output.suffix)
    throw Error(name + " is a link to '" + target.string() + "', a file of another kind",
                "give another name");
}

}  // namespace

bool same_file(const std::string& a, const std::string& b) {
  std::error_code trouble;
  return behind_links(a) == behind_links(b) || (fs::equivalent(a, b, trouble) && !trouble);
}

void check_outputs(const std::vector<Output>& all, const std::vector<std::string>& inputs) {
  for (auto output = all.begin(); output != all.end(); ++output) {
    if (output->file.empty()) continue;
    check_output(*output, inputs);
    for (auto other = all.begin(); other != output; ++other)
      if (!other->file.empty() && same_file(output->file, other->file))
        throw Error(output->option + " '" + output->file + "' would be written twice", "give two names");
  }
}

Status written(const std::function<void()>& write) try {
  write();
  return done;
} catch (const Error& error) {
  complain(error.what());
  return ended_early;
}

void write_text(const std::string& file, const std::string& text) {
  replace_file(file, text);
}

}  // namespace dalembert::app
