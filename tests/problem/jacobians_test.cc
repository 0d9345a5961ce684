// Three ways to F_y and F_y', one answer: by hand, automatically, and by differences of one evaluation per colour.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <thread>

#include "dalembert/problem/automatic.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/differences.h"
#include "tests/support/allocation_counter.h"

namespace dalembert {
namespace {

/// What implicit problems of a test share.
class Small : public Implicit {
 public:
  explicit Small(Eigen::Index n) : n_(n) {}
  Layout layout() const override { return Layout().add("y", n_, Role::differential, 1); }
  State start() const override { return {0, Vector::Constant(n_, .5)}; }
  double end() const override { return 1; }

 protected:
  Eigen::Index n_;
};

/// Any problem, stripped of its Jacobians; counts evaluations.
class Stripped : public Small {
 public:
  explicit Stripped(std::shared_ptr<const Problem> problem)
      : Small(problem->layout().size()),
        problem_(problem),
        implicit_(dynamic_cast<const Implicit&>(*problem)) {}
  State start() const override { return problem_->start(); }
  double end() const override { return problem_->end(); }
  void F(double t, In y, In dy, Out r) const override {
    ++evaluations;
    implicit_.F(t, y, dy, r);
  }
  mutable std::atomic<int> evaluations = 0;

 private:
  std::shared_ptr<const Problem> problem_;
  const Implicit& implicit_;
};

/// A nonlinear chain: y_i' cosh(y_i) = y_(i-1) y_i - exp(y_(i+1)) + t. Three diagonals and one.
class Chain : public Small {
 public:
  using Small::Small;
  template <class T>
  void residual(double t, const T* y, const T* dy, T* r) const {
    using std::cosh;
    using std::exp;
    for (Eigen::Index i = 0; i < n_; ++i) {
      r[i] = dy[i] * cosh(y[i]) - t;
      if (i > 0) r[i] -= y[i - 1] * y[i];
      if (i + 1 < n_) r[i] += exp(y[i + 1]);
    }
  }
  void by_hand(In y, In dy, Matrix& F_y, Matrix& F_dy) const {
    F_y = F_dy = Matrix::Zero(n_, n_);
    for (Eigen::Index i = 0; i < n_; ++i) {
      F_y(i, i) = dy[i] * std::sinh(y[i]);
      F_dy(i, i) = std::cosh(y[i]);
      if (i > 0) F_y(i, i - 1) = -y[i], F_y(i, i) -= y[i - 1];
      if (i + 1 < n_) F_y(i, i + 1) = std::exp(y[i + 1]);
    }
  }
};

struct Point {
  double t;
  Vector y, dy;
};

std::vector<Point> points_near_start(const Problem& problem, double spread, double rates) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Point> points;
  for (int k = 0; k < 4; ++k) {
    Point p{problem.end() * .2 * k, problem.start().y, Vector::Zero(problem.start().y.size())};
    for (double& y : p.y) y += spread * uniform(random);
    for (double& dy : p.dy) dy = rates * uniform(random);
    points.push_back(p);
  }
  return points;
}

struct Jacobians {
  Matrix F_y, F_dy;
};

Jacobians jacobians(const Implicit& problem, const Point& p) {
  Entries a, b;
  problem.jacobians(p.t, p.y, p.dy, a, b);
  const Eigen::Index n = p.y.size();
  return {a.dense(n, n), b.dense(n, n)};
}

/// Row by row: residuals of different units are not compared with each other. `slack` is what rounding may add.
void expect_rows_near(const Matrix& ours, const Matrix& truth, double tolerance, const std::string& what,
                      const Vector& slack = {}) {
  for (Eigen::Index i = 0; i < truth.rows(); ++i)
    EXPECT_LE((ours.row(i) - truth.row(i)).cwiseAbs().maxCoeff(),
              tolerance * truth.row(i).cwiseAbs().maxCoeff() + (slack.size() > 0 ? slack[i] : 0))
        << what << ", row " << i << "\n  ours  " << ours.row(i) << "\n  truth " << truth.row(i);
}

/// Rounding of the residuals, divided by the smallest step that differences take along one of the unknowns x.
Vector rounding_over_step(const Jacobians& j, const Point& p, const Vector& x, double step) {
  const double eps = std::numeric_limits<double>::epsilon();
  const Vector terms = j.F_y.cwiseAbs() * p.y.cwiseAbs() + j.F_dy.cwiseAbs() * p.dy.cwiseAbs();
  return 2 * eps * terms / (step * std::max(1.0, x.cwiseAbs().minCoeff()));
}

Jacobians transistor_by_hand(const Point& p) {
  const double alpha = .99, beta = 1e-6, UF = .026, R0 = 1000, R = 9000, C = 1e-6;
  const Vector& U = p.y;
  const double g1 = beta / UF * std::exp((U[1] - U[2]) / UF), g2 = beta / UF * std::exp((U[4] - U[5]) / UF);
  Jacobians j{Matrix::Zero(8, 8), Matrix::Zero(8, 8)};
  j.F_y.diagonal() << 1 / R0, 2 / R, 1 / R, 1 / R, 2 / R, 1 / R, 1 / R, 1 / R;
  const auto transistor = [&](Eigen::Index base, double g) {
    for (const auto& [row, weight] :
         {std::pair{base, 1 - alpha}, std::pair{base + 1, -1.0}, std::pair{base + 2, alpha}}) {
      j.F_y(row, base) += weight * g;
      j.F_y(row, base + 1) -= weight * g;
    }
  };
  transistor(1, g1);
  transistor(4, g2);
  const auto capacitor = [&](Eigen::Index from, double c) {
    j.F_dy(from, from) = j.F_dy(from + 1, from + 1) = c;
    j.F_dy(from, from + 1) = j.F_dy(from + 1, from) = -c;
  };
  capacitor(0, C);
  capacitor(3, 3 * C);
  capacitor(6, 5 * C);
  j.F_dy(2, 2) = 2 * C;
  j.F_dy(5, 5) = 4 * C;
  return j;
}

Jacobians ring_by_hand(const Point& p) {
  const double C = 1.6e-8, Cs = 2e-12, Cp = 1e-8, Lh = 4.45, Ls1 = .002, Ls = 5e-4, R = 25000, Rp = 50,
               Rg1 = 36.3, Rg = 17.3, Ri = 50, Rc = 600, gamma = 40.67286402e-9, delta = 17.7493332;
  const Vector& y = p.y;
  const double Uin2 = 2 * std::sin(20000 * std::acos(-1.0) * p.t);
  // Signs with which (U3, ..., U7) enter D1, ..., D4, and with which q(D1), ..., q(D4) enter rows 2, ..., 6.
  Eigen::Matrix<double, 4, 5> D;
  D << 1, 0, -1, 0, -1, 0, -1, 0, 1, -1, 0, 1, 1, 0, 1, -1, 0, 0, -1, 1;
  Eigen::Matrix<double, 5, 4> q;
  q << 1, 0, 0, -1, 0, -1, 1, 0, -1, 0, 1, 0, 0, 1, 0, -1, -1, -1, 1, 1;
  Eigen::Vector4d gradient = D * y.segment(2, 5) + Uin2 * Eigen::Vector4d(-1, -1, 1, 1);
  for (double& x : gradient) x = gamma * delta * std::exp(delta * x);
  Jacobians j{Matrix::Zero(15, 15), Matrix::Zero(15, 15)};
  j.F_dy.diagonal() << C, C, Cs, Cs, Cs, Cs, Cp, Lh, Lh, Ls, Ls, Ls, Ls, Ls1, Ls1;
  j.F_y.block(2, 2, 5, 5) = q * gradient.asDiagonal() * D;
  j.F_y(6, 6) += 1 / Rp;
  const struct {
    int row, column;
    double value;
  } linear[] = {{0, 0, 1 / R},      {0, 7, -1},  {0, 9, .5},   {0, 10, -.5}, {0, 13, -1},  {1, 1, 1 / R},
                {1, 8, -1},         {1, 11, .5}, {1, 12, -.5}, {1, 14, -1},  {2, 9, -1},   {3, 10, 1},
                {4, 11, -1},        {5, 12, 1},  {7, 0, 1},    {8, 1, 1},    {9, 0, -.5},  {9, 2, 1},
                {9, 9, Rg},         {10, 0, .5}, {10, 3, -1},  {10, 10, Rg}, {11, 1, -.5}, {11, 4, 1},
                {11, 11, Rg},       {12, 1, .5}, {12, 5, -1},  {12, 12, Rg}, {13, 0, 1},   {13, 13, Ri + Rg1},
                {14, 14, Rc + Rg1}, {14, 1, 1}};
  for (const auto& [row, column, value] : linear) j.F_y(row, column) += value;
  return j;
}

void expect_three_ways_agree(const std::string& name, double spread, double rates,
                             Jacobians (*by_hand)(const Point&), double tolerance) {
  const auto problem = make_problem(name);
  const auto& automatic = dynamic_cast<const Implicit&>(*problem);
  const DifferencedImplicit<Stripped> differenced(problem);
  for (const Point& p : points_near_start(*problem, spread, rates)) {
    const Jacobians truth = by_hand(p), exactly = jacobians(automatic, p), nearly = jacobians(differenced, p);
    expect_rows_near(exactly.F_y, truth.F_y, 1e-14, name + ": F_y automatically");
    expect_rows_near(exactly.F_dy, truth.F_dy, 1e-14, name + ": F_y' automatically");
    expect_rows_near(nearly.F_y, truth.F_y, tolerance, name + ": F_y by differences",
                     rounding_over_step(truth, p, p.y, 1.5e-8));
    expect_rows_near(nearly.F_dy, truth.F_dy, tolerance, name + ": F_y' by differences",
                     rounding_over_step(truth, p, p.dy, 1e-4));
  }
}

TEST(ThreeWays, TransistorAmplifier) {
  expect_three_ways_agree("transistor-amplifier", .05, 100, transistor_by_hand, 3e-6);
}

TEST(ThreeWays, RingModulator) {
  expect_three_ways_agree("ring-modulator", .1, 1e3, ring_by_hand, 3e-6);
}

TEST(ThreeWays, ChainOfTwoHundred) {
  const AutomaticImplicit<Chain> chain(200);
  const auto shared = std::make_shared<const AutomaticImplicit<Chain>>(200);
  const DifferencedImplicit<Stripped> differenced(shared);
  for (const Point& p : points_near_start(chain, .4, 1)) {
    Jacobians truth;
    chain.by_hand(p.y, p.dy, truth.F_y, truth.F_dy);
    const Jacobians exactly = jacobians(chain, p);
    expect_rows_near(exactly.F_y, truth.F_y, 1e-15, "F_y automatically");
    expect_rows_near(exactly.F_dy, truth.F_dy, 1e-15, "F_y' automatically");
    const Jacobians nearly = jacobians(differenced, p);
    expect_rows_near(nearly.F_y, truth.F_y, 1e-7, "F_y by differences");
    expect_rows_near(nearly.F_dy, truth.F_dy, 1e-7, "F_y' by differences");
  }
}

TEST(Colours, AreAsManyAsTheBandIsWide) {
  const auto chain = std::make_shared<const AutomaticImplicit<Chain>>(200);
  EXPECT_EQ(chain->colours(), 4);  // three diagonals of F_y, one of F_y'
  const DifferencedImplicit<Stripped> differenced(chain);
  EXPECT_EQ(differenced.colours(), 4);
  differenced.evaluations = 0;
  const Point p = points_near_start(*chain, .4, 1)[1];
  jacobians(differenced, p);
  EXPECT_EQ(differenced.evaluations, 1 + differenced.colours());  // the one in the middle, and one per colour
}

TEST(Colours, NeverShareARow) {
  std::mt19937 random(11);
  for (int sample = 0; sample < 20; ++sample) {
    std::vector<Entries::Place> pattern;
    std::uniform_int_distribution<int> row(0, 29), column(0, 49);
    for (int k = 0; k < 120; ++k) pattern.push_back({row(random), column(random)});
    const Colouring colouring(30, 50, pattern);
    std::set<std::pair<int, int>> seen, given;
    for (const auto& [i, j] : pattern) given.insert({i, j});
    for (int colour = 0; colour < colouring.colours(); ++colour) {
      std::set<int> rows;
      for (const auto& [i, j] : colouring.places(colour)) {
        EXPECT_EQ(colouring.colour(j), colour);
        EXPECT_TRUE(rows.insert(i).second) << "two columns of a colour meet";
        seen.insert({i, j});
      }
    }
    EXPECT_EQ(seen, given);
  }
}

/// Every function a formula may use, one per residual.
class Functions : public Small {
 public:
  Functions() : Small(17) {}
  template <class T>
  void residual(double, const T* y, const T* dy, T* r) const {
    using namespace std;
    const T x = y[0], z = y[1];
    const T values[] = {exp(x),      log(x),      sqrt(x),       sin(x),  cos(x),           tan(x),
                        atan(x),     sinh(x),     cosh(x),       tanh(x), abs(-x),          pow(x, 2.5),
                        hypot(x, z), atan2(x, z), 2 / x - x / 3, x / z,   (1 - x) * (z + 1)};
    for (int i = 0; i < 17; ++i) r[i] = values[i] + .5 * dy[i];
    r[0] += x, r[1] -= z, r[2] *= z, r[3] /= z;
  }
};

TEST(Dual, KnowsTheDerivativesOfItsFunctions) {
  const AutomaticImplicit<Functions> functions;
  for (Point p : points_near_start(functions, .3, 1)) {
    p.y[1] += 1;
    const Jacobians ours = jacobians(functions, p);
    Vector plus(17), minus(17);
    for (Eigen::Index j = 0; j < 2; ++j) {
      const double h = 1e-5;
      Vector there = p.y;
      there[j] = p.y[j] + h;
      functions.F(p.t, there, p.dy, plus);
      there[j] = p.y[j] - h;
      functions.F(p.t, there, p.dy, minus);
      for (Eigen::Index i = 0; i < 17; ++i)
        EXPECT_NEAR(ours.F_y(i, j), (plus[i] - minus[i]) / (2 * h), 1e-8 * (1 + std::abs(ours.F_y(i, j))))
            << "function " << i;
    }
  }
}

/// r0 holds y1 only where y0 > 0; r1's derivative by y0 vanishes at the start.
class Branching : public Small {
 public:
  Branching() : Small(2) {}
  State start() const override { return {0, Vector::Zero(2)}; }
  void F(double, In y, In dy, Out r) const override {
    r[0] = dy[0] + y[0];
    if (y[0] > -5e-3) r[0] += y[1];
    r[1] = dy[1] + y[0] * y[0];
  }
};

class BranchingFar : public Branching {
 public:
  Pattern pattern() const { return {{{0, 0}, {0, 1}, {1, 0}}, {{0, 0}, {1, 1}}}; }
};

TEST(Differences, ProbeWhatVanishesAtTheStart) {
  const DifferencedImplicit<Branching> probed;
  const DifferencedImplicit<BranchingFar> given;
  const Point p{0, Eigen::Vector2d(.5, .25), Eigen::Vector2d(1, 2)};
  Matrix truth(2, 2);
  truth << 1, 1, 1, 0;
  EXPECT_LE(largest((jacobians(probed, p).F_y - truth).reshaped()), 1e-7);
  EXPECT_EQ(jacobians(probed, p).F_y, jacobians(given, p).F_y);
  EXPECT_EQ(probed.colours(), given.colours());
}

/// sqrt(1 - y): at y = 1 the domain ends.
class Rim : public Small {
 public:
  Rim() : Small(1) {}
  void F(double, In y, In dy, Out r) const override { r[0] = dy[0] + std::pow(1 - y[0], 1.5); }
};

TEST(Differences, TurnRoundAtTheRimOfTheDomain) {
  const DifferencedImplicit<Rim> rim;
  const Point p{0, Vector::Ones(1), Vector::Zero(1)};
  EXPECT_NEAR(jacobians(rim, p).F_y(0, 0), 0, 1e-3);
  EXPECT_TRUE(std::isnan(jacobians(rim, {0, 2 * Vector::Ones(1), Vector::Zero(1)}).F_y(0, 0)));
}

/// Unknowns of size 1e-9.
class Tiny : public Small {
 public:
  Tiny() : Small(1) {}
  State start() const override { return {0, Vector::Zero(1)}; }
  Vector typical_sizes() const { return Vector::Constant(1, 1e-9); }
  void F(double, In y, In dy, Out r) const override { r[0] = dy[0] + std::exp(1e9 * y[0]); }
};

TEST(Differences, TakeTypicalSizes) {
  const DifferencedImplicit<Tiny> tiny;
  EXPECT_NEAR(jacobians(tiny, {0, Vector::Zero(1), Vector::Zero(1)}).F_y(0, 0), 1e9, 1e9 * 3e-8);
}

TEST(Overflow, IsReportedNotHidden) {
  const auto problem = make_problem("transistor-amplifier");
  const auto& amplifier = dynamic_cast<const Implicit&>(*problem);
  Point wild{0, problem->start().y, Vector::Zero(8)};
  wild.y[1] = 1e3;  // exp(38000)
  Vector r(8);
  amplifier.F(wild.t, wild.y, wild.dy, r);
  EXPECT_FALSE(r.allFinite());
  EXPECT_FALSE(jacobians(amplifier, wild).F_y.allFinite());
  EXPECT_EQ(amplifier.diagnose(0, wild.y).outcome, Outcome::not_finite);
}

TEST(Allocations, NoneAfterTheFirstCall) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP();
  const auto small = make_problem("transistor-amplifier");
  const auto large = std::make_shared<const AutomaticImplicit<Chain>>(200);
  const DifferencedImplicit<Stripped> small_differences(small), large_differences(large);
  const std::vector<const Implicit*> all = {dynamic_cast<const Implicit*>(small.get()), large.get(),
                                            &small_differences, &large_differences};
  std::vector<Entries> F_y(4), F_dy(4);
  std::vector<Point> points;
  for (const auto* p : all) points.push_back(points_near_start(*p, .01, 1)[1]);
  const auto pass = [&] {
    for (std::size_t k = 0; k < 4; ++k) {
      const Point& p = points[k];
      all[k]->jacobians(p.t, p.y, p.dy, F_y[k], F_dy[k]);
    }
  };
  pass();
  const long before = dalembert::testing::allocations;
  for (int k = 0; k < 3; ++k) pass();  // problems of different sizes by turns
  EXPECT_EQ(dalembert::testing::allocations, before);
}

TEST(Threads, ShareAProblem) {
  const auto problem = make_problem("ring-modulator");
  const auto& ring = dynamic_cast<const Implicit&>(*problem);
  const auto points = points_near_start(*problem, .1, 1e3);
  std::vector<Jacobians> alone, together(points.size());
  for (const Point& p : points) alone.push_back(jacobians(ring, p));
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < points.size(); ++k)
    threads.emplace_back([&, k] {
      for (int round = 0; round < 200; ++round) together[k] = jacobians(ring, points[k]);
    });
  for (auto& thread : threads) thread.join();
  for (std::size_t k = 0; k < points.size(); ++k) {
    EXPECT_EQ(together[k].F_y, alone[k].F_y);
    EXPECT_EQ(together[k].F_dy, alone[k].F_dy);
  }
}

}  // namespace
}  // namespace dalembert
