// An ordinary differential equation from a function: x'' = -x, x(0) = 1.
#include <cstdio>

#include "dalembert/dalembert.h"
using namespace dalembert;

int main() {
  const auto problem = ode(0, Vector{{1, 0}}, [](auto, const auto& y, auto&& dy) { dy << y[1], -y[0]; },
                           {.end = 10, .names = {"x", "x'"}, .units = {"m", "m/s"}});
  const Solution sol = solve(problem, {.tolerance = {1e-9, 1e-9}});
  std::printf("%sx(3) = %.7f m\n", report(sol).c_str(), sol["y.x"](3));
}
