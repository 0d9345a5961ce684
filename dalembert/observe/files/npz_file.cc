// .npz: a ZIP archive of NumPy arrays, one for each column under its safe name, not compressed; `column_names` and `column_units` are those
// of the columns in full.
#include <array>
#include <cstdint>

#include "dalembert/core/error.h"
#include "dalembert/observe/files/collected_file.h"

namespace dalembert {

namespace {

std::uint32_t crc32(const std::string& bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> all{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      all[i] = i;
      for (int bit = 0; bit < 8; ++bit) all[i] = (all[i] >> 1) ^ ((all[i] & 1) != 0 ? 0xEDB88320U : 0);
    }
    return all;
  }();
  std::uint32_t sum = 0xFFFFFFFFU;
  for (const char c : bytes) sum = table[(sum ^ static_cast<unsigned char>(c)) & 255U] ^ (sum >> 8);
  return ~sum;
}

/// An array as NumPy stores it: a header that ends on a multiple of 64 bytes, and the data.
std::string array(const std::string& type, std::size_t count, const std::string& data) {
  std::string text =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
  constexpr std::size_t before = 10;
  text.resize((before + text.size() + 1 + 63) / 64 * 64 - before - 1, ' ');
  text += '\n';
  std::string all = "\x93NUMPY";
  all += '\x01';
  all += '\x00';
  append_bytes(all, static_cast<std::uint16_t>(text.size()));
  return all + text + data;
}

std::string numbers(const std::vector<double>& values) {
  return array("<f8", values.size(),
               {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}

/// Code points of UTF-8.
std::u32string decoded(const std::string& text) {
  std::u32string all;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    char32_t point = more == 0 ? first : first & (0x3FU >> more);
    for (++i; i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U; ++i)
      point = (point << 6) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    all += point;
  }
  return all;
}

std::string texts(const std::vector<std::string>& all) {
  std::size_t longest = 1;
  for (const auto& text : all) longest = std::max(longest, decoded(text).size());
  std::string data;
  for (const auto& text : all) {
    std::u32string points = decoded(text);
    points.resize(longest, U'\0');
    data.append(reinterpret_cast<const char*>(points.data()), points.size() * sizeof(char32_t));
  }
  return array("<U" + std::to_string(longest), all.size(), data);
}

/// An archive whose members are stored as they are [APPNOTE 4.3].
class Zip {
 public:
  void add(const std::string& name, const std::string& data) {
    if (data.size() > most || body_.size() > most)
      throw Error("a .npz file holds no more than 4 GB", "take .h5, or fewer outputs");
    std::string common;
    append_bytes(common, std::uint16_t{20});  // version needed
    append_bytes(common, std::uint32_t{0});   // flags, stored
    append_bytes(common,
                 std::uint32_t{0x00210000});  // 1980-01-01, 00:00: a run written again is the same file
    append_bytes(common, crc32(data));
    append_bytes(common, static_cast<std::uint32_t>(data.size()));
    append_bytes(common, static_cast<std::uint32_t>(data.size()));
    append_bytes(common, static_cast<std::uint16_t>(name.size()));
    append_bytes(common, std::uint16_t{0});
    directory_ += "PK\x01\x02";
    append_bytes(directory_, std::uint16_t{20});
    directory_ += common;
    directory_.append(10, '\0');  // comment, disk, attributes
    append_bytes(directory_, static_cast<std::uint32_t>(body_.size()));
    directory_ += name;
    body_ += "PK\x03\x04" + common + name + data;
    ++count_;
  }
  std::string bytes() const {
    if (body_.size() > most || count_ > 0xFFFE)
      throw Error("a .npz file holds no more than 4 GB and 65534 columns", "take .h5");
    std::string all = body_ + directory_ + "PK\x05\x06";
    all.append(4, '\0');
    append_bytes(all, static_cast<std::uint16_t>(count_));
    append_bytes(all, static_cast<std::uint16_t>(count_));
    append_bytes(all, static_cast<std::uint32_t>(directory_.size()));
    append_bytes(all, static_cast<std::uint32_t>(body_.size()));
    all.append(2, '\0');
    return all;
  }

 private:
  static constexpr std::size_t most = 0xFFFF0000;
  std::string body_, directory_;
  std::size_t count_ = 0;
};

class NpzFile final : public CollectedFile {
 public:
  using CollectedFile::CollectedFile;

 private:
  std::string content() const override {
    Zip zip;
    std::vector<std::string> names, units;
    for (const Column& column : columns_) names.push_back(column.name), units.push_back(column.unit);
    for (std::size_t i = 0; i < values_.size(); ++i) zip.add(names_[i] + ".npy", numbers(values_[i]));
    zip.add("column_names.npy", texts(names));
    zip.add("column_units.npy", texts(units));
    return zip.bytes();
  }
};

}  // namespace

std::vector<FileFormat> formats_in_npz_file() {
  return {{".npz", "NumPy arrays, one for each column, written when the run has ended",
           [](const std::filesystem::path& path, const RunHead& head, const FileOptions&) {
             return std::make_unique<NpzFile>(path, head);
           }}};
}

}  // namespace dalembert
