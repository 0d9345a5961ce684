#include "dalembert/sweep/sweep_file.h"

#include <filesystem>

namespace dalembert {

namespace {

bool is_hdf5(const std::string& path) {
  return std::filesystem::path(path).extension() == ".h5";
}

}  // namespace

std::unique_ptr<SweepFile> open_sweep_file(const std::string& path, const SweepResult& result) {
  return is_hdf5(path) ? open_hdf5_sweep(path, result) : open_csv_sweep(path, result);
}

void read_rows(const std::string& path, SweepResult& result) {
  if (!std::filesystem::exists(path)) return;
  if (is_hdf5(path))
    read_hdf5_sweep(path, result);
  else
    read_csv_sweep(path, result);
}

}  // namespace dalembert
