#include "dalembert/core/text.h"

#include <cstdio>

namespace dalembert {

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

}  // namespace dalembert
