#include "dalembert/multibody/spatial/forces.h"

#include <algorithm>
#include <numbers>

#include "dalembert/core/error.h"
#include "dalembert/multibody/spatial/rows.h"

namespace dalembert {

namespace spatial {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Matrix36 = Eigen::Matrix<double, 3, 6>;
using Matrix6x12 = Eigen::Matrix<double, 6, 12>;

/// A load at one state: f and its derivatives with respect to the displacements and velocities of its body.
struct LoadState {
  LoadState(const Loads::Load& load, const Placement& at, In v, bool with_gradient) {
    const Frame& frame = Space::frame(at, load.end.body);
    const bool turns = load.end.count == 6;
    u.setZero();
    for (int i = 0; i < load.end.count; ++i) u[i] = v[load.end.first + i];
    const Vector3d omega = u.tail<3>();
    Matrix36 P, P_dot = Matrix36::Zero(), turned = Matrix36::Zero();  // dp, d(p'), d theta
    P << Matrix3d::Identity(), -frame.R * skew(load.on);
    P_dot.rightCols<3>() = -frame.R * skew(omega.cross(load.on));
    turned.rightCols<3>().setIdentity();

    double x[10];
    x[0] = at.t;
    Eigen::Map<Vector3d>(x + 1) = frame.place(load.on);
    Eigen::Map<Vector3d>(x + 4) = P * u;
    Eigen::Map<Vector3d>(x + 7) = omega;
    Vector3d F, T;
    Matrix36 F_q = Matrix36::Zero(), F_v = F_q, T_q = F_q, T_v = F_q;
    const auto read = [&](const std::array<Law, 3>& laws, Vector3d& value, Matrix36& q, Matrix36& rate) {
      for (int i = 0; i < 3; ++i) {
        Eigen::Matrix<double, 1, 10> gradient = Eigen::Matrix<double, 1, 10>::Zero();
        value[i] = laws[static_cast<std::size_t>(i)](x, with_gradient ? gradient.data() : nullptr);
        q.row(i) = gradient.segment<3>(1) * P + gradient.segment<3>(4) * P_dot;
        rate.row(i) = gradient.segment<3>(4) * P + gradient.segment<3>(7) * turned;
      }
    };
    read(load.force, F, F_q, F_v);
    read(load.torque, T, T_q, T_v);
    if (load.frame == SpatialLoad::Frame::body) {
      f << frame.R * F, load.on.cross(F) + T;
      f_q << frame.R * (F_q - skew(F) * turned), skew(load.on) * F_q + T_q;
      f_v << frame.R * F_v, skew(load.on) * F_v + T_v;
    } else {
      const Matrix3d back = frame.R.transpose();
      const Vector3d here = back * F, twist = back * T;
      f << F, load.on.cross(here) + twist;
      f_q << F_q, skew(load.on) * (back * F_q + skew(here) * turned) + back * T_q + skew(twist) * turned;
      f_v << F_v, skew(load.on) * back * F_v + back * T_v;
    }
    if (!turns) f.tail<3>().setZero();
  }
  Vector6 u, f;
  Matrix6 f_q, f_v;
};

constexpr double most_turn = 170 * std::numbers::pi / 180;

/// A bushing at one state.
struct BushingState {
  BushingState(const Bushings::Bushing& bushing, const Placement& at)
      : is(bushing),
        a(Space::frame(at, bushing.ends.a.body)),
        b(Space::frame(at, bushing.ends.b.body)),
        Qa(a.R * bushing.axes_a),
        turn(Qa.transpose() * b.R * bushing.axes_b),
        arm(a.R.transpose() * (b.place(bushing.on_b) - a.r)) {
    const Eigen::Quaterniond e(turn);
    psi = rotation_vector_of({e.w(), e.x(), e.y(), e.z()});
    if (overturned()) psi.setConstant(not_a_number);
    x << bushing.axes_a.transpose() * (arm - bushing.on_a), psi;
    inverse = inverse_tangent_operator(psi);
    // dd = Q_a'(dr_b - R_b s_b~ dtheta_b - dr_a) + axes_a' arm~ dtheta_a;  dpsi = T^-1 dphi, Q_a'Q_b turned by dphi
    phi << Matrix3d::Zero(), -turn.transpose() * is.axes_a.transpose(), Matrix3d::Zero(),
        is.axes_b.transpose();
    X << -Qa.transpose(), is.axes_a.transpose() * skew(arm), Qa.transpose(),
        -Qa.transpose() * b.R * skew(is.on_b), inverse * phi;
  }
  /// Near half a turn, unless it turns where it has no stiffness.
  bool overturned() const {
    const Matrix3d K = is.K.bottomRightCorner<3, 3>();
    return !(psi.norm() < most_turn) && (K * psi).norm() > 0.1 * K.norm() * most_turn;
  }
  /// d(X v)/dq
  Matrix6x12 rate_gradient(const Vector12& u) const {
    const Vector3d omega_a = u.segment<3>(ta), spin = u.segment<3>(tb).cross(is.on_b);
    const Vector3d apart = u.segment<3>(rb) + b.R * spin - u.segment<3>(ra);
    const Vector3d whirl = phi * u;  // relative angular velocity
    const Vector3d carried = turn.transpose() * (is.axes_a.transpose() * omega_a);  // that of a, seen from b
    Matrix6x12 Y = Matrix6x12::Zero();
    Y.topRows<3>() = -is.axes_a.transpose() * skew(omega_a) * is.axes_a * X.topRows<3>();
    Y.block<3, 3>(0, ta) += is.axes_a.transpose() * skew(a.R.transpose() * apart);
    Y.block<3, 3>(0, tb) -= Qa.transpose() * b.R * skew(spin);
    Y.bottomRows<3>() =
        inverse_tangent_derivative(psi, whirl) * X.bottomRows<3>() - inverse * skew(carried) * phi;
    return Y;
  }
  /// d(X'y)/dq with y held
  Matrix12 hessian(const Vector6& y) const {
    const Vector3d pull = is.axes_a * y.head<3>();  // as a sees it
    const Vector3d force = b.R.transpose() * (a.R * pull), moment = inverse.transpose() * y.tail<3>();
    const Matrix3d pull_turn = -a.R * skew(pull);  // d(R_a pull)/dtheta_a
    Matrix12 H = Matrix12::Zero();
    H.block<3, 3>(rb, ta) = pull_turn;
    H.block<3, 3>(ra, ta) = -pull_turn;
    H.block<3, 3>(tb, ta) = skew(is.on_b) * b.R.transpose() * pull_turn;
    H.block<3, 3>(tb, tb) = skew(is.on_b) * skew(force);
    H.block<3, 12>(ta, 0) = skew(pull) * is.axes_a * X.topRows<3>();
    // T^-1(psi)' = T^-1(-psi)
    const Eigen::Matrix<double, 3, 12> turned =
        -inverse_tangent_derivative(-psi, y.tail<3>()) * X.bottomRows<3>();
    H.block<3, 12>(tb, 0) += is.axes_b * turned;
    H.block<3, 12>(ta, 0) -= is.axes_a * turn * (turned - skew(moment) * phi);
    return H;
  }

  const Bushings::Bushing& is;
  const Frame &a, &b;
  Matrix3d Qa, turn;
  Vector3d arm, psi;  // arm = R_a'(p_b - r_a)
  Vector6 x;
  Matrix3d inverse;  // T^-1(psi)
  Eigen::Matrix<double, 3, 12> phi;
  Matrix6x12 X;
};

}  // namespace

void Loads::force(const Placement& at, In v, In, Out f) const {
  for (const Load& load : loads) {
    const LoadState now(load, at, v, false);
    for (int i = 0; i < load.end.count; ++i) f[load.end.first + i] += now.f[i];
  }
}

void Loads::derivatives(const Placement& at, In v, In, Derivatives& d) const {
  for (const Load& load : loads) {
    const LoadState now(load, at, v, true);
    for (int i = 0; i < load.end.count; ++i)
      for (int j = 0; j < load.end.count; ++j) {
        d.K.add(load.end.first + i, load.end.first + j, -now.f_q(i, j));
        d.D.add(load.end.first + i, load.end.first + j, -now.f_v(i, j));
      }
  }
}

double Loads::power(const Placement& at, In v, In) const {
  double sum = 0;
  for (const Load& load : loads) {
    const LoadState now(load, at, v, false);
    sum += now.f.dot(now.u);
  }
  return sum;
}

void Bushings::force(const Placement& at, In v, In, Out f) const {
  Vector12 u;
  for (const Bushing& each : bushings) {
    const BushingState now(each, at);
    each.ends.local(v, u.data());
    const Vector12 pull = now.X.transpose() * (each.K * now.x + each.D * (now.X * u));
    for (int i = 0; i < 12; ++i)
      if (const Eigen::Index k = each.ends.coordinate(i); k >= 0) f[k] -= pull[i];
  }
}

void Bushings::derivatives(const Placement& at, In v, In, Derivatives& d) const {
  Vector12 u;
  for (const Bushing& each : bushings) {
    const BushingState now(each, at);
    each.ends.local(v, u.data());
    const Matrix12 K = now.hessian(each.K * now.x + each.D * (now.X * u)) +
                       now.X.transpose() * (each.K * now.X + each.D * now.rate_gradient(u));
    const Matrix12 D = now.X.transpose() * (each.D * now.X);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) {
        const Eigen::Index row = each.ends.coordinate(i), column = each.ends.coordinate(j);
        if (row < 0 || column < 0) continue;
        d.K.add(row, column, K(i, j));
        d.D.add(row, column, D(i, j));
      }
  }
}

double Bushings::potential(const Placement& at) const {
  double sum = 0;
  for (const Bushing& each : bushings) {
    const Vector6 x = BushingState(each, at).x;
    sum += x.dot(each.K * x) / 2;
  }
  return sum;
}

/// Of the damping, and of the part of K that is not symmetric.
double Bushings::power(const Placement& at, In v, In) const {
  double sum = 0;
  Vector12 u;
  for (const Bushing& each : bushings) {
    const BushingState now(each, at);
    each.ends.local(v, u.data());
    const Vector6 rate = now.X * u;
    sum -= rate.dot(each.D * rate + (each.K - each.K.transpose()) * now.x / 2);
  }
  return sum;
}

bool Bushings::conservative() const {
  return std::all_of(bushings.begin(), bushings.end(),
                     [](const Bushing& each) { return each.D.isZero(0) && each.K == each.K.transpose(); });
}

std::string Bushings::refusal(const Placement& at, In /*s*/) const {
  for (const Bushing& each : bushings)
    if (BushingState(each, at).psi.hasNaN())
      return "the ends of '" + each.name +
             "' have turned by 170 degrees against each other, where its stiffness means nothing any more";
  return {};
}

}  // namespace spatial

void SpatialMechanism::load(const std::string& name, const SpatialLoad& load) {
  if (load.body == ground) throw Error("load '" + name + "' acts on the ground", "give it a body that moves");
  const End end = end_of(load.body);
  const bool twists =
      std::any_of(load.torque.begin(), load.torque.end(), [](const Law& law) { return bool(law); });
  if (end.count < 6 && twists)
    throw Error("load '" + name + "' turns a point mass", "give it a body with inertia");
  forces<spatial::Loads>().loads.push_back({end,
                                            load.at ? in_body(load.body, *load.at) : Point(Point::Zero()),
                                            load.frame, load.force, load.torque});
}

void SpatialMechanism::bushing(const std::string& name, const SpatialBushing& bushing) {
  if (bushing.a == bushing.b)
    throw Error("bushing '" + name + "' holds a body to itself", "give it two bodies");
  if (!(bushing.axes.transpose() * bushing.axes).isIdentity(1e-9) || bushing.axes.determinant() < 0)
    throw Error("the axes of bushing '" + name + "' are not at right angles", "give a rotation matrix");
  spatial::Bushings::Bushing is{name,
                                {end_of(bushing.a), end_of(bushing.b)},
                                in_body(bushing.a, bushing.at_a),
                                in_body(bushing.b, bushing.at_b),
                                {},
                                {},
                                bushing.stiffness,
                                bushing.damping};
  for (Eigen::Index i = 0; i < 3; ++i) {
    is.axes_a.col(i) = turned_into(bushing.a, bushing.axes.col(i));
    is.axes_b.col(i) = turned_into(bushing.b, bushing.axes.col(i));
  }
  forces<spatial::Bushings>().bushings.push_back(is);
}

/// A bushing at end b between b and the place that a keeps for it, with the stiffness of a cantilever:
///   U = EA u^2/(2L) + GJ psi_x^2/(2L) + EI_z (6 v^2/L^3 - 6 v psi_z/L^2 + 2 psi_z^2/L) + EI_y (6 w^2/L^3 + 6 w psi_y/L^2 + ...)
void SpatialMechanism::beam(const std::string& name, const SpatialBeam& beam) {
  const Point along = beam.at_b - beam.at_a;
  const double L = along.norm();
  if (!(L > 0)) throw Error("beam '" + name + "' has no length", "give its two ends");
  if (!beam.y && beam.EI_y != beam.EI_z)
    throw Error("beam '" + name + "' bends differently about y and z", "say where y points");
  SpatialBushing end{.a = beam.a, .b = beam.b, .at_a = beam.at_b, .at_b = beam.at_b};
  const Point x = along / L;
  const Point across = beam.y ? Point(*beam.y - x.dot(*beam.y) * x) : Point(x.unitOrthogonal());
  if (!(across.norm() > 0))
    throw Error("the direction y of beam '" + name + "' is that of the beam", "give one across it");
  end.axes << x, across.normalized(), x.cross(across.normalized());
  auto& K = end.stiffness;
  K(0, 0) = beam.EA / L;
  K(3, 3) = beam.GJ / L;
  const auto bending = [&](Eigen::Index shift, Eigen::Index turn, double EI, double sign) {
    K(shift, shift) = 12 * EI / (L * L * L);
    K(turn, turn) = 4 * EI / L;
    K(shift, turn) = K(turn, shift) = sign * 6 * EI / (L * L);
  };
  bending(1, 5, beam.EI_z, -1);
  bending(2, 4, beam.EI_y, 1);
  end.damping = beam.damping * K;
  bushing(name, end);
}

}  // namespace dalembert
