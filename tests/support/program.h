// The program as a person or another program meets it: called in a folder of its own, with what it printed where.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace dalembert {

class Program : public testing::Test {
 protected:
  using Json = nlohmann::ordered_json;

  Program()
      : folder_(std::filesystem::path(testing::TempDir()) /
                ("dalembert_program_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Program() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  /// Its path.
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
  }
  static std::string content(const std::string& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static std::vector<std::string> lines(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> all;
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
  }

  /// Runs the program; its status, and what it wrote to out and err.
  int call(const std::string& arguments) {
    const std::string command =
        "'" DALEMBERT_APP "' " + arguments + " > '" + file("stdout") + "' 2> '" + file("stderr") + "'";
    const int status = std::system(command.c_str());
    out = content(file("stdout"));
    err = content(file("stderr"));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  /// What a call with --json prints; throws if that is anything else.
  Json json(const std::string& arguments, int status = 0) {
    EXPECT_EQ(call(arguments + " --json"), status) << err;
    return Json::parse(out);
  }
  /// A call that is wrong: status 2, nothing on standard output, one line that says all these words.
  void refused(const std::string& arguments, const std::vector<std::string>& said) {
    EXPECT_EQ(call(arguments), 2) << arguments << "\n" << out << err;
    EXPECT_EQ(out, "") << arguments;
    EXPECT_EQ(err.rfind("dalembert: ", 0), 0u) << err;
    EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
    for (const auto& words : said) EXPECT_NE(err.find(words), std::string::npos) << words << " in: " << err;
  }
  bool printed(const std::string& words) const { return out.find(words) != std::string::npos; }

  std::string out, err;

 private:
  std::filesystem::path folder_;
};

}  // namespace dalembert
