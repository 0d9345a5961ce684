// What programs read: numbers with all their digits, null for what is not known.
#pragma once

#include <nlohmann/json.hpp>

#include "dalembert/core/layout.h"
#include "dalembert/core/parameters.h"

namespace dalembert::app {

using Json = nlohmann::ordered_json;  ///< keys in the order they are written; NaN is printed as null

Json to_json(const Vector&);
Json to_json(const std::vector<Parameter>&);
/// The number that a text is, or the text itself.
Json number_or_text(const std::string&);
/// To standard output, where nothing else goes then.
void print(const Json&);

}  // namespace dalembert::app
