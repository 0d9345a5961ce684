#include "dalembert/core/table.h"

#include <algorithm>

#include "dalembert/core/text.h"

namespace dalembert {

namespace {

struct Column {
  std::size_t index, width;
  bool right;
};

bool is_number(const std::string& cell) {
  return cell == "-" || number_in(cell);
}

std::string line(const std::vector<std::string>& cells, const std::vector<Column>& columns) {
  std::string text;
  for (const auto& column : columns) {
    const std::string& cell = cells[column.index];
    const std::string pad(column.width - cell.size(), ' ');
    text += (text.empty() ? "" : "  ") + (column.right ? pad + cell : cell + pad);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

}  // namespace

std::string Table::text(const std::string& margin) const {
  std::vector<Column> columns;
  std::size_t whole = 0;
  for (std::size_t j = 0; j < head_.size(); ++j) {
    Column column{j, head_[j].size(), true};
    bool filled = false;
    for (const auto& row : rows_) {
      column.width = std::max(column.width, row[j].size());
      filled = filled || !row[j].empty();
      if (!row[j].empty() && !is_number(row[j])) column.right = false;
    }
    if (!filled) continue;
    columns.push_back(column);
    whole += column.width + 2;
  }
  if (columns.empty()) return {};
  std::string all =
      margin + line(head_, columns) + margin + std::string(std::min<std::size_t>(whole - 2, 110), '-') + "\n";
  for (const auto& row : rows_) all += margin + line(row, columns);
  return all;
}

}  // namespace dalembert
