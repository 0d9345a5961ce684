// Calls that name what there is not, or cannot be meant: refused with 2, and a sentence that helps.
#include "tests/support/program.h"

namespace dalembert {
namespace {

using Cli = Program;

// Names that are not known.

TEST_F(Cli, UnknownCommand) {
  refused("rum pendulum", {"unknown command 'rum'", "did you mean 'run'?"});
}
TEST_F(Cli, UnknownFlag) {
  refused("run pendulum --methd dopri5", {"'--methd'", "did you mean '--method'?"});
}
TEST_F(Cli, UnknownFlagWithValue) {
  refused("run pendulum --rtoll=1", {"'--rtoll'", "did you mean '--rtol'?"});
}
TEST_F(Cli, UnknownFlagBeforeCommand) {
  refused("--versoin", {"'--versoin'", "did you mean '--version'?"});
}
TEST_F(Cli, UnknownProblem) {
  refused("run pendulm", {"unknown problem 'pendulm'", "did you mean 'pendulum'?"});
}
TEST_F(Cli, UnknownMethod) {
  refused("run pendulum --method dopri", {"unknown method 'dopri'", "did you mean 'dopri5'?"});
}
TEST_F(Cli, UnknownFormulation) {
  refused("run pendulum --formulation idnex1", {"unknown formulation 'idnex1'", "did you mean 'index1'?"});
}
TEST_F(Cli, UnknownController) {
  refused("run pendulum --controller fxed", {"'fxed'", "did you mean 'fixed'?"});
}
TEST_F(Cli, UnknownParameter) {
  refused("run andrews --set mmo=1", {"parameter", "'mmo'", "did you mean 'mom'?"});
}
TEST_F(Cli, UnknownOption) {
  refused("run pendulum --formulation baumgarte --option alhpa=1", {"'alhpa'", "did you mean 'alpha'?"});
}
TEST_F(Cli, OptionOfWhatHasNone) {
  refused("run pendulum --formulation index1 --method dopri5 --option x=1", {"no option 'x'"});
}
TEST_F(Cli, UnknownInitialValue) {
  refused("run pendulum --start q.z=1", {"'q.z'", "did you mean 'q.x'?"});
}
TEST_F(Cli, UnknownPaper) {
  refused("paper brasey-hairr", {"unknown paper", "did you mean 'brasey-hairer'?"});
}
TEST_F(Cli, UnknownTable) {
  refused("paper brasey-hairer 77", {"unknown table", "'77'", "its tables are 1, 2, 3"});
}
TEST_F(Cli, UnknownCitation) {
  refused("cite hme4", {"'hme4'", "did you mean 'hem4'?"});
}
TEST_F(Cli, UnknownAnalysis) {
  refused("analyse order-condition hem4", {"did you mean 'order-conditions'?"});
}
TEST_F(Cli, UnknownEntries) {
  refused("methods hme4", {"unknown method 'hme4'", "did you mean 'hem4'?"});
  refused("formulations idnex2", {"did you mean 'index2'?"});
  refused("problems pendulm", {"did you mean 'pendulum'?"});
}

// Calls that cannot be meant.

TEST_F(Cli, NoProblem) {
  refused("run", {"WHAT", "dalembert run --help"});
}
TEST_F(Cli, OneWordTooMany) {
  refused("run pendulum andrews", {"'andrews' is one word too many"});
  // a list ends with its value: the word after it is not swallowed
  for (const std::string list : {"run pendulum --set l=2", "compare pendulum --method dop853",
                                 "boundary robot-arm --set l=2", "analyse spectrum pendulum --start q.x=1"})
    refused(list + " b=2", {"'b=2' is one word too many"});
}
TEST_F(Cli, NoValue) {
  refused("run pendulum --rtol", {"--rtol needs a value", "dalembert run --help"});
  refused("run pendulum --rtol 1e-3 --rtol 1e-4", {"--rtol is given more than once"});
}
TEST_F(Cli, NoAnalysis) {
  refused("analyse", {"dalembert analyse --help"});
  refused("analyse spectrum", {"WHAT", "dalembert analyse spectrum --help"});
}
TEST_F(Cli, ImpossiblePair) {
  refused("run andrews --formulation index1 --method hem4",
          {"impossible pair", "leads to kind ode", "accepts hessenberg", "--formulation", "index2",
           "--method", "hem4"});
}
TEST_F(Cli, MissingStep) {
  refused("run pendulum --method rk4", {"rk4", "--step"});
}
TEST_F(Cli, ModelFile) {
  refused("run robot.toml", {"there is no file 'robot.toml'"});
}
TEST_F(Cli, MassZero) {
  refused("run pendulum --set m=0", {"'m'", "positive"});
}
TEST_F(Cli, ParameterNotANumber) {
  refused("run pendulum --set m=heavy", {"--set m", "'heavy'", "number"});
}
TEST_F(Cli, ParameterWithoutValue) {
  refused("run pendulum --set m", {"--set", "NAME=VALUE"});
}
TEST_F(Cli, Rtol) {
  refused("run pendulum --rtol 0", {"rtol is 0", "give a positive --rtol=R, or --atol=A too"});
  refused("run pendulum --rtol -1e-6", {"rtol is"});
  refused("run pendulum --rtol nan", {"rtol is nan"});
  refused("run pendulum --rtol 1e-30", {"rtol is 1e-30", "double precision", "1e-14"});
  refused("run pendulum --rtol small", {"--rtol is 'small'", "number"});
}
TEST_F(Cli, Atol) {
  refused("run pendulum --atol 0", {"atol is 0"});
  refused("run pendulum --atol -1", {"atol is"});
  refused("run pendulum --atol nan", {"atol is nan"});
  refused("run pendulum --atol 1e-6,q.z=1e-3", {"'q.z'", "did you mean 'q.x'?"});
  refused("run pendulum --atol v=0", {"atol of v is 0"});
  refused("run pendulum --atol v=small", {"--atol v", "'small'", "number"});
}
TEST_F(Cli, EndBeforeStart) {
  refused("run pendulum --end -1", {"the end -1 is not after the start 0"});
  refused("run pendulum --end 0", {"not after"});
  refused("run pendulum --end inf", {"not finite"});
  refused("run pendulum --end nan", {"the end"});
}
TEST_F(Cli, Step) {
  refused("run pendulum --step 0", {"step"});
  refused("run pendulum --step -1", {"step"});
  refused("run pendulum --max-step 0", {"the longest step is 0", "positive"});
  refused("run pendulum --step 0.1 --max-step 0.01", {"the fixed step 0.1 is longer"});
}
TEST_F(Cli, Output) {
  refused("run pendulum --output 0", {"output is 0", "whole number"});
  refused("run pendulum --output -0.5", {"output is -0.5", "positive distance"});
  refused("run pendulum --output 1e-12", {"output asks for more than 1e7 lines"});
  ASSERT_EQ(call("run pendulum --end 4 --quiet --output '2 s' --out " + file("two.csv")), 0) << err;
  EXPECT_EQ(lines(content(file("two.csv"))).size(), 4u) << "names, and the outputs at 0, 2 and 4";
  refused("run pendulum --output '1 0'", {"--output is '1 0'"});
}
TEST_F(Cli, MaxSteps) {
  refused("run pendulum --max-steps 0.5", {"--max-steps", "whole number"});
}
TEST_F(Cli, Project) {
  refused("run pendulum --project maybe", {"project is 'maybe'", "on, off"});
}
TEST_F(Cli, Singular) {
  refused("run pendulum --singular maybe", {"singular is 'maybe'", "watch, ignore"});
  refused("run pendulum --dependent 2", {"dependent is 2", "between 0 and 1"});
}
TEST_F(Cli, NothingToCite) {
  refused("cite", {"nothing to cite"});
}
TEST_F(Cli, NoTableau) {
  refused("analyse order-conditions bdf", {"no Runge-Kutta method", "hem4"});
}

}  // namespace
}  // namespace dalembert
