// The heavy top as a body held at a point: rotation in space, with the orientation by a quaternion or a rotation vector.
//
//   m x'' = -m g e_z - lambda,  J omega' = -omega x J omega + X x R'lambda,  0 = x - R X
//
// x is the centre of mass, omega the angular velocity in body components, X = (0,l,0) the centre of mass in the
// body. Velocities are (x', omega); q' = N(q) v with
//
//   heavy-top                   q = (x, e):    e' = e o (0,omega)/2      R is that of e/|e|: a drifting |e| does no harm
//   heavy-top-rotation-vector   q = (x, psi):  psi' = T^-1(psi) omega    pole at |psi| = 2 pi
//
// Where |psi| reaches 1.1 pi an event replaces psi by psi (1 - 2 pi/|psi|), the same rotation: once per turn, 24 times
// a second for this top. That works, at 5 to 15 % more steps; the quaternion needs no events.
//
// Data of [BruelsCardonaArnold2012]. The digits in exact() are ours: Euler's equations about the fixed point with a
// quaternion by extrapolation in extended precision, three step sizes alike; x and x' agree to all digits with a
// run in the direction of the axis alone (Radau IIA of order 13).
#include <numbers>

#include "dalembert/core/rotations.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/drawable.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

const std::vector<Parameter> parameters = {
    {"m", 15, "kg", "mass"},
    {"l", 1, "m", "centre of mass from the fixed point"},
    {"J1", .234375, "kg m^2", "inertia across the axis, about the centre of mass"},
    {"J3", .46875, "kg m^2", "inertia about the axis"},
    {"g", 9.81, "m/s^2", "gravity"},
    {"spin", 150, "rad/s", "angular velocity about the axis at the start"},
    {"turn", -4.61538, "rad/s", "angular velocity about z at the start"}};

struct Attitude : Placement {
  Matrix3d R;
};

const Matrix3d& attitude(const Placement& at) {
  return static_cast<const Attitude&>(at).R;
}

/// Everything but the chart of the orientation.
class HeavyTop : public Mechanical, public Drawable {
 public:
  HeavyTop(const Parameters& p, Eigen::Index orientation)
      : m_(p.positive("m")),
        J1_(p.positive("J1")),
        J3_(p.positive("J3")),
        g_(p["g"]),
        spin_(p["spin"]),
        turn_(p["turn"]),
        X_(0, p.positive("l"), 0),
        orientation_(orientation),
        published_(defaults(p, parameters)) {}

  Sizes sizes() const override { return {.q = 3 + orientation_, .v = 6, .holonomic = 3}; }
  Layout layout() const override;
  State start() const override {
    Vector y(9 + orientation_);
    y << X_, chart(Vector4d(1, 0, 0, 0)), Vector3d(0, spin_, turn_).cross(X_), 0, spin_, turn_;
    return with_multipliers(*this, 0, y);
  }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override;

  Sketch sketch() const override {
    using enum Sketch::Kind;
    return {.planar = false,
            .points = {"O", "centre", "rim"},
            .parts = {{support, "ground", {0}}, {link, "axle", {0, 1}}, {disc, "disc", {1, 2, 0}}}};
  }
  Eigen::Matrix3Xd sketch_points(const State& state) const override {
    const auto at = placed_at(state.t, state.y.head(sizes().q));
    Eigen::Matrix3Xd points = Eigen::Matrix3Xd::Zero(3, 3);
    points.col(1) = state.y.head<3>();
    points.col(2) = points.col(1) + attitude(*at) * Vector3d(X_.norm() / 4, 0, 0);
    return points;
  }

  std::unique_ptr<Placement> placement() const override { return std::make_unique<Attitude>(); }
  void place(Placement& at) const override {
    static_cast<Attitude&>(at).R = rotation_matrix(quaternion(at.q).normalized());
  }
  bool plain() const override { return false; }
  void advance(const Placement&, In u, Out q) const override;
  void difference(In from, In to, Out u) const override;

  void mass(const Placement&, Entries&) const override;
  void force(const Placement&, In v, In s, Out f) const override;
  void g(const Placement& at, Out residual) const override { residual = at.q.head<3>() - attitude(at) * X_; }
  void jacobian(const Placement&, Entries&) const override;
  void bias(const Placement& at, In v, Out bias) const override {
    const Vector3d omega = v.tail<3>();
    bias = -attitude(at) * omega.cross(omega.cross(X_));
  }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    return m_ * v.head<3>().squaredNorm() / 2 + inertia().dot(v.tail<3>().cwiseAbs2()) / 2 +
           m_ * g_ * at.q[2];
  }
  void derivatives(const Placement&, In v, In s, In a, In l, Derivatives&) const override;

 protected:
  virtual Vector4d quaternion(In q) const = 0;                 ///< of any length
  virtual Vector chart(const Vector4d& quaternion) const = 0;  ///< the orientation as part of q
  /// The orientation as part of q, nearest to that of `near`.
  virtual void write_near(const Vector4d& quaternion, In near, Out orientation) const = 0;
  Vector3d inertia() const { return {J1_, J3_, J1_}; }

 private:
  double m_, J1_, J3_, g_, spin_, turn_;
  Vector3d X_;
  Eigen::Index orientation_;  // entries
  bool published_;            // the reference digits hold for these parameters
};

Layout HeavyTop::layout() const {
  Names names{.q = {"x", "y", "z"},
              .v = {"x'", "y'", "z'", "omega1", "omega2", "omega3"},
              .lambda = {"joint-x", "joint-y", "joint-z"},
              .q_units = {"m", "m", "m"},
              .v_units = {"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"},
              .lambda_units = {"N", "N", "N"}};
  for (Eigen::Index i = 0; i < orientation_; ++i) {
    names.q.push_back(orientation_ == 4 ? "e" + std::to_string(i) : "psi" + std::to_string(i + 1));
    names.q_units.push_back(orientation_ == 4 ? "" : "rad");
  }
  return mechanical_layout(std::move(names));
}

std::optional<State> HeavyTop::exact(double t) const {
  if (!published_) return {};
  const auto quaternion_form = digits_at(
      t,
      {{.2,
        {.6055505613771198, .5989576817949192, -.5239830274300032, -.7082791529743126, .4387810881265819,
         .5457283961454177, .0893997528240050, -.040163033609745, -3.667823788207908, -4.239053298845593,
         -2.69159091214341, 150, 4.91726098989399, 640.236407992098, 148.627711346951, -136.929313038415}},
       {1,
        {.1733439640983860, .6400885920705688, -.7484907911335813, .7329439806796638, -.2782857193376127,
         .5318246113341625, -.3201761427362493, .570825303425487, -4.588728296334952, -3.791955154710042,
         -.82207810168271, 150, -5.92329134811734, 517.600739476900, 396.843101489554, -404.574925162885}},
       {2,
        {-.1504168227456418, -.7241655916368956, -.6730222695604441, .1229471350415335, -.4910798925500272,
         .3504300303436209, -.7879868875504856, -2.749186312581890, -3.202718635574886, 4.060523149756693,
         .12223321949739, 150, -5.85562458920546, 260.735211311083, -613.612698982597, -309.716631390939}}});
  if (!quaternion_form) return {};
  const Vector& known = quaternion_form->y;
  State state{t, Vector(12 + orientation_)};
  state.y << known.head(3), chart(known.segment<4>(3)), known.tail(9);
  return state;
}

void HeavyTop::advance(const Placement& at, In u, Out q) const {
  q.head<3>() = at.q.head<3>() + u.head<3>();
  write_near(compose(quaternion(at.q), quaternion_of(u.tail<3>())), at.q, q);
}

/// Rotations by the vector of R_from' R_to: signs of quaternions and turns of rotation vectors are no differences.
void HeavyTop::difference(In from, In to, Out u) const {
  u.head<3>() = to.head<3>() - from.head<3>();
  u.tail<3>() = rotation_vector_of(compose(conjugate(quaternion(from)), quaternion(to)));
}

void HeavyTop::mass(const Placement&, Entries& M) const {
  M.begin();
  for (Eigen::Index i = 0; i < 3; ++i) M.add(i, i, m_);
  for (Eigen::Index i = 0; i < 3; ++i) M.add(3 + i, 3 + i, inertia()[i]);
  M.end();
}

void HeavyTop::force(const Placement&, In v, In /*s*/, Out f) const {
  const Vector3d omega = v.tail<3>();
  f.head<3>() << 0, 0, -m_ * g_;
  f.tail<3>() = inertia().cwiseProduct(omega).cross(omega);
}

namespace {

void write(Entries& entries, Eigen::Index row, Eigen::Index column, const Matrix3d& block) {
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) entries.add(row + i, column + j, block(i, j));
}

}  // namespace

/// J = [I, R X~], as (R X)' = R (omega x X) = -R X~ omega.
void HeavyTop::jacobian(const Placement& at, Entries& J) const {
  J.begin();
  for (Eigen::Index i = 0; i < 3; ++i) J.add(i, i, 1);
  write(J, 0, 3, attitude(at) * skew(X_));
  J.end();
}

void HeavyTop::derivatives(const Placement& at, In v, In /*s*/, In /*a*/, In l, Derivatives& d) const {
  const Matrix3d& R = attitude(at);
  const Vector3d omega = v.tail<3>(), reaction = R.transpose() * l.head<3>();
  d.K.begin();  // J'l turns with the body: -X~ R'l
  write(d.K, 3, 3, -skew(X_) * skew(reaction));
  d.K.end();
  d.D.begin();  // omega x J omega
  write(d.D, 3, 3, skew(omega) * inertia().asDiagonal() - skew(inertia().cwiseProduct(omega)));
  d.D.end();
  d.B.begin();
  write(d.B, 0, 3, -R * skew(X_.cross(omega)));
  d.B.end();
}

class QuaternionTop : public HeavyTop {
 public:
  explicit QuaternionTop(const Parameters& p) : HeavyTop(p, 4) {}

  void tangent(const Placement& at, In u, Out dq) const override {
    dq.head<3>() = u.head<3>();
    Vector4d spin;
    spin << 0, u.tail<3>() / 2;
    dq.tail<4>() = compose(quaternion(at.q), spin);
  }
  void kinematics(const Placement& at, In v, Kinematics& k) const override {
    const Vector4d e = quaternion(at.q);
    const double e2 = e.squaredNorm();
    // e' = E omega with E'E = |e|^2/4
    Eigen::Matrix<double, 4, 3> E;
    E << -e.tail<3>().transpose(), e[0] * Matrix3d::Identity() + skew(e.tail<3>());
    E /= 2;
    k.N.begin();
    k.inverse.begin();
    k.Nv_q.begin();
    for (Eigen::Index i = 0; i < 3; ++i) k.N.add(i, i, 1), k.inverse.add(i, i, 1);
    for (Eigen::Index i = 0; i < 4; ++i)
      for (Eigen::Index j = 0; j < 3; ++j) {
        k.N.add(3 + i, 3 + j, E(i, j));
        k.inverse.add(3 + j, 3 + i, 4 / e2 * E(i, j));
      }
    // linear in e
    const Vector3d half = v.tail<3>() / 2;
    for (Eigen::Index i = 0; i < 3; ++i) k.Nv_q.add(3, 4 + i, -half[i]), k.Nv_q.add(4 + i, 3, half[i]);
    write(k.Nv_q, 4, 4, -skew(half));
    k.N.end();
    k.inverse.end();
    k.Nv_q.end();
  }

 protected:
  Vector4d quaternion(In q) const override { return q.tail<4>(); }
  Vector chart(const Vector4d& e) const override { return e; }
  void write_near(const Vector4d& e, In /*near*/, Out q) const override { q.tail<4>() = e.normalized(); }
};

/// Keeps rotation vectors away from the pole at 2 pi.
class Turns : public Events {
 public:
  const std::vector<Event>& list() const override { return list_; }
  void values(const State& state, Out e) const override {
    e[0] = state.y.segment<3>(3).squaredNorm() - limit * limit;
  }
  EventResponse respond(std::size_t /*event*/, State& state) const override {
    auto psi = state.y.segment<3>(3);
    psi *= 1 - 2 * std::numbers::pi / psi.norm();
    return {.action = EventResponse::Action::restart, .next = {}};
  }

 private:
  static constexpr double limit = 1.1 * std::numbers::pi;  // beyond pi, lest the other end come back at once
  std::vector<Event> list_ = {{"turn", Direction::rising}};
};

class RotationVectorTop : public HeavyTop {
 public:
  explicit RotationVectorTop(const Parameters& p) : HeavyTop(p, 3) {}
  const Events* events() const override { return &turns_; }

  void tangent(const Placement& at, In u, Out dq) const override {
    dq.head<3>() = u.head<3>();
    const Vector3d psi = at.q.tail<3>(), omega = u.tail<3>(), cross = psi.cross(omega);
    dq.tail<3>() = omega + cross / 2 + inverse_tangent_factors(psi.squaredNorm()).c * psi.cross(cross);
  }
  void kinematics(const Placement& at, In v, Kinematics& k) const override {
    const Vector3d psi = at.q.tail<3>();
    k.N.begin();
    k.inverse.begin();
    k.Nv_q.begin();
    for (Eigen::Index i = 0; i < 3; ++i) k.N.add(i, i, 1), k.inverse.add(i, i, 1);
    write(k.N, 3, 3, inverse_tangent_operator(psi));
    write(k.inverse, 3, 3, tangent_operator(psi));
    write(k.Nv_q, 3, 3, inverse_tangent_derivative(psi, v.tail<3>()));
    k.N.end();
    k.inverse.end();
    k.Nv_q.end();
  }

 protected:
  Vector4d quaternion(In q) const override { return quaternion_of(q.tail<3>()); }
  Vector chart(const Vector4d& e) const override { return rotation_vector_of(e); }
  void write_near(const Vector4d& e, In near, Out q) const override {
    const Vector3d psi = rotation_vector_of(e), old = near.tail<3>();
    const double angle = psi.norm();
    // The same rotation a turn further along psi may be nearer.
    const double turns = angle > 0 ? std::round((old.dot(psi) / angle - angle) / (2 * std::numbers::pi)) : 0;
    q.tail<3>() = turns == 0 ? psi : Vector3d(psi * (1 + 2 * std::numbers::pi * turns / angle));
  }

 private:
  Turns turns_;
};

}  // namespace

std::vector<ProblemEntry> problems_in_heavy_top() {
  return {{"heavy-top", "fast heavy top held at a point, orientation by a quaternion", Kind::mechanical,
           "BruelsCardonaArnold2012", parameters,
           [](const Parameters& p) { return std::make_shared<const QuaternionTop>(p); }},
          {"heavy-top-rotation-vector", "fast heavy top held at a point, orientation by a rotation vector",
           Kind::mechanical, "BruelsCardonaArnold2012", parameters,
           [](const Parameters& p) { return std::make_shared<const RotationVectorTop>(p); }}};
}

}  // namespace dalembert
