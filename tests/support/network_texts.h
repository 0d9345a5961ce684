// Networks written as text: nodes, branches and watches, a run of them to its end, and what is said where they are wrong.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"

namespace dalembert::testing {

/// States and watches of a run at its end, by name.
inline std::map<std::string, double> ended(const std::string& text, double end,
                                           const std::vector<Observer*>& observers = {}) {
  const Model model = Model::from_text(text);
  const Summary summary =
      run(model.mechanism, {.tolerance = {.relative = 1e-10, .absolute = 1e-12}, .end = end}, observers);
  EXPECT_EQ(summary.outcome, Outcome::ok) << summary.message;
  std::map<std::string, double> all;
  const Layout layout = model.mechanism->layout();
  for (Eigen::Index i = 0; i < layout.size(); ++i) all[layout.label(i)] = summary.state.y[i];
  for (const Watch& watch : model.watches) all[watch.name] = watch.value(summary.state);
  return all;
}

/// The first one, with its place.
inline std::string complaint(const std::string& text) {
  try {
    Model::from_text(text);
  } catch (const ModelError& error) {
    return error.complaints().front().sentence();
  }
  return "none";
}

/// One node for each letter.
inline std::string nodes(const std::string& names, const std::string& kind = "electrical") {
  std::string text;
  for (const char name : names)
    text += std::string("[[node]]\nname = \"") + name + "\"\nkind = \"" + kind + "\"\n";
  return text;
}

inline std::string branch(const std::string& name, const std::string& kind, const std::string& rest) {
  return "[[branch]]\nname = \"" + name + "\"\nkind = \"" + kind + "\"\n" + rest + "\n";
}

inline std::string watch(const std::string& name, const std::string& rest) {
  return "[[watch]]\nname = \"" + name + "\"\n" + rest + "\n";
}

}  // namespace dalembert::testing
