// dalembert: constrained dynamics from the command line.
#include <cstdio>
#include <iostream>

#include "app/commands.h"
#include "dalembert/core/error.h"
#include "dalembert/model/model.h"

int main(int argc, char** argv) {
  using namespace dalembert;
  try {
    const app::Status status = app::obey(argc, argv);
    if (std::cout.flush()) return status;
    std::fprintf(stderr, "dalembert: cannot write to standard output\n");
    return app::ended_early;
  } catch (const ModelError& error) {
    // one line each, beginning with the place, as editors expect it
    for (const auto& complaint : error.complaints())
      std::fprintf(stderr, "%s\n", complaint.sentence().c_str());
  } catch (const Error& error) {
    std::fprintf(stderr, "dalembert: %s\n", error.sentence().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dalembert: %s; this should not happen, please report it\n", error.what());
  }
  return app::wrong_call;
}
