// Where everybody stands: medians of the time that each takes to be right to an error, and how many times ours that is.
#pragma once

#include <string>
#include <vector>

#include "bench/chain_rivals.h"
#include "bench/contest.h"

namespace dalembert::bench {

/// One problem at one error.
struct Row {
  std::string problem;
  double error = 0;
  struct Entry {
    std::string name;
    bool ours = false;
    Standing standing{};
  };
  std::vector<Entry> entries{};

  /// The fastest of ours; nullptr if none gets there.
  const Entry* best_of_ours() const;
  /// The fastest of those whose name begins with this word ("IDA"); nullptr if none gets there.
  const Entry* best_of(const std::string& code) const;
};

/// A problem of the catalogue at errors of 1e-4, 1e-6 and 1e-8.
std::vector<Row> standings(const Case&);
std::vector<Row> chain_standings(const Chain&, double error);

/// Everybody, one line each, as a table in Markdown.
void print(const std::vector<Row>&);
/// The best of each code, one line for each problem and error, as a table in Markdown.
void print_summary(const std::vector<Row>&);

}  // namespace dalembert::bench
