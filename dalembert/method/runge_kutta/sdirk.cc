// sdirk2, sdirk3, sdirk4, dirk: L-stable methods with one matrix per step (dirk: two).
//
//   sdirk2   g    | g                    sdirk3   g       | g                     dirk   1/3 | 1/3
//            1    | 1-g  g                        (1+g)/2 | (1-g)/2  g                   1   | 3/4  1/4
//                                                 1       | b1       b2   g
//
// sdirk2: g = 1 - 1/sqrt(2); sdirk3: g^3 - 3g^2 + 3g/2 - 1/6 = 0, b1 = -(6g^2 - 16g + 1)/4, b2 = (6g^2 - 20g + 5)/4
// [Alexander1977]; sdirk4: five stages with g = 1/4 [HairerWanner1996, IV.6 (6.16)]; dirk has the nodes and weights of
// Radau IIA with a triangular A: order 2. The last weight of every embedded formula is zero.
//
// On equations of index 2 and 3 the first stage, an Euler step over c_1 h, decides: stage order 1.
#include <cmath>
#include <map>

#include "dalembert/core/error.h"
#include "dalembert/method/runge_kutta/dirk.h"

namespace dalembert {

namespace {

DirkTableau make_sdirk2() {
  const double g = 1 - 1 / std::sqrt(2.0);
  Matrix A(2, 2);
  A << g, 0, 1 - g, g;
  return {"sdirk2", A, Eigen::Vector2d(1, 0), 1};
}

DirkTableau make_sdirk3() {
  double g = 0.4358665215;
  for (int round = 0; round < 3; ++round) g -= (((g - 3) * g + 1.5) * g - 1.0 / 6) / ((3 * g - 6) * g + 1.5);
  const double b1 = -(6 * g * g - 16 * g + 1) / 4, b2 = (6 * g * g - 20 * g + 5) / 4;
  Matrix A(3, 3);
  A << g, 0, 0, (1 - g) / 2, g, 0, b1, b2, g;
  return {"sdirk3", A, Eigen::Vector3d(g / (1 - g), (1 - 2 * g) / (1 - g), 0), 2};
}

DirkTableau make_sdirk4() {
  Matrix A(5, 5);
  A << 1.0 / 4, 0, 0, 0, 0,                                 //
      1.0 / 2, 1.0 / 4, 0, 0, 0,                            //
      17.0 / 50, -1.0 / 25, 1.0 / 4, 0, 0,                  //
      371.0 / 1360, -137.0 / 2720, 15.0 / 544, 1.0 / 4, 0,  //
      25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4;
  Vector embedded(5);
  embedded << 59.0 / 48, -17.0 / 96, 225.0 / 32, -85.0 / 12, 0;
  return {"sdirk4", A, embedded, 3};
}

DirkTableau make_dirk() {
  Matrix A(2, 2);
  A << 1.0 / 3, 0, 3.0 / 4, 1.0 / 4;
  return {"dirk", A, Eigen::Vector2d(1, 0), 1};
}

MethodEntry entry(const char* name, const char* summary, const char* cite,
                  const std::vector<std::vector<double>>& orders, int dense_order) {
  return {.name = name,
          .summary = summary,
          .cite = cite,
          .claims = implicit_claims(orders),
          .adaptive = true,
          .dense_order = dense_order,
          .options = {},
          .make = [=] { return std::make_unique<Dirk>(dirk_tableau(name)); }};
}

}  // namespace

const DirkTableau& dirk_tableau(const std::string& name) {
  static const std::map<std::string, DirkTableau> all = {
      {"sdirk2", make_sdirk2()}, {"sdirk3", make_sdirk3()}, {"sdirk4", make_sdirk4()}, {"dirk", make_dirk()}};
  const auto found = all.find(name);
  if (found == all.end()) throw Error("there is no diagonally implicit tableau '" + name + "'");
  return found->second;
}

std::vector<MethodEntry> methods_in_sdirk() {
  return {
      entry("sdirk2", "diagonally implicit, L-stable, order 2, 2 stages", "Alexander1977", {{2}, {2, 1}}, 3),
      entry("sdirk3", "diagonally implicit, L-stable, order 3, 3 stages", "Alexander1977", {{3}, {2, 1}}, 3),
      entry("sdirk4", "diagonally implicit, L-stable, order 4, 5 stages", "HairerWanner1996", {{4}, {2, 1}},
            3),
      entry("dirk", "diagonally implicit with two matrices, L-stable, order 2, 2 stages", "HairerWanner1996",
            {{2}, {2, 1}}, 3)};
}

}  // namespace dalembert
