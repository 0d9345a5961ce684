// What a network does at a state: z by Newton's method, then the rates of its states, then their derivatives.
#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/core/bounded_law.h"
#include "dalembert/core/index.h"
#include "dalembert/core/pieces.h"
#include "dalembert/multibody/measure_state.h"
#include "dalembert/multibody/network/network_work.h"

namespace dalembert {

namespace {

// Balances in units of rounding: what is none, what may be left where steps no longer help, and where laws are inexact.
constexpr double settled = 16, small = 1e4, hopeless = 1e9;

constexpr std::size_t by_s = Branch::most, by_j = by_s + 1, by_c = by_s + 2, by_rate = by_s + 3;

Branch::Number variable(double value, std::size_t which) {
  Branch::Number x(value);
  x.gradient.d[which] = 1;
  return x;
}

}  // namespace

Network::Seen Network::look(const Placement& place, In v, In s, Work& w) const {
  const auto n = pos(measures_.size());
  const auto mine = s.segment(first_, states_);
  bool before = w.t == place.t && w.s.size() == states_ && w.s == mine && w.c.size() == n;
  w.t = place.t;
  w.s = mine;
  w.c.resize(n), w.rate.resize(n);
  for (Eigen::Index m = 0; m < n; ++m) {
    const MeasureState r(*measures_[at(m)], place, v);
    before = before && w.c[m] == r.c && w.rate[m] == r.rate;
    w.c[m] = r.c, w.rate[m] = r.rate;
  }
  w.U.resize(pos(sources_.size())), w.dU.resize(pos(sources_.size()));
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const Motion::Value now = sources_[k].U(w.t);
    w.U[pos(k)] = now.f, w.dU[pos(k)] = now.rate;
  }
  return before ? Seen::before : Seen::now;
}

Branch::Input Network::seen_by(const Record& of, const Work& w) const {
  Branch::Input in{.t = w.t};
  for (std::size_t k = 0; k < of.nodes.size(); ++k)
    in.u[k] = of.nodes[k] == ground ? Branch::Number(0) : variable(w.e[of.nodes[k]], k);
  if (of.state >= 0) in.s = variable(w.s[of.state], by_s);
  if (of.unknown >= 0) in.j = variable(w.z[of.unknown], by_j);
  if (of.measure >= 0)
    in.c = variable(w.c[of.measure], by_c), in.rate = variable(w.rate[of.measure], by_rate);
  return in;
}

/// Calls f(row, sign, number) for all that a branch contributes to.
template <class F>
void Network::contributions(const Record& of, const Branch::Response& out, F f) const {
  for (std::size_t k = 0; k < of.nodes.size(); ++k)
    if (of.nodes[k] != ground)
      for (const Term& term : potentials_[at(of.nodes[k])].terms) f(term.column, term.sign, out.I[k]);
  if (of.state >= 0) f(unknowns_ + of.state, 1., out.k);
  if (of.unknown >= 0) f(of.unknown, 1., out.row);
  if (of.measure >= 0) f(columns() + of.measure, 1., out.F);
}

/// Adds the derivatives of its answers by what the branch sees.
void Network::scatter(const Record& of, const Branch::Response& out, Matrix& A) const {
  contributions(of, out, [&](Eigen::Index row, double sign, const Branch::Number& value) {
    const auto& d = value.gradient.d;
    for (std::size_t k = 0; k < of.nodes.size(); ++k)
      if (d[k] != 0 && of.nodes[k] != ground)
        for (const Term& term : potentials_[at(of.nodes[k])].terms)
          A(row, term.column) += sign * d[k] * term.sign;
    if (of.state >= 0) A(row, unknowns_ + of.state) += sign * d[by_s];
    if (of.unknown >= 0) A(row, of.unknown) += sign * d[by_j];
    if (of.measure < 0) return;
    A(row, columns() + of.measure) += sign * d[by_c];
    A(row, columns() + pos(measures_.size()) + of.measure) += sign * d[by_rate];
  });
}

/// What linear branches answer is a sum of few terms that stay.
void Network::find_constants() {
  const auto n = pos(measures_.size());
  constant_.setZero(columns() + n, columns() + 2 * n);
  Work nowhere;
  nowhere.s.setZero(states_), nowhere.z.setZero(unknowns_), nowhere.e.setZero(pos(nodes_.size()));
  nowhere.c.setZero(n), nowhere.rate.setZero(n);
  for (Record& of : branches_) {
    if (!of.branch->linear()) continue;
    Branch::Response gains;
    of.branch->respond(seen_by(of, nowhere), gains);
    scatter(of, gains, constant_);
    of.linear.emplace();
    const auto add = [&](const Branch::Number& answer) -> LinearAnswer& {
      const auto& d = answer.gradient.d;
      LinearAnswer& all = of.linear->emplace_back();
      const auto see = [&](Vector Work::*what, Eigen::Index i, double by) {
        if (by != 0) all.terms.push_back({what, i, by});
      };
      for (std::size_t k = 0; k < of.nodes.size(); ++k)
        if (of.nodes[k] != ground) see(&Work::e, of.nodes[k], d[k]);
      if (of.state >= 0) see(&Work::s, of.state, d[by_s]);
      if (of.unknown >= 0) see(&Work::z, of.unknown, d[by_j]);
      if (of.measure >= 0) see(&Work::c, of.measure, d[by_c]), see(&Work::rate, of.measure, d[by_rate]);
      return all;
    };
    for (std::size_t k = 0; k < of.nodes.size(); ++k) {
      auto& to = add(gains.I[k]).to;
      if (of.nodes[k] != ground) to = potentials_[at(of.nodes[k])].terms;
    }
    if (of.state >= 0) add(gains.k).to = {{static_cast<int>(unknowns_) + of.state, 1.}};
    if (of.unknown >= 0) add(gains.row).to = {{of.unknown, 1.}};
    if (of.measure >= 0) add(gains.F).to = {{static_cast<int>(columns()) + of.measure, 1.}};
  }
}

void Network::assemble(Work& w) const {
  const auto n = pos(measures_.size());
  w.e.setZero(pos(nodes_.size()));
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    for (const Term& term : potentials_[i].terms)
      w.e[pos(i)] += term.sign * (term.column < unknowns_ ? w.z[term.column] : w.s[term.column - unknowns_]);
    for (const Term& term : potentials_[i].imposed) w.e[pos(i)] += term.sign * w.U[term.column];
  }
  w.G.setZero(columns() + n);
  w.flowing.setZero(columns() + n);
  w.A = constant_;
  w.I.resize(branches_.size());
  const auto answer = [&w](Eigen::Index row, double sign, double value) {
    w.G[row] += sign * value;
    w.flowing[row] += std::abs(value);
  };
  for (std::size_t b = 0; b < branches_.size(); ++b) {
    const Record& of = branches_[b];
    if (of.linear) {
      for (std::size_t i = 0; i < of.linear->size(); ++i) {
        const LinearAnswer& each = (*of.linear)[i];
        double value = 0;
        for (const LinearTerm& term : each.terms) value += term.by * (w.*term.what)[term.i];
        if (i < of.nodes.size()) w.I[b][i] = value;
        for (const Term& to : each.to) answer(to.column, to.sign, value);
      }
      continue;
    }
    Branch::Response out;
    of.branch->respond(seen_by(of, w), out);
    scatter(of, out, w.A);
    for (std::size_t k = 0; k < of.nodes.size(); ++k) w.I[b][k] = out.I[k].value;
    contributions(of, out, [&](Eigen::Index row, double sign, const Branch::Number& value) {
      answer(row, sign, value.value);
    });
  }
}

/// What leaves sources, and the power that goes into branches.
void Network::account(Work& w) const {
  w.through.setZero(pos(sources_.size()));
  w.taken.assign(branches_.size(), 0);
  for (std::size_t b = 0; b < branches_.size(); ++b) {
    const auto& nodes = branches_[b].nodes;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (nodes[k] == ground) continue;
      w.taken[b] += w.e[nodes[k]] * w.I[b][k];
      for (const Term& term : potentials_[at(nodes[k])].imposed)
        w.through[term.column] += term.sign * w.I[b][k];
    }
  }
}

/// What rounding makes of a balance: of currents, and of potentials times their conductances.
double Network::rounding(const Work& w, Eigen::Index i) const {
  return std::numeric_limits<double>::epsilon() *
         (w.flowing[i] + w.A.row(i).head(unknowns_).cwiseAbs().dot(w.z.cwiseAbs()) +
          w.A.row(i).segment(unknowns_, states_).cwiseAbs().dot(w.s.cwiseAbs()));
}

/// The largest balance in units of its rounding.
double Network::imbalance(const Work& w) const {
  double most = 0;
  for (Eigen::Index i = 0; i < unknowns_; ++i)
    if (w.G[i] != 0) most = std::max(most, std::abs(w.G[i]) / rounding(w, i));
  return most;
}

/// Newton's method from the start's solution, so that it is the same wherever a run comes from.
bool Network::solve(Work& w) const {
  const PieceRecord unheard;  // conditions and laws count where z is found
  LawRecord nobodys;
  const LawRecord::Listening unnoted(nobodys);
  const auto n = unknowns_;
  w.z = guess_;
  assemble(w);
  if (n == 0) return true;
  double last = std::numeric_limits<double>::infinity();
  constexpr int many = 200;
  for (int k = 0; k < many; ++k) {
    if (!w.G.head(n).allFinite() || !w.A.topLeftCorner(n, n).allFinite()) return false;
    w.row_scale = w.A.topLeftCorner(n, n).cwiseAbs().rowwise().maxCoeff();
    if (w.row_scale.minCoeff() == 0) return false;
    w.row_scale = w.row_scale.cwiseInverse();
    w.balance.compute(w.row_scale.asDiagonal() * w.A.topLeftCorner(n, n));
    w.orientation = static_cast<int>(w.balance.permutationP().determinant());
    for (Eigen::Index i = 0; i < n; ++i)
      if (w.balance.matrixLU()(i, i) < 0) w.orientation = -w.orientation;
    const double now = imbalance(w);
    if (now <= settled || (now < small && now >= last / 2)) return true;
    last = now;
    if (const Progress step = improve(w); step != Progress::some) return step == Progress::all;
  }
  return false;
}

/// One step, shortened until it lowers the balances as they are scaled where it begins, so that exponentials are not overshot;
/// and lengthened while that lowers them further, because down an exponential Newton's steps are all of one length.
Network::Progress Network::improve(Work& w) const {
  const auto n = unknowns_;
  const Vector from = w.z, step = -w.balance.solve(w.row_scale.cwiseProduct(w.G.head(n)));
  if (!step.allFinite()) return Progress::none;
  const auto left =
      [&] {  // of rows that are not settled: where a diode is shut, 1e-9 A stand beside rounding of 100 A
        double most = 0;
        for (Eigen::Index i = 0; i < n; ++i) {
          if (!std::isfinite(w.G[i])) return std::numeric_limits<double>::infinity();
          if (!(std::abs(w.G[i]) <= settled * rounding(w, i)))
            most = std::max(most, w.row_scale[i] * std::abs(w.G[i]));
        }
        return most;
      };
  const auto after = [&](double part) {
    w.z = from + part * step;
    assemble(w);
    return left();
  };
  const double before = left();
  double part = 1, best = after(part);
  while (!(best <= (1 - part / 4) * before)) {
    part /= 2;
    // Where all conducts next to nothing, a step is a thousand million volts: what matters is how far it still goes.
    if (part < 1e-9 &&
        part * largest(step) <=
            1e-9 *
                largest(
                    from)) {  // as good as it gets: exp(u) - 1 of a law has the error of 1, however small u is
      after(0);
      return imbalance(w) < hopeless ? Progress::all : Progress::none;
    }
    best = after(part);
  }
  if (part < 1 || best < before / 4) return Progress::some;
  Assembled& mine = w;
  for (;;) {
    std::swap(mine, w.shorter);
    const double next = after(2 * part);
    if (!(next < best)) break;
    best = next, part *= 2;
  }
  std::swap(mine, w.shorter);
  w.z = from + part * step;
  return Progress::some;
}

/// C(u, c) s' = -(currents that leave the stores of the forest)
void Network::find_rates(Work& w) const {
  w.ds = w.G.segment(unknowns_, states_);
  w.capacity.resize(stores_.size());
  w.C.resize(pos(stores_.size())), w.du.resize(pos(stores_.size()));
  w.kept.setZero(kept_, kept_);
  for (std::size_t b = 0; b < stores_.size(); ++b) {
    const StoreRecord& of = stores_[b];
    const auto potential = [&](int node) { return node == ground ? 0 : w.e[node]; };
    Store::Number u(potential(of.nodes[0]) - potential(of.nodes[1])), c(of.measure < 0 ? 0 : w.c[of.measure]);
    u.gradient.d[0] = 1, c.gradient.d[1] = 1;
    w.capacity[b] = of.store->capacity(u, c);
    const double C = w.C[pos(b)] = w.capacity[b].value;
    double imposed = 0;
    for (const Term& term : of.across.imposed) imposed += term.sign * w.dU[term.column];
    w.du[pos(b)] = imposed;
    for (const Term& i : of.across.terms) {
      w.ds[i.column] += i.sign * C * imposed;
      for (const Term& j : of.across.terms) w.kept(i.column, j.column) += i.sign * C * j.sign;
    }
  }
  if (kept_ > 0) w.ds.head(kept_) = -w.kept.partialPivLu().solve(w.ds.head(kept_));
  for (std::size_t b = 0; b < stores_.size(); ++b)
    for (const Term& term : stores_[b].across.terms) w.du[pos(b)] += term.sign * w.ds[term.column];
}

Network::Work& Network::evaluated(const Placement& place, In v, In s) const {
  Work& w = work_->mine();
  const bool same = look(place, v, s, w) == Seen::before;
  const bool heard = PieceRecord::current() != nullptr || LawRecord::current() != nullptr;
  if (same && w.found == Work::Found::rates && !heard) return w;
  w.found = solve(w) && w.orientation == orientation_ ? Work::Found::rates : Work::Found::nothing;
  if (w.found == Work::Found::rates && heard) assemble(w);
  account(w);
  if (w.found == Work::Found::nothing) {
    for (Vector* each : {&w.G, &w.e, &w.through}) each->setConstant(std::numeric_limits<double>::quiet_NaN());
    w.A.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  find_rates(w);
  return w;
}

/// Leaves in the rows of A below the unknowns the derivatives of s' and F with z eliminated, z' = -A_zz^-1 A_zx x'.
void Network::differentiate(Work& w) const {
  const auto n = unknowns_, rest = w.A.rows() - n;
  for (std::size_t b = 0; b < stores_.size(); ++b) {
    const StoreRecord& of = stores_[b];
    const auto& d = w.capacity[b].gradient.d;
    for (const Term& i : of.across.terms) {
      for (const Term& j : of.across.terms)
        w.A(n + i.column, n + j.column) += i.sign * d[0] * w.du[pos(b)] * j.sign;
      if (of.measure >= 0) w.A(n + i.column, columns() + of.measure) += i.sign * d[1] * w.du[pos(b)];
    }
  }
  if (n > 0) {
    const Matrix dz = w.balance.solve(w.row_scale.asDiagonal() * w.A.topRightCorner(n, w.A.cols() - n));
    w.A.bottomRightCorner(rest, w.A.cols() - n) -= w.A.bottomLeftCorner(rest, n) * dz;
  }
  if (kept_ > 0) {
    const Matrix rows = w.A.block(n, n, kept_, w.A.cols() - n);
    w.A.block(n, n, kept_, w.A.cols() - n) = -w.kept.partialPivLu().solve(rows);
  }
  w.found = Work::Found::nothing;  // A is used up
}

}  // namespace dalembert
