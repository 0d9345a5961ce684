// Apart from the other decompositions because it takes as long to compile as all of them together.
#include "dalembert/linear/decompositions.h"

namespace Eigen {

#define X(declaration) template declaration;
DALEMBERT_SINGULAR_VALUE_DECOMPOSITIONS(X)
#undef X

}  // namespace Eigen
