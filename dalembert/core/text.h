// Numbers in sentences.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dalembert {

/// With up to six significant digits: "0.03", "1e-06".
std::string short_number(double);
/// With as many digits as it takes to read the same number back: "0.1", "2.0000000000000004".
std::string full_number(double);
/// The number that a whole text is ("1e-6", "+2", "inf"), whatever the locale; none if it is anything else, or beyond doubles.
std::optional<double> number_in(std::string_view text);

}  // namespace dalembert
