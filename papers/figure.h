// The picture of a figure, and the numbers behind it, as files.
#pragma once

#include <string>
#include <vector>

#include "dalembert/observe/plot.h"
#include "papers/paper.h"

namespace dalembert {

/// <name>.csv and <name>.svg in the folder that is asked for, if one is; appended to `written`.
void write_figure(const PaperOptions&, const std::string& name, const std::string& csv,
                  const std::vector<Panel>&, std::vector<std::filesystem::path>& written,
                  Arrangement = Arrangement::rows);

}  // namespace dalembert
