// Does every mistake in a model file get a sentence with a place, the reason, and what would be right?
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "dalembert/model/model.h"

namespace dalembert {
namespace {

/// All sentences about a text, one per line.
std::string complaints(const std::string& text) {
  try {
    read_model_text(text, "m.toml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "nothing is wrong";
}

/// A model in which one line, the ninth, is as given. The body "crank" stands before, a joint after it.
std::string with_line(const std::string& line) {
  return "space = \"planar\"\n"             // 1
         "[parameters]\n"                   // 2
         "l = 0.5\n"                        // 3
         "[[body]]\n"                       // 4
         "name = \"crank\"\n"               // 5
         "mass = 1\n"                       // 6
         "inertia = \"mass*l^2/12\"\n"      // 7
         "[[body]]\n"                       // 8
         + line + "\n" +                    // 9
         "name = \"rod\"\n"                 // 10
         "[[joint]]\n"                      // 11
         "name = \"main\"\n"                // 12
         "kind = \"revolute\"\n"            // 13
         "bodies = [\"crank\", \"rod\"]\n"  // 14
         "at = [0, 0]\n";                   // 15
}

struct Case {
  std::string line, said;
};

TEST(ModelErrors, OneMistakeInABody) {
  const std::string good = "inertia = 1\nmass = 1";
  EXPECT_EQ(complaints(with_line(good)), "nothing is wrong");
  const std::vector<Case> cases = {
      {"inertia = 1", "m.toml:8:1: body 'rod' has no mass; add mass = ... (kg: mass)"},
      {"mass = \"heavy\"\ninertia = 1",
       "m.toml:9:9: unknown name 'heavy'; known are: l, pi, and the functions (`sin(x)`, ...)"},
      {"mass = \"2*ll\"\ninertia = 1", "m.toml:9:11: unknown name 'll'; did you mean 'l'?"},
      {"mass = \"2*(l\"\ninertia = 1", ""},
      {"mass = [1]\ninertia = 1", "m.toml:9:8: mass is a list; a number or an expression was expected"},
      {"mass = true\ninertia = 1",
       "m.toml:9:8: mass is true or false; a number or an expression was expected"},
      {"mass = -1\ninertia = 1", "m.toml:9:8: mass of body 'rod' is negative: -1; it must be 0 or larger"},
      {"mass = nan\ninertia = 1", "m.toml:9:8: mass is nan; a finite number was expected"},
      {"mass = inf\ninertia = 1", "m.toml:9:8: mass is inf; a finite number was expected"},
      {"mass = \"3 mm\"\ninertia = 1", "m.toml:9:11: mass is in mm; its unit is kg"},
      {"mass = \"3 kgg\"\ninertia = 1", "m.toml:9:11: unknown unit 'kgg'; did you mean 'kg'?"},
      {"maas = 1\nmass = 1\ninertia = 1",
       "m.toml:9:1: unknown key of body 'rod' 'maas'; did you mean 'mass'?"},
      {"position = [1, 2, 3]\n" + good, "m.toml:9:12: position has 3 entries; a list of 2 was expected"},
      {"position = 1\n" + good, "m.toml:9:12: position is a number; a list of 2 was expected"},
      {"position = [1, \"2*x\"]\n" + good, ""},
      {"kind = \"rigd\"\n" + good, "m.toml:9:8: unknown kind of body 'rigd'; did you mean 'rigid'?"},
      {"shape = { kind = \"bra\", length = 1 }\n" + good,
       "m.toml:9:18: unknown shape 'bra'; did you mean 'bar'?"},
      {"shape = { kind = \"bar\", lenght = 1 }\n" + good,
       "m.toml:9:25: unknown key of shape 'lenght'; did you mean 'length'?"},
      {"angle = \"45 dge\"\n" + good, "m.toml:9:13: unknown unit 'dge'; did you mean 'deg'?"},
  };
  for (const Case& each : cases) EXPECT_EQ(complaints(with_line(each.line)), each.said) << each.line;
}

}  // namespace
}  // namespace dalembert
