// A place in a text file, for messages that point at it.
#pragma once

#include <string>

namespace dalembert {

/// Where something stands in a file.
struct Place {
  std::string file;
  int line = 0, column = 0;  ///< from 1; 0: not known
};

}  // namespace dalembert
