// Sequential regularization methods for nonlinear higher-index DAEs, [AscherLin1997].
#include "papers/ascher_lin/parts.h"

namespace dalembert {

std::vector<PaperEntry> papers_in_ascher_lin() {
  using namespace ascher_lin;
  return {make_paper("ascher-lin", "Sequential regularization methods for nonlinear higher-index DAEs",
                     "AscherLin1997",
                     {table_61(), table_62(), table_63(), table_64(), table_65(), figure_61(), figure_62(),
                      rates(), remark_41(), drifts_of_iterates(), drift_equations(), perturbation(),
                      equation_31(), equation_33(), example_21(), example_65()})};
}

}  // namespace dalembert
