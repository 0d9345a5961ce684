// Model files may name methods and formulations. Here there are none, so that none need be compiled: every name is refused.
#include "dalembert/formulation/formulation.h"
#include "dalembert/method/method.h"

namespace dalembert {

const std::vector<MethodEntry>& all_methods() {
  static const std::vector<MethodEntry> none;
  return none;
}

const std::vector<FormulationEntry>& all_formulations() {
  static const std::vector<FormulationEntry> none;
  return none;
}

}  // namespace dalembert
