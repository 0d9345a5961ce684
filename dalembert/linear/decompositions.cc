#include "dalembert/linear/decompositions.h"

namespace Eigen {

#define X(declaration) template declaration;
DALEMBERT_DECOMPOSITIONS(X)
#undef X

}  // namespace Eigen
