// dalembert: constrained dynamics from the command line.
#include <csignal>
#include <iostream>

#include "app/memory.h"
#include "app/mistakes.h"
#include "app/screen.h"

int main(int argc, char** argv) {
  using namespace dalembert;
  app::end_without_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a mistake to be told, like a full disk
  const app::Screen screen;
  const app::Status status = app::answer(argc, argv);
  if (std::cout.flush()) return status;
  app::complain("cannot write to standard output");
  return app::ended_early;
}
