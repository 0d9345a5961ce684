// phem56, hedop5: half-explicit methods of order 5 on the tableau of Dormand and Prince, first stage known
// [Murua1997; ArnoldMurua1998]. Six linear systems per step instead of eight.
#include "dalembert/method/half_explicit/half_explicit.h"
#include "dalembert/method/runge_kutta/dormand_prince.h"

namespace dalembert {

namespace {

using Rows = std::vector<std::vector<const char*>>;

const Rows& murua() {
  static const Rows rows = {{"3/40", "9/40"},
                            {"21/256", "45/256", "15/128"},
                            {"19235/98784", "-225/392", "6235/6174", "2755/32928"},
                            {"-293/1152", "85/48", "-2275/1908", "35/32", "-2835/6784"},
                            {"35/384", "0", "500/1113", "125/192", "-2187/6784", "11/84"},
                            {"10752038939/66307507200", "-19259/50160", "19581770468/24023520675",
                             "9941999/650073600", "180060831/4820710400", "-11331659/439538400", "1/76"}};
  return rows;
}

// The constraint of stage i is imposed at the point of stage i+1 of the same tableau.
const Rows& arnold() {
  static const Rows rows = {{"3/40", "9/40"},
                            {"44/45", "-56/15", "32/9"},
                            {"19372/6561", "-25360/2187", "64448/6561", "-212/729"},
                            {"9017/3168", "-355/33", "46732/5247", "49/176", "-5103/18656"},
                            {"35/384", "0", "500/1113", "125/192", "-2187/6784", "11/84"},
                            {"-18611506045861/19738176307200", "59332529/14479296",
                             "-2509441598627/893904224850", "2763523204159/3289696051200",
                             "-41262869588913/116235927142400", "46310205821/287848404480", "-3280/75413"}};
  return rows;
}

MethodEntry entry(const char* name, const char* summary, const char* cite, const Rows& rows,
                  std::vector<Preference> preferences = {}) {
  return {.name = name,
          .summary = summary,
          .cite = cite,
          .claims = {{Kind::hessenberg, "y", 5}, {Kind::hessenberg, "z", 5}},
          .adaptive = true,
          .dense_order = 4,
          .options = {},
          .make =
              [=] {
                return std::make_unique<HalfExplicit>(
                    HalfExplicitScheme::known_first(name, dormand_prince, rows, {0.03}));
              },
          .preferences = std::move(preferences)};
}

}  // namespace

std::vector<MethodEntry> methods_in_hem_known_first() {
  return {entry("phem56", "half-explicit, order 5, partitioned constraint rows", "Murua1997", murua(),
                {{Kind::hessenberg}}),
          entry("hedop5", "half-explicit, order 5, constraints at the stages of Dormand-Prince",
                "Arnold1998 ArnoldMurua1998", arnold())};
}

}  // namespace dalembert
