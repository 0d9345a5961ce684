// From a TOML text to the tree of its values.
#pragma once

#include <string_view>

#include "dalembert/model/document.h"

namespace dalembert {

/// Throws TomlMistake. Depth and number of the values are limited while they are read, so that no text can make the reader,
/// or what walks the tree later, run out of stack or memory.
Value read_toml(std::string_view text);

}  // namespace dalembert
