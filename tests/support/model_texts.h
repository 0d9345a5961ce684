// Models read from text, and the same mechanism put together in C++.
#pragma once

#include "dalembert/model/model.h"
#include "tests/support/catalogue_points.h"

namespace dalembert::testing {

/// The same names, the same start, and bit for bit the same numbers wherever both are evaluated.
inline void expect_same(const Mechanism& ours, const Mechanism& theirs) {
  const Layout a = ours.layout(), b = theirs.layout();
  ASSERT_EQ(a.size(), b.size());
  for (Eigen::Index i = 0; i < a.size(); ++i) EXPECT_EQ(a.label(i), b.label(i));
  EXPECT_EQ(ours.start().y, theirs.start().y);
  EXPECT_EQ(ours.end(), theirs.end());
  for (const State& state : states_near_start(theirs)) {
    const Point x = point(ours, state), y = point(theirs, state);
    EXPECT_EQ(x.M, y.M);
    EXPECT_EQ(x.J, y.J);
    EXPECT_EQ(x.f, y.f);
    EXPECT_EQ(x.g, y.g);
    EXPECT_EQ(x.w, y.w);
    EXPECT_EQ(x.bias, y.bias);
  }
}

inline Model model(const std::string& text, const std::map<std::string, double>& set = {}) {
  return Model::from_text(text, "model.toml", set);
}

inline const Mechanism& mechanism(const Model& model) {
  return *model.mechanism;
}

}  // namespace dalembert::testing
