#include "dalembert/control/singular/gauss_step.h"

#include <cmath>
#include <numbers>

namespace dalembert {

namespace {

/// P_0 .. P_n at x.
std::vector<double> legendre_values(double x, int n) {
  std::vector<double> p(static_cast<std::size_t>(n) + 1, 1);
  if (n > 0) p[1] = x;
  for (std::size_t k = 2; k < p.size(); ++k) {
    const auto j = static_cast<double>(k);
    p[k] = ((2 * j - 1) * x * p[k - 1] - (j - 1) * p[k - 2]) / j;
  }
  return p;
}

constexpr int most_sweeps = 30;

}  // namespace

GaussFormula::GaussFormula(int s) : c(s), b(s), A(s, s), legendre(s, s) {
  for (int i = 0; i < s; ++i) {
    double x = std::cos(std::numbers::pi * (s - i - .25) / (s + .5)), slope = 1;
    for (int round = 0; round < 20; ++round) {
      const auto p = legendre_values(x, s);
      const auto top = static_cast<std::size_t>(s);
      slope = s * (x * p[top] - p[top - 1]) / (x * x - 1);
      x -= p[top] / slope;
    }
    c[i] = (1 + x) / 2;
    b[i] = 1 / ((1 - x * x) * slope * slope);
  }
  for (int i = 0; i < s; ++i) {
    const auto p = legendre_values(2 * c[i] - 1, s);
    for (int k = 0; k < s; ++k) legendre(k, i) = (2 * k + 1) * b[i] * p[static_cast<std::size_t>(k)];
  }
  Vector row(s);
  for (int i = 0; i < s; ++i) {
    weights(c[i], row);
    A.row(i) = row.transpose();
  }
}

void GaussFormula::weights(double theta, Out w) const {
  const int s = nodes();
  const auto p = legendre_values(2 * theta - 1, s);
  w = theta * legendre.row(0).transpose();
  for (int k = 1; k < s; ++k) {
    const auto at = static_cast<std::size_t>(k);
    w += (p[at + 1] - p[at - 1]) / (2. * (2 * k + 1)) * legendre.row(k).transpose();
  }
}

double GaussFormula::clearance(double H, double ahead) const {
  return (H * c.array() - ahead).abs().minCoeff();
}

double GaussFormula::central_gap() const {
  return (c[nodes() / 2] - c[nodes() / 2 - 1]) / 2;
}

GaussStep::GaussStep(Branch& branch, const GaussFormula& gauss, double tolerance)
    : branch_(branch), gauss_(gauss), tolerance_(tolerance), part_(branch.sizes()) {
  const Mechanical::Sizes& n = branch.sizes();
  const Eigen::Index d = part_.differential();
  from_.y = end_.y = Vector::Zero(part_.size());
  raw_end_ = next_ = start_rate_ = Vector::Zero(d);
  l_ = Vector::Zero(n.rows());
  weights_ = Vector::Zero(gauss.nodes());
  nodes_.assign(static_cast<std::size_t>(gauss.nodes()),
                {Vector::Zero(d), Vector::Zero(n.q), Vector::Zero(n.v), Vector::Zero(d)});
}

double GaussStep::scaled(In change, In size) const {
  return (change.array().abs() / (tolerance_ * (1 + size.array().abs()))).maxCoeff();
}

bool GaussStep::evaluate(double t, Node& node) {
  const Mechanical& problem = branch_.problem();
  node.q = part_.q(node.y);
  node.v = part_.v(node.y);
  if (branch_.project_position(t, node.q) != Outcome::ok) return false;
  if (branch_.project_velocity(node.v) != Outcome::ok) return false;
  const auto s = part_.s(node.y);
  problem.tangent(branch_.here(), node.v, part_.q(node.rate));
  problem.auxiliary(branch_.here(), node.v, s, part_.s(node.rate));
  return branch_.accelerate(node.v, s, part_.v(node.rate), l_) == Outcome::ok;
}

/// From the node before, with its rates and their change since the one before that.
void GaussStep::predict(int i) {
  Node& node = nodes_[static_cast<std::size_t>(i)];
  const double x = gauss_.c[i] * H_;
  if (i == 0) {
    node.y = from_.y.head(part_.differential()) + x * start_rate_;
    if (branch_.problem().plain()) part_.q(node.y) += x * x / 2 * part_.v(start_rate_);
    return;
  }
  const Node& last = nodes_[static_cast<std::size_t>(i) - 1];
  const double dx = (gauss_.c[i] - gauss_.c[i - 1]) * H_;
  node.y = last.y;
  part_.q(node.y) = last.q;
  part_.v(node.y) = last.v;
  node.y += dx * last.rate;
  if (i > 1) {
    const Node& before = nodes_[static_cast<std::size_t>(i) - 2];
    const double dx0 = (gauss_.c[i - 1] - gauss_.c[i - 2]) * H_;
    next_ = (last.rate - before.rate) / dx0;  // second derivatives, half a node back
    node.y += dx * dx / 2 * next_;
    if (branch_.problem().plain()) {
      const auto jerk = part_.v(next_);
      part_.q(node.y) = last.q + dx * last.v + dx * dx / 2 * part_.v(last.rate) + dx * dx * dx / 6 * jerk;
    }
  } else if (branch_.problem().plain()) {
    part_.q(node.y) += dx * dx / 2 * part_.v(last.rate);
  }
}

double GaussStep::sweep() {
  double most = 0;
  const auto y0 = from_.y.head(part_.differential());
  for (int i = 0; i < gauss_.nodes(); ++i) {
    next_ = y0;
    for (int j = 0; j < gauss_.nodes(); ++j)
      next_ += H_ * gauss_.A(i, j) * nodes_[static_cast<std::size_t>(j)].rate;
    Node& node = nodes_[static_cast<std::size_t>(i)];
    const double change = scaled(next_ - node.y, y0);
    if (!(change <= most)) most = change;
    node.y = next_;
  }
  return most;
}

/// The error, as the coefficients of Legendre's polynomials in the rates say: they fall like powers of H, and the order
/// of the end point is twice that of the last one.
double GaussStep::decay() const {
  const int s = gauss_.nodes();
  double first = 0, last = 0;
  for (int k = 0; k < s; ++k) {
    Vector sum = Vector::Zero(part_.differential());
    for (int i = 0; i < s; ++i) sum += gauss_.legendre(k, i) * nodes_[static_cast<std::size_t>(i)].rate;
    const double size = H_ * scaled(sum, from_.y.head(part_.differential()));
    if (k < s - 1) first = std::max(first, size);
    if (k == s - 1) last = size;
  }
  if (first == 0) return 0;
  return .1 * first * std::pow(last / first, 2. * s / (s - 1));
}

/// (N v, v', s') where the singular step begins; v' only where it is more than noise.
void GaussStep::rate_at_start(double ahead) {
  start_rate_.setZero();
  const bool regular = std::abs(ahead) > .05 * H_ && branch_.factor(from_.t, part_.q(from_.y)) == Outcome::ok;
  if (!regular ||
      branch_.accelerate(part_.v(from_.y), part_.s(from_.y), part_.v(start_rate_), l_) != Outcome::ok)
    part_.v(start_rate_).setZero();
  const auto at = branch_.problem().placement();
  at->t = from_.t;
  at->q = part_.q(from_.y);
  branch_.problem().place(*at);
  branch_.problem().tangent(*at, part_.v(from_.y), part_.q(start_rate_));
  branch_.problem().auxiliary(*at, part_.v(from_.y), part_.s(from_.y), part_.s(start_rate_));
}

Attempt GaussStep::solve(const State& from, double H, double ahead, double noise) {
  from_ = from;
  H_ = H;
  quality_ = {};
  const auto y0 = from_.y.head(part_.differential());
  const auto failed = [&](const std::string& why) {
    quality_.trouble = why;
    return Attempt{.outcome = Outcome::newton_diverged};
  };
  rate_at_start(ahead);
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0;; ++k) {
    if (k == most_sweeps) return failed("its sweeps do not converge");
    for (int i = 0; i < gauss_.nodes(); ++i) {
      if (k == 0) predict(i);
      if (!evaluate(from.t + gauss_.c[i] * H, nodes_[static_cast<std::size_t>(i)]))
        return failed("a node cannot be brought onto the constraints");
    }
    const double change = sweep();
    if (!std::isfinite(change)) return failed("a node is not finite");
    if (change < .05 || (k > 3 && change < 20 * (1 + noise) && change > .3 * last)) break;
    if (k > 3 && change > .8 * last) return failed("its sweeps do not converge");
    last = change;
  }
  raw_end_ = y0;
  for (int i = 0; i < gauss_.nodes(); ++i)
    raw_end_ += H * gauss_.b[i] * nodes_[static_cast<std::size_t>(i)].rate;
  end_.t = from.t + H;
  end_.y.head(part_.differential()) = raw_end_;
  auto q = part_.q(end_.y);
  auto v = part_.v(end_.y);
  Vector a(v.size());
  if (branch_.project_position(end_.t, q) != Outcome::ok || branch_.project_velocity(v) != Outcome::ok ||
      branch_.accelerate(v, part_.s(end_.y), a, part_.multipliers(end_.y)) != Outcome::ok)
    return failed("its end cannot be brought onto the constraints");
  quality_.drift = scaled(end_.y.head(part_.differential()) - raw_end_, y0);
  branch_.check(v, quality_.end);
  return {.error = decay(), .exponent = 1. / (2 * gauss_.nodes() + 1)};
}

// Hermite through start, nodes and end.
void GaussStep::path(double theta, Out q, Out v) const {
  const std::size_t count = nodes_.size() + 2;
  const auto x = [&](std::size_t i) {
    return i == 0 ? 0 : i + 1 == count ? 1 : gauss_.c[static_cast<Eigen::Index>(i) - 1];
  };
  q.setZero();
  v.setZero();
  auto at = branch_.problem().placement();
  Vector slope(q.size());
  const auto end_rate = [&](const State& state) {
    at->t = state.t;
    at->q = part_.q(state.y);
    branch_.problem().place(*at);
    branch_.problem().tangent(*at, part_.v(state.y), slope);
  };
  for (std::size_t i = 0; i < count; ++i) {
    double l = 1, dl = 0;
    for (std::size_t j = 0; j < count; ++j)
      if (j != i) {
        l *= (theta - x(j)) / (x(i) - x(j));
        dl += 1 / (x(i) - x(j));
      }
    const double h0 = (1 - 2 * (theta - x(i)) * dl) * l * l, h1 = (theta - x(i)) * l * l * H_;
    if (i == 0 || i + 1 == count) {
      const State& state = i == 0 ? from_ : end_;
      end_rate(state);
      q += h0 * part_.q(state.y) + h1 * slope;
      v += l * part_.v(state.y);
    } else {
      const Node& node = nodes_[i - 1];
      q += h0 * node.q + h1 * part_.q(node.rate);
      v += l * node.v;
    }
  }
}

void GaussStep::interpolate(double theta, State& state) {
  state.t = from_.t + theta * h_;
  const double part = theta * (h_ / H_);  // of the whole step
  gauss_.weights(part, weights_);
  const Eigen::Index d = part_.differential();
  // The end was moved onto the constraints: the path follows it there.
  state.y.head(d) = from_.y.head(d) + part * part * (end_.y.head(d) - raw_end_);
  for (int i = 0; i < gauss_.nodes(); ++i)
    state.y.head(d) += H_ * weights_[i] * nodes_[static_cast<std::size_t>(i)].rate;
  part_.multipliers(state.y).setConstant(not_a_number);
}

void GaussStep::acceleration(double t, Out a) const {
  const double theta = (t - from_.t) / H_;
  const Vector moved = end_.y.head(part_.differential()) - raw_end_;
  a = 2 * theta / H_ * part_.v(moved);
  for (int i = 0; i < gauss_.nodes(); ++i) {
    double weight = 1;
    for (int j = 0; j < gauss_.nodes(); ++j)
      if (j != i) weight *= (theta - gauss_.c[j]) / (gauss_.c[i] - gauss_.c[j]);
    a += weight * part_.v(nodes_[static_cast<std::size_t>(i)].rate);
  }
}

Attempt GaussStep::attempt(const State& /*from*/, double h, State& to) {
  h_ = h;
  if (h == H_)
    to = end_;
  else
    interpolate(1, to);
  return {.exponent = 1. / (2 * gauss_.nodes() + 1)};
}

}  // namespace dalembert
