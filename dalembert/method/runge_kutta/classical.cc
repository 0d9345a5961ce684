// The classical explicit Runge-Kutta methods: euler, midpoint, heun, ralston, rk4 for fixed steps, bs32 with an
// estimate [HairerNorsettWanner1993, II.1; BogackiShampine1989].
#include "dalembert/method/runge_kutta/explicit_runge_kutta.h"

namespace dalembert {

namespace {

constexpr const char* euler = R"(
    0 |
    --+---
      | 1
)";

constexpr const char* midpoint = R"(
    0   |
    1/2 | 1/2
    ----+--------
        | 0   1
)";

constexpr const char* heun = R"(
    0 |
    1 | 1
    --+--------
      | 1/2 1/2
)";

constexpr const char* ralston = R"(
    0   |
    2/3 | 2/3
    ----+--------
        | 1/4 3/4
)";

constexpr const char* rk4 = R"(
    0   |
    1/2 | 1/2
    1/2 | 0   1/2
    1   | 0   0   1
    ----+----------------
        | 1/6 1/3 1/3 1/6
)";

constexpr const char* bs32 = R"(
    0   |
    1/2 | 1/2
    3/4 | 0    3/4
    1   | 2/9  1/3 4/9
    ----+------------------
        | 2/9  1/3 4/9 0
        | 7/24 1/4 1/3 1/8
)";

MethodEntry entry(const char* name, const char* summary, const char* cite, double order, const char* picture,
                  double exponent, Strictness strictness = {}) {
  return {.name = name,
          .summary = summary,
          .cite = cite,
          .claims = {{Kind::ode, "y", order}},
          .adaptive = exponent > 0,
          .dense_order = 4,
          .options = {},
          .make =
              [=] {
                return std::make_unique<ExplicitRungeKutta>(name, Tableau::of(picture), exponent, strictness);
              },
          .tableau = picture};
}

}  // namespace

std::vector<MethodEntry> methods_in_classical() {
  return {
      entry("euler", "explicit Euler", "HairerNorsettWanner1993", 1, euler, 0),
      entry("midpoint", "explicit midpoint rule", "HairerNorsettWanner1993", 2, midpoint, 0),
      entry("heun", "trapezoid with an Euler predictor", "HairerNorsettWanner1993", 2, heun, 0),
      entry("ralston", "order 2 with the least error bound", "Ralston1962", 2, ralston, 0),
      entry("rk4", "the classical method of order 4", "HairerNorsettWanner1993", 4, rk4, 0),
      entry("bs32", "Bogacki-Shampine pair 3(2)", "BogackiShampine1989", 3, bs32, 1.0 / 3, Strictness{0.05})};
}

}  // namespace dalembert
