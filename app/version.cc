#include <fmt/format.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

std::string version() {
  Table libraries({"library", "version", "licence", "used for"});
  libraries.add({"Eigen",
                 fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION),
                 "MPL-2.0", "dense matrices"});
  libraries.add({"KLU (SuiteSparse)", "", "LGPL-2.1-or-later", "sparse matrices"});
  libraries.add({"GMP", "", "LGPL-3.0-or-later or GPL-2.0-or-later", "exact order conditions"});
  libraries.add({"fmt",
                 fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100),
                 "MIT", "text"});
  libraries.add({"CLI11", CLI11_VERSION, "BSD-3-Clause", "command line"});
  libraries.add({"nlohmann json",
                 fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                             NLOHMANN_JSON_VERSION_PATCH),
                 "MIT", "JSON"});
#ifdef __clang__
  const std::string compiler = "clang " __VERSION__;
#else
  const std::string compiler = "gcc " __VERSION__;
#endif
  return "dalembert " DALEMBERT_VERSION ", built with " + compiler + "\n\n" + libraries.text();
}

}  // namespace dalembert::app
