#include "dalembert/formulation/by_index/folded.h"

#include <algorithm>
#include <utility>

namespace dalembert {

namespace {

/// A place and a number that belongs to it, row after row.
using Numbered = std::pair<std::pair<int, int>, std::size_t>;

std::vector<Numbered> numbered(const Entries& entries) {
  std::vector<Numbered> all;
  all.reserve(entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k) all.push_back({{entries.row(k), entries.column(k)}, k});
  std::sort(all.begin(), all.end());
  return all;
}

/// Where it begins among sorted ones; the end if it is not there.
std::vector<Numbered>::const_iterator find(const std::vector<Numbered>& sorted, std::pair<int, int> place) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), Numbered{place, 0});
  return at != sorted.end() && at->first == place ? at : sorted.end();
}

}  // namespace

std::vector<Entries::Place> places_of(const Entries& first, std::initializer_list<const Entries*> others) {
  std::vector<Entries::Place> places;
  for (std::size_t k = 0; k < first.size(); ++k) places.push_back({first.row(k), first.column(k)});
  const std::vector<Numbered> known = numbered(first);
  std::vector<std::pair<int, int>> more;
  for (const Entries* each : others)
    for (std::size_t k = 0; k < each->size(); ++k)
      if (const std::pair place(each->row(k), each->column(k)); find(known, place) == known.end())
        more.push_back(place);
  std::sort(more.begin(), more.end());
  more.erase(std::unique(more.begin(), more.end()), more.end());
  for (const auto& [row, column] : more) places.push_back({row, column});
  return places;
}

void record(const std::vector<Entries::Place>& places, const Entries& first, Entries& to) {
  to = Entries{};
  to.begin();
  for (std::size_t k = 0; k < places.size(); ++k)
    to.add(places[k].row, places[k].column, k < first.size() ? first.value(k) : 0);
  to.end();
}

Folded fold(const Entries& first, const Entries* second, const Entries& into) {
  Folded all;
  std::vector<Numbered> sorted;
  for (const Entries* each : {&first, second})
    for (std::size_t k = 0; each != nullptr && k < each->size(); ++k)
      sorted.push_back({{each->row(k), each->column(k)}, sorted.size()});
  std::sort(sorted.begin(), sorted.end());
  all.goes.resize(sorted.size());
  const std::vector<Numbered> target = numbered(into);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || sorted[i].first != sorted[i - 1].first) {
      all.places.push_back({sorted[i].first.first, sorted[i].first.second});
      all.into.push_back(find(target, sorted[i].first)->second);  // the first one of several
    }
    all.goes[sorted[i].second] = all.places.size() - 1;
  }
  return all;
}

void gather(const double* from, std::size_t count, const std::size_t* goes, Vector& to) {
  for (Eigen::Index i = 0; i < to.size(); ++i) to[i] = 0;
  for (std::size_t k = 0; k < count; ++k) to[static_cast<Eigen::Index>(goes[k])] += from[k];
}

std::vector<RowRun> pair_rows(Folded& all) {
  std::vector<RowRun> runs;
  Folded paired = all;
  std::vector<std::size_t> now(all.places.size());  // where each place has come to
  const auto end_of_row = [&](std::size_t begin) {
    std::size_t end = begin;
    while (end < all.places.size() && all.places[end].row == all.places[begin].row) ++end;
    return end;
  };
  for (std::size_t begin = 0; begin < all.places.size();) {
    const std::size_t middle = end_of_row(begin), size = middle - begin;
    const bool two =
        middle < all.places.size() && end_of_row(middle) == middle + size &&
        all.places[middle].row == all.places[begin].row + 1 &&
        std::equal(all.places.begin() + static_cast<std::ptrdiff_t>(begin),
                   all.places.begin() + static_cast<std::ptrdiff_t>(middle),
                   all.places.begin() + static_cast<std::ptrdiff_t>(middle),
                   [](const Entries::Place& a, const Entries::Place& b) { return a.column == b.column; });
    runs.push_back({all.places[begin].row, two ? 2 : 1, static_cast<int>(size)});
    for (std::size_t i = 0; i < size; ++i) {
      now[begin + i] = two ? begin + 2 * i : begin + i;
      if (two) now[middle + i] = begin + 2 * i + 1;
    }
    begin = two ? middle + size : middle;
  }
  for (std::size_t k = 0; k < now.size(); ++k) {
    paired.places[now[k]] = all.places[k];
    paired.into[now[k]] = all.into[k];
  }
  for (std::size_t& goes : paired.goes) goes = now[goes];
  all = std::move(paired);
  return runs;
}

}  // namespace dalembert
