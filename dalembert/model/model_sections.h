// The sections of a model file that are no elements: its head, [run] and [[reference]].
#pragma once

#include <string>
#include <vector>

#include "dalembert/core/layout.h"
#include "dalembert/model/element_entry.h"
#include "dalembert/model/model.h"
#include "dalembert/model/scope.h"

namespace dalembert {

struct Head {
  std::string title{}, space = "planar";
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
};
Head read_model_head(const Scope&);

RunSettings read_run(const Scope&);

/// Digits that are known; NaN where they are not.
struct KnownDigits {
  State state;
  Reference reference;
};
std::vector<KnownDigits> read_references(const Scope&, const Layout&);

/// The keys of the sections that are no elements, for the schema and the pages: "" (the head), "run", "reference", "cut", "field",
/// "include", "repeat".
const std::vector<Key>& section_keys(const std::string& section);

}  // namespace dalembert
