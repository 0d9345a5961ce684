#ifdef DALEMBERT_HAS_HDF5

#include "dalembert/observe/files/surviving_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "dalembert/observe/files/run_file.h"

namespace dalembert::hdf5 {

namespace {

namespace fs = std::filesystem;

constexpr double share = 0.05;  // of the time may be spent on writing

/// Room for so many more bytes, before a library that does not like to be stopped halfway begins to write.
void reserve(const fs::path& part, std::size_t more) {
  const int file = ::open(part.c_str(), O_RDWR | O_CLOEXEC);
  const int trouble =
      file < 0 ? errno : ::posix_fallocate(file, 0, static_cast<off_t>(fs::file_size(part) + more));
  if (file >= 0) ::close(file);
  if (trouble != 0) throw Failure("write '" + part.string() + "'", std::strerror(trouble));
}

/// Not the lock that the library puts on files while it reads: readers may come at any time. -1 if there is nothing to lock;
/// `busy` if somebody else has done so.
int lock(const fs::path& path, bool& busy) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  busy = file >= 0 && ::fcntl(file, F_OFD_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES);
  return file;
}

}  // namespace

SurvivingFile::SurvivingFile(fs::path path, Begin begin, double seconds)
    : path_(std::move(path)),
      target_(behind_links(path_)),
      part_(target_.string() + ".part"),
      begin_(begin),
      seconds_(seconds) {
  std::error_code none;
  const fs::path folder = target_.parent_path();
  if (fs::exists(target_, none) && !fs::is_regular_file(target_, none))
    throw Error("cannot write '" + path_.string() + "': it is no ordinary file", "give another name");
  if (!fs::is_directory(folder, none) || ::access(folder.c_str(), W_OK) != 0)
    throw Error("cannot write '" + path_.string() + "': no file can be made in '" + folder.string() + "'",
                "name a file in a directory that exists and can be written");
  bool busy = false;
  lock_ = lock(target_, busy);
  if (!busy) return;
  ::close(lock_);
  throw Error("'" + path_.string() + "' is being written by a run that has not ended",
              "wait for it, stop it, or give another name");
}

SurvivingFile::~SurvivingFile() {
  if (lock_ >= 0) ::close(lock_);
}

bool SurvivingFile::due() const {
  const double passed = std::chrono::duration<double>(Clock::now() - last_).count();
  return passed >= (seconds_ > 0 ? std::max(seconds_, cost_ / share) : 0);
}

void SurvivingFile::commit(std::size_t bytes, const std::function<void(hid_t file)>& write) {
  const auto begin = Clock::now();
  const Quiet quiet;
  const std::string what = "write '" + part_.string() + "'";
  try {
    if (is_new())
      create_file(part_.string()).close(what);
    else
      fs::copy_file(target_, part_, fs::copy_options::overwrite_existing);
    constexpr std::size_t room = 1 << 20;  // for tables of the library, and chunks that are not full
    reserve(part_, room + bytes);
    Handle file = open_file(part_.string(), H5F_ACC_RDWR);
    write(file);
    file.close(what);
    bool busy = false;
    const int mine = lock(part_, busy);
    fs::rename(part_, target_);
    if (lock_ >= 0) ::close(lock_);
    lock_ = mine;
  } catch (const Failure& failure) {
    fail(failure.why());
  } catch (const fs::filesystem_error& error) {
    fail(error.code().message());
  }
  begin_ = Begin::with_what_is_there;
  last_ = Clock::now();
  cost_ = std::chrono::duration<double>(last_ - begin).count();
}

void SurvivingFile::fail(const std::string& why) const {
  std::error_code none;
  fs::remove(part_, none);
  throw Error("cannot write '" + path_.string() + "': " + why);
}

}  // namespace dalembert::hdf5

#endif
