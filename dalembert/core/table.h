// Aligned columns for people.
#pragma once

#include <cstddef>
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
  /// margin, and none is longer than the width: words go to further lines of their cell, and where that would make cells of
  /// many lines, columns go to a further table below, with those repeated that tell rows apart.
  std::string text(const std::string& margin = {}, std::size_t width = 80) const;

 private:
  struct Column;
  std::vector<Column> filled() const;
  std::vector<Column> keys(const std::vector<Column>&, std::size_t width) const;
  bool squeeze(std::vector<Column>&, std::size_t width) const;
  std::string line(const std::vector<std::string>& cells, const std::vector<Column>&,
                   const std::string& margin) const;
  std::string draw(std::vector<Column>, const std::string& margin, std::size_t width) const;

  std::vector<std::string> head_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace dalembert
