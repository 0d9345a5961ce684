// An HDF5 file that is complete at every moment: what is new goes into a copy of it, which then takes its place at once or not at
// all. Private to those who have the library.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>

#include "dalembert/observe/files/hdf5.h"

namespace dalembert::hdf5 {

class SurvivingFile {
 public:
  enum class Begin { new_file, with_what_is_there };
  /// Seconds between the times at which it is brought up to date; 0: whenever there is something new. Throws Error if no file
  /// can be made there, or another program writes it.
  SurvivingFile(std::filesystem::path, Begin, double seconds);
  ~SurvivingFile();
  SurvivingFile(const SurvivingFile&) = delete;
  SurvivingFile& operator=(const SurvivingFile&) = delete;

  /// The next commit makes it.
  bool is_new() const { return begin_ == Begin::new_file; }
  /// How often depends on how long it takes, so that no more than a twentieth of the time is spent on it.
  bool due() const;
  /// Room for so many bytes is reserved first. Throws Error; the file is as it was then.
  void commit(std::size_t bytes, const std::function<void(hid_t file)>& write);

 private:
  using Clock = std::chrono::steady_clock;

  [[noreturn]] void fail(const std::string& why) const;

  const std::filesystem::path path_, target_, part_;
  Begin begin_;
  double seconds_;
  Clock::time_point last_ = Clock::now();
  double cost_ = 0;  // seconds, of the last time
  int lock_ = -1;    // keeps other programs from writing it, and goes with this one however it ends
};

}  // namespace dalembert::hdf5
