// ggl: position and velocity constraints together, with a second multiplier in the kinematic equation
// [GearLeimkuhlerGupta1985].
//
//   q' - N (v - x) = 0,   M v' - f + J'l = 0,   s' - k = 0,   J v + w = 0,   g(t,q) = 0
//   x = G'eta,   or  M x = G'eta  (metric 1: the change of q' is the least in kinetic energy)
//
// eta is zero in exact arithmetic; l and eta are of index 2. With metric 1, x is kept among the unknowns so that M is
// never inverted: its columns stay as sparse as M.
//
// ggl-star: the same equations, but Newton's convergence test does not look at l, eta and x, which enter linearly
// [YenPetzold1998]. Where they start is an option: extrapolated, or from the predictor's residuals r1 = N^+ q' - v and
// r2 = M v' - f with the split of coordinate_partition.h, eta = -(G Y)^-T Y'r1 and l = -(J Y)^-T Y'r2.
#include "dalembert/formulation/by_index/implicit_form.h"
#include "dalembert/formulation/splitting/coordinate_partition.h"

namespace dalembert {

namespace {

class Ggl : public ImplicitForm {
 public:
  Ggl(const Mechanical& problem, const Parameters& options, Statistics& statistics, int most_tests = 1)
      : ImplicitForm(problem, options, statistics),
        metric_(options.count("metric", 0, 1) == 0 || n_.holonomic == 0 ? Metric::identity : Metric::kinetic),
        error_test_(options.count("error-test", 0, most_tests) == 1 ? Tested::positions : Tested::motion),
        eta0_(part_.size()),
        x0_(eta0_ + n_.holonomic) {
    add_blocks({.v = 1, .lambda = 2, .mu = 2});
    add_block("eta", n_.holonomic, Role::algebraic, 2, row_labels(0, n_.holonomic));
    name_rows(Level::velocity, 0, n_.rows());
    name_rows(Level::position, 0, n_.holonomic);
    if (metric_ == Metric::kinetic) {
      add_block("x", n_.v, Role::algebraic, 2);
      for (Eigen::Index i = 0; i < n_.v; ++i)
        name_equation("the kinematic correction of " + original().layout().label(n_.q + i));
    }
    u_ = Vector::Zero(n_.v);
  }

  void F(double t, In y, In dy, Out residual) const override {
    place(t, part_.q(y));
    correct_velocity(y);
    differential_residual(y, dy, u_, residual);
    velocity_residual(part_.v(y), part_.multipliers(residual));
    if (n_.holonomic > 0) original().g(*at_, residual.segment(eta0_, n_.holonomic));
    if (metric_ == Metric::identity) return;
    auto r = residual.segment(x0_, n_.v);
    r.setZero();
    M_.multiply(y.segment(x0_, n_.v), 1, r);
    add_G_transposed(y.segment(eta0_, n_.holonomic), -1, r);
  }

  void jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const override {
    place(t, part_.q(y));
    correct_velocity(y);
    linearize(y, part_.v(dy), part_.multipliers(y), u_);
    curvature(y, dy);
    F_y.begin();
    F_dy.begin();
    differential_blocks(F_y, F_dy);
    multiplier_block(F_y);
    velocity_rows(F_y, part_.differential(), {0, n_.rows()});
    position_rows(F_y, eta0_);
    if (metric_ == Metric::identity) {
      put_lifted_along(F_y, C_, 1);
      put_lifted(F_y, Gt_, eta0_, 1);
    } else {
      if (plain_)
        put_identity(F_y, 0, x0_, n_.v, 1);
      else
        put(F_y, kin_.N, 0, x0_, 1);
      put_along(F_y, C_, Rows{}, x0_, 1);
      put(F_y, M_, x0_, x0_, 1);
      put(F_y, Gt_, x0_, eta0_, -1);
    }
    F_y.end();
    F_dy.end();
  }

  void change_tests(Out error, Out /*newton*/) const override {
    if (error_test_ == Tested::positions) part_.v(error).setZero();
  }

 protected:
  enum class Metric { identity, kinetic };
  enum class Tested { motion, positions };

  void add_G_transposed(In eta, double scale, Out u) const {
    for (std::size_t k = 0; k < J_.size(); ++k)
      if (J_.row(k) < n_.holonomic) u[J_.column(k)] += scale * J_.value(k) * eta[J_.row(k)];
  }

  /// u = v - x
  void correct_velocity(In y) const {
    u_ = part_.v(y);
    if (metric_ == Metric::identity)
      add_G_transposed(y.segment(eta0_, n_.holonomic), -1, u_);
    else
      u_ -= y.segment(x0_, n_.v);
  }

  /// C = (G'eta)_q N, or (M x - G'eta)_q N, as a difference of two K, which is affine in accelerations and multipliers.
  void curvature(In y, In dy) const {
    const double sign = metric_ == Metric::identity ? 1 : -1;
    l_ = part_.multipliers(y);
    l_.head(n_.holonomic) += sign * y.segment(eta0_, n_.holonomic);
    a_ = part_.v(dy);
    if (metric_ == Metric::kinetic) a_ += y.segment(x0_, n_.v);
    original().derivatives(*at_, part_.v(y), part_.s(y), a_, l_, moved_);
    C_.begin();
    for (std::size_t k = 0; k < d_.K.size(); ++k)
      C_.add(d_.K.row(k), d_.K.column(k), moved_.K.value(k) - d_.K.value(k));
    C_.end();
    Gt_.begin();
    put_transposed(Gt_, J_, {0, n_.holonomic}, 0, 0, 1);
    Gt_.end();
  }

  Metric metric_;
  Tested error_test_;
  Eigen::Index eta0_, x0_;  // where these blocks begin
  mutable Vector u_;
  mutable Derivatives moved_;
  mutable Entries C_, Gt_;
};

class GglStar final : public Ggl {
 public:
  GglStar(const Mechanical& problem, const Parameters& options, Statistics& statistics)
      : Ggl(problem, options, statistics, 3),
        from_(options.count("multipliers-from", 0, 1) == 0 ? From::history : From::residual),
        only_free_(options.count("error-test", 0, 3) >= 2 && n_.q == n_.v),
        magnified_(options.count("error-test", 0, 3) == 3) {
    G_split_.bind(n_.holonomic, n_.v, CoordinatePartition::Basis::coordinates, {});
    J_split_.bind(n_.rows(), n_.v, CoordinatePartition::Basis::coordinates, {});
    r_ = rho_ = factors_ = Vector::Zero(n_.v);
    const State given = problem.start();
    place(given.t, part_.q(given.y));
    G_split_.choose(J_);  // whatever allocates does so now
    J_split_.choose(J_);
  }

  void change_tests(Out error, Out newton) const override {
    Ggl::change_tests(error, newton);
    if (only_free_) {
      G_split_.choose(J_);
      J_split_.choose(J_);
      error.setZero();
      test_free(G_split_, error.head(n_.q));
      test_free(J_split_, error.segment(n_.q, n_.v));
      part_.s(error).setOnes();
    }
    newton.tail(newton.size() - part_.differential()).setZero();
  }

  void prepare(double t, Out y, Out dy) const override {
    if (from_ == From::history) return;
    place(t, part_.q(y));
    if (G_split_.choose(J_) != Outcome::ok || J_split_.choose(J_) != Outcome::ok) return;
    slip(y, dy);
    auto l = part_.multipliers(y);
    l.setZero();
    motion_residual(y, dy, l, r_);
    J_split_.multipliers(r_, l);
    if (metric_ == Metric::identity) {
      G_split_.multipliers(rho_, y.segment(eta0_, n_.holonomic));
      return;
    }
    y.segment(x0_, n_.v) = -rho_;
    r_.setZero();
    M_.multiply(rho_, 1, r_);
    G_split_.multipliers(r_, y.segment(eta0_, n_.holonomic));
  }

 private:
  enum class From { history, residual };

  void slip(In y, In dy) const {  // rho = N^+ q' - v
    for (Eigen::Index i = 0; i < n_.v; ++i) rho_[i] = -y[n_.q + i];
    if (plain_) {
      rho_ += part_.q(dy);
    } else {
      original().kinematics(*at_, part_.v(y), kin_);
      kin_.inverse.multiply(part_.q(dy), 1, rho_);
    }
  }

  From from_;
  /// X'q or X'v, each times the length of the whole change that it makes if that is asked for [YenPetzold1998, (2.27)].
  void test_free(const CoordinatePartition& split, Out tests) const {
    auto factors = factors_.head(split.free());
    if (magnified_) split.magnify(factors);
    for (std::size_t k = 0; k < split.free_coordinates().size(); ++k) {
      const double factor = magnified_ ? factors[static_cast<Eigen::Index>(k)] : 1;
      tests[split.free_coordinates()[k]] = std::isfinite(factor) ? factor : 1;
    }
  }

  bool only_free_, magnified_;  // X'q and X'v are tested
  mutable CoordinatePartition G_split_, J_split_;
  mutable Vector r_, rho_, factors_;
};

std::vector<Parameter> common_options() {
  return {ImplicitForm::multipliers_option(),
          {"metric", 0, "", "0: q' corrected by G'eta; 1: by M^-1 G'eta"},
          {"error-test", 0, "", "0: q and v; 1: q only, which damps oscillations silently"}};
}

}  // namespace

std::vector<FormulationEntry> formulations_in_ggl() {
  std::vector<Parameter> star_options = common_options();
  star_options.back().meaning +=
      "; 2: free positions and velocities, where q' = v; 3: the same, each times the length of the whole "
      "change "
      "that it makes";
  star_options.push_back(
      {"multipliers-from", 0, "",
       "where Newton's iteration starts: 0: multipliers extrapolated; 1: from the residuals of the "
       "predicted q and v"});
  return {{.name = "ggl",
           .summary = "position and velocity constraints, stabilised by a second multiplier",
           .cite = "GearLeimkuhlerGupta1985",
           .from = Kind::mechanical,
           .to = Kind::implicit,
           .index = 2,
           .preference = 20,
           .drifts = false,
           .options = common_options(),
           .make = make_implicit<Ggl>},
          {.name = "ggl-star",
           .summary = "ggl, with multipliers left out of Newton's convergence test",
           .cite = "GearLeimkuhlerGupta1985 YenPetzold1998",
           .from = Kind::mechanical,
           .to = Kind::implicit,
           .index = 2,
           .preference = 6,
           .drifts = false,
           .options = std::move(star_options),
           .make = make_implicit<GglStar>}};
}

}  // namespace dalembert
