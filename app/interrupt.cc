#include "app/interrupt.h"

#include <csignal>

namespace dalembert::app {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may touch nothing else");

void on_interrupt(int signal) {
  interrupted.store(true);
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& watch_for_interrupt() {
  for (const int signal : {SIGINT, SIGTERM})  // Ctrl-C; mpirun and batch systems, before they kill
    if (std::signal(signal, on_interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);  // as with nohup
  return interrupted;
}

}  // namespace dalembert::app
