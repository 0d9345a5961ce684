#include "app/screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <streambuf>
#include <utility>

#include "app/paint.h"
#include "dalembert/core/text.h"

namespace dalembert::app {

/// Hands on what it is given, character by character.
class Screen::Plain final : public std::streambuf {
 public:
  explicit Plain(std::ostream& stream) : stream_(stream), to_(stream.rdbuf(this)) {}
  ~Plain() override { stream_.rdbuf(to_); }

  /// What the program itself wants a terminal to obey.
  void command(std::string_view sequence) {
    to_->sputn(sequence.data(), static_cast<std::streamsize>(sequence.size()));
  }

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
  /// Runs of harmless bytes at once.
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    std::streamsize done = 0;
    while (done < size) {
      std::streamsize end = done;
      while (!lead_ && end < size && harmless(static_cast<unsigned char>(text[end]))) ++end;
      if (end > done) {
        const std::streamsize put = to_->sputn(text + done, end - done);
        if (put < end - done) return done + put;
        done = end;
      } else {
        if (traits_type::eq_int_type(overflow(traits_type::to_int_type(text[done])), traits_type::eof()))
          return done;
        ++done;
      }
    }
    return done;
  }
  int sync() override {
    if (std::exchange(lead_, false) && !put(lead)) return -1;
    return to_->pubsync();
  }

 private:
  static constexpr unsigned char lead = 0xC2;

  static bool control(unsigned char byte) {
    return (byte < ' ' && byte != '\n' && byte != '\t') || byte == 127;
  }
  static bool harmless(unsigned char byte) { return !control(byte) && byte != lead; }
  bool put(unsigned char byte) {
    return !traits_type::eq_int_type(to_->sputc(static_cast<char>(byte)), traits_type::eof());
  }
  bool show(unsigned char byte) { return control(byte) ? put('^') && put(byte ^ 64u) : put(byte); }

  std::ostream& stream_;
  std::streambuf* to_;
  bool lead_ = false;
};

Screen::Screen() : out_(std::make_unique<Plain>(std::cout)), error_(std::make_unique<Plain>(std::cerr)) {}
Screen::~Screen() = default;

namespace {

constexpr std::size_t usual = 80, least = 40;

/// Of the terminal, or as COLUMNS says.
std::optional<std::size_t> width(int stream) {
  const char* given = std::getenv("COLUMNS");
  if (const auto said = given == nullptr ? std::nullopt : number_in(given); said && *said >= 1 && *said < 1e6)
    return std::max(least, static_cast<std::size_t>(*said));
  winsize size{};
  if (isatty(stream) == 1 && ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::max(least, static_cast<std::size_t>(size.ws_col));
  return {};
}

bool colourful(int stream) {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(stream) == 1 && (none == nullptr || *none == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

void put(std::ostream& to, int stream, const std::string& text, const std::optional<std::size_t>& columns) {
  const std::string fit = columns ? fitted(text, *columns) : text;
  auto* plain = dynamic_cast<Screen::Plain*>(to.rdbuf());
  if (plain == nullptr || !colourful(stream)) {
    to << fit;
    return;
  }
  for (const Stroke& stroke : painted(fit)) {
    plain->command(begin(stroke.colour));
    to << stroke.text;
    plain->command(end(stroke.colour));
  }
}

}  // namespace

std::size_t table_width() {
  return width(STDOUT_FILENO).value_or(usual);
}

std::string shown(const Table& table, const std::string& margin) {
  return table.text(margin, table_width());
}

void say(const std::string& text) {
  put(std::cout, STDOUT_FILENO, text, width(STDOUT_FILENO));
}

void say_page(const std::string& text) {
  put(std::cout, STDOUT_FILENO, text, table_width());
}

void complain(const std::string& sentence) {
  put(std::cerr, STDERR_FILENO, "dalembert: " + sentence + "\n",
      isatty(STDERR_FILENO) == 1 ? width(STDERR_FILENO) : std::nullopt);
}

void tell(const std::string& line) {
  std::cerr << line << "\n";
}

std::function<void(const std::string&)> tell_now_and_then() {
  using Clock = std::chrono::steady_clock;
  return [last = Clock::now()](const std::string& line) mutable {
    constexpr std::chrono::seconds pause(2);
    if (Clock::now() - last < pause) return;
    tell(line);
    last = Clock::now();
  };
}

}  // namespace dalembert::app
