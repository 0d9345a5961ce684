// hem3, hem4, hem5: half-explicit methods of Brasey and Hairer, orders 3, 4 and 5.
//
// hem3 is the only method of order 3 with three stages [BraseyHairer1993, Table 2]; hem4 has five stages and Radau nodes
// [BraseyHairer1993, Table 5]; hem5 has eight [Brasey1994], its 16-digit coefficients refined until all order
// conditions up to 5 hold to 24 digits. The estimates y1 - Y_s are O(h^2) for hem3 and O(h^3) for hem4.
#include "dalembert/method/half_explicit/half_explicit.h"

namespace dalembert {

namespace {

constexpr const char* hem3 = R"(
    0   |
    1/3 | 1/3
    1   | -1  2
    ----+------------
        | 0   3/4 1/4
)";

constexpr const char* hem4 = R"(
    0          |
    3/10       | 3/10
    2/5-1/10r  | 1/30+1/30r     11/30-2/15r
    2/5+1/10r  | -79/150-31/150r -1/30-2/15r 24/25+11/25r
    1          | 7/3+5/6r       -4/3+7/6r   -9/4-7/4r  9/4-1/4r
    -----------+----------------------------------------------------
               | 0              0           4/9-1/36r  4/9+1/36r 1/9
)";

constexpr const char* hem5 = R"(
    0   |
    0.1 | 0.1
    0.15 | 0.0375 0.1125
    0.3614787346573632512044909 | 0.3222169236216062924153659 -1.188883322987613404424358 1.228145134023370363213483
    0.0853558433548644622708785 | -0.03501123898129995758808572 0.372542060108618113214544 -0.2721053535582044532805529 0.01993037578575075992497258
    0.5 | -0.5576547055041921050622649 1.367307289645891362773316 -1.732236360460710080484183 0.4587772007467529943267358 0.9638065755722578284463963
    0.8 | 0.08654517193564281848506426 -0.08810082847945403144754284 0.1981275547329075601302283 -0.4645422679331096218721148 0.1615170091109995707591034 0.9064533606330137039452616
    1   | 0 0 0 3.624477248753876782589631 -0.4617724189182948208569553 -3.198024628164332626512774 1.035319798328750664780099
    ----+----
        | 0 0 0 0.2467760667636786873376546 0.2106594087489731741419611 0.1769218149125015393918231 0.3064446444147932697228836 0.0591980651600533294056776
)";

MethodEntry entry(const char* name, const char* summary, const char* cite, double order, const char* picture,
                  Estimator estimator, double exponent, Strictness strictness = {}) {
  return {.name = name,
          .summary = summary,
          .cite = cite,
          .claims = {{Kind::hessenberg, "y", order}, {Kind::hessenberg, "z", order}},
          .adaptive = true,
          .dense_order = 4,
          .options = {},
          .make =
              [=] {
                return std::make_unique<HalfExplicit>(
                    HalfExplicitScheme::brasey_hairer(name, picture, estimator, exponent, strictness));
              },
          .tableau = picture};
}

}  // namespace

std::vector<MethodEntry> methods_in_hem() {
  return {entry("hem3", "half-explicit, order 3, 3 stages", "BraseyHairer1993", 3, hem3,
                Estimator::last_stage, 1.0 / 2),
          entry("hem4", "half-explicit, order 4, 5 stages", "BraseyHairer1993", 4, hem4,
                Estimator::last_stage, 1.0 / 3),
          entry("hem5", "half-explicit, order 5, 8 stages", "Brasey1994", 5, hem5, Estimator::brasey, 1.0 / 5,
                {1.5, -0.07})};
}

}  // namespace dalembert
