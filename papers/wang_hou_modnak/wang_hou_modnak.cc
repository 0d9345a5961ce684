// An iterative method for constrained dynamic problems - a case study, [WangHouModnak2011].
#include "papers/wang_hou_modnak/parts.h"

namespace dalembert {

std::vector<PaperEntry> papers_in_wang_hou_modnak() {
  using namespace wang_hou_modnak;
  return {make_paper("wang-hou-modnak", "An iterative method for constrained dynamic problems - a case study",
                     "WangHouModnak2011",
                     {convergence(), accuracy(), constraint(), runge_kutta(), mixed(), theory()})};
}

}  // namespace dalembert
