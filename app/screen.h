// What is printed may hold titles and names of anybody's files; a terminal must not obey them.
#pragma once

#include <memory>

namespace dalembert::app {

/// While it lives, control characters other than ends of lines and tabs are shown on std::cout and std::cerr as ^[ and the
/// like.
class Screen {
 public:
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

 private:
  class Plain;
  std::unique_ptr<Plain> out_, error_;
};

}  // namespace dalembert::app
