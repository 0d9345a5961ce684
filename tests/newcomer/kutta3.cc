// kutta3: Kutta's method of order 3 [HairerNorsettWanner1993, II.1].
#include "dalembert/method/runge_kutta/explicit_runge_kutta.h"

namespace dalembert {

namespace {

constexpr const char* picture = R"(
    0   |
    1/2 | 1/2
    1   | -1  2
    ----+------------
        | 1/6 2/3 1/6
)";

}  // namespace

std::vector<MethodEntry> methods_in_kutta3() {
  return {{.name = "kutta3",
           .summary = "Kutta's method of order 3",
           .cite = "HairerNorsettWanner1993",
           .claims = {{Kind::ode, "y", 3}},
           .adaptive = false,
           .dense_order = 4,
           .options = {},
           .make = [] { return std::make_unique<ExplicitRungeKutta>("kutta3", Tableau::of(picture), 0); },
           .tableau = picture}};
}

}  // namespace dalembert
