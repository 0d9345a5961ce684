// The index-2 order conditions of Tables 1, 3 and 4 of the paper, by the paper's numbers and in the paper's
// words.
//
// Table 1, condition 16, is printed with omega_ij for omega_ik; it is listed as its tree says, and as printed
// apart. [BraseyHairer1993, section 3]
#pragma once

#include <string>
#include <vector>

#include "dalembert/analysis/order_conditions.h"

namespace dalembert {

struct NumberedCondition {
  int number;
  std::string formula;  ///< as in the paper
  std::string printed;  ///< the right-hand side in the paper
  Condition condition;  ///< ours, from the tree
};

std::vector<NumberedCondition> table1_conditions(const Tableau&);  ///< y_1, orders 1..4: 20 conditions
std::vector<NumberedCondition> table3_conditions(const Tableau&);  ///< embedded, transversal: 3, orders 2..3
std::vector<NumberedCondition> table4_conditions(const Tableau&);  ///< z_1 = Z_s, orders 1..3: 10 conditions
Condition table1_condition16_as_printed(const Tableau&);

}  // namespace dalembert
