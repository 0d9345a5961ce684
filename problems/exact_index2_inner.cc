// An index-2 problem with a further algebraic unknown u [BraseyHairer1993, (1.4)], and a closed solution.
//
//   y1' = y1^2 u,   y2' = y2^2 (3 y1^2 - 5 z),   0 = u^3 + u - y1 y2^2 - y1 y2^3 z^2,   0 = y1^2 y2 - 1
//
// y1 = exp(t), y2 = exp(-2t), z = exp(2t), u = exp(-t). The cubic has one real root for all y and z: k_u = 1 + 3 u^2.
#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/inner_unknowns.h"

namespace dalembert {

std::vector<ProblemEntry> problems_in_exact_index2_inner() {
  return {{"exact-index2-inner",
           "index 2 with a further unknown that an equation of its own determines, solved by exponentials",
           Kind::hessenberg,
           "BraseyHairer1993",
           {},
           [](const Parameters&) -> std::shared_ptr<const Problem> {
             return hessenberg_with_inner(
                 0, Vector{{1, 1}}, Vector{{1}}, Vector{{1}},
                 [](const auto&, const auto& y, const auto& z, const auto& u, auto&& dy) {
                   dy[0] = y[0] * y[0] * u[0];
                   dy[1] = y[1] * y[1] * (3.0 * y[0] * y[0] - 5.0 * z[0]);
                 },
                 [](const auto&, const auto& y, const auto& z, const auto& u, auto&& k) {
                   k[0] = u[0] * u[0] * u[0] + u[0] - y[0] * y[1] * y[1] * (1.0 + y[1] * z[0] * z[0]);
                 },
                 [](const auto&, const auto& y, auto&& g) { g[0] = y[0] * y[0] * y[1] - 1.0; },
                 {.end = 1, .exact = [](double t) {
                    return Vector{{std::exp(t), std::exp(-2 * t), std::exp(2 * t)}};
                  }});
           }}};
}

}  // namespace dalembert
