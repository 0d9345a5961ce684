// Writes each output state as a line of comma separated values.
//
//   t [s],q.x [m],q.y [m],...       names and units; no brackets where there is no unit; watches come last
//   0,1,0,...                       17 significant digits; an entry that is not known (NaN) is left empty
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "dalembert/control/observer.h"
#include "dalembert/observe/watch.h"

namespace dalembert {

/// One line per output time.
class CsvWriter final : public Observer {
 public:
  /// Throws Error if the file cannot be opened; trouble after that ends the run with output_failed and leaves
  /// the lines written so far. What the file held before is lost with the first line, not earlier: the call
  /// may still be wrong.
  CsvWriter(std::filesystem::path path, const Layout& report, std::vector<Watch> watches = {});
  void step(const StepView& step) override {
    for (const Watch& watch : watches_)
      if (watch.follow) watch.follow(step);
  }
  void output(const State&) override;
  void end() override;
  Outcome status() const override { return trouble_.empty() ? Outcome::ok : Outcome::output_failed; }
  std::string trouble() const override { return trouble_; }

 private:
  void open(std::ios::openmode);
  void write(const std::string& line);
  void append(double);

  std::filesystem::path path_;
  std::vector<Watch> watches_;
  std::ofstream file_;
  std::string header_, line_, trouble_;
};

}  // namespace dalembert
