// Does every mistake in a model file get a sentence with a place, the reason, and what would be right?
#include <gtest/gtest.h>

#include "dalembert/model/model.h"

namespace dalembert {
namespace {

/// All sentences about a text, one per line.
std::string complaints(const std::string& text) {
  try {
    Model::from_text(text, "m.toml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "nothing is wrong";
}

struct Case {
  std::string line, said;
};

/// A model with something in lines 9 and following, after the head of the body "rod".
std::string with_rod(const std::string& lines) {
  return "space = \"planar\"\n"         // 1
         "[parameters]\n"               // 2
         "l = 0.5\n"                    // 3
         "[[body]]\n"                   // 4
         "name = \"crank\"\n"           // 5
         "mass = 1\n"                   // 6
         "inertia = \"mass*l^2/12\"\n"  // 7
         "[[body]]\n"                   // 8
         + lines +
         "\nname = \"rod\"\n"
         "[[joint]]\n"
         "name = \"main\"\n"
         "kind = \"revolute\"\n"
         "bodies = [\"crank\", \"rod\"]\n"
         "at = [0, 0]\n";
}

TEST(ModelErrors, InBodies) {
  const std::string good = "inertia = 1\nmass = 1";
  EXPECT_EQ(complaints(with_rod(good)), "nothing is wrong");
  const std::vector<Case> cases = {
      {"inertia = 1", "m.toml:8:1: body 'rod' has no mass; add mass = ... (kg: mass)"},
      {"mass = \"heavy\"\ninertia = 1", "m.toml:9:9: unknown name 'heavy'; known are: l, pi"},
      {"mass = \"2*ll\"\ninertia = 1", "m.toml:9:11: unknown name 'll'; did you mean 'l'?"},
      {"mass = \"2*(l\"\ninertia = 1", "m.toml:9:11: this ( is not closed; write the ) that belongs to it"},
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
      {"position = [1, \"2*mas\"]\n" + good, "m.toml:9:19: unknown name 'mas'; did you mean 'mass'?"},
      {"kind = \"rigd\"\n" + good, "m.toml:9:8: unknown kind of body 'rigd'; did you mean 'rigid'?"},
      {"shape = { kind = \"bra\", length = 1 }\n" + good,
       "m.toml:9:18: unknown shape 'bra'; did you mean 'bar'?"},
      {"shape = { kind = \"bar\", lenght = 1 }\n" + good,
       "m.toml:9:25: unknown key of shape 'lenght'; did you mean 'length'?"},
      {"angle = \"cos(30 deg)\"\n" + good,
       "m.toml:9:14: '30 deg' has a unit inside of a formula; units stand alone, behind the whole value; "
       "give "
       "'30 deg' a name under [parameters]"},
      {"angle = \"45 dge\"\n" + good, "m.toml:9:13: unknown unit 'dge'; did you mean 'deg'?"},
      {"angle = \"4\\t5\"\n" + good, "m.toml:9:10: an operator is missing in '4 5'; write 4*5 for a product"},
  };
  for (const Case& each : cases) EXPECT_EQ(complaints(with_rod(each.line)), each.said) << each.line;
}

/// A model with something behind two good bodies, in lines 10 and following.
std::string with_rest(const std::string& lines) {
  return "space = \"planar\"\n"  // 1
         "[[body]]\n"            // 2
         "name = \"crank\"\n"    // 3
         "kind = \"point\"\n"    // 4
         "mass = 1\n"            // 5
         "[[body]]\n"            // 6
         "name = \"rod\"\n"      // 7
         "kind = \"point\"\n"    // 8
         "mass = 1\n" +          // 9
         lines +
         "\n";
}

TEST(ModelErrors, InJointsAndSections) {
  const std::string joint = "[[joint]]\nname = \"main\"\nkind = \"revolute\"\n";
  const std::string whole = joint + "bodies = [\"crank\", \"rod\"]\nat = [0, 0]\n";
  const std::vector<Case> cases = {
      {whole, "nothing is wrong"},
      {joint + "bodies = [\"crnk\", \"rod\"]\nat = [0, 0]",
       "m.toml:13:11: unknown body 'crnk'; did you mean 'crank'?"},
      {joint + "bodies = [\"crank\"]\nat = [0, 0]",
       "m.toml:13:10: bodies has 1 entries; a list of 2 was expected"},
      {joint + "bodies = [\"rod\", \"rod\"]\nat = [0, 0]",
       "m.toml:13:10: joint 'main' joins rod to itself; two different bodies were expected"},
      {whole + whole, "m.toml:16:8: there are two of the name 'main'; the other one is at m.toml:11:8"},
      {"[[body]]\nname = \"rod\"\nkind = \"point\"\nmass = 2",
       "m.toml:11:8: there are two of the name 'rod'; the other one is at m.toml:7:8"},
      {"[[body]]\nname = \"ground\"\nkind = \"point\"\nmass = 2",
       "m.toml:11:8: 'ground' cannot be the name of a body; the ground is there without being described"},
      {"[[body]]\nkind = \"point\"\nmass = 2", "m.toml:10:1: this body has no name; add name = \"...\""},
      {"[[jiont]]\nname = \"main\"", "m.toml:10:3: unknown section 'jiont'; did you mean 'joint'?"},
      {"[body.more]\nname = \"main\"",
       "m.toml:10:7: unknown key of body 'rod' 'more'; known are: name, kind, mass, position, velocity, "
       "shape"},
      {"[run]\nend = -1", "m.toml:11:7: end is -1; it must be larger than 0"},
      {"[run]\nmethod = \"raadu\"", "m.toml:11:10: unknown method 'raadu'; did you mean 'radau'?"},
      {"[run]\natol = { \"q.crnk.x\" = 1 }",
       "m.toml:11:1: unknown block or entry of atol 'q.crnk.x'; did you mean 'q.crank.x'?"},
      {"[run]\natol = { v = 0 }", "m.toml:11:14: atol of v is 0; it must be larger than 0"},
      {"[run]\nsingular = \"stpo\"", "m.toml:11:12: unknown singular 'stpo'; did you mean 'stop'?"},
      {"[run]\nmax_step = \"1 m\"", "m.toml:11:15: max_step is in m; its unit is s"},
      {"[run]\nrtoll = 1", "m.toml:11:1: unknown key of run 'rtoll'; did you mean 'rtol'?"},
      {"[parameters]\na = \"b\"\nb = \"c + 1\"\nc = \"a\"",
       "m.toml:11:5: parameters go in a circle: a needs b needs c needs a; give one of them a number"},
      {"[parameters]\nsin = 1",
       "m.toml:11:1: 'sin' cannot be the name of a parameter; it has a meaning in every expression"},
      {"[parameters]\n\"a b\" = 1",
       "m.toml:11:1: 'a b' cannot be the name of a parameter; take letters, digits and _, a letter first"},
      {"[[reference]]\nt = 1\nvalues = { \"q.rod.z\" = 1 }",
       "m.toml:12:12: unknown label 'q.rod.z'; did you mean 'q.rod.x'?"},
      {"[[repeat]]\ncount = 3\n[[repeat.body]]\nname = \"m{i/2}\"\nkind = \"point\"\nmass = 1",
       "m.toml:13:11: {i/2} is 0.5; what stands in braces must be whole"},
      {"[[repeat]]\ncount = 3\n[[repeat.body]]\nname = \"m{i}\"\nkind = \"point\"\nmas = 1",
       "m.toml:12:1: body 'm0' has no mass; add mass = ... (kg: mass)\n"
       "m.toml:15:1: unknown key of body 'm0' 'mas'; did you mean 'mass'?"},
      {"[[include]]\nfile = \"none.toml\"",
       "m.toml:11:8: there is no file 'none.toml'; check its name and folder"},
      {"a = ",
       "m.toml:10:5: this is not TOML: expected a value, but there is the end of the line; texts stand in "
       "quotes, sections in brackets: name = \"crank\", [[body]]"},
  };
  for (const Case& each : cases) EXPECT_EQ(complaints(with_rest(each.line)), each.said) << each.line;
}

TEST(ModelErrors, AllOfThemAtOnce) {
  EXPECT_EQ(complaints(R"toml(space = "planar"
gravity = [0, 0, -9.81]
[parameters]
l = "2*k"
[[body]]
name = "crank"
mass = "l"
inertia = "l^2 mm"
positon = [1, 0]
[[joint]]
name = "main"
kind = "revolut"
bodies = ["ground", "crank"]
at = [0, 0]
[[joint]]
name = "second"
kind = "revolute"
bodies = ["crank", "rod"]
at = [0, 0]
)toml"),
            "m.toml:2:11: gravity is no vector; a list of 2 was expected\n"
            "m.toml:4:8: unknown name 'k'; known are: l, pi\n"
            "m.toml:8:16: inertia is in mm; its unit is kg m^2\n"
            "m.toml:9:1: unknown key of body 'crank' 'positon'; did you mean 'position'?\n"
            "m.toml:12:8: unknown kind of joint 'revolut'; did you mean 'revolute'?\n"
            "m.toml:18:20: unknown body 'rod'; known are: ground, crank");
}

TEST(ModelErrors, TheOffendingTextIsKept) {
  try {
    Model::from_text(with_rod("mass = \"2*ll\"\ninertia = 1\nmaas = 2"), "m.toml");
    FAIL();
  } catch (const ModelError& error) {
    ASSERT_EQ(error.complaints().size(), 2u);
    EXPECT_EQ(error.complaints()[0].text, "ll");
    EXPECT_EQ(error.complaints()[1].text, "maas");
  }
}

/// Columns are counted in characters, as editors do.
TEST(ModelErrors, ColumnsOfTextsThatAreNotAscii) {
  EXPECT_EQ(complaints("space = \"planar\"\n[[body]]\nname = \"b\"\nkind = \"point\"\n"
                       "shape = { kind = \"Stab-äöü\", \"grö\" = 1 }\nmass = 1\n"),
            "m.toml:5:18: unknown shape 'Stab-äöü'; known are: bar, box, cylinder, disc, sphere");
}

}  // namespace
}  // namespace dalembert
