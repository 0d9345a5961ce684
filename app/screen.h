// What people see: text that fits the terminal, with colours if it is one. It may hold titles and names of anybody's files; a
// terminal must not obey them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "dalembert/core/table.h"

namespace dalembert::app {

/// While it lives, control characters other than ends of lines and tabs are shown on std::cout and std::cerr as ^[ and the
/// like.
class Screen {
 public:
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  class Plain;

 private:
  std::unique_ptr<Plain> out_, error_;
};

/// How many columns tables have: those that COLUMNS says, or the terminal, or 80.
std::size_t table_width();
/// The table as wide as it may be.
std::string shown(const Table&, const std::string& margin = {});

/// To standard output. Sentences that are longer than the terminal, or than COLUMNS says, go on below where they began;
/// otherwise each stays in its line, where programs find it. Labels, heads of tables and endings have colours on a terminal,
/// unless NO_COLOR is set.
void say(const std::string& text);
/// The same for pages that are read, not searched: they have the width of tables everywhere.
void say_page(const std::string& text);
/// "dalembert: ..." to standard error.
void complain(const std::string& sentence);
/// To standard error: which run is made, and the like.
void tell(const std::string& line);
/// The same for what may be quick: nothing in the first two seconds, and one line in two seconds.
std::function<void(const std::string&)> tell_now_and_then();

}  // namespace dalembert::app
