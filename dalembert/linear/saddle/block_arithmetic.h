// Products, inverses and updates of small blocks, in registers as far as they fit. Everything here melts into one straight
// piece of code per kernel (block_kernels.h).
#pragma once

#include "dalembert/linear/saddle/block_kernels.h"

#define DALEMBERT_INLINE __attribute__((always_inline)) inline
#define DALEMBERT_UNROLL _Pragma("GCC unroll 8")

namespace dalembert::block {

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

}  // namespace dalembert::block

#undef DALEMBERT_INLINE
#undef DALEMBERT_UNROLL
