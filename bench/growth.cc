// How do reading, checking, starting, a step and memory grow with the number of bodies?
//
//   growth [--most BODIES] [FAMILY ...]        families: chain, lattice, balls, hinges
//
//   read    a model file, from text in memory: chains by [[repeat]], lattices element by element
//   check   what `dalembert check` does with it
//   start   a run by the default pair until its first step is made, consistent start and planning included
//   step    each of the ten steps after that
//   memory  the most that the process held while it did this, its own 10 MB or so left out
//
// Processor time. Every size is a process of its own, so that memory can be told apart and nothing is warm. The last line of a family is the
// slope between its largest sizes, log t / log n: 1 is linear.
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"
#include "dalembert/multibody/check/findings.h"

namespace dalembert::bench {
namespace {

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double megabytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1024;
}

/// Links of 1/n m hang one below the other, leaning by 0.5 rad.
std::string chain(int n) {
  return fmt::format("space = \"planar\"\n[parameters]\nn = {}\nl = \"1/n\"\nlean = 0.5\n", n) +
         R"toml(
[[repeat]]
count = "n"
index = "i"
start = 1

[[repeat.body]]
name = "link{i}"
mass = "1/n"
inertia = "mass*l^2/12"
position = ["(i - 1/2)*l*sin(lean)", "-(i - 1/2)*l*cos(lean)"]
angle = "lean - pi/2"

[[repeat.joint]]
name = "pin{i}"
kind = "revolute"
bodies = ["link{i-1|ground}", "link{i}"]
at = ["(i - 1)*l*sin(lean)", "-(i - 1)*l*cos(lean)"]
)toml";
}

/// A sheet of bars, hinged along its rows, with a rod across at every other bar.
std::string lattice(int n) {
  std::string text = "space = \"planar\"\n";
  const int side = static_cast<int>(std::lround(std::sqrt(n)));
  std::vector<std::array<double, 2>> above, middles;
  for (int i = 0; i < side; ++i) {
    middles.clear();
    double x = 0, y = -i;
    for (int j = 0; j < side; ++j) {
      const int k = i * side + j;
      const double angle = .3 * std::sin(1.3 * j + .7 * i), c = std::cos(angle), s = std::sin(angle);
      text +=
          fmt::format("[[body]]\nname = \"bar{}\"\nmass = 1\ninertia = {}\nposition = [{}, {}]\nangle = {}\n",
                      k, 1. / 12, x + c / 2, y + s / 2, angle);
      middles.push_back({x + c / 2 + .1, y + s / 2});
      if (j > 0)
        text += fmt::format(
            "[[joint]]\nname = \"pin{}\"\nkind = \"revolute\"\nbodies = [\"bar{}\", \"bar{}\"]\nat = [{}, "
            "{}]\n",
            k, k - 1, k, x, y);
      if (i > 0 && j % 2 == 0) {
        const auto &p = above[static_cast<std::size_t>(j)], &q = middles[static_cast<std::size_t>(j)];
        text += fmt::format(
            "[[joint]]\nname = \"rod{}\"\nkind = \"distance\"\nfrom = {{ body = \"bar{}\", at = [{}, {}] }}\n"
            "to = {{ body = \"bar{}\", at = [{}, {}] }}\n",
            k, k - side, p[0], p[1], k, q[0], q[1]);
      }
      x += c, y += s;
    }
    above = middles;
  }
  return text;
}

/// Boxes one after the other in space; hinges turn about changing axes.
std::string spatial(int n, const std::string& kind) {
  return fmt::format("space = \"spatial\"\n[parameters]\nn = {}\n", n) + R"toml(
[[repeat]]
count = "n"
index = "i"
start = 1

[[repeat.body]]
name = "link{i}"
mass = 1
inertia = [0.01, 0.085, 0.09]
position = ["i - 1/2", 0, 0]

[[repeat.joint]]
name = "joint{i}"
bodies = ["link{i-1|ground}", "link{i}"]
at = ["i - 1", 0, 0]
)toml" + fmt::format("kind = \"{}\"\n", kind) +
         (kind == "revolute" ? "axis = [\"cos(i)\", \"sin(i)\", 0.2]\n" : "");
}

struct Family {
  std::string name;
  std::function<std::string(int)> text;
  int most;
};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {{"chain", chain, 100000},
                                          {"lattice", lattice, 31684},
                                          {"balls", [](int n) { return spatial(n, "spherical"); }, 100000},
                                          {"hinges", [](int n) { return spatial(n, "revolute"); }, 100000}};
  return all;
}

/// Seconds, and megabytes.
struct Costs {
  double read, check, start, step, memory;
};

double seconds_of_steps(const std::shared_ptr<const Problem>& problem, int steps) {
  RunOptions options;
  options.tolerance = {1e-3, 1e-3};
  options.most_steps = steps;
  const double begin = processor_time();
  const Summary summary = run(problem, options);
  const double seconds = processor_time() - begin;
  if (summary.outcome != Outcome::too_many_steps && summary.outcome != Outcome::ok)
    throw std::runtime_error(summary.message);
  return seconds;
}

Costs measure(const Family& family, int n) {
  const std::string text = family.text(n);
  const double before = megabytes();
  double begin = processor_time();
  const Model model = Model::from_text(text);
  Costs costs{.read = processor_time() - begin, .check = 0, .start = 0, .step = 0, .memory = 0};
  begin = processor_time();
  const Findings findings = examine(*model.mechanism);
  costs.check = processor_time() - begin;
  if (!findings.fine()) throw std::runtime_error("the check of " + family.name + " finds errors");
  costs.start = seconds_of_steps(model.mechanism, 1);
  costs.step = (seconds_of_steps(model.mechanism, 11) - costs.start) / 10;
  costs.memory = megabytes() - before;
  return costs;
}

Costs measure_apart(const Family& family, int n) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    int code = 1;
    try {
      const Costs costs = measure(family, n);
      code = write(ends[1], &costs, sizeof costs) == sizeof costs ? 0 : 1;
    } catch (const std::exception& error) {
      fmt::print(stderr, "{} of {}: {}\n", family.name, n, error.what());
    }
    _exit(code);
  }
  close(ends[1]);
  Costs costs{};
  const bool got = read(ends[0], &costs, sizeof costs) == sizeof costs;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!got || status != 0) throw std::runtime_error("no result for " + family.name);
  return costs;
}

void print(const Family& family, int most) {
  fmt::print("{:8} {:>7} {:>10} {:>10} {:>10} {:>10} {:>10}\n", family.name, "bodies", "read ms", "check ms",
             "start ms", "step ms", "memory MB");
  std::vector<std::pair<int, Costs>> all;
  for (int n = 100; n <= std::min(most, family.most);
       n = n == 10000 && family.most < 100000 ? family.most : 10 * n) {
    const Costs c = measure_apart(family, n);
    all.emplace_back(n, c);
    fmt::print("{:8} {:>7} {:>10.3g} {:>10.3g} {:>10.3g} {:>10.3g} {:>10.3g}\n", "", n, 1e3 * c.read,
               1e3 * c.check, 1e3 * c.start, 1e3 * c.step, c.memory);
    std::fflush(stdout);
  }
  if (all.size() < 2) return;
  const auto& [n, last] = all.back();
  const auto& [less, before] = all[all.size() - 2];
  const double ratio = std::log(static_cast<double>(n) / less);
  const auto slope = [&](double Costs::*cost) { return std::log(last.*cost / (before.*cost)) / ratio; };
  fmt::print("{:8} {:>7} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f}\n\n", "", "slope",
             slope(&Costs::read), slope(&Costs::check), slope(&Costs::start), slope(&Costs::step),
             slope(&Costs::memory));
}

}  // namespace
}  // namespace dalembert::bench

int main(int count, char** words) {
  using namespace dalembert::bench;
  int most = 100000;
  std::vector<std::string> wanted;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--most" && i + 1 < count)
      most = std::stoi(words[++i]);
    else
      wanted.push_back(word);
  }
  for (const Family& family : families())
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), family.name) != wanted.end())
      print(family, most);
}
