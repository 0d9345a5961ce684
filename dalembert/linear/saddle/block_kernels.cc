#include "dalembert/linear/saddle/block_kernels.h"

#include <array>
#include <utility>

// Everything here must melt into one straight piece of code per kernel.
#define DALEMBERT_INLINE __attribute__((always_inline)) inline
#define DALEMBERT_UNROLL _Pragma("GCC unroll 8")

namespace dalembert {
namespace {

using Pair = double __attribute__((vector_size(16)));
using PairInMemory = double __attribute__((vector_size(16), aligned(8), may_alias));

/// T numbers in registers, as pairs and perhaps one more.
template <int T>
struct Row {
  static constexpr int pairs = T / 2;
  static constexpr bool odd = T % 2 == 1;
  Pair pair[pairs == 0 ? 1 : pairs];
  double last;

  DALEMBERT_INLINE static Row load(const double* p) {
    Row row;
    DALEMBERT_UNROLL for (int i = 0; i < pairs; ++i) {
      row.pair[i] = *reinterpret_cast<const PairInMemory*>(p + 2 * i);
    }
    if constexpr (odd) row.last = p[T - 1];
    return row;
  }
  DALEMBERT_INLINE void store(double* p) const {
    DALEMBERT_UNROLL for (int i = 0; i < pairs; ++i) * reinterpret_cast<PairInMemory*>(p + 2 * i) = pair[i];
    if constexpr (odd) p[T - 1] = last;
  }
  DALEMBERT_INLINE void set(double s, const Row& a) {
    DALEMBERT_UNROLL for (int i = 0; i < pairs; ++i) pair[i] = s * a.pair[i];
    if constexpr (odd) last = s * a.last;
  }
  DALEMBERT_INLINE void add(double s, const Row& a) {
    DALEMBERT_UNROLL for (int i = 0; i < pairs; ++i) pair[i] += s * a.pair[i];
    if constexpr (odd) last += s * a.last;
  }
  DALEMBERT_INLINE void subtract(double s, const Row& a) {
    DALEMBERT_UNROLL for (int i = 0; i < pairs; ++i) pair[i] -= s * a.pair[i];
    if constexpr (odd) last -= s * a.last;
  }
};

template <int S, int T>
DALEMBERT_INLINE void load(const double* p, Row<T>* rows, int stride = T) {
  DALEMBERT_UNROLL for (int i = 0; i < S; ++i) rows[i] = Row<T>::load(p + i * stride);
}
template <int S, int T>
DALEMBERT_INLINE void store(const Row<T>* rows, double* p, int stride = T) {
  DALEMBERT_UNROLL for (int i = 0; i < S; ++i) rows[i].store(p + i * stride);
}
template <int S>
DALEMBERT_INLINE void copy(const double* from, double* to) {
  DALEMBERT_UNROLL for (int i = 0; i < S; ++i) to[i] = from[i];
}

/// V = A B with A (S by K) in memory, row stride given, and B (K by T) in registers.
template <int S, int K, int T>
DALEMBERT_INLINE void multiply(const double* A, int stride, const Row<T>* B, Row<T>* V) {
  DALEMBERT_UNROLL for (int i = 0; i < S; ++i) {
    V[i].set(A[i * stride], B[0]);
    DALEMBERT_UNROLL for (int k = 1; k < K; ++k) V[i].add(A[i * stride + k], B[k]);
  }
}

/// For s <= 3 F is the adjugate and the result its missing factor 1/det, so that the division does not hold
/// up the products; above, F is the inverse and the result 1.
template <int S>
DALEMBERT_INLINE double invert(const double* A, double* F, double* det) {
  if constexpr (S == 1) {
    F[0] = 1;
    *det = A[0];
  } else if constexpr (S == 2) {
    F[0] = A[3], F[1] = -A[1], F[2] = -A[2], F[3] = A[0];
    *det = A[0] * A[3] - A[1] * A[2];
  } else if constexpr (S == 3) {
    F[0] = A[4] * A[8] - A[5] * A[7], F[3] = A[5] * A[6] - A[3] * A[8], F[6] = A[3] * A[7] - A[4] * A[6];
    F[1] = A[2] * A[7] - A[1] * A[8], F[4] = A[0] * A[8] - A[2] * A[6], F[7] = A[1] * A[6] - A[0] * A[7];
    F[2] = A[1] * A[5] - A[2] * A[4], F[5] = A[2] * A[3] - A[0] * A[5], F[8] = A[0] * A[4] - A[1] * A[3];
    *det = A[0] * F[0] + (A[1] * F[3] + A[2] * F[6]);
  } else {
    // [A B; C E] with X = A^-1 B, Y = C A^-1, Z = (E - C X)^-1:  [A^-1 + X Z Y, -X Z; -Z Y, Z]
    constexpr int P = S == 4 ? 2 : 3, Q = S - P;
    double a[P * P], top[P * P], schur[Q * Q], z[Q * Q], x[P * Q];
    Row<P> rows[P], Y[Q], low[Q];
    Row<Q> B[P], X[P], Z[Q];
    load<P, P>(A, rows, S);
    store<P, P>(rows, a);
    const double ra = invert<P>(a, top, det);
    DALEMBERT_UNROLL for (int i = 0; i < P; ++i) rows[i].set(ra, Row<P>::load(top + i * P));
    store<P, P>(rows, top);
    load<P, Q>(A + P, B, S);
    multiply<P, P, Q>(top, P, B, X);
    multiply<Q, P, P>(A + P * S, S, rows, Y);
    DALEMBERT_UNROLL for (int i = 0; i < Q; ++i) {
      Row<Q> e = Row<Q>::load(A + (P + i) * S + P);
      DALEMBERT_UNROLL for (int k = 0; k < P; ++k) e.subtract(A[(P + i) * S + k], X[k]);
      e.store(schur + i * Q);
    }
    const double rz = invert<Q>(schur, z, det + 1);
    DALEMBERT_UNROLL for (int i = 0; i < Q; ++i) Z[i].set(rz, Row<Q>::load(z + i * Q));
    store<Q, Q>(Z, z);
    store<Q, Q>(Z, F + P * S + P, S);
    multiply<Q, Q, P>(z, Q, Y, low);
    DALEMBERT_UNROLL for (int i = 0; i < Q; ++i) low[i].set(-1, low[i]);
    store<Q, P>(low, F + P * S, S);
    store<P, Q>(X, x);
    DALEMBERT_UNROLL for (int i = 0; i < P; ++i) {
      Row<Q> right;
      right.set(-x[i * Q], Z[0]);
      DALEMBERT_UNROLL for (int k = 1; k < Q; ++k) right.subtract(x[i * Q + k], Z[k]);
      right.store(F + i * S + P);
      DALEMBERT_UNROLL for (int k = 0; k < Q; ++k) rows[i].subtract(x[i * Q + k], low[k]);
      rows[i].store(F + i * S);
    }
    return 1;
  }
  return 1 / *det;
}

/// to = from - r A'V with A (S by TI) in memory.
template <int S, int TI, int TJ>
DALEMBERT_INLINE void update(const double* A, const Row<TJ>* V, double r, const double* from, double* to) {
  DALEMBERT_UNROLL for (int b = 0; b < TI; ++b) {
    Row<TJ> sum, row = Row<TJ>::load(from + b * TJ);
    sum.set(A[b], V[0]);
    DALEMBERT_UNROLL for (int a = 1; a < S; ++a) sum.add(A[a * TI + b], V[a]);
    row.subtract(r, sum);
    row.store(to + b * TJ);
  }
}

/// b -= r V'y
template <int S, int T>
DALEMBERT_INLINE void forward(const Row<T>* V, const double* y, double r, double* b) {
  Row<T> sum, row = Row<T>::load(b);
  sum.set(y[0], V[0]);
  DALEMBERT_UNROLL for (int a = 1; a < S; ++a) sum.add(y[a], V[a]);
  row.subtract(r, sum);
  row.store(b);
}

/// y = r F b
template <Symmetry symmetry, int S>
DALEMBERT_INLINE void apply(const double* F, const double* b, double r, double* y) {
  if constexpr (symmetry == Symmetry::symmetric) {  // by columns, which are rows: no sums across a register
    Row<S> sum;
    sum.set(b[0], Row<S>::load(F));
    DALEMBERT_UNROLL for (int k = 1; k < S; ++k) sum.add(b[k], Row<S>::load(F + k * S));
    sum.set(r, sum);
    sum.store(y);
  } else {
    DALEMBERT_UNROLL for (int i = 0; i < S; ++i) {
      double sum = F[i * S] * b[0];
      DALEMBERT_UNROLL for (int k = 1; k < S; ++k) sum += F[i * S + k] * b[k];
      y[i] = r * sum;
    }
  }
}

template <int S, int T>
DALEMBERT_INLINE void store_scaled(double r, const Row<T>* V, double* to) {
  DALEMBERT_UNROLL for (int i = 0; i < S; ++i) {
    Row<T> row;
    row.set(r, V[i]);
    row.store(to + i * T);
  }
}

/// F = r F and y = F b, into the workspace.
template <Symmetry symmetry, int S>
DALEMBERT_INLINE void finish_pivot(const Record& at, double* w, const double* F, const double* b, double r,
                                   double* y) {
  DALEMBERT_UNROLL for (int i = 0; i < S; ++i) {
    Row<S> row;
    row.set(r, Row<S>::load(F + i * S));
    row.store(w + at.inverse + i * S);
  }
  apply<symmetry, S>(F, b, r, y);
  copy<S>(y, w + at.rhs);
}

/// The right-hand side of a neighbour: by b and W if symmetric (does not wait for y), by y and L otherwise.
template <Symmetry symmetry, int S, int T>
DALEMBERT_INLINE void forward_neighbour(const Record::Neighbour& near, double* w, const double* b,
                                        const double* y) {
  constexpr bool symmetric = symmetry == Symmetry::symmetric;
  Row<T> A[S];
  load<S, T>(w + (symmetric ? near.product : near.lower), A);
  forward<S, T>(A, symmetric ? b : y, 1, w + near.rhs);
}

/// x -= W x_j
template <int S, int T>
DALEMBERT_INLINE void backward_neighbour(const Record::Neighbour& near, const double* w, double* x) {
  const double *W = w + near.product, *xj = w + near.rhs;
  DALEMBERT_UNROLL for (int i = 0; i < S; ++i) {
    double sum = x[i];
    DALEMBERT_UNROLL for (int c = 0; c < T; ++c) sum -= W[i * T + c] * xj[c];
    x[i] = sum;
  }
}

// --- A pivot alone; many neighbours follow one by one
// ---------------------------------------------------------

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

// --- A pivot with its only neighbour
// --------------------------------------------------------------------------

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

// --- A pivot with its two neighbours
// --------------------------------------------------------------------------

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

// --- Tables over the sizes
// ------------------------------------------------------------------------------------

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
