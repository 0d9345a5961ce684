// .mat: a MATLAB file of level 5 (version 6), not compressed: one column vector for each column under its safe name; `column_names` and
// `column_units` are those of the columns in full, as the rows of a matrix of characters.
#include <algorithm>
#include <cstdint>

#include "dalembert/core/error.h"
#include "dalembert/observe/files/collected_file.h"

namespace dalembert {

namespace {

// Types of elements, and classes of arrays.
enum : std::uint32_t {
  mi_int8 = 1,
  mi_uint16 = 4,
  mi_int32 = 5,
  mi_uint32 = 6,
  mi_double = 9,
  mi_matrix = 14
};
enum : std::uint32_t { mx_char = 4, mx_double = 6 };

/// A tag, the data, and zeros up to a multiple of eight bytes.
std::string element(std::uint32_t type, std::string data) {
  constexpr std::size_t most = 0x7FFFFFF0;
  if (data.size() > most)
    throw Error("a variable of a .mat file holds no more than 2 GB", "take .h5, which MATLAB reads too");
  std::string all;
  append_bytes(all, type);
  append_bytes(all, static_cast<std::uint32_t>(data.size()));
  data.resize((data.size() + 7) / 8 * 8, '\0');
  return all + data;
}

std::string matrix(const std::string& name, std::uint32_t what, std::size_t rows, std::size_t columns,
                   const std::string& data) {
  std::string flags, sizes;
  append_bytes(flags, what);
  append_bytes(flags, std::uint32_t{0});
  append_bytes(sizes, static_cast<std::int32_t>(rows));
  append_bytes(sizes, static_cast<std::int32_t>(columns));
  return element(mi_matrix,
                 element(mi_uint32, flags) + element(mi_int32, sizes) + element(mi_int8, name) + data);
}

std::string numbers(const std::string& name, const std::vector<double>& values) {
  return matrix(
      name, mx_double, values.size(), 1,
      element(mi_double, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}));
}

/// Rows of one length, by columns. What is not ASCII has no place in it.
std::string texts(const std::string& name, const std::vector<std::string>& all) {
  std::size_t longest = 1;
  for (const auto& text : all) longest = std::max(longest, text.size());
  std::string data;
  for (std::size_t k = 0; k < longest; ++k)
    for (const auto& text : all) {
      const char c = k < text.size() ? text[k] : ' ';
      append_bytes(data, static_cast<std::uint16_t>(c >= ' ' && c <= '~' ? c : '?'));
    }
  return matrix(name, mx_char, all.size(), longest, element(mi_uint16, data));
}

class MatFile final : public CollectedFile {
 public:
  using CollectedFile::CollectedFile;

 private:
  std::string content() const override {
    std::string all = "MATLAB 5.0 MAT-file, written by dalembert";
    all.resize(124, ' ');
    append_bytes(all, std::uint16_t{0x0100});
    all += "IM";
    std::vector<std::string> names, units;
    for (const Column& column : columns_) names.push_back(column.name), units.push_back(column.unit);
    for (std::size_t i = 0; i < values_.size(); ++i) all += numbers(names_[i], values_[i]);
    return all + texts("column_names", names) + texts("column_units", units);
  }
};

}  // namespace

std::vector<FileFormat> formats_in_mat_file() {
  return {{".mat", "MATLAB variables, one for each column, written when the run has ended",
           [](const std::filesystem::path& path, const RunHead& head, const FileOptions&) {
             return std::make_unique<MatFile>(path, head);
           }}};
}

}  // namespace dalembert
