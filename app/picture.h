// Files of pictures: SVG, and PNG where the library for it is there.
#pragma once

#include <string>
#include <vector>

#include "app/outputs.h"
#include "dalembert/observe/plot.h"

namespace dalembert::app {

/// The file, with the suffix that it has of those which can be written. Throws Error if none can.
Output picture_output(const std::string& option, const std::string& file);
/// By the suffix of the name. Throws Error.
void write_picture(const std::string& file, const std::vector<Panel>&);
void write_picture(const std::string& file, const Drawing&);

}  // namespace dalembert::app
