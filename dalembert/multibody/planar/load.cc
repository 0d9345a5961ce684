#include "dalembert/multibody/planar/load.h"

namespace dalembert::planar {

namespace {

constexpr int arguments = 7;  // t, x, y, vx, vy, angle, spin

/// A load at one state. Points have no angle: theirs and its rate are zero.
struct LoadState {
  LoadState(const Loads::Load& load, const Placement& placement, In v)
      : of(load), frame(Space::frame(placement, load.end.body)), d(turned(frame, load.on)) {
    const double *u = v.data() + load.end.first, w = load.end.count == 3 ? u[2] : 0;
    const double z[arguments] = {
        placement.t, frame.x + d.x, frame.y + d.y, u[0] - w * d.y, u[1] + w * d.x, frame.phi, w};
    std::copy(std::begin(z), std::end(z), argument);
  }
  double spin() const { return argument[6]; }
  Arrow velocity() const { return {argument[3], argument[4]}; }
  /// F in the ground frame. Writes the gradient of its components in the frame they are given in.
  Arrow force(double* gradient_x, double* gradient_y) const {
    const double x = of.force[0](argument, gradient_x), y = of.force[1](argument, gradient_y);
    return in_ground({x, y});
  }
  Arrow in_ground(const Arrow& F) const {
    return of.frame == PlanarLoad::Frame::body ? turned(frame, {F.x, F.y}) : F;
  }
  double torque(double* gradient) const { return of.torque(argument, gradient); }

  const Loads::Load& of;
  const Frame& frame;
  Arrow d;
  double argument[arguments];
};

double cross(const Arrow& p, const Arrow& q) {
  return p.x * q.y - p.y * q.x;
}

}  // namespace

void Loads::force(const Placement& at, In v, In /*s*/, Out f) const {
  for (const Load& load : loads) {
    const LoadState r(load, at, v);
    const Arrow F = r.force(nullptr, nullptr);
    f[load.end.first] += F.x;
    f[load.end.first + 1] += F.y;
    if (load.end.count == 3) f[load.end.first + 2] += cross(r.d, F) + r.torque(nullptr);
  }
}

void Loads::derivatives(const Placement& at, In v, In /*s*/, Derivatives& out) const {
  for (const Load& load : loads) {
    const LoadState r(load, at, v);
    double x[arguments] = {}, y[arguments] = {}, T[arguments] = {};  // stay zero where a law is empty
    const Arrow F = r.force(x, y);
    r.torque(T);
    // The arguments z after t, differentiated: column j of z_q and of z_v.
    const double w = r.spin(), dx = r.d.x, dy = r.d.y;
    const double z_q[3][6] = {{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {-dy, dx, -w * dx, -w * dy, 1, 0}};
    const double z_v[3][6] = {{0, 0, 1, 0, 0, 0}, {0, 0, 0, 1, 0, 0}, {0, 0, -dy, dx, 0, 1}};
    const auto along = [](const double* gradient, const double* z) {
      double sum = 0;
      for (int i = 0; i < 6; ++i) sum += gradient[i + 1] * z[i];
      return sum;
    };
    const auto write = [&](Entries& block, int j, const Arrow& dF, double dM) {
      const Eigen::Index first = load.end.first, column = first + j;
      block.add(first, column, -dF.x);
      block.add(first + 1, column, -dF.y);
      if (load.end.count == 3) block.add(first + 2, column, -dM);
    };
    for (int j = 0; j < load.end.count; ++j) {
      Arrow F_q = r.in_ground({along(x, z_q[j]), along(y, z_q[j])});
      double lever = 0;  // by the turn of the arm
      if (j == 2) {
        if (load.frame == PlanarLoad::Frame::body) F_q = F_q + F.normal();
        lever = cross(r.d.normal(), F);
      }
      write(out.K, j, F_q, lever + cross(r.d, F_q) + along(T, z_q[j]));
      const Arrow F_v = r.in_ground({along(x, z_v[j]), along(y, z_v[j])});
      write(out.D, j, F_v, cross(r.d, F_v) + along(T, z_v[j]));
    }
  }
}

double Loads::power(const Placement& at, In v, In /*s*/) const {
  double sum = 0;
  for (const Load& load : loads) {
    const LoadState r(load, at, v);
    sum += r.force(nullptr, nullptr).dot(r.velocity()) + r.spin() * r.torque(nullptr);
  }
  return sum;
}

}  // namespace dalembert::planar
