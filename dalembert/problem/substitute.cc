#include "dalembert/problem/substitute.h"

#include <algorithm>
#include <typeinfo>

namespace dalembert {

namespace {

/// Every matrix of a problem, evaluated once where it starts.
struct Patterns {
  explicit Patterns(const Mechanical& p) : n(p.sizes()) {
    const State start = p.start();
    const MechanicalState part(n);
    const auto at = p.placement();
    at->t = start.t;
    at->q = part.q(start.y);
    p.place(*at);
    p.mass(*at, M);
    if (n.rows() > 0) p.jacobian(*at, J);
    p.derivatives(*at, part.v(start.y), part.s(start.y), Vector::Zero(n.v), Vector::Zero(n.rows()), d);
    if (!p.plain()) p.kinematics(*at, part.v(start.y), k);
  }
  bool same(const Patterns& other) const {
    const auto same = [](const Entries& a, const Entries& b) { return a.same_pattern(b); };
    const Derivatives& e = other.d;
    return same(M, other.M) && same(J, other.J) && same(d.K, e.K) && same(d.D, e.D) && same(d.S, e.S) &&
           same(d.B, e.B) && same(d.k_q, e.k_q) && same(d.k_v, e.k_v) && same(d.k_s, e.k_s) &&
           same(k.N, other.k.N) && same(k.inverse, other.k.inverse) && same(k.Nv_q, other.k.Nv_q);
  }

  Mechanical::Sizes n;
  Entries M, J;
  Derivatives d;
  Kinematics k;
};

}  // namespace

namespace {

bool same_labels(const Layout& a, const Layout& b) {
  const auto same = [](const Block& x, const Block& y) { return x.name == y.name && x.labels == y.labels; };
  return std::equal(a.blocks().begin(), a.blocks().end(), b.blocks().begin(), b.blocks().end(), same);
}

}  // namespace

namespace {

/// Has it sums, and derivatives of them?
std::pair<bool, bool> abilities(const Mechanical& problem) {
  const auto* sums = as<MotionSums>(&problem);
  return {sums != nullptr && sums->has_sums(), sums != nullptr && sums->differentiates_rows()};
}

}  // namespace

bool same_structure(const Mechanical& a, const Mechanical& b) {
  const auto n = a.sizes(), m = b.sizes();
  const bool sizes = n.q == m.q && n.v == m.v && n.s == m.s && n.holonomic == m.holonomic &&
                     n.nonholonomic == m.nonholonomic && a.plain() == b.plain();
  return typeid(a) == typeid(b) && sizes && abilities(a) == abilities(b) &&
         same_labels(a.layout(), b.layout()) && Patterns(a).same(Patterns(b));
}

}  // namespace dalembert
