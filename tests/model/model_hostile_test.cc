// Are model files that nobody meant to simulate refused at once, and with a sentence?
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "dalembert/model/document.h"
#include "dalembert/model/model.h"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

class HostileModel : public testing::Test {
 protected:
  HostileModel()
      : place_(fs::path(testing::TempDir()) / ("dalembert_hostile_" + std::to_string(::getpid()))) {
    fs::create_directories(place_);
  }
  ~HostileModel() override { fs::remove_all(place_); }

  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((place_ / name).parent_path());
    std::ofstream(place_ / name) << text;
    return (place_ / name).string();
  }
  /// Refused within a second of work, with these words.
  template <class Read>
  static void refused(const Read& read, const std::string& words) {
    const std::clock_t begin = std::clock();
    std::string said = "nothing is wrong";
    try {
      read();
    } catch (const Error& error) {
      said = error.sentence();
    }
    EXPECT_NE(said.find(words), std::string::npos) << said.substr(0, 500);
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 1);
  }
  static void refused_text(const std::string& text, const std::string& words) {
    refused([&] { Model::from_text(text, "m.toml"); }, words);
  }
  void refused_file(const fs::path& path, const std::string& words) const {
    refused([&] { Model::from_file(path); }, words);
  }
  /// Peak of this process so far.
  static long megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
  }
  static std::string repeated(const std::string& what, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += what;
    return all;
  }

  fs::path place_;
};

const std::string planar = "space = \"planar\"\n";
const std::string bob = "[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1\n";

TEST_F(HostileModel, LargeFilesAreNotRead) {
  const std::string path = write("large.toml", planar);
  fs::resize_file(path, 4'000'000'000);  // a hole: it takes no room
  const long before = megabytes();
  refused_file(path, "larger than 16 MB");
  EXPECT_LT(megabytes() - before, 10);
  refused_text(planar + "# " + std::string(20'000'000, 'x'), "larger than 16 MB");
}

TEST_F(HostileModel, OnlyFilesAreFiles) {
  refused_file(place_, "is not a file");
  refused_file("/dev/zero", "is not a file");
  const std::string pipe = (place_ / "pipe.toml").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  refused_file(pipe, "is not a file");
  refused_file(place_ / "none.toml", "there is no file");
}

TEST_F(HostileModel, NestingIsLimitedWhicheverWayItIsWritten) {
  const int n = 1'000'000;
  refused_text("a = " + std::string(n, '['), "nested too deeply");
  refused_text("a = " + repeated("{a=", n), "nested too deeply");
  refused_text("a" + repeated(".a", n) + " = 1", "too many parts");
  refused_text("[a" + repeated(".\",\"", n) + "]", "too many parts");
  refused_text("[[a" + repeated(" . a", n) + "]]", "too many parts");
  // the deepest that is let through reaches the reader, and comes back
  refused_text("a = " + std::string(60, '[') + std::string(60, ']'), "unknown section 'a'");
  const std::string parts = "a" + repeated(".a", 15);
  refused_text("[" + parts + "]\n" + parts + " = " + repeated("{a=", 30) + "1" + std::string(30, '}'),
               "unknown section 'a'");
  refused_text("[" + parts + "]\n" + repeated(parts + " = {", 4), "nested too deeply");
}

/// What looks like the end of a text and is none, or the other way round, hides nothing.
TEST_F(HostileModel, QuotesHideNothing) {
  const std::string dots = "a" + repeated(".a", 20'000) + " = 1\n",
                    values = "b = [" + repeated("1,", 1'100'000) + "]";
  for (const std::string start :
       {"c=\"\"\"x\"\"\"\"\n", "c='''x''''\n", "c=\"\"\"\\\"\"\"\"\n", "c=\"\"\"\"\"\"\n"}) {
    refused_text(start + dots + "#\"\"\"", "too many parts");
    refused_text(start + values + "#'''", "too many values");
  }
  refused_text("a = 0\"\xC7\xA7", "m.toml:1:6: this is not TOML");
  refused_text("a = \"\"\"\"\"\"\"\"\"", "m.toml:1:13: this is not TOML");
  refused_text("a = \"x\ny\"", "m.toml:1:7: this is not TOML");
}

TEST_F(HostileModel, ValuesAreCounted) {
  refused_text("a = [" + repeated("1,", 1'100'000) + "]", "too many values");
  refused_text("a = \"" + std::string(1'100'000, ',') + "\"",
               "unknown section 'a'");  // commas in a text are no values
}

/// Every value of every model, with something in its place that has no entries.
TEST_F(HostileModel, NothingInPlaceOfAValue) {
  for (const auto& entry : fs::directory_iterator(DALEMBERT_MODELS)) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    for (std::size_t begin = text.find(" = "); begin != std::string::npos;
         begin = text.find(" = ", begin + 1))
      for (const char* nothing : {"[]", "[[]]", "[[], [], []]", "\"\"", "{}"}) {
        const std::size_t end = text.find('\n', begin);
        const std::string changed = text.substr(0, begin + 3) + nothing + text.substr(end);
        try {
          Model::from_text(changed, entry.path());
        } catch (const ModelError& error) {
          EXPECT_FALSE(error.complaints().empty());
        }
      }
  }
  const std::string body = "space = \"spatial\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = ";
  refused_text(body + "[]\n", "m.toml:5:11: inertia is an empty list");
  refused_text(body + "[[]]\n", "m.toml:5:12: inertia is an empty list");
  refused_text(body + "[[],[],[]]\n", "m.toml:5:12: inertia is an empty list");
}

TEST_F(HostileModel, RepetitionsAreCounted) {
  const std::string nothing = "[[repeat]]\ncount = 1000000\n";
  refused_text(planar + nothing, "nothing is repeated");
  refused_text(planar + "[[repeat]]\ncount = 1e300\nbody = []\n", "more than 1000000 repetitions");
  refused_text(planar +
                   "[[repeat]]\ncount = 1000\n[[repeat.repeat]]\ncount = 1000\nindex = \"j\"\n"
                   "[[repeat.repeat.repeat]]\ncount = 1000\nindex = \"k\"\nbody = []\n",
               "more than 1000000 repetitions");
  refused_text(
      planar + "[[repeat]]\ncount = 100001\nbody = [{ name = \"b{i}\", kind = \"point\", mass = 1 }]\n",
      "more than 100000 bodies");
  refused_text(planar + bob + "[[repeat]]\ncount = 999999\njoint = [{}, {}]\n", "more than 1000000 elements");
  std::string deep = "body = []";
  for (int i = 0; i < 20; ++i)
    deep = "repeat = [{ count = 1, index = \"i" + std::to_string(i) + "\", " + deep + " }]";
  std::string head = "repeat", text = planar;
  for (int i = 0; i < 15; ++i, head += ".repeat")
    text += "[[" + head + "]]\ncount = 1\nindex = \"k" + std::to_string(i) + "\"\n";
  refused_text(text + deep, "more than 32 deep");
  refused_text(planar + "[[repeat]]\ncount = -1\nbody = []\n", "count is -1");
  refused_text(planar + "[[repeat]]\ncount = 1.5\nbody = []\n", "count is 1.5");
}

TEST_F(HostileModel, IncludesEnd) {
  write("a.toml", planar + "[[include]]\nfile = \"b.toml\"\n");
  write("b.toml", planar + "[[include]]\nfile = \"a.toml\"\n");
  refused_file(place_ / "a.toml", "includes go in a circle");
  refused_file(place_ / "a.toml", "a.toml includes " + (place_ / "b.toml").string() + " includes ");
  for (int i = 0; i < 20; ++i)
    write("deep" + std::to_string(i) + ".toml",
          planar + "[[include]]\nfile = \"deep" + std::to_string(i + 1) + ".toml\"\n");
  refused_file(place_ / "deep0.toml", "more than 16 deep");
  // four files, each including the next one ten times: ten thousand bodies were it let through
  for (int i = 0; i < 4; ++i) {
    std::string text = planar;
    for (int k = 0; k < 10; ++k)
      text += "[[include]]\nfile = \"wide" + std::to_string(i + 1) + ".toml\"\nprefix = \"p" +
              std::to_string(k) + "_\"\n";
    write("wide" + std::to_string(i) + ".toml", text);
  }
  write("wide4.toml", planar + bob);
  refused_file(place_ / "wide0.toml", "more than 1000 includes");
}

TEST_F(HostileModel, IncludesStayInTheirFolder) {
  const auto include = [&](const std::string& file) {
    return write("inner/top.toml", planar + "[[include]]\nfile = \"" + file + "\"\n");
  };
  write("secret.toml", planar + bob);
  refused_file(include("../secret.toml"), "outside of the folder");
  refused_file(include((place_ / "secret.toml").string()), "is not a path beside this file");
  refused_file(include("/etc/passwd"), "is not a path beside this file");
  refused_file(include("none.toml"), "there is no file");
  refused_file(include("."), "is not a file");
  fs::create_symlink(place_ / "secret.toml", place_ / "inner" / "link.toml");
  refused_file(include("link.toml"), "outside of the folder");
  write("inner/below/part.toml", planar + bob);
  EXPECT_EQ(Model::from_file(include("below/part.toml")).mechanism->bodies().size(), 1u);
  EXPECT_EQ(Model::from_file(include("below/../below/part.toml")).mechanism->bodies().size(), 1u);
}

TEST_F(HostileModel, ExpressionsAreArithmeticOnly) {
  const auto mass = [](const std::string& text) {
    return planar + "[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = \"" + text + "\"\n";
  };
  refused_text(mass(std::string(1'000'000, '(')), "m.toml:5:");
  refused_text(mass("system(1)"), "m.toml:5:9: ");
  refused_text(mass("1; 2"), "m.toml:5:10: ");
  refused_text(mass(repeated("1+", 1'000'000) + "1"), "m.toml:5:");
  refused_text(mass("9^9^9^9"), "m.toml:5:");
}

TEST_F(HostileModel, ParametersThatNeedEachOtherWithoutEnd) {
  std::string chain = planar + "[parameters]\np0 = 1\n";
  for (int i = 1; i < 100000; ++i)
    chain += "p" + std::to_string(i) + " = \"p" + std::to_string(i - 1) + "\"\n";
  EXPECT_EQ(Model::from_text(chain + bob, "m.toml").parameters.size(),
            100000u);  // each needs one that is there
  std::string back = planar + "[parameters]\np100000 = 1\n";
  for (int i = 0; i < 100000; ++i)
    back += "q" + std::to_string(i) + " = \"q" + std::to_string(i + 1) + "\"\n";
  refused_text(back, "more than 200 deep");
}

TEST_F(HostileModel, ManyMistakesAreNotAllListed) {
  std::string text = planar;
  for (int i = 0; i < 50000; ++i) text += "[[body]]\nmas = 1\n";
  try {
    Model::from_text(text, "m.toml");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.complaints().size(), 100u);
  }
}

TEST_F(HostileModel, NotEvenText) {
  refused_text(std::string("space = \"planar\"\0\n", 18), "m.toml:1:");
  refused_text("\xff\xfe\xfa", "m.toml:1:1: this is not TOML");
  refused_text("", "the model has no space");
  refused_text(planar, "m.toml:1:1: the model has no body");
  refused_text(planar + "[[watch]]\nname = \"e\"\nenergy = \"total\"\n", "m.toml:1:1: the model has no body");
  refused_text("space = \"planar\"\nspace = \"planar\"\n", "m.toml:2:");
}

}  // namespace
}  // namespace dalembert
