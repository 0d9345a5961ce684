// Entries of a matrix with those that meet at one place added up, row after row, and where they go in a larger one.
#pragma once

#include <initializer_list>
#include <vector>

#include "dalembert/core/vector.h"
#include "dalembert/linear/entries.h"

namespace dalembert {

/// The places of a matrix, each of its entries in one of its own, and behind them those that others have besides.
std::vector<Entries::Place> places_of(const Entries& first, std::initializer_list<const Entries*> others);
/// Has the values of the first one, and zeros behind them.
void record(const std::vector<Entries::Place>&, const Entries& first, Entries& to);

struct Folded {
  std::vector<Entries::Place> places{};
  std::vector<std::size_t> goes{};  ///< each entry, to one of the places
  std::vector<std::size_t> into{};  ///< each place, to an entry of the matrix
};
/// Of one matrix, or of two, in the pattern of a third one that has all their places.
Folded fold(const Entries& first, const Entries* second, const Entries& into);
/// Values of entries, added up where they meet.
void gather(const double* from, std::size_t count, const std::size_t* goes, Vector& to);

/// One row, or two that follow each other and have entries in the same columns: these stand in pairs then, as rows of a joint do.
struct RowRun {
  int row, rows, columns;
};
std::vector<RowRun> pair_rows(Folded&);

}  // namespace dalembert
