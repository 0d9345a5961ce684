#include "dalembert/problem/problem.h"

#include <cmath>

#include "dalembert/core/error.h"

namespace dalembert {

std::string_view name(Kind kind) {
  switch (kind) {
#define X(name, equations) \
  case Kind::name:         \
    return #name;
    DALEMBERT_KINDS(X)
#undef X
  }
  return "?";
}

std::string_view equations(Kind kind) {
  switch (kind) {
#define X(name, equations) \
  case Kind::name:         \
    return equations;
    DALEMBERT_KINDS(X)
#undef X
  }
  return "?";
}

void refuse_cast(const Problem& problem) {
  throw Error("a problem of kind " + std::string(name(problem.kind())) + " was taken for something else",
              "its equations are " + std::string(equations(problem.kind())));
}

Fault Problem::diagnose(double /*t*/, In y) const {
  for (Eigen::Index i = 0; i < y.size(); ++i)
    if (!std::isfinite(y[i]))
      return {Outcome::not_finite, "the value of " + layout().label(i) + " is not finite"};
  return {};
}

}  // namespace dalembert
