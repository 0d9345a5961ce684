#include "dalembert/model/model_files.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "dalembert/core/error.h"

namespace dalembert {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(const fs::path& file) {
  std::error_code error;
  const fs::path parent = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const fs::path folder = fs::weakly_canonical(fs::absolute(parent), error);
  return error ? parent : folder;
}

bool inside(const fs::path& folder, const fs::path& file) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

}  // namespace

std::string ModelFiles::load(const fs::path& path) {
  const std::string name = "'" + path.string() + "'";
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    throw Error("there is no file " + name, "check its name and folder");
  // Before it is opened: a pipe would make us wait for ever, a device has no end.
  if (status.type() != fs::file_type::regular)
    throw Error(name + " is not a file", "a model file was expected");
  const auto size = fs::file_size(path, error);
  if (error || size > Document::most_bytes)
    throw Error(name + " is larger than 16 MB", "use [[repeat]] and [[include]]");
  if (bytes_ + size > most_bytes) throw Error("the files of this model are larger than 32 MB together");
  std::ifstream file(path, std::ios::binary);
  std::string text(size, '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  if (!file) throw Error("cannot read " + name, "check its permissions");
  bytes_ += size;
  return text;
}

const Document& ModelFiles::open_top(const fs::path& path) {
  return open_top(path, load(path));
}

const Document& ModelFiles::open_top(const fs::path& name, std::string text) {
  folder_ = folder_of(name);
  const Document& document = documents_.emplace_back(name.string(), std::move(text));
  by_path_[folder_ / name.filename()] = &document;
  return document;
}

const Document& ModelFiles::open_beside(const Document& from, const std::string& file) {
  const auto known = beside_.find({&from, file});
  if (known != beside_.end()) return *known->second;
  const Document& found = find_beside(from, file);
  beside_[{&from, file}] = &found;
  return found;
}

const Document& ModelFiles::find_beside(const Document& from, const std::string& file) {
  const fs::path given(file);
  if (file.empty() || given.is_absolute())
    throw Error("'" + file + "' is not a path beside this file",
                "give it relative to this file: \"leg.toml\"");
  const fs::path path = fs::path(from.name()).parent_path() / given;
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(fs::absolute(path), error);
  if (error || !inside(folder_, canonical))
    throw Error("'" + file + "' is outside of the folder of the model",
                "keep the parts of a model in one folder");
  if (const auto found = by_path_.find(canonical); found != by_path_.end()) return *found->second;
  if (documents_.size() >= most_files) throw Error("the model has more than 1000 files");
  const Document& document = documents_.emplace_back(path.lexically_normal().string(), load(path));
  by_path_[canonical] = &document;
  return document;
}

}  // namespace dalembert
