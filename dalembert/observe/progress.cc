#include "dalembert/observe/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace dalembert {

Progress::Progress(double begin, double end)
    : begin_(begin), end_(end), visible_(isatty(STDERR_FILENO) == 1), last_(Clock::now()) {}

void Progress::step(const StepView& step) {
  ++steps_;
  if (!visible_) return;
  const auto now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  constexpr int width = 30;
  const double done = std::clamp((step.end() - begin_) / (end_ - begin_), 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(done * width);
  const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
  std::fprintf(stderr, "\r[%s] %5.1f %%  t = %.6g of %.6g  %lld steps, h = %.2e \033[K", bar.c_str(),
               100 * done, step.end(), end_, static_cast<long long>(steps_), step.end() - step.begin());
  drawn_ = true;
}

void Progress::end() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

}  // namespace dalembert
