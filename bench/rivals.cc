// Where do we stand? One table: small problems and chains at equal errors beside every rival, and the program's start.
//
//   rivals [--all] [NAME ...]        andrews, car-axis, ..., chain-N, start; all of them by default
//
// Times are milliseconds of processor time of whole calls, set-up included: medians of runs that take turns. For every
// contender the cheapest tolerance is sought whose error is as small as asked for, and stays so over the next decade.
// In brackets: how many times ours. With --all, first a table of everybody for each problem and error.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/cases.h"
#include "bench/standing.h"

extern char** environ;

namespace dalembert::bench {
namespace {

/// Processor time of one call of a program, its output thrown away.
double call(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawn(&child, arguments[0], &quiet, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  rusage used{};
  if (failed != 0 || wait4(child, &status, 0, &used) < 0 || status != 0)
    throw std::runtime_error("cannot run " + words[0]);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void print_start() {
  const std::string program = DALEMBERT_PROGRAM;
  const std::vector<std::vector<std::string>> calls = {
      {"/bin/true"}, {program, "--version"}, {program, "run", "pendulum"}};
  std::vector<std::vector<double>> seconds(calls.size());
  for (int k = 0; k < 101; ++k)
    for (std::size_t i = 0; i < calls.size(); ++i) seconds[i].push_back(call(calls[i]));
  fmt::print("\n| start | ms | quartiles |\n| --- | ---: | ---: |\n");
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Spread found = spread(seconds[i]);
    const std::string name = i == 0 ? "/bin/true" : i == 1 ? "dalembert --version" : "dalembert run pendulum";
    fmt::print("| `{}` | {:.2f} | {:.2f} to {:.2f} |\n", name, 1e3 * found.median, 1e3 * found.low,
               1e3 * found.high);
  }
}

/// The class of machine, as the system names it.
std::string processor() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "a processor without a name";
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

/// The Fortran codes print to file 1 when they fail, which is expected at some tolerances: only what we print gets out.
void keep_output_to_ourselves() {
  const int out = dup(STDOUT_FILENO), nothing = open("/dev/null", O_WRONLY);
  if (out < 0 || nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0) throw std::runtime_error("no output");
  close(nothing);
  stdout = fdopen(out, "w");
}

int main(std::vector<std::string> wanted) {
  keep_output_to_ourselves();
  const bool everybody = std::erase(wanted, "--all") > 0;
  if (wanted.empty()) {
    for (const auto& [name, make] : all_cases()) wanted.push_back(name);
    wanted.insert(wanted.end(), {"chain-10", "chain-100", "chain-1000", "start"});
  }
  warn_of_slow_sundials();
  std::vector<Row> rows;
  bool start = false;
  for (const std::string& name : wanted) {
    std::vector<Row> found;
    if (name == "start") {
      start = true;
      continue;
    }
    if (name.starts_with("chain-")) {
      Chain chain;
      chain.n = std::stoi(name.substr(6));
      found = chain_standings(chain, 1e-5);
    } else {
      for (const auto& [known, make] : all_cases())
        if (known == name) found = standings(make());
      if (found.empty()) throw std::runtime_error("there is no case '" + name + "'");
    }
    if (everybody) print(found);
    rows.insert(rows.end(), found.begin(), found.end());
  }
  fmt::print("\n{}, {}, compiled by gcc {}\n", today(), processor(), __VERSION__);
  if (!rows.empty()) print_summary(rows);
  if (start) print_start();
  return 0;
}

}  // namespace
}  // namespace dalembert::bench

int main(int argc, char** argv) {
  try {
    return dalembert::bench::main({argv + 1, argv + argc});
  } catch (const std::exception& mistake) {
    fmt::print(stderr, "rivals: {}\n", mistake.what());
    return 1;
  }
}
