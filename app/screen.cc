#include "app/screen.h"

#include <iostream>
#include <streambuf>
#include <utility>

namespace dalembert::app {

/// Hands on what it is given, character by character.
class Screen::Plain final : public std::streambuf {
 public:
  explicit Plain(std::ostream& stream) : stream_(stream), to_(stream.rdbuf(this)) {}
  ~Plain() override { stream_.rdbuf(to_); }

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const auto byte = static_cast<unsigned char>(c);
    // U+0080 to U+009F, which are control characters too, begin with the byte C2
    const bool after = std::exchange(lead_, byte == lead);
    bool good = true;
    if (after)
      good = byte >= 0x80 && byte < 0xA0 ? put('?') : put(lead) && (lead_ || show(byte));
    else if (!lead_)
      good = show(byte);
    return good ? c : traits_type::eof();
  }
  int sync() override {
    if (std::exchange(lead_, false) && !put(lead)) return -1;
    return to_->pubsync();
  }

 private:
  static constexpr unsigned char lead = 0xC2;

  bool put(unsigned char byte) {
    return !traits_type::eq_int_type(to_->sputc(static_cast<char>(byte)), traits_type::eof());
  }
  bool show(unsigned char byte) {
    const bool control = (byte < ' ' && byte != '\n' && byte != '\t') || byte == 127;
    return control ? put('^') && put(byte ^ 64u) : put(byte);
  }

  std::ostream& stream_;
  std::streambuf* to_;
  bool lead_ = false;
};

Screen::Screen() : out_(std::make_unique<Plain>(std::cout)), error_(std::make_unique<Plain>(std::cerr)) {}
Screen::~Screen() = default;

}  // namespace dalembert::app
