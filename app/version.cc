#include <fmt/format.h>
#include <gmp.h>
#include <klu.h>
#include <zlib.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/screen.h"
#include "dalembert/core/table.h"
#include "dalembert/page/assets.h"

namespace dalembert::app {

namespace {

std::string dotted(int main, int sub, int subsub) {
  return fmt::format("{}.{}.{}", main, sub, subsub);
}

}  // namespace

std::string version_name() {
  return "dalembert " DALEMBERT_VERSION;
}

std::string version() {
  Table libraries({"library", "version", "licence", "used for"});
  libraries.add({"Eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION), "MPL-2.0",
                 "dense matrices"});
  const std::string suite =
      dotted(SUITESPARSE_MAIN_VERSION, SUITESPARSE_SUB_VERSION, SUITESPARSE_SUBSUB_VERSION);
  libraries.add({"KLU (SuiteSparse " + suite + ")",
                 dotted(KLU_MAIN_VERSION, KLU_SUB_VERSION, KLU_SUBSUB_VERSION), "LGPL-2.1-or-later",
                 "sparse matrices"});
  libraries.add({"BTF (SuiteSparse)", suite, "LGPL-2.1-or-later", "sparse matrices"});
  libraries.add({"AMD, COLAMD (SuiteSparse)", suite, "BSD-3-Clause", "sparse matrices"});
  libraries.add({"GMP", gmp_version, "LGPL-3.0-or-later or GPL-2.0-or-later", "exact order conditions"});
  libraries.add(
      {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100), "MIT", "text"});
  libraries.add({"CLI11", CLI11_VERSION, "BSD-3-Clause", "command line"});
  libraries.add(
      {"nlohmann json",
       dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH), "MIT",
       "JSON"});
  libraries.add({"zlib", ZLIB_VERSION, "Zlib", "pages"});
  if (!page_assets.shell.empty()) {
    libraries.add({"three.js", DALEMBERT_THREE_VERSION, "MIT", "pages of spatial mechanisms"});
    libraries.add({"uPlot", DALEMBERT_UPLOT_VERSION, "MIT", "plots of pages"});
  }
#ifdef DALEMBERT_HAS_NLOPT
  libraries.add({"NLopt", DALEMBERT_NLOPT_VERSION, "LGPL-2.1-or-later", "minimize"});
#endif
#ifdef DALEMBERT_HAS_URDF
  libraries.add({"urdfdom", DALEMBERT_URDF_VERSION, "BSD-3-Clause", "URDF"});
#endif
#ifdef DALEMBERT_HAS_SDF
  libraries.add({"sdformat", DALEMBERT_SDF_VERSION, "Apache-2.0", "SDF"});
#endif
#ifdef DALEMBERT_HAS_CAIRO
  libraries.add({"cairo", DALEMBERT_CAIRO_VERSION, "LGPL-2.1-only or MPL-1.1", "PNG"});
#endif
#ifdef __clang__
  const std::string compiler = "clang " __VERSION__;
#else
  const std::string compiler = "gcc " __VERSION__;
#endif
  return version_name() + ", built with " + compiler + "\n\n" + shown(libraries);
}

}  // namespace dalembert::app
