// How a paper is entered: which of its tables and figures are rerun, and how ours compare with what it
// prints.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dalembert {

/// How ours compares with what is printed.
enum class Verdict {
  agrees,
  differs,      ///< for a reason that a computation bears out
  unexplained,  ///< differs, and no reason that is given holds
  not_printed   ///< the paper gives nothing to compare with
};
std::string to_string(Verdict);

/// agrees, or differs: what explained() then takes up
inline Verdict agree(bool same) {
  return same ? Verdict::agrees : Verdict::differs;
}

/// The same quantity from neither the paper nor our run: an exact solution, an independent program.
struct PaperReference {
  std::string value, origin;
  Verdict verdict;  ///< agrees or differs: ours with this value
};

/// One printed number (or formula, or claim), what it is elsewhere, and ours.
struct PaperRow {
  std::string label;     ///< "condition 16"
  std::string quantity;  ///< "sum b_i a_ij c_j omega_ik c_{k+1}^2"
  std::string printed;   ///< empty: nothing is
  std::string ours;
  Verdict verdict = Verdict::not_printed;
  std::string why = {};  ///< the reason, where they differ; else a remark
  std::optional<PaperReference> reference = {};
  std::string variant = {};  ///< another reading of a figure that has a row already; not counted as one
};
/// "differs, reference agrees"
std::string verdict_of(const PaperRow&);

/// Why ours is not what is printed, and whether a computation about this very row says so.
struct Reason {
  std::string text;
  bool holds = false;
  /// That nothing which was tried gives the printed figure is no reason: such a row is unexplained, and says what was tried.
  enum class Says { why, what_was_tried } says = Says::why;
};
/// A row that differs gets the reason, or is unexplained if that does not hold or the reference is not met either.
PaperRow explained(PaperRow, const Reason&);

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

/// Rows that differ without a reason are unexplained.
PaperEntry make_paper(std::string id, std::string title, std::string cite, std::vector<PaperPart> parts);

/// Generated from papers/*/*.cc, where a paper's main file ends with `std::vector<PaperEntry>
/// papers_in_<file>()`.
const std::vector<PaperEntry>& all_papers();
const PaperEntry& find_paper(const std::string& id);  ///< throws Error with the nearest id

}  // namespace dalembert
