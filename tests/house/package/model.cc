// A model file, read and run as it says.
#include <cstdio>

#include "dalembert/dalembert.h"
using namespace dalembert;

int main(int, char** arguments) {
  const Model model = Model::from_file(arguments[1]);
  const Solution sol = solve(model.problem(), resolve(model.run, *model.problem()).options);
  std::printf("%s\n%s", model.title.c_str(), report(sol.summary, {.watches = model.watches}).c_str());
}
