// Sweeps shared between processes: the same file, byte for byte, and one that was cut off is gone on with.
#include <cstdlib>
#include <fstream>

#include "tests/support/program.h"

namespace dalembert {
namespace {

class CliMpi : public Program {
 protected:
  void SetUp() override {
#ifndef DALEMBERT_HAS_MPI
    GTEST_SKIP() << "built without MPI";
#endif
    if (std::system((mpirun + "-n 2 true > /dev/null 2>&1").c_str()) != 0)
      GTEST_SKIP() << "mpirun is not here, or does not run";
  }

  /// On a machine that may have fewer cores, and no ssh, and where root may be who calls.
  const std::string mpirun =
      "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=sh timeout 60 mpirun "
      "--oversubscribe ";

  /// By three processes.
  int call_together(const std::string& arguments) {
    const std::string command = mpirun + "-n 3 '" DALEMBERT_APP "' " + arguments + " > '" + file("stdout") +
                                "' 2> '" + file("stderr") + "'";
    const int status = std::system(command.c_str());
    out = content(file("stdout"));
    err = content(file("stderr"));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(CliMpi, WritesTheSameFileAsOneProcess) {
  const std::string sweep =
      "sweep pendulum --latin 40 --vary l=-0.1:2 --vary m=1:3 --result 'max(lambda.bar),q.x' --out ";
  ASSERT_EQ(call(sweep + file("alone.csv")), 0) << err;
  ASSERT_EQ(call_together(sweep + file("together.csv") + " --mpi"), 0) << err;
  EXPECT_EQ(content(file("together.csv")), content(file("alone.csv")));
  EXPECT_NE(out.find("of 40"), std::string::npos) << out;
  EXPECT_EQ(out.find("written"), out.rfind("written")) << "told by one process alone:\n" << out;
}

TEST_F(CliMpi, GoesOnWithAFileThatWasCutOff) {
  const std::string sweep = "sweep pendulum --latin 12 --vary l=0.5:2 --quiet --out ",
                    whole = file("whole.csv"), part = file("part.csv");
  ASSERT_EQ(call(sweep + whole), 0) << err;
  const std::string text = content(whole);
  std::ofstream(part) << text.substr(0, text.size() / 2);
  ASSERT_EQ(call_together(sweep + part + " --resume --mpi"), 0) << err;
  EXPECT_EQ(content(part), text);
}

// Nothing to do, or nowhere to write: nobody is left waiting.
TEST_F(CliMpi, AllGoHomeWhereThereIsNothingToDo) {
  const std::string sweep = "sweep pendulum --vary l=0.5,1,2 --quiet --mpi --out ";
  ASSERT_EQ(call_together(sweep + file("done.csv")), 0) << err;
  const std::string text = content(file("done.csv"));
  EXPECT_EQ(call_together(sweep + file("done.csv") + " --resume"), 0) << err;
  EXPECT_EQ(content(file("done.csv")), text);
  EXPECT_NE(call_together(sweep + file("no/such/folder.csv")), 0);
}

// One process is lost while a slow run keeps others waiting: what they have made stays, and is not made again.
TEST_F(CliMpi, ALostProcessLosesNothingThatWasMade) {
  std::string cases = "g\n2000\n";
  for (int k = 1; k < 60; ++k) cases += std::to_string(1 + k) + "\n";
  const std::string list = write("cases.csv", cases);
  for (const std::string suffix : {".csv", ".h5"}) {
    const std::string lost = file("lost" + suffix), whole = file("whole" + suffix),
                      sweep = "sweep pendulum --end 200 --quiet --cases " + list + " --out ";
    write("one.sh", "echo $$ > '" + file("pid") + "'.$OMPI_COMM_WORLD_RANK\nexec '" DALEMBERT_APP "' " +
                        sweep + lost + " --mpi\n");
    write("all.sh", mpirun + "-n 3 sh '" + file("one.sh") + "' &\n" +
                        "for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do sleep 0.2; test $(cat '" + lost +
                        ".ahead' | wc -l) -ge 10 && break; done\nkill -9 $(cat '" + file("pid") +
                        "'.2)\nwait\n");
    std::system(("sh '" + file("all.sh") + "' > '" + file("o") + "' 2> '" + file("e") + "'").c_str());
    const auto kept = lines(content(lost + ".ahead")).size();
    EXPECT_GE(kept, 10U) << suffix << content(file("e"));
    ASSERT_EQ(call(sweep + lost + " --resume"), 0) << err;
    ASSERT_EQ(call(sweep + whole), 0) << err;
    if (suffix == ".csv") EXPECT_EQ(content(lost), content(whole));
    EXPECT_FALSE(std::filesystem::exists(lost + ".ahead")) << "all are in their place";
  }
}

TEST_F(CliMpi, OneProcessAloneMayLead) {
  EXPECT_EQ(call("sweep pendulum --vary l=0.5,1,2 --quiet --mpi --out " + file("one.csv")), 0) << err;
  ASSERT_EQ(call("sweep pendulum --vary l=0.5,1,2 --quiet --out " + file("two.csv")), 0) << err;
  EXPECT_EQ(content(file("one.csv")), content(file("two.csv")));
}

TEST_F(CliMpi, AMistakeIsToldAndEndsAll) {
  EXPECT_NE(call_together("sweep pendulum --vary nothing=1,2 --mpi"), 0);
  EXPECT_NE(err.find("nothing"), std::string::npos) << err;
}

}  // namespace
}  // namespace dalembert
