// The characters of a TOML text from left to right: blanks and comments, keys, texts, numbers and truths.
#pragma once

#include <string>
#include <string_view>

#include "dalembert/model/document.h"

namespace dalembert {

/// Why a text cannot be read, and where.
struct TomlMistake {
  Spot spot;
  std::string what, hint;
};

/// Every function throws TomlMistake for what TOML 1.0 does not allow; dates and times, which no model has, are no values.
class TomlText {
 public:
  explicit TomlText(std::string_view text);

  struct Mark {
    std::size_t byte = 0;
    std::uint32_t line = 1, column = 1;
  };
  const Mark& mark() const { return at_; }
  Spot since(const Mark&) const;
  bool ended() const { return at_.byte == text_.size(); }
  bool sees(std::string_view what) const { return text_.substr(at_.byte).starts_with(what); }
  bool take(std::string_view what);
  void need(std::string_view what);
  void skip_blanks();  ///< within a line
  void skip_lines();   ///< blanks, comments and ends of lines
  void end_line();     ///< nothing but blanks and a comment may follow
  std::string key();   ///< one part of a dotted key
  Value scalar();      ///< any value but lists and tables
  /// "expected ..., but there is ..."
  [[noreturn]] void refuse(const std::string& expected) const;
  [[noreturn]] static void refuse(const Spot&, const std::string& what);

 private:
  std::string_view character();  ///< the next one, of up to four bytes
  bool take_line_end();
  void skip_comment();
  std::string text(char quote);
  std::string text_of_lines(char quote);
  bool take_fold();
  void escape(std::string& into);
  void unicode(int digits, const Mark& begin, std::string& into);
  Value number(const std::string& word, const Mark& begin);

  std::string_view text_;
  Mark at_;
};

}  // namespace dalembert
