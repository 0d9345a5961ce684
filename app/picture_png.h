// Pictures as PNG files, drawn by cairo.
#pragma once

#include <string>

#include "dalembert/observe/drawing.h"

namespace dalembert::app {

bool has_png();
/// With two dots for each pixel of the drawing, as screens have them. Throws Error.
void write_png(const std::string& file, const Drawing&);

}  // namespace dalembert::app
