#include "dalembert/core/table.h"

#include <algorithm>
#include <set>

#include "dalembert/core/text.h"
#include "dalembert/core/wrap.h"

namespace dalembert {

struct Table::Column {
  std::size_t index, width;
  std::size_t least;  ///< it can be made this narrow
  bool right;
};

namespace {

constexpr std::size_t gap = 2;         // between columns
constexpr std::size_t narrow = 14;     // words get at least that much
constexpr std::size_t longest = 30;    // words beyond are cut where there is no room
constexpr std::size_t most_lines = 6;  // of a cell, before columns go below

bool is_number(const std::string& cell) {
  return cell == "-" || number_in(cell);
}

template <class Columns>
std::size_t whole(const Columns& all) {
  std::size_t sum = 0;
  for (const auto& column : all) sum += column.width + gap;
  return sum - std::min(sum, gap);
}

}  // namespace

std::vector<Table::Column> Table::filled() const {
  std::vector<Column> all;
  for (std::size_t j = 0; j < head_.size(); ++j) {
    Column column{j, columns(head_[j]), 0, true};
    std::size_t word = longest_word(head_[j]);
    bool any = false;
    for (const auto& row : rows_) {
      column.width = std::max(column.width, columns(row[j]));
      word = std::max(word, longest_word(row[j]));
      any = any || !row[j].empty();
      if (!row[j].empty() && !is_number(row[j])) column.right = false;
    }
    column.least = column.right ? word : std::max(std::min(word, longest), std::min(column.width, narrow));
    if (any) all.push_back(column);
  }
  return all;
}

/// The first columns that together tell rows apart, if they can be made to take no more than half of the width; otherwise the
/// first one.
std::vector<Table::Column> Table::keys(const std::vector<Column>& all, std::size_t width) const {
  std::vector<Column> some;
  for (const Column& column : all) {
    some.push_back(column);
    std::set<std::vector<std::string>> seen;
    for (const auto& row : rows_) {
      std::vector<std::string> key;
      for (const Column& each : some) key.push_back(row[each.index]);
      seen.insert(std::move(key));
    }
    if (seen.size() < rows_.size()) continue;
    if (std::vector<Column> narrower = some; squeeze(narrower, width / 2)) return narrower;
  }
  std::vector<Column> first = {all.front()};
  squeeze(first, width / 2);
  return first;
}

/// Makes columns of words narrower, in proportion to what they can spare. False if that is not enough, or cells would have too
/// many lines.
bool Table::squeeze(std::vector<Column>& all, std::size_t width) const {
  const std::size_t natural = whole(all);
  if (natural <= width) return true;
  const std::size_t excess = natural - width;
  std::size_t spare = 0;
  for (const Column& column : all) spare += column.width - column.least;
  const bool enough = spare >= excess;
  std::size_t left = std::min(excess, spare);
  for (Column& column : all) {
    const std::size_t can = column.width - column.least;
    const std::size_t give = spare == 0 ? 0 : std::min(can, (left * can + spare - 1) / spare);
    column.width -= give;
    left -= give;
    spare -= can;
  }
  return enough && std::all_of(rows_.begin(), rows_.end(), [&](const auto& row) {
           return std::all_of(all.begin(), all.end(), [&](const Column& column) {
             return wrapped(row[column.index], column.width).size() <= most_lines;
           });
         });
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<Column>& all,
                        const std::string& margin) const {
  std::vector<std::vector<std::string>> parts;
  std::size_t height = 1;
  for (const Column& column : all) {
    parts.push_back(wrapped(cells[column.index], column.width));
    height = std::max(height, parts.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < height; ++i) {
    std::string one;
    for (std::size_t j = 0; j < all.size(); ++j) {
      const std::string part = i < parts[j].size() ? parts[j][i] : "";
      const std::string pad(all[j].width - columns(part), ' ');
      one += (j == 0 ? "" : std::string(gap, ' ')) + (all[j].right ? pad + part : part + pad);
    }
    one.erase(one.find_last_not_of(' ') + 1);
    text += margin + one + "\n";
  }
  return text;
}

std::string Table::draw(std::vector<Column> all, const std::string& margin, std::size_t width) const {
  squeeze(all, width);
  std::string text = line(head_, all, margin) + margin + std::string(std::min(whole(all), width), '-') + "\n";
  for (const auto& row : rows_) text += line(row, all, margin);
  return text;
}

std::string Table::text(const std::string& margin, std::size_t width) const {
  width -= std::min(width, margin.size());
  const std::vector<Column> all = filled();
  if (all.empty()) return {};
  if (auto tried = all; squeeze(tried, width)) return draw(all, margin, width);
  const std::vector<Column> repeated = keys(all, width);
  std::string text;
  for (std::size_t at = repeated.size(); at < all.size() || text.empty();) {
    std::vector<Column> some = repeated;
    do {
      if (at < all.size()) some.push_back(all[at++]);
    } while (at < all.size() && whole(some) + gap + all[at].width <= width);
    text += (text.empty() ? "" : "\n") + draw(std::move(some), margin, width);
  }
  return text;
}

}  // namespace dalembert
