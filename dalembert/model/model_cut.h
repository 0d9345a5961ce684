// [cut] and [[field]]: a mechanism that is solved in parts, each by its own method in its own substeps.
//
//   [cut]
//   joints = ["elbow"]                     # without them the bodies of different fields are not held together
//
//   [[field]]
//   name = "lower"
//   bodies = ["forearm"]                   # one of each group of bodies that other joints hold together is enough
//   method = "rk4"
//   substeps = 8
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>

#include "dalembert/model/scope.h"
#include "dalembert/problem/partitioned.h"

namespace dalembert {

/// A cut as a file describes it.
struct ModelCut {
  std::shared_ptr<const Partitioned> problem;  ///< nullptr: there is none, or it is wrong
  std::string methods{};                       ///< of the fields: "dopri5:8,rk4:16"
  std::map<std::string, std::variant<double, std::string>> options{};  ///< of the iteration between them
};

/// Complains about what is wrong with it. `whole` is what is cut.
ModelCut read_cut(const Scope&, const std::shared_ptr<const Mechanism>& whole);

}  // namespace dalembert
