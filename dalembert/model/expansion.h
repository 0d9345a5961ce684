// From files to a plain list of elements: includes are opened, repetitions are written out.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <vector>

#include "dalembert/model/model_files.h"
#include "dalembert/model/scope.h"

namespace dalembert {

/// The sections whose entries are elements, in the order in which a mechanism is put together.
inline constexpr const char* element_sections[] = {"body", "joint",  "force", "drive",
                                                   "node", "branch", "watch"};

/// One element: where it stands, and what names mean there.
struct Task {
  int section;  ///< of element_sections
  const Value* table;
  const FileScope* file;
  int repetition;  ///< -1: none
};

/// An include whose ground is a body.
struct Tie {
  const Value* value;  ///< the name in the file
  const FileScope* file;
  std::string body;  ///< in full
};

class Expansion {
 public:
  static constexpr std::size_t most_bodies = 100'000, most_elements = 1'000'000, most_repetitions = 1'000'000;
  static constexpr std::size_t most_includes = 1000, deepest_include = 16;

  Expansion(ModelFiles& files, Complaints& complaints, Eigen::Index dimension)
      : files_(files), complaints_(complaints), dimension_(dimension) {}

  /// Everything below the top file, in the order of the files. Throws ModelError if it is too much.
  void expand(const FileScope& top);

  const std::vector<Task>& tasks() const { return tasks_; }
  const std::vector<Tie>& ties() const { return ties_; }
  std::vector<Index> indices(const Task& task) const { return indices_of(task.repetition); }

 private:
  struct Repetition {
    int outer;
    const std::string* name;
    double value, first, last;
  };

  void items(const Value& table, const FileScope&, int repetition);
  void one(const Member& section, const Value& item, const FileScope&, int repetition);
  void repeat(const Value& table, const FileScope&, int repetition);
  void include(const Value& table, const FileScope&, int repetition);
  const Document* open(const Value& path, const std::string& name, const FileScope&);
  void place(const Value& table, Scope&, FileScope& inner);
  std::map<std::string, double> settings(const Value& table, const Scope&, const Document& inner);
  bool known_keys(const Value& table, const std::vector<std::string>& keys, const std::string& what,
                  const FileScope&);
  std::vector<Index> indices_of(int repetition) const;
  Scope scope(const FileScope& file, int repetition) const;
  [[noreturn]] void too_much(const Value&, const FileScope&, const std::string& what);

  ModelFiles& files_;
  Complaints& complaints_;
  Eigen::Index dimension_;
  std::deque<FileScope> scopes_{};
  std::set<const Document*> seen_{};     ///< included, and checked
  std::vector<const Document*> open_{};  ///< the chain of includes
  std::vector<Repetition> repetitions_{};
  std::deque<std::string> names_{};
  std::vector<Task> tasks_{};
  std::vector<Tie> ties_{};
  std::size_t bodies_ = 0, includes_ = 0;
};

/// Complains about keys of the file that do not exist, and about a space that is not the model's ("": none yet).
void check_top_keys(const Document&, const std::string& space, Complaints&);
/// Complains unless the section is a table.
bool is_table(const Value&, const std::string& what, const Document&, Complaints&);

}  // namespace dalembert
