// Saddle-point systems for tests and benchmarks: mechanisms in some position, and random blocks.
#pragma once

#include <cmath>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "dalembert/linear/entries.h"

namespace dalembert::testing {

struct SaddleSystem {
  Eigen::Index n = 0, m = 0;
  Entries mass, G1, G2;

  Matrix dense() const {
    Matrix K = Matrix::Zero(n + m, n + m);
    K.topLeftCorner(n, n) = mass.dense(n, n);
    K.topRightCorner(n, m) = G1.dense(m, n).transpose();
    K.bottomLeftCorner(m, n) = G2.dense(m, n);
    return K;
  }
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double low = -1, double high = 1) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }

 private:
  std::mt19937 engine_;
};

/// Collects blocks, then writes them as entries.
class SystemBuilder {
 public:
  explicit SystemBuilder(Eigen::Index n) : n_(n) {}

  void mass(Eigen::Index at, const Matrix& block) { masses_.push_back({at, at, block}); }
  Eigen::Index joint(Eigen::Index rows) { return std::exchange(m_, m_ + rows); }
  void jacobian(Eigen::Index row, Eigen::Index column, const Matrix& block) {
    blocks_.push_back({row, column, block});
  }

  /// Zeros inside a block are left out of the pattern.
  SaddleSystem build() const {
    SaddleSystem system{n_, m_, {}, {}, {}};
    write(system.mass, masses_);
    write(system.G1, blocks_);
    write(system.G2, blocks_);
    return system;
  }

 private:
  struct Block {
    Eigen::Index row, column;
    Matrix value;
  };
  static void write(Entries& entries, const std::vector<Block>& blocks) {
    entries.begin();
    for (const Block& block : blocks)
      for (Eigen::Index i = 0; i < block.value.rows(); ++i)
        for (Eigen::Index j = 0; j < block.value.cols(); ++j)
          if (block.value(i, j) != 0) entries.add(block.row + i, block.column + j, block.value(i, j));
    entries.end();
  }

  Eigen::Index n_, m_ = 0;
  std::vector<Block> masses_, blocks_;
};

/// Writes a change of each value, value = change(value), in the recorded order.
template <class Change>
void rewrite(Entries& entries, Change&& change) {
  const std::vector<double> old(entries.values(), entries.values() + entries.size());
  entries.begin();
  for (std::size_t k = 0; k < old.size(); ++k) entries.add(entries.row(k), entries.column(k), change(old[k]));
  entries.end();
}

/// Andrews' squeezer [HairerWanner1996, VII.7]: seven angles in bodies of 2, 1, 2, 2, three loops of two
/// rows.
inline SaddleSystem andrews(const std::vector<double>& q = {-0.0617138900142764496, 0, 0.455279819163070380,
                                                            0.222668390165885885, 0.487364979543842550,
                                                            -0.222668390165885885, 1.23054744454982119}) {
  const double be = q[0], th = q[1], ga = q[2], ph = q[3], de = q[4], om = q[5], ep = q[6];
  const double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706, m7 = .05498;
  const double i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5, i6 = 5.667e-7,
               i7 = 1.912e-5;
  const double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, ss = .035, sa = .01874,
               sb = .01043, ta = .02308, tb = .00916, u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04,
               fa = .01421;
  Matrix A(2, 2), B(1, 1), C(2, 2), D(2, 2), ga_(2, 2), gb(2, 1), gc(2, 2), gd(2, 2);
  A << m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * cos(th) + da * da) + i1 + i2,
      m2 * (da * da - da * rr * cos(th)) + i2, m2 * (da * da - da * rr * cos(th)) + i2, m2 * da * da + i2;
  B << m3 * (sa * sa + sb * sb) + i3;
  const double ee = e - ea, zz = zf - fa;
  C << m4 * ee * ee + i4, m4 * (ee * ee + zt * ee * sin(ph)) + i4, m4 * (ee * ee + zt * ee * sin(ph)) + i4,
      m4 * (zt * zt + 2 * zt * ee * sin(ph) + ee * ee) + m5 * (ta * ta + tb * tb) + i4 + i5;
  D << m6 * zz * zz + i6, m6 * (zz * zz - u * zz * sin(om)) + i6, m6 * (zz * zz - u * zz * sin(om)) + i6,
      m6 * (zz * zz - 2 * u * zz * sin(om) + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7;
  ga_ << -rr * sin(be) + d * sin(be + th), d * sin(be + th), rr * cos(be) - d * cos(be + th),
      -d * cos(be + th);
  gb << -ss * cos(ga), -ss * sin(ga);
  gc << -e * cos(ph + de), -e * cos(ph + de) + zt * sin(de), -e * sin(ph + de),
      -e * sin(ph + de) - zt * cos(de);
  gd << zf * sin(om + ep), zf * sin(om + ep) - u * cos(ep), -zf * cos(om + ep),
      -zf * cos(om + ep) - u * sin(ep);
  SystemBuilder system(7);
  system.mass(0, A), system.mass(2, B), system.mass(3, C), system.mass(5, D);
  for (const auto& [column, block] : {std::pair<Eigen::Index, Matrix>{2, gb}, {3, gc}, {5, gd}}) {
    const Eigen::Index row = system.joint(2);
    system.jacobian(row, 0, ga_);
    system.jacobian(row, column, block);
  }
  return system.build();
}

/// Rows of a planar hinge at the end (+1) or beginning (-1) of a bar of length 1.
inline Matrix planar_end(double angle, double sign, double end) {
  Matrix G(2, 3);
  G << sign, 0, -sign * end * .5 * std::sin(angle), 0, sign, sign * end * .5 * std::cos(angle);
  return G;
}
inline Matrix planar_mass(double m, double J) {
  return Eigen::Vector3d(m, m, J).asDiagonal();
}

inline SaddleSystem planar_chain(int bodies, unsigned seed = 1) {
  Random random(seed);
  SystemBuilder system(3 * bodies);
  double before = 0;
  for (int i = 0; i < bodies; ++i) {
    const double m = random.number(.5, 2), angle = random.number(-3, 3);
    system.mass(3 * i, planar_mass(m, m * random.number(.05, .15)));
    const Eigen::Index row = system.joint(2);
    if (i > 0) system.jacobian(row, 3 * (i - 1), planar_end(before, -1, 1));
    system.jacobian(row, 3 * i, planar_end(angle, 1, -1));
    before = angle;
  }
  return system.build();
}

/// Bars around a hub.
inline SaddleSystem star(int arms, unsigned seed = 1) {
  Random random(seed);
  SystemBuilder system(3 * (arms + 1));
  system.mass(0, planar_mass(1, .1));
  for (int i = 1; i <= arms; ++i) {
    const double m = random.number(.5, 2);
    system.mass(3 * i, planar_mass(m, .1 * m));
    const Eigen::Index row = system.joint(2);
    system.jacobian(row, 0, planar_end(random.number(-3, 3), -1, 1));
    system.jacobian(row, 3 * i, planar_end(random.number(-3, 3), 1, -1));
  }
  return system.build();
}

/// A row of four-bar loops: posts 0..N on the ground, beams N+1..2N between their tops.
inline SaddleSystem four_bars(int loops, unsigned seed = 1) {
  Random random(seed);
  const double lean = 0.9;
  SystemBuilder system(3 * (2 * loops + 1));
  for (int i = 0; i < 2 * loops + 1; ++i) {
    const double m = random.number(.8, 1.2);
    system.mass(3 * i, planar_mass(m, m / 12));
  }
  for (int i = 0; i <= loops; ++i) {
    system.jacobian(system.joint(2), 3 * i, planar_end(lean, 1, -1));
    if (i == loops) break;
    const int beam = loops + 1 + i;
    Eigen::Index row = system.joint(2);
    system.jacobian(row, 3 * i, planar_end(lean, 1, 1));
    system.jacobian(row, 3 * beam, planar_end(.1, -1, -1));
    row = system.joint(2);
    system.jacobian(row, 3 * beam, planar_end(.1, 1, 1));
    system.jacobian(row, 3 * (i + 1), planar_end(lean, -1, 1));
  }
  return system.build();
}

/// A sheet of bars: hinges along the rows, single rods across. Many loops, much fill.
inline SaddleSystem lattice(int side, unsigned seed = 1) {
  Random random(seed);
  SystemBuilder system(3 * side * side);
  for (int i = 0; i < side * side; ++i) {
    const double m = random.number(.5, 2);
    system.mass(3 * i, planar_mass(m, .2 * m));
  }
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      const int v = i * side + j;
      if (j + 1 < side) {
        const Eigen::Index row = system.joint(2);
        system.jacobian(row, 3 * v, planar_end(random.number(-3, 3), 1, 1));
        system.jacobian(row, 3 * (v + 1), planar_end(random.number(-3, 3), -1, -1));
      }
      if (i + 1 < side && j % 2 == 0) {
        const Eigen::Index row = system.joint(1);
        const double c = random.number(-3, 3);
        Matrix a(1, 3), b(1, 3);
        a << std::cos(c), std::sin(c), .4 * random.number();
        b << -std::cos(c), -std::sin(c), .4 * random.number();
        system.jacobian(row, 3 * v, a);
        system.jacobian(row, 3 * (v + side), b);
      }
    }
  }
  return system.build();
}

enum class SpatialJoint { spherical, revolute };

inline SaddleSystem spatial_chain(int bodies, SpatialJoint joint, unsigned seed = 1) {
  Random random(seed);
  const auto point_rows = [&](double sign) {  // sign [I, -p x]
    const double x = random.number(), y = random.number(), z = random.number();
    Matrix G = Matrix::Zero(joint == SpatialJoint::revolute ? 5 : 3, 6);
    G.topLeftCorner(3, 3) = sign * Matrix::Identity(3, 3);
    G.topRightCorner(3, 3) << 0, sign * z, -sign * y, -sign * z, 0, sign * x, sign * y, -sign * x, 0;
    return G;
  };
  SystemBuilder system(6 * bodies);
  for (int i = 0; i < bodies; ++i) {
    const double m = random.number(.5, 2);
    Matrix B(3, 3);
    for (double& b : B.reshaped()) b = random.number();
    system.mass(6 * i, m * Matrix::Identity(3, 3));
    system.mass(6 * i + 3, .1 * m * (.3 * B * B.transpose() + Matrix::Identity(3, 3)));
    Matrix here = point_rows(1), before = point_rows(-1);
    if (joint == SpatialJoint::revolute) {
      for (Eigen::Index r = 3; r < 5; ++r)
        for (Eigen::Index c = 3; c < 6; ++c) before(r, c) = -(here(r, c) = random.number());
    }
    const Eigen::Index row = system.joint(here.rows());
    if (i > 0) system.jacobian(row, 6 * (i - 1), before);
    system.jacobian(row, 6 * i, here);
  }
  return system.build();
}

/// Bodies of 1 to 6 coordinates, or more; joints of 1 to 6 rows between up to four of them.
inline SaddleSystem random_blocks(Random& random, int largest_body = 6) {
  const int bodies = random.integer(1, 12);
  std::vector<Eigen::Index> first{0};
  for (int i = 0; i < bodies; ++i) first.push_back(first.back() + random.integer(1, largest_body));
  SystemBuilder system(first.back());
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    const Eigen::Index s = first[i + 1] - first[i];
    Matrix B(s, s);
    for (double& b : B.reshaped()) b = random.number();
    system.mass(first[i], B * B.transpose() + .3 * Matrix::Identity(s, s));
  }
  Eigen::Index rows = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const int m = random.integer(1, 6);
    std::set<std::size_t> touched;
    const auto count = static_cast<std::size_t>(random.integer(1, std::min(bodies, 4)));
    while (touched.size() < count) touched.insert(static_cast<std::size_t>(random.integer(0, bodies - 1)));
    Eigen::Index coordinates = 0;
    for (const std::size_t b : touched) coordinates += first[b + 1] - first[b];
    if (coordinates < m || 10 * (rows + m) > 7 * first.back()) continue;
    rows += m;
    const Eigen::Index row = system.joint(m);
    for (const std::size_t b : touched) {
      Matrix G(m, first[b + 1] - first[b]);
      for (double& g : G.reshaped()) g = random.number();
      system.jacobian(row, first[b], G);
    }
  }
  return system.build();
}

}  // namespace dalembert::testing
