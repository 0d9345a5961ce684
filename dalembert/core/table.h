// Aligned columns for people.
#pragma once

#include <string>
#include <vector>

namespace dalembert {

/// A head and rows of as many cells.
class Table {
 public:
  explicit Table(std::vector<std::string> head) : head_(std::move(head)) {}
  /// Cells may be empty; a row has as many as the head.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  /// Columns of numbers to the right, others to the left; a column without any entry is left out. Each line begins with the
  /// margin.
  std::string text(const std::string& margin = {}) const;

 private:
  std::vector<std::string> head_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace dalembert
