// How a paper is entered: which of its tables and figures are rerun, and how ours compare with what it
// prints.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dalembert {

enum class Verdict {
  agrees,
  differs,
  not_printed
};  ///< not_printed: the paper gives nothing to compare with
std::string to_string(Verdict);

/// One printed number (or formula, or claim) beside ours.
struct PaperRow {
  std::string label;     ///< "condition 16"
  std::string quantity;  ///< "sum b_i a_ij c_j omega_ik c_{k+1}^2"
  std::string paper, ours;
  Verdict verdict = Verdict::agrees;
  std::string why = {};  ///< a reason, always given where they differ
};

struct PaperTable {
  std::string id, title;
  std::vector<PaperRow> rows;
};

struct PaperReport {
  std::string paper;  ///< its id
  std::vector<PaperTable> tables;
  std::vector<std::filesystem::path> written;  ///< data and plot files
};

struct PaperOptions {
  std::filesystem::path out = {};  ///< directory for data and plots; empty: none are written
  std::function<void(const std::string&)> progress = nullptr;  ///< told what is being run
};

/// What a paper's own code supplies for one table or figure. `written` collects the files it makes.
struct PaperPart {
  std::string id, title;
  std::function<std::vector<PaperRow>(const PaperOptions&, std::vector<std::filesystem::path>& written)> run;
};

struct PaperEntry {
  struct Table {
    std::string id, title;
  };
  std::string id, title;
  std::string cite;  ///< key in docs/references.bib
  std::vector<Table> tables;
  /// One table by its id, or all of them for ""; throws Error with the nearest id.
  std::function<PaperReport(const std::string& table, const PaperOptions&)> run;
};

PaperEntry make_paper(std::string id, std::string title, std::string cite, std::vector<PaperPart> parts);

/// Generated from papers/*/*.cc, where a paper's main file ends with `std::vector<PaperEntry>
/// papers_in_<file>()`.
const std::vector<PaperEntry>& all_papers();
const PaperEntry& find_paper(const std::string& id);  ///< throws Error with the nearest id

}  // namespace dalembert
