// A mechanism put together in C++: a bar of 1 m hangs on a hinge and swings; what does the hinge bear?
#include <cstdio>

#include "dalembert/dalembert.h"
using namespace dalembert;

int main() {
  const auto swing = std::make_shared<PlanarMechanism>();
  const auto bar = swing->body({.name = "bar", .mass = 2, .inertia = 1. / 6, .position = {.5, 0}});
  const auto hinge = swing->revolute("hinge", Mechanism::ground, bar, {0, 0});
  swing->add_force("brake", swing->coordinate(hinge),
                   std::make_shared<Spring>(Spring::Constants{.damping = .1}));
  swing->ends_at(5);
  const Solution sol = solve(swing);
  std::printf("%s", report(sol).c_str());
  std::printf("pull at t = 0.4: %.4f N\n", sol["lambda.hinge.y"](.4));
}
