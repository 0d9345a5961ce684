// The coefficients that the paper prints, [BraseyHairer1993, Tables 2 and 5], r = sqrt(6).
#include <algorithm>

#include "dalembert/core/error.h"
#include "dalembert/method/method.h"
#include "papers/brasey_hairer/parts.h"

namespace dalembert::brasey_hairer {

namespace {

constexpr const char* table2 = R"(
    0   |
    1/3 | 1/3
    1   | -1  2
    ----+-----------
        | 0   3/4 1/4
)";

constexpr const char* table5 = R"(
    0         |
    3/10      | 3/10
    2/5-1/10r | 1/30+1/30r      11/30-2/15r
    2/5+1/10r | -79/150-31/150r -1/30-2/15r 24/25+11/25r
    1         | 7/3+5/6r        -4/3+7/6r   -9/4-7/4r    9/4-1/4r
    ----------+---------------------------------------------------------
              | 0               0           4/9-1/36r    4/9+1/36r   1/9
)";

}  // namespace

Tableau printed_tableau(const std::string& name) {
  if (name == "hem3") return Tableau::parse(table2);
  if (name == "hem4") return Tableau::parse(table5);
  throw unknown("tableau of the paper", name, {"hem3", "hem4"});
}

Tableau paper_tableau(const std::string& name) {
  const auto& methods = all_methods();
  const auto found =
      std::find_if(methods.begin(), methods.end(), [&](const MethodEntry& m) { return m.name == name; });
  if (found == methods.end() || found->tableau.empty()) return printed_tableau(name);
  return Tableau::parse(found->tableau);
}

}  // namespace dalembert::brasey_hairer
