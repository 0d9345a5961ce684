// A problem of the catalogue, by two methods; its exact solution tells the error of each.
#include <cstdio>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"

using namespace dalembert;

int main() {
  for (const char* method : {"dopri5", "hem5"}) {
    RunOptions options;
    options.request.method = method;
    options.tolerance = {1e-8, 1e-8};
    const Summary summary = run(make_problem("pendulum", {{"l", 2}}), options);
    std::printf("%s: error of q %.1e\n", method, summary.error.at("q"));
  }
}
