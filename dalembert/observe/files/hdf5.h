// What is used of the HDF5 library: handles that close themselves, and its errors as ours. Private to this folder.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/core/error.h"
#include "dalembert/observe/files/hdf5_library.h"

namespace dalembert::hdf5 {

/// Something open.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// Throws Failure if it was not opened.
  Handle(hid_t id, Close closer, const std::string& what);
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  /// Now, where it matters that it can be: throws Failure.
  void close(const std::string& what);

 private:
  hid_t id_;
  Close close_;
};

/// While one lives the library prints nothing, and no other thread is in it, which it could not bear.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> alone_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// What went wrong, why() without what it was about: "No space left on device".
class Failure : public Error {
 public:
  Failure(const std::string& what, std::string why)
      : Error("cannot " + what + ": " + why), why_(std::move(why)) {}
  const std::string& why() const { return why_; }

 private:
  std::string why_;
};
/// Throws Failure for a negative one.
void check(herr_t result, const std::string& what);

Handle open_file(const std::string& path, unsigned flags);
Handle create_file(const std::string& path);
/// Opened, or made if it is not there.
Handle group(hid_t parent, const std::string& name);
bool exists(hid_t parent, const std::string& name);

// Attributes: replaced if they are there.
void set_attribute(hid_t object, const std::string& name, const std::string& text);
void set_attribute(hid_t object, const std::string& name, double value);
void set_attribute(hid_t object, const std::string& name, long long value);
std::string text_attribute(hid_t object, const std::string& name);  ///< "" if there is none
double number_attribute(hid_t object, const std::string& name);     ///< NaN if there is none

// Arrays that grow by rows. `append` makes them when first asked; what is in columns is in its second dimension.
void append(hid_t parent, const std::string& name, const std::vector<double>& values, std::size_t columns);
void append(hid_t parent, const std::string& name, const std::vector<std::string>& values);
/// Cut to, or as long as, this many rows.
void set_rows(hid_t parent, const std::string& name, std::size_t rows);
std::size_t rows_of(hid_t parent, const std::string& name);  ///< 0 if it is not there
std::vector<double> numbers(hid_t parent, const std::string& name);
std::vector<std::string> texts(hid_t parent, const std::string& name);
/// The whole content is replaced.
void set_bytes(hid_t parent, const std::string& name, const std::string& bytes);
std::string bytes(hid_t parent, const std::string& name);

}  // namespace dalembert::hdf5
