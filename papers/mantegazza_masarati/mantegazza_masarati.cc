// Analysis of systems of differential-algebraic equations (DAE), [MantegazzaMasarati2012].
#include "papers/mantegazza_masarati/parts.h"

namespace dalembert {

std::vector<PaperEntry> papers_in_mantegazza_masarati() {
  return {make_paper("mantegazza-masarati", "Analysis of systems of differential-algebraic equations (DAE)",
                     "MantegazzaMasarati2012",
                     {mantegazza_masarati::pendulum(), mantegazza_masarati::stability(),
                      mantegazza_masarati::baumgarte(), mantegazza_masarati::exercises()})};
}

}  // namespace dalembert
