#include "dalembert/page/packing.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

constexpr std::uint32_t unknown_level = 0xFFFFFFFF;

std::string deflated(const std::string& bytes) {
  z_stream stream{};
  constexpr int raw_window = -15, memory = 9;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, raw_window, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error("the page cannot be compressed: zlib does not begin");
  std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int end = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (end != Z_STREAM_END) throw Error("the page cannot be compressed: zlib does not come to its end");
  return packed;
}

}  // namespace

Levels Packing::add_levels(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double x : values)
    if (std::isfinite(x)) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  if (!(low <= high)) low = high = 0;
  const Levels levels{low, (high / (unknown_level - 1) - low / (unknown_level - 1))};
  std::vector<std::uint32_t> changes(values.size());
  std::uint32_t before = 0, earlier = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double level = levels.step > 0 ? std::round((values[i] - low) / levels.step) : 0;
    const std::uint32_t now = std::isfinite(values[i])
                                  ? static_cast<std::uint32_t>(std::min(level, unknown_level - 1.0))
                                  : unknown_level;
    changes[i] = now - 2 * before + earlier;
    earlier = before;
    before = now;
  }
  // Small changes of either sign have small numbers.
  for (std::uint32_t& c : changes) c = (c << 1) ^ (0 - (c >> 31));
  add_planes(changes);
  return levels;
}

void Packing::add_doubles(const std::vector<double>& values) {
  std::vector<std::uint64_t> words;
  for (const double x : values) words.push_back(std::bit_cast<std::uint64_t>(x));
  add_planes(words);
}

void Packing::add_floats(const std::vector<double>& values) {
  std::vector<std::uint32_t> words;
  for (const double x : values) words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(x)));
  add_planes(words);
}

void Packing::add_text(const std::string& text) {
  for (int byte = 0; byte < 4; ++byte) bytes_ += static_cast<char>((text.size() >> (8 * byte)) & 0xFF);
  bytes_ += text;
}

template <class Word>
void Packing::add_planes(const std::vector<Word>& words) {
  for (std::size_t plane = 0; plane < sizeof(Word); ++plane)
    for (const Word word : words) bytes_ += static_cast<char>((word >> (8 * plane)) & 0xFF);
}

std::string Packing::text() const {
  return base64(deflated(bytes_));
}

std::string base64(const std::string& bytes) {
  constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) -> std::uint32_t {
      return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u;
    };
    const std::uint32_t three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (int k = 0; k < 4; ++k)
      text += i + static_cast<std::size_t>(k) <= bytes.size() ? letters[(three >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

}  // namespace dalembert
