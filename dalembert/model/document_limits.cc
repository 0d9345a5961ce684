// A look at the bare characters of a file before it is parsed, so that a hostile one costs nothing: the parser and the
// tree it makes are recursive, and a value takes a hundred times the room of the comma that brings it.
#include "dalembert/model/document.h"

namespace dalembert {

namespace {

class Scan {
 public:
  explicit Scan(const std::string& text) : text_(text) {}

  /// What is too much, at the place where it became so; "" if nothing is.
  std::string run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#')
        skip_to("\n");
      else if (c == '"' || c == '\'')
        skip_text(c);
      else if (const std::string trouble = count(c); !trouble.empty())
        return trouble;
      else
        ++at_;
    }
    return {};
  }

  Place place(const std::string& name) const {
    Place place{name, 1, 1};
    for (std::size_t i = 0; i < at_; ++i) {
      ++place.column;
      if (text_[i] == '\n') ++place.line, place.column = 1;
    }
    return place;
  }

 private:
  std::string count(char c) {
    // TOML has no use for them here, and the parser (toml++ 3.3) is not safe for all of them
    if (static_cast<unsigned char>(c) > 126 || (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r'))
      return "this is not TOML: a character that is no plain one stands outside of texts and comments";
    if (c == '.') return ++dots_ > Document::most_dots ? "a name has too many parts" : "";
    if (c == ' ' || c == '\t' || c == '_' || c == '-' || c == '+' || (c >= '0' && c <= '9') ||
        (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
      return {};
    dots_ = 0;
    if (c == '[' || c == '{') {
      if (++depth_ > Document::deepest) return "lists and tables are nested too deeply";
    } else if ((c == ']' || c == '}') && depth_ > 0) {
      --depth_;
    }
    if (c == ',' || c == '=' || c == '[' || c == '{')
      if (++values_ > Document::most_values) return "there are too many values";
    return {};
  }

  void skip_to(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    at_ = found == std::string::npos ? text_.size() : found + end.size();
  }

  void skip_text(char quote) {
    const std::string three(3, quote);
    const bool lines = text_.compare(at_, 3, three) == 0;
    at_ += lines ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (quote == '"' && text_[at_] == '\\') {
        ++at_;
      } else if (lines ? text_.compare(at_, 3, three) == 0 : text_[at_] == quote || text_[at_] == '\n') {
        at_ += lines ? 3 : 1;
        return;
      }
    }
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int depth_ = 0, values_ = 0, dots_ = 0;
};

}  // namespace

std::optional<Complaint> beyond_limits(const std::string& name, const std::string& text) {
  if (text.size() > Document::most_bytes)
    return Complaint{{name, 0, 0}, "", "the file is larger than 16 MB", "use [[repeat]] and [[include]]"};
  Scan scan(text);
  if (const std::string trouble = scan.run(); !trouble.empty())
    return Complaint{scan.place(name), "", trouble, "a model needs no such thing"};
  return {};
}

}  // namespace dalembert
