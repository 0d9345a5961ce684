// Columns that meet in no row can be differentiated together: one evaluation gives them all [CurtisPowellReid1974].
//
// Columns are coloured greedily, in the order of their degree; a colour is a set of columns of which no two share a
// row. For a band of width w that takes w colours, however many columns there are.
#pragma once

#include <vector>

#include "dalembert/linear/entries.h"

namespace dalembert {

/// The columns of a pattern in colours.
class Colouring {
 public:
  Colouring() = default;
  /// Places may come in any order and more than once.
  Colouring(int rows, int columns, std::vector<Entries::Place> pattern);

  int colours() const { return colours_; }
  int colour(int column) const { return colour_[static_cast<std::size_t>(column)]; }
  /// The columns of a colour, and the places of the pattern that lie in them.
  const std::vector<int>& columns(int colour) const { return columns_[static_cast<std::size_t>(colour)]; }
  const std::vector<Entries::Place>& places(int colour) const {
    return places_[static_cast<std::size_t>(colour)];
  }

 private:
  int colours_ = 0;
  std::vector<int> colour_;  // of each column; -1 for one without entries
  std::vector<std::vector<int>> columns_;
  std::vector<std::vector<Entries::Place>> places_;
};

}  // namespace dalembert
