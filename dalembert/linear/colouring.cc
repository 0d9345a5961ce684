#include "dalembert/linear/colouring.h"

#include <numeric>

namespace dalembert {

Colouring::Colouring(int rows, int columns, std::vector<Entries::Place> pattern)
    : colour_(static_cast<std::size_t>(columns), -1) {
  const auto order = [](const Entries::Place& a, const Entries::Place& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  };
  const auto same = [](const Entries::Place& a, const Entries::Place& b) {
    return a.column == b.column && a.row == b.row;
  };
  std::sort(pattern.begin(), pattern.end(), order);
  pattern.erase(std::unique(pattern.begin(), pattern.end(), same), pattern.end());

  std::vector<std::vector<int>> in_column(static_cast<std::size_t>(columns));
  for (const auto& [row, column] : pattern) in_column[static_cast<std::size_t>(column)].push_back(row);
  std::vector<int> sequence(static_cast<std::size_t>(columns));
  std::iota(sequence.begin(), sequence.end(), 0);
  std::stable_sort(sequence.begin(), sequence.end(), [&](int a, int b) {
    return in_column[static_cast<std::size_t>(a)].size() > in_column[static_cast<std::size_t>(b)].size();
  });

  std::vector<std::vector<char>> taken;  // of each colour: which rows it touches
  for (const int column : sequence) {
    const auto& touched = in_column[static_cast<std::size_t>(column)];
    if (touched.empty()) continue;
    const auto free = [&](const std::vector<char>& rows_of_colour) {
      return std::none_of(touched.begin(), touched.end(),
                          [&](int row) { return rows_of_colour[static_cast<std::size_t>(row)]; });
    };
    auto found = std::find_if(taken.begin(), taken.end(), free);
    if (found == taken.end()) found = taken.emplace(found, static_cast<std::size_t>(rows), char{0});
    for (const int row : touched) (*found)[static_cast<std::size_t>(row)] = 1;
    colour_[static_cast<std::size_t>(column)] = static_cast<int>(found - taken.begin());
  }

  colours_ = static_cast<int>(taken.size());
  columns_.resize(taken.size());
  places_.resize(taken.size());
  for (int column = 0; column < columns; ++column)
    if (colour(column) >= 0) columns_[static_cast<std::size_t>(colour(column))].push_back(column);
  for (const auto& place : pattern) places_[static_cast<std::size_t>(colour(place.column))].push_back(place);
}

}  // namespace dalembert
