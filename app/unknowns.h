// Parameters that fit and minimize seek: where they are looked for, where the search begins, and what is said of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/json.h"
#include "app/picture.h"
#include "app/varied.h"
#include "dalembert/fit/search.h"

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

/// What the call says of the search: makers, options, unknowns, starts, seed, runs and threads. An end may be given to the runs before.
void read_search(SearchCall&, const Subject&, SearchTask&);

/// What a search came to, for the screen, for programs and for files.
struct SearchReport {
  std::string text;
  Json json;
  const std::vector<SearchResult::Found>& parameters;
  std::function<std::vector<Panel>()> picture;
  bool found = false;  ///< is there anything to write?
  bool right = false;  ///< is it what was asked for?
};
/// Prints it as the call wants it, and writes the files of the call.
Status tell(const SearchCall&, const SearchReport&);
/// How long this takes.
double seconds_of(const std::function<void()>&);

/// "k=100:1000" several times. A search begins at the value that holds, if that is in the range, and in its middle otherwise.
/// Throws Error for names that are not known, and for values that are set outside of their range.
std::vector<Unknown> unknowns(const SearchCall&, const Subject&);

/// The table of what was found; with errors if there are some.
std::string table(const std::vector<SearchResult::Found>&, const std::vector<Unknown>&);
Json to_json(const std::vector<SearchResult::Found>&);
/// "ended early  3 runs, the first: why"
std::string failures(const Failures&);
Json to_json(const Failures&);
/// A line of names and one of numbers, as sweep --cases reads them.
std::string values_as_csv(const std::vector<SearchResult::Found>&);

}  // namespace dalembert::app
