// All rows of one kind. A kind gives, for one joint between bodies a and b,
//
//   value      g(t,q)
//   jacobian   J_ri = dg_r/dq_i                      at the places (r,i) listed once
//   hessian    H_rij = dJ_ri/dq_j                    at the places (r,i,j) listed once
//   motion     g_t and g_tt, if there are any
//
// where q_i are displacements of a, then of b; and RowSet makes everything else of it: bias_r = sum_ij H_rij v_i v_j + g_tt,
// d(J'l)_i/dq_j = sum_r l_r H_rij, d(J v)_r/dq_j = sum_i H_rij v_i. A kind may give its bias itself, if it knows a shorter
// way, and
//
//   third      dH_rij/dt while bodies move with v    at the same places
//
// from which follows d(J a + bias)_r/dq_j = sum_i H_rij a_i + dH_rij/dt v_i, and
//
//   sums       J a + bias of its rows, and J'l added to what moves the bodies, where both move in every way and no motion is given
//
// At velocity level (no value) the Jacobian is the row A itself.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "dalembert/multibody/element.h"

namespace dalembert {

/// A place in the Jacobian of one joint.
struct JacobianPlace {
  int row, column;
};
/// A place in its second derivatives.
struct HessianPlace {
  int row, i, j;
};

/// Calls work(k) for k = 0..n-1. A short list is written out with k a constant, so that places looked up in constant
/// tables cost nothing and small sums stay in registers: only if it is inlined, which a compiler left alone may think too long.
template <class Work, std::size_t... k>
[[gnu::always_inline]] inline void write_out(Work&& work, std::index_sequence<k...>) {
  (work(std::integral_constant<std::size_t, k>{}), ...);
}
template <std::size_t n, class Work>
[[gnu::always_inline]] inline void for_each_place(Work&& work) {
  if constexpr (n <= 24)
    write_out(work, std::make_index_sequence<n>{});
  else
    for (std::size_t k = 0; k < n; ++k) work(k);
}

/// Entry k of a constant list. Where k is a constant, too, so is the entry: left to itself, the compiler reads it from memory, and keeps
/// what it is the index of there as well.
template <const auto& list, class Index>
[[gnu::always_inline]] constexpr auto entry(Index k) {
  if constexpr (requires { Index::value; }) {
    constexpr auto found = list[Index::value];
    return found;
  } else {
    return list[k];
  }
}

/// A body as a joint or force sees it. The ground moves in no way, a point mass does not turn.
struct End {
  int body = -1;  ///< -1: the ground
  int first = 0;  ///< of its velocities in the mechanism
  int count = 0;  ///< of its velocities
};

/// Where two bodies have theirs among the velocities of a mechanism, or forces along them.
struct OfBoth {
  const double *a, *b;
};

/// Two bodies and their n displacements each.
template <int n>
struct Ends {
  End a, b;
  /// Do both move in every way?
  bool whole() const { return a.count == n && b.count == n; }
  /// The velocity of the mechanism; -1: there is none.
  Eigen::Index coordinate(int i) const {
    const End& end = i < n ? a : b;
    const int k = i < n ? i : i - n;
    return k < end.count ? end.first + k : -1;
  }
  OfBoth both(In v) const { return {v.data() + a.first, v.data() + b.first}; }
  /// Inlined: called for every joint of every evaluation.
  [[gnu::always_inline]] inline void local(In v, double* u) const {
    if (whole())
      local<true>(v, u);
    else
      local<false>(v, u);
  }
  /// Where it is known whether they do.
  template <bool both_whole>
  [[gnu::always_inline]] inline void local(In v, double* u) const {
    if constexpr (both_whole) {
      const double *on = v.data() + a.first, *of = v.data() + b.first;
      for_each_place<n>([&](auto i) { u[i] = on[i], u[n + i] = of[i]; });
    } else {
      for (int i = 0; i < 2 * n; ++i) {
        const Eigen::Index c = coordinate(i);
        u[i] = c < 0 ? 0 : v[c];
      }
    }
  }
};

/// The rows of all joints of one kind.
template <class Space, class Kind>
class RowSet final : public Rows {
 public:
  /// The bodies of a joint and its data.
  struct Joint {
    Kind kind;
    Ends<Space::coordinates> ends;
    Eigen::Index row;  ///< its first one, counted among rows of its level
  };
  std::vector<Joint> joints;

  Level level() const override { return Kind::holonomic ? Level::position : Level::velocity; }
  bool conservative() const override {
    if constexpr (requires(const Kind& k) { k.f; })
      return std::none_of(joints.begin(), joints.end(), [](const Joint& j) { return bool(j.kind.f.at); });
    return true;
  }
  void g(const Placement& at, Out residual) const override {
    if constexpr (Kind::holonomic)
      for (const Joint& j : joints)
        j.kind.value(Space::frame(at, j.ends.a.body), Space::frame(at, j.ends.b.body), at.t,
                     residual.data() + j.row);
  }
  void jacobian(const Placement& at, Entries& J) const override {
    double s[count];
    for (const Joint& j : joints) {
      const auto &a = Space::frame(at, j.ends.a.body), &b = Space::frame(at, j.ends.b.body);
      if (double* room = j.ends.whole() ? J.room(count) : nullptr) {
        j.kind.jacobian(a, b, room);
        continue;
      }
      j.kind.jacobian(a, b, s);
      for (std::size_t k = 0; k < count; ++k)
        if (const Eigen::Index column = j.ends.coordinate(Kind::jacobian_places[k].column); column >= 0)
          J.add(row(j) + Kind::jacobian_places[k].row, column, s[k]);
    }
  }
  void velocity_bias(const Placement& at, Out w) const override {
    for (const Joint& j : joints)
      for (int r = 0; r < Kind::rows; ++r) w[row(j) + r] = motion(j.kind, at.t).rate;
  }
  void rates(const Placement& at, In v, Out rates) const override {
    double s[count], u[2 * Space::coordinates], sum[Kind::rows];
    for (const Joint& j : joints) {
      j.ends.local(v, u);
      j.kind.jacobian(Space::frame(at, j.ends.a.body), Space::frame(at, j.ends.b.body), s);
      const double given = motion(j.kind, at.t).rate;
      for_each_place<Kind::rows>([&](auto r) { sum[r] = given; });
      for_each_place<count>([&](auto k) {
        const JacobianPlace place = entry<first>(k);
        sum[place.row] += s[k] * u[place.column];
      });
      for_each_place<Kind::rows>([&](auto r) { rates[row(j) + Eigen::Index(r)] = sum[r]; });
    }
  }
  void bias(const Placement& at, In v, Out bias) const override {
    double u[2 * Space::coordinates], sum[Kind::rows];
    for (const Joint& j : joints) {
      j.ends.local(v, u);
      add_bias(j, at, u, sum);
      for_each_place<Kind::rows>([&](auto r) { bias[row(j) + Eigen::Index(r)] = sum[r]; });
    }
  }
  void geometric_stiffness(const Placement& at, In l, Entries& K) const override {
    double h[places + 1];
    for (const Joint& j : joints) {
      j.kind.hessian(Space::frame(at, j.ends.a.body), Space::frame(at, j.ends.b.body), h);
      const double* of = l.data() + row(j);
      if (double* room = j.ends.whole() ? K.room(places) : nullptr) {
        for_each_place<places>([&](auto k) { room[k] = of[entry<second>(k).row] * h[k]; });
        continue;
      }
      for (std::size_t k = 0; k < places; ++k) {
        const Eigen::Index i = j.ends.coordinate(Kind::hessian_places[k].i),
                           c = j.ends.coordinate(Kind::hessian_places[k].j);
        if (i >= 0 && c >= 0) K.add(i, c, of[Kind::hessian_places[k].row] * h[k]);
      }
    }
  }
  void velocity_jacobian(const Placement& at, In v, Entries& B) const override {
    double h[places + 1], u[2 * Space::coordinates];
    for (const Joint& j : joints) {
      j.kind.hessian(Space::frame(at, j.ends.a.body), Space::frame(at, j.ends.b.body), h);
      j.ends.local(v, u);
      for_each_place<places>([&](auto k) { h[k] *= u[entry<second>(k).i]; });
      add_columns(j, h, B);
    }
  }

  bool has_sums() const override { return true; }
  void add_sums(const Placement& at, In v, In a, In l, Out motion, Out rows) const override {
    for (const Joint& j : joints)
      if (j.ends.whole())
        add_sums_of<true>(j, at, v, a, l, motion, rows);
      else
        add_sums_of_parts(j, at, v, a, l, motion, rows);
  }
  bool differentiates_rows() const override {
    return Kind::holonomic && (places == 0 || requires { &Kind::third; });
  }
  void row_derivatives(const Placement& at, In v, In a, Entries& X) const override {
    if constexpr (requires { &Kind::third; }) {
      double h[places + 1], change[places + 1], u[2 * Space::coordinates], w[2 * Space::coordinates];
      for (const Joint& j : joints) {
        const auto &on = Space::frame(at, j.ends.a.body), &of = Space::frame(at, j.ends.b.body);
        j.ends.local(v, u);
        j.ends.local(a, w);
        j.kind.hessian(on, of, h);
        j.kind.third(on, of, u, change);
        for_each_place<places>([&](auto k) {
          const int i = entry<second>(k).i;
          h[k] = h[k] * w[i] + change[k] * u[i];
        });
        add_columns(j, h, X);
      }
    }
  }

 private:
  static constexpr const auto &first = Kind::jacobian_places, &second = Kind::hessian_places;
  static constexpr std::size_t count = first.size(), places = second.size();

  /// g_t and g_tt
  static Motion::Value motion(const Kind& kind, double t) {
    if constexpr (requires { kind.motion(t); })
      return kind.motion(t);
    else
      return {};
  }
  Eigen::Index row(const Joint& j) const { return before + j.row; }
  /// sum = bias, with the velocities of the two bodies.
  void add_bias(const Joint& j, const Placement& at, const double* u, double* sum) const {
    const auto &a = Space::frame(at, j.ends.a.body), &b = Space::frame(at, j.ends.b.body);
    const double apart = motion(j.kind, at.t).acceleration;
    for_each_place<Kind::rows>([&](auto r) { sum[r] = apart; });
    if constexpr (requires { &Kind::bias; }) {
      j.kind.bias(a, b, u, sum);
    } else {
      double h[places + 1];
      j.kind.hessian(a, b, h);
      for_each_place<places>([&](auto k) {
        const HessianPlace place = entry<second>(k);
        sum[place.row] += h[k] * u[place.i] * u[place.j];
      });
    }
  }
  /// Written out for each of both, so that sums of joints between whole bodies stay in registers.
  template <bool whole>
  [[gnu::always_inline]] inline void add_sums_of(const Joint& j, const Placement& at, In v, In a, In l,
                                                 Out motion, Out rows) const {
    constexpr int n = Space::coordinates;
    const auto &on = Space::frame(at, j.ends.a.body), &of = Space::frame(at, j.ends.b.body);
    const double* force = l.data() + row(j);
    double *to_a = motion.data() + j.ends.a.first, *to_b = motion.data() + j.ends.b.first;
    if constexpr (whole && requires { &Kind::sums; }) {
      j.kind.sums(on, of, j.ends.both(v), j.ends.both(a), force, rows.data() + row(j), to_a, to_b);
      return;
    }
    double s[count], u[2 * n], w[2 * n], push[2 * n], sum[Kind::rows];
    j.ends.template local<whole>(v, u);
    j.ends.template local<whole>(a, w);
    j.kind.jacobian(on, of, s);
    add_bias(j, at, u, sum);
    for_each_place<2 * n>([&](auto i) { push[i] = 0; });
    for_each_place<count>([&](auto k) {
      const JacobianPlace place = entry<first>(k);
      sum[place.row] += s[k] * w[place.column];
      push[place.column] += s[k] * force[place.row];
    });
    for_each_place<Kind::rows>([&](auto r) { rows[row(j) + Eigen::Index(r)] = sum[r]; });
    if constexpr (whole) {
      for_each_place<n>([&](auto i) { to_a[i] += push[i]; });
      for_each_place<n>([&](auto i) { to_b[i] += push[n + i]; });
    } else {
      for (int i = 0; i < j.ends.a.count; ++i) to_a[i] += push[i];
      for (int i = 0; i < j.ends.b.count; ++i) to_b[i] += push[n + i];
    }
  }
  /// Not part of the loop, whose registers it would need.
  [[gnu::noinline]] void add_sums_of_parts(const Joint& j, const Placement& at, In v, In a, In l, Out motion,
                                           Out rows) const {
    add_sums_of<false>(j, at, v, a, l, motion, rows);
  }
  /// Values of the places (r,i,j), to column j of row r.
  void add_columns(const Joint& j, const double* values, Entries& B) const {
    if (double* room = j.ends.whole() ? B.room(places) : nullptr) {
      std::copy_n(values, places, room);
      return;
    }
    for (std::size_t k = 0; k < places; ++k)
      if (const Eigen::Index c = j.ends.coordinate(Kind::hessian_places[k].j); c >= 0)
        B.add(row(j) + Kind::hessian_places[k].row, c, values[k]);
  }
};

}  // namespace dalembert
