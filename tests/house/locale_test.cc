// Are numbers read and written without the locale of the program that we are part of?
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

namespace dalembert {
namespace {

namespace fs = std::filesystem;

TEST(Locale, NoNumberDependsOnIt) {
  // These look at the locale; from_chars, to_chars and fmt do not. Progress prints for a terminal only.
  const std::regex reader("\\b(stod|stof|stold|strtod|strtof|atof|sscanf|setlocale)\\b"),
      writer("printf\\(.*%[0-9.]*[efg]");
  int files = 0;
  for (const char* folder : {"dalembert", "app", "problems", "papers"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(DALEMBERT_SOURCE) / folder)) {
      const std::string suffix = entry.path().extension().string();
      if ((suffix != ".cc" && suffix != ".h") || entry.path().filename() == "progress.cc") continue;
      ++files;
      std::ifstream stream(entry.path());
      int number = 0;
      for (std::string line; std::getline(stream, line);) {
        ++number;
        EXPECT_FALSE(std::regex_search(line, reader) || std::regex_search(line, writer))
            << entry.path().string() << ":" << number << ": " << line;
      }
    }
  EXPECT_GT(files, 300);
}

}  // namespace
}  // namespace dalembert
