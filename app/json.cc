#include "app/json.h"

#include <cmath>
#include <cstdlib>
#include <iostream>

namespace dalembert::app {

Json to_json(const Vector& x) {
  Json all = Json::array();
  for (const double value : x) all.push_back(value);
  return all;
}

Json to_json(const std::vector<Parameter>& parameters) {
  Json all = Json::array();
  for (const auto& p : parameters) {
    all.push_back({{"name", p.name}, {"value", p.value}, {"unit", p.unit}, {"meaning", p.meaning}});
    if (!p.choices.empty()) all.back()["choices"] = p.choices;
  }
  return all;
}

Json number_or_text(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0' && std::isfinite(value)) return value;
  return text;
}

void print(const Json& json) {
  std::cout << json.dump(2) << "\n";
}

}  // namespace dalembert::app
