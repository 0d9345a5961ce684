// The digits of a motion that are certain, because families of pairs that share little agree on them.
//
//   const Certificate sure = certify(problem, {.digits = 8});
//   std::cout << report(sure);
//
// Each family runs at tightening tolerances until enough digits are certain, or double precision ends.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/run.h"
#include "dalembert/observe/certify/enclosure.h"
#include "dalembert/observe/watch.h"

namespace dalembert {

/// What is asked for.
struct CertifyOptions {
  /// Start, end, outputs and interrupt are those of this run; pair, steps and tolerance are not, but for the ratio of
  /// absolute to relative tolerance.
  RunOptions run{};
  std::vector<Watch> watches{};
  int digits = 6;     ///< significant ones, 1 to 12
  double limit = 20;  ///< processor seconds for one run, after which a family is left out
  std::function<void(const std::string&)> progress{};  ///< told before each run: "ggl radau 1e-07"
};

/// A number of the output, and what is certain of it.
struct CertainValue {
  std::string name, unit;
  Enclosure value;
  enum class Status {
    /// As many digits as asked for: significant ones, or decimals as its usual size along the motion asks for, or, of a
    /// number that may be 0, absolute tolerances.
    reached,
    less,  ///< not as many, maybe none
    /// The equations leave it open (a multiplier of rows that follow from others), or the mode has none.
    undetermined
  };
  Status status = Status::less;
};

/// All of them at one time.
struct CertainState {
  double t = 0;
  std::vector<CertainValue> values{};  ///< the state, then watches
  std::string why_not{};               ///< nothing is certain; "" if something is
};

/// A run that was made for a certificate.
struct CertifyingRun {
  double tolerance;
  std::optional<Outcome> outcome{};  ///< none: it was refused before it began
  std::string message{};
  Statistics statistics{};
  double seconds = 0;
};

/// What became of a family.
struct FamilyRecord {
  std::string name, formulation, method;
  std::vector<CertifyingRun> runs{};
  std::string verdict{};  ///< on its vote at the end: "agrees", or why it has none
};

/// What is certain, who says so, and what it cost.
struct Certificate {
  int digits = 0;  ///< asked for
  CertainState end{};
  std::vector<CertainState> outputs{};  ///< at the output times of the options
  std::vector<CertainValue> events{};   ///< their times
  std::optional<double> holds_until{};  ///< all digits asked for hold until there, if not to the end
  std::vector<FamilyRecord> families{};
  std::vector<std::string> remarks{};  ///< who disagreed and why, in sentences
  Statistics statistics{};             ///< of all runs
  double seconds = 0;                  ///< of all runs

  bool reached() const;  ///< everything that is determined has the digits asked for
};

/// Throws Error for mistakes of the caller, as run() does.
Certificate certify(std::shared_ptr<const Problem>, const CertifyOptions& = {});

/// A number that a run delivered, with its digits that a certificate confirms.
struct Delivered {
  double value;
  int right;
};
/// Of the end of a run: the state, then watches.
std::vector<Delivered> compare(const Certificate&, const Summary&, const std::vector<Watch>& = {});

/// For people: a table of what is certain, the cost, and sentences.
std::string report(const Certificate&, std::size_t width = 80);
/// What is certain of the end of a run: its values, and how many of their digits are right.
std::string report(const Certificate&, const Summary&, const std::vector<Watch>& = {},
                   std::size_t width = 80);

}  // namespace dalembert
