// Numbers in sentences.
#pragma once

#include <string>

namespace dalembert {

/// With up to six significant digits: "0.03", "1e-06".
std::string short_number(double);

}  // namespace dalembert
