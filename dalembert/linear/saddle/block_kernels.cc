#include "dalembert/linear/saddle/block_kernels.h"

#include <array>
#include <utility>

#include "dalembert/linear/saddle/block_arithmetic.h"

namespace dalembert {
namespace {

using namespace block;

// A pivot alone; many neighbours follow one by one.

template <Symmetry symmetry, int S>
void factor_alone(const Record& at, double* w) {
  double F[S * S], b[S], y[S];
  const double r = invert<S>(w + at.diagonal, F, w + at.determinant);
  copy<S>(w + at.rhs, b);
  finish_pivot<symmetry, S>(at, w, F, b, r, y);
}
template <Symmetry symmetry, int S>
void forward_alone(const Record& at, double* w) {
  double b[S];
  copy<S>(w + at.rhs, b);
  apply<symmetry, S>(w + at.inverse, b, 1, w + at.rhs);
}

template <int S, int T>
void factor_neighbour(const Record& at, double* w) {
  const Record::Neighbour& near = at.near[0];
  Row<T> U[S], W[S];
  load<S, T>(w + near.upper, U);
  multiply<S, S, T>(w + at.inverse, S, U, W);
  store<S, T>(W, w + near.product);
  update<S, T, T>(w + near.lower, W, 1, w + near.from, w + near.to);
  load<S, T>(w + near.lower, U);
  forward<S, T>(U, w + at.rhs, 1, w + near.rhs);
}
template <int S, int T>
void forward_one_of_many(const Record& at, double* w) {
  forward_neighbour<Symmetry::unsymmetric, S, T>(at.near[0], w, nullptr, w + at.rhs);
}
template <int S, int T>
void backward_one(const Record& at, double* w) {
  backward_neighbour<S, T>(at.near[0], w, w + at.rhs);
}
template <int S, int TI, int TJ>
void update_pair(const Record& at, double* w) {
  Row<TJ> W[S];
  load<S, TJ>(w + at.near[1].product, W);
  update<S, TI, TJ>(w + at.near[0].lower, W, 1, w + at.upper_from, w + at.upper_to);
}

// A pivot with its only neighbour.

template <Symmetry symmetry, int S, int T>
void factor_one(const Record& at, double* w) {
  const Record::Neighbour& near = at.near[0];
  double F[S * S], b[S], y[S];
  Row<T> U[S], V[S];
  const double r = invert<S>(w + at.diagonal, F, w + at.determinant);
  load<S, T>(w + near.upper, U);
  multiply<S, S, T>(F, S, U, V);
  update<S, T, T>(w + near.lower, V, r, w + near.from, w + near.to);
  copy<S>(w + at.rhs, b);
  if constexpr (symmetry == Symmetry::symmetric) forward<S, T>(V, b, r, w + near.rhs);
  finish_pivot<symmetry, S>(at, w, F, b, r, y);
  if constexpr (symmetry == Symmetry::unsymmetric) forward_neighbour<symmetry, S, T>(near, w, b, y);
  store_scaled<S, T>(r, V, w + near.product);
}
template <Symmetry symmetry, int S, int T>
void forward_one(const Record& at, double* w) {
  double b[S], y[S];
  copy<S>(w + at.rhs, b);
  apply<symmetry, S>(w + at.inverse, b, 1, y);
  copy<S>(y, w + at.rhs);
  forward_neighbour<symmetry, S, T>(at.near[0], w, b, y);
}

// A pivot with its two neighbours.

template <Symmetry symmetry, int S, int T1, int T2>
void factor_two(const Record& at, double* w) {
  const Record::Neighbour &first = at.near[0], &second = at.near[1];
  double F[S * S], b[S], y[S];
  Row<T1> U1[S], V1[S];
  Row<T2> U2[S], V2[S];
  const double r = invert<S>(w + at.diagonal, F, w + at.determinant);
  load<S, T1>(w + first.upper, U1);
  load<S, T2>(w + second.upper, U2);
  multiply<S, S, T1>(F, S, U1, V1);
  multiply<S, S, T2>(F, S, U2, V2);
  update<S, T1, T1>(w + first.lower, V1, r, w + first.from, w + first.to);
  update<S, T1, T2>(w + first.lower, V2, r, w + at.upper_from, w + at.upper_to);
  update<S, T2, T2>(w + second.lower, V2, r, w + second.from, w + second.to);
  copy<S>(w + at.rhs, b);
  if constexpr (symmetry == Symmetry::symmetric) {
    forward<S, T1>(V1, b, r, w + first.rhs);
    forward<S, T2>(V2, b, r, w + second.rhs);
  }
  finish_pivot<symmetry, S>(at, w, F, b, r, y);
  if constexpr (symmetry == Symmetry::unsymmetric) {
    forward_neighbour<symmetry, S, T1>(first, w, b, y);
    forward_neighbour<symmetry, S, T2>(second, w, b, y);
    double v1[S * T1];
    store<S, T1>(V1, v1);
    load<S, T2>(w + second.lower, U2);
    update<S, T1, T2>(v1, U2, r, w + at.lower_from, w + at.lower_to);
  }
  store_scaled<S, T1>(r, V1, w + first.product);
  store_scaled<S, T2>(r, V2, w + second.product);
}
template <Symmetry symmetry, int S, int T1, int T2>
void forward_two(const Record& at, double* w) {
  double b[S], y[S];
  copy<S>(w + at.rhs, b);
  apply<symmetry, S>(w + at.inverse, b, 1, y);
  copy<S>(y, w + at.rhs);
  forward_neighbour<symmetry, S, T1>(at.near[0], w, b, y);
  forward_neighbour<symmetry, S, T2>(at.near[1], w, b, y);
}
template <int S, int T1, int T2>
void backward_two(const Record& at, double* w) {
  double x[S];
  copy<S>(w + at.rhs, x);
  backward_neighbour<S, T2>(at.near[1], w, x);  // the later neighbour is known first
  backward_neighbour<S, T1>(at.near[0], w, x);
  copy<S>(x, w + at.rhs);
}

// Tables over the sizes.

constexpr int sizes = largest_block;
constexpr auto all = std::make_integer_sequence<int, sizes>{};
template <class Entry>
using Line = std::array<Entry, sizes>;

/// Planar and scalar blocks, and spatial ones between equal joints: three translations or rotations, five of
/// a hinge.
constexpr bool worth_fusing(int s, int t1, int t2) {
  return (s <= 3 && t1 <= 3 && t2 <= 3) || (t1 == t2 && (t1 == 3 || t1 == 5) && (s == 3 || s == 5 || s == 6));
}

template <Symmetry symmetry, int... S>
constexpr Line<Kernels> alone(std::integer_sequence<int, S...>) {
  return {Kernels{factor_alone<symmetry, S + 1>, forward_alone<symmetry, S + 1>, nullptr}...};
}
template <Symmetry symmetry, int S, int... T>
constexpr Line<Kernels> one(std::integer_sequence<int, T...>) {
  return {
      Kernels{factor_one<symmetry, S, T + 1>, forward_one<symmetry, S, T + 1>, backward_one<S, T + 1>}...};
}
template <Symmetry symmetry, int... S>
constexpr Line<Line<Kernels>> one_of(std::integer_sequence<int, S...>) {
  return {one<symmetry, S + 1>(all)...};
}
template <Symmetry symmetry, int S, int T1, int T2>
constexpr Kernels fused() {
  if constexpr (worth_fusing(S, T1, T2))
    return {factor_two<symmetry, S, T1, T2>, forward_two<symmetry, S, T1, T2>, backward_two<S, T1, T2>};
  else
    return {};
}
template <Symmetry symmetry, int S, int T1, int... T2>
constexpr Line<Kernels> two(std::integer_sequence<int, T2...>) {
  return {fused<symmetry, S, T1, T2 + 1>()...};
}
template <Symmetry symmetry, int S, int... T1>
constexpr Line<Line<Kernels>> two_of(std::integer_sequence<int, T1...>) {
  return {two<symmetry, S, T1 + 1>(all)...};
}
template <Symmetry symmetry, int... S>
constexpr Line<Line<Line<Kernels>>> two_of_all(std::integer_sequence<int, S...>) {
  return {two_of<symmetry, S + 1>(all)...};
}
template <int S, int... T>
constexpr Line<Kernels> neighbour(std::integer_sequence<int, T...>) {
  return {Kernels{factor_neighbour<S, T + 1>, forward_one_of_many<S, T + 1>, backward_one<S, T + 1>}...};
}
template <int... S>
constexpr Line<Line<Kernels>> neighbour_of(std::integer_sequence<int, S...>) {
  return {neighbour<S + 1>(all)...};
}
template <int S, int T1, int... T2>
constexpr Line<Kernel> pair_line(std::integer_sequence<int, T2...>) {
  return {update_pair<S, T1, T2 + 1>...};
}
template <int S, int... T1>
constexpr Line<Line<Kernel>> pair_of(std::integer_sequence<int, T1...>) {
  return {pair_line<S, T1 + 1>(all)...};
}
template <int... S>
constexpr Line<Line<Line<Kernel>>> pair_of_all(std::integer_sequence<int, S...>) {
  return {pair_of<S + 1>(all)...};
}

constexpr std::array alone_table{alone<Symmetry::symmetric>(all), alone<Symmetry::unsymmetric>(all)};
constexpr std::array one_table{one_of<Symmetry::symmetric>(all), one_of<Symmetry::unsymmetric>(all)};
constexpr std::array two_table{two_of_all<Symmetry::symmetric>(all), two_of_all<Symmetry::unsymmetric>(all)};
constexpr auto neighbour_table = neighbour_of(all);
constexpr auto pair_table = pair_of_all(all);

template <class Table>
constexpr const auto& at(const Table& table, int size) {
  return table[static_cast<std::size_t>(size - 1)];
}
template <class Table>
constexpr const auto& at(const Table& table, Symmetry symmetry) {
  return table[static_cast<std::size_t>(symmetry)];
}

}  // namespace

Kernels pivot_kernels(Symmetry symmetry, int s) {
  return at(at(alone_table, symmetry), s);
}
Kernels pivot_kernels(Symmetry symmetry, int s, int t) {
  return at(at(at(one_table, symmetry), s), t);
}
Kernels pivot_kernels(Symmetry symmetry, int s, int t1, int t2) {
  return at(at(at(at(two_table, symmetry), s), t1), t2);
}
Kernels neighbour_kernels(int s, int t) {
  return at(at(neighbour_table, s), t);
}
Kernel update_kernel(int s, int t1, int t2) {
  return at(at(at(pair_table, s), t1), t2);
}

}  // namespace dalembert
