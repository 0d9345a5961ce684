// dalembert: constrained dynamics from the command line.
#include <iostream>

#include "app/memory.h"
#include "app/mistakes.h"
#include "app/screen.h"

int main(int argc, char** argv) {
  using namespace dalembert;
  app::end_without_memory();
  const app::Screen screen;
  const app::Status status = app::answer(argc, argv);
  if (std::cout.flush()) return status;
  app::complain("cannot write to standard output");
  return app::ended_early;
}
