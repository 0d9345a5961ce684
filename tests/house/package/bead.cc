// A constrained motion from functions: a bead slides without friction on the wire y = x^2, let go at (1, 1).
#include <cmath>
#include <cstdio>

#include "dalembert/dalembert.h"
using namespace dalembert;

int main() {
  const auto bead =
      mechanical({.q = Vector{{1, 1}}, .v = Vector{{0, 0}}},                             // where it begins
                 Vector{{1, 1}},                                                         // mass: a diagonal
                 [](double, In, In, Out f) { f << 0, -9.81; },                           // force
                 {1, [](auto, const auto& q, auto&& g) { g[0] = q[1] - q[0] * q[0]; }},  // one row, 0 = g
                 {.end = 10, .names = {"x", "y", "x'", "y'", "wire"}});
  const Solution sol = solve(bead, {.tolerance = {1e-9, 1e-9}});
  const auto x = sol["q.x"], y = sol["q.y"], wire = sol["lambda.wire"];
  for (double t = 0; t <= 10; t += 2.5)
    std::printf("t = %4.1f  x = %9.6f  off the wire by %.0e  lambda = %.6f\n", t, x(t),
                std::abs(y(t) - x(t) * x(t)), wire(t));
  const State end = sol(10);
  const double energy = end.y.segment(2, 2).squaredNorm() / 2 + 9.81 * end.y[1];
  std::printf("%s\nenergy changed by %.1e\n", sol.summary.message.c_str(), std::abs(energy - 9.81));
}
