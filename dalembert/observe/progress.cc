#include "dalembert/observe/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace dalembert {

namespace {

/// "40 s", "3 min", "2.5 h"
std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

Progress::Progress(double begin, double end, Elsewhere elsewhere)
    : begin_(begin),
      end_(end),
      form_(isatty(STDERR_FILENO) == 1      ? Form::bar
            : elsewhere == Elsewhere::lines ? Form::lines
                                            : Form::none),
      started_(Clock::now()),
      last_(started_) {}

std::string Progress::sentence(double t, double seconds) const {
  const double done = std::clamp((t - begin_) / (end_ - begin_), 0.0, 1.0);
  std::string text = fmt::format("t = {:.6g} of {:.6g}, {} steps", t, end_, steps_);
  if (seconds > 0) text += fmt::format(", {:.2g}/s", static_cast<double>(steps_) / seconds);
  if (done > 0) text += fmt::format(", {} left", duration(seconds * (1 - done) / done));
  return text;
}

void Progress::draw(double t, double seconds) {
  if (form_ == Form::lines) {
    std::fputs((sentence(t, seconds) + "\n").c_str(), stderr);
    return;
  }
  constexpr int width = 16;
  const double done = std::clamp((t - begin_) / (end_ - begin_), 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(done * width);
  const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
  std::fputs(fmt::format("\r[{}] {:3.0f} %  {}\033[K", bar, 100 * done, sentence(t, seconds)).c_str(),
             stderr);
  drawn_ = true;
}

void Progress::step(const StepView& step) {
  ++steps_;
  if (form_ == Form::none) return;
  const auto now = Clock::now();
  const auto wait = form_ == Form::bar ? std::chrono::milliseconds(100) : std::chrono::milliseconds(5000);
  if (now - last_ < wait) return;
  last_ = now;
  draw(step.end(), std::chrono::duration<double>(now - started_).count());
}

void Progress::end() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

}  // namespace dalembert
