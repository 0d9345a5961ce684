// dalembert: constrained dynamics from the command line.
#include <cstdio>

#include "app/commands.h"
#include "dalembert/core/error.h"

int main(int argc, char** argv) {
  using namespace dalembert;
  try {
    return app::obey(argc, argv);
  } catch (const Error& error) {
    std::fprintf(stderr, "dalembert: %s\n", error.sentence().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dalembert: %s; this should not happen, please report it\n", error.what());
  }
  return app::wrong_call;
}
