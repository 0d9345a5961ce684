// Parameters that fit and minimize seek: where they are looked for, where the search begins, and what is said of them.
#pragma once

#include <string>
#include <vector>

#include "app/json.h"
#include "app/varied.h"
#include "dalembert/fit/fit.h"

namespace dalembert::app {

/// What both commands are told.
struct SearchCall : VariedCall {
  std::string starts = "1", seed = "1", threads, runs = "10000", out, plot;
  std::vector<std::string> vary;
  bool quiet = false, json = false;
};
void add_search(Arguments&, SearchCall&);
/// The files that may be written.
void check_search(const SearchCall&, const std::string& data);

/// "k=100:1000" several times. A search begins at the value that holds, if that is in the range, and in its middle otherwise.
/// Throws Error for names that are not known, and for values that are set outside of their range.
std::vector<Unknown> unknowns(const SearchCall&, const Subject&);
/// Runs are as tight as differences need it, unless the call or the file says so.
RunOptions search_options(SearchCall&, const Subject&);

/// The table of what was found; with errors if there are some.
std::string table(const std::vector<FitResult::Found>&, const std::vector<Unknown>&);
Json to_json(const std::vector<FitResult::Found>&);
/// "ended early  3 runs, the first: why"
std::string failures(const Failures&);
Json to_json(const Failures&);
/// A line of names and one of numbers, as sweep --cases reads them.
std::string values_as_csv(const std::vector<FitResult::Found>&);

}  // namespace dalembert::app
