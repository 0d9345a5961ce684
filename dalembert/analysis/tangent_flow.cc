#include "dalembert/analysis/tangent_flow.h"

#include <algorithm>
#include <cmath>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/constraints/redundancy.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/rounding.h"
#include "dalembert/core/text.h"
#include "dalembert/formulation/by_index/acceleration_level.h"
#include "dalembert/formulation/null_space/independent_rows.h"
#include "dalembert/problem/hessenberg.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

namespace {

constexpr double difference = 7e-4;  // of entries in parts of their sizes: the fifth root of rounding
constexpr double dependent_row =
    1e-9;  // unit rows that stick out of the span of others by less follow from them

[[noreturn]] void no_neighbours(const std::string& what, const std::string& hint = {}) {
  throw Error("neighbouring motions cannot be followed: " + what, hint);
}

/// The flow has a derivative where nothing switches.
void check_smooth(const Problem& problem, double begin) {
  if (problem.events() != nullptr)
    no_neighbours("the problem has events, which tangent columns do not cross");
  if (problem.switches())
    no_neighbours("the equations switch where the state says so, which tangent columns do not cross");
  if (!problem.breaks(begin, std::max(problem.end(), begin + 1)).empty())
    no_neighbours("the equations are not smooth in time");
}

std::unique_ptr<Formulation> rewritten_by(const std::string& name, const Problem& problem,
                                          const std::map<std::string, double>& options,
                                          Statistics& statistics, const FormulationEntry** taken = nullptr) {
  for (const auto& entry : all_formulations()) {
    if (entry.name != name || entry.from != problem.kind() || entry.to != Kind::ode) continue;
    if (taken != nullptr) *taken = &entry;
    return entry.make(problem, Parameters(entry.options, options, entry.name), statistics);
  }
  find_formulation(name);  // throws for a name that nobody has
  no_neighbours("formulation '" + name +
                    "' does not make ordinary differential equations of a problem of kind " +
                    std::string(dalembert::name(problem.kind())),
                "take index1 or baumgarte, or none");
}

}  // namespace

struct TangentFlow::Equations {
  virtual ~Equations() = default;
  virtual const Ode& ode() const = 0;
  /// dw = F_z w.
  virtual void along(double t, In z, In w, Out dw) {
    double size = 0;
    for (Eigen::Index i = 0; i < z.size(); ++i)
      size = std::max(size, std::abs(w[i]) / (sizes[i] + std::abs(z[i])));
    if (!(size > 0)) {
      dw = 0 * w;
      return;
    }
    // Of fourth order: what rounding leaves has to lie below tolerances of 1e-11.
    const double e = difference / size;
    dw.setZero();
    slope_.resize(z.size());
    for (const auto& [part, weight] : {std::pair(1., 8.), {-1., -8.}, {2., -1.}, {-2., 1.}}) {
      moved_ = z + part * e * w;
      ode().f(t, moved_, slope_);
      dw += weight / (12 * e) * slope_;
    }
  }
  virtual Outcome project(double, Out) { return Outcome::ok; }
  /// H, dense; no rows: the tangent space is everything.
  virtual Matrix rows(double, In z) { return Matrix(0, z.size()); }
  /// After an accepted step.
  virtual void renew(const State&) {}

  /// Orthonormal columns that span the rows of H, of entries in parts of their sizes.
  Matrix normals(double t, In z) {
    Matrix H = rows(t, z) * sizes.asDiagonal();
    if (H.rows() == 0) return Matrix(z.size(), 0);
    for (Eigen::Index i = 0; i < H.rows(); ++i)
      if (const double length = H.row(i).norm(); length > 0) H.row(i) /= length;
    Eigen::ColPivHouseholderQR<Matrix> qr(H.transpose());
    qr.setThreshold(dependent_row);
    return qr.householderQ() * Matrix::Identity(z.size(), qr.rank());
  }

  State start;  // of z
  Layout layout;
  Vector sizes;
  Statistics statistics;

 private:
  Vector moved_, slope_;
};

namespace {

/// An ordinary differential equation as it is.
struct OfOde final : TangentFlow::Equations {
  explicit OfOde(std::shared_ptr<const Problem> problem)
      : problem_(std::move(problem)), ode_(as<Ode>(*problem_)) {}
  const Ode& ode() const override { return ode_; }
  void along(double t, In z, In w, Out dw) override {
    if (t != t_ || z_.size() != z.size() || z_ != z) {
      ode_.f_y(t, z, f_y_);
      t_ = t, z_ = z;
    }
    dw.setZero();
    f_y_.multiply(w, 1, dw);
  }
  Outcome project(double t, Out z) override {
    return ode_.invariant() != nullptr ? ode_.invariant()->project(t, z) : Outcome::ok;
  }

 private:
  std::shared_ptr<const Problem> problem_;
  const Ode& ode_;
  Entries f_y_;
  double t_ = not_a_number;
  Vector z_;
};

/// What a formulation makes of a problem, all of it. Where it lets constraints drift, z is brought back.
struct OfFormulation final : TangentFlow::Equations {
  OfFormulation(std::shared_ptr<const Problem> problem, const TangentFlowOptions& options)
      : problem_(std::move(problem)),
        formulation_(rewritten_by(options.formulation, *problem_, options.options, statistics, &entry_)),
        ode_(as<Ode>(formulation_->rewritten())) {}
  const Ode& ode() const override { return ode_; }
  Outcome project(double t, Out z) override {
    return entry_->drifts && ode_.invariant() != nullptr ? ode_.invariant()->project(t, z) : Outcome::ok;
  }
  void renew(const State& z) override {
    State state = z;
    formulation_->renew(state);
  }
  const Formulation& formulation() const { return *formulation_; }

 private:
  std::shared_ptr<const Problem> problem_;
  const FormulationEntry* entry_ = nullptr;
  std::unique_ptr<Formulation> formulation_;
  const Ode& ode_;
};

/// h = (g; J v + w) of a mechanical problem in (q, v, s).
struct OfMechanical final : TangentFlow::Equations {
  OfMechanical(std::shared_ptr<const Problem> whole, const State& consistent)
      : whole_(std::move(whole)), all_(*as_mechanical(*whole_)) {
    const Redundancy redundancy = find_redundancy(all_, consistent);
    if (!redundancy.dependent.empty())
      independent_ =
          std::make_unique<IndependentRows>(all_, redundancy.independent(), redundancy.inconsistent);
    problem_ = independent_ ? independent_.get() : &all_;
    n_ = problem_->sizes();
    level_ = std::make_unique<AccelerationLevel::Equations>(*problem_, Stabilisation{}, statistics);
    counters_ = problem_->turn_counters();
    at_ = problem_->placement();
    zero_a_ = Vector::Zero(n_.v), zero_l_ = Vector::Zero(n_.rows());
  }
  const Ode& ode() const override { return *level_; }
  Outcome project(double t, Out z) override { return level_->project(t, z); }
  Matrix rows(double t, In z) override {
    const MechanicalState part(n_);
    problem_->place_at(*at_, t, part.q(z));
    problem_->jacobian(*at_, J_);
    problem_->derivatives(*at_, part.v(z), part.s(z), zero_a_, zero_l_, d_);
    const Matrix J = J_.dense(n_.rows(), n_.v), B = d_.B.dense(n_.rows(), n_.v);
    Matrix N, inverse = Matrix::Identity(n_.v, n_.q);
    if (!problem_->plain()) {
      problem_->kinematics(*at_, part.v(z), kinematics_);
      N = kinematics_.N.dense(n_.q, n_.v);
      inverse = kinematics_.inverse.dense(n_.v, n_.q);
    }
    const Eigen::Index lengths =
        problem_->plain() ? 0 : n_.q;  // what no velocity changes: norms of quaternions
    const auto counted = static_cast<Eigen::Index>(counters_.size());
    Matrix H = Matrix::Zero(n_.holonomic + n_.rows() + lengths + counted, z.size());
    // A count goes along with its angle.
    const Matrix counting = counted > 0 ? Matrix(d_.k_v.dense(n_.s, n_.v) * inverse) : Matrix();
    for (Eigen::Index i = 0; i < counted; ++i) {
      const Eigen::Index state = counters_[static_cast<std::size_t>(i)],
                         row = n_.holonomic + n_.rows() + lengths + i;
      H.row(row).head(n_.q) = -counting.row(state);
      H(row, n_.q + n_.v + state) = 1;
    }
    H.topLeftCorner(n_.holonomic, n_.q) = J.topRows(n_.holonomic) * inverse;
    H.block(n_.holonomic, 0, n_.rows(), n_.q) = B * inverse;
    H.block(n_.holonomic, n_.q, n_.rows(), n_.v) = J;
    if (lengths > 0) {
      // Rows x x' of a unit vector x: one of them is long enough, and short ones are rounding in all but their length.
      Matrix out = Matrix::Identity(n_.q, n_.q) - N * inverse;
      for (Eigen::Index i = 0; i < n_.q; ++i)
        if (out.row(i).norm() < .1) out.row(i).setZero();
      H.block(n_.holonomic + n_.rows(), 0, n_.q, n_.q) = out;
    }
    return H;
  }

 private:
  std::shared_ptr<const Problem> whole_;
  const Mechanical& all_;
  std::unique_ptr<IndependentRows> independent_;
  const Mechanical* problem_ = nullptr;
  Mechanical::Sizes n_;
  std::unique_ptr<AccelerationLevel::Equations> level_;
  std::unique_ptr<Placement> at_;
  std::vector<Eigen::Index> counters_;  // of turns, among the states
  Entries J_;
  Derivatives d_;
  Kinematics kinematics_;
  Vector zero_a_, zero_l_;
};

/// h = g of a problem of index 2, z eliminated by the constraint differentiated once.
struct OfHessenberg final : TangentFlow::Equations {
  explicit OfHessenberg(std::shared_ptr<const Problem> problem)
      : whole_(std::move(problem)),
        problem_(as<Hessenberg>(*whole_)),
        formulation_(rewritten_by("baumgarte", *whole_, {{"alpha", 0}}, statistics)),
        ode_(as<Ode>(formulation_->rewritten())) {}
  const Ode& ode() const override { return ode_; }
  Matrix rows(double t, In y) override {
    problem_.g_y(t, y, g_y_);
    return g_y_.dense(problem_.layout().size() - y.size(), y.size());
  }
  Outcome project(double t, Out y) override {
    Vector g(problem_.layout().size() - y.size());
    for (int round = 0; round < 20; ++round) {
      problem_.g(t, y, g);
      const Vector step = rows(t, y).completeOrthogonalDecomposition().solve(g);
      if (!step.allFinite()) return Outcome::not_finite;
      y -= step;
      if (largest(step) <= 1e-15 * (1 + largest(y))) return Outcome::ok;
      if (round > 3 && largest(step) <= 1e-12 * (1 + largest(y))) return Outcome::ok;
    }
    return Outcome::projection_failed;
  }
  void renew(const State& z) override {
    State state = z;
    formulation_->renew(state);
  }

 private:
  std::shared_ptr<const Problem> whole_;
  const Hessenberg& problem_;
  std::unique_ptr<Formulation> formulation_;
  const Ode& ode_;
  Entries g_y_;
};

}  // namespace

/// z and the columns as one ordinary differential equation, whose invariant is the manifold.
class TangentFlow::Variations final : public Ode, private Invariant {
 public:
  Variations(Equations& equations, Eigen::Index columns)
      : equations_(equations), n_(equations.layout.size()), k_(columns) {}
  Layout layout() const override { return Layout().add("y", n_ * (1 + k_), Role::differential, 1); }
  State start() const override { return {equations_.start.t, Vector::Zero(n_ * (1 + k_))}; }
  double end() const override { return equations_.ode().end(); }
  void f(double t, In y, Out dy) const override {
    equations_.ode().f(t, y.head(n_), dy.head(n_));
    for (Eigen::Index j = 1; j <= k_; ++j)
      equations_.along(t, y.head(n_), y.segment(j * n_, n_), dy.segment(j * n_, n_));
  }
  const Invariant* invariant() const override { return this; }
  void project_columns(double t, Out y) const {
    const Matrix normals = equations_.normals(t, y.head(n_));
    Eigen::Map<Matrix> W(y.data() + n_, n_, k_);
    const auto sizes = equations_.sizes.asDiagonal();
    const Matrix off = normals.transpose() * (sizes.inverse() * W);
    W -= sizes * (normals * off);
  }

 private:
  Outcome project(double t, Out y) const override {
    const Outcome outcome = equations_.project(t, y.head(n_));
    if (outcome == Outcome::ok) project_columns(t, y);
    return outcome;
  }

  Equations& equations_;
  Eigen::Index n_, k_;
};

TangentFlow::TangentFlow(std::shared_ptr<const Problem> problem, const TangentFlowOptions& options)
    : options_(options) {
  options.tolerance.validate();
  if (as_mechanical(*problem) == nullptr && problem->kind() != Kind::ode &&
      problem->kind() != Kind::hessenberg)
    no_neighbours(
        "problems of kind " + std::string(name(problem->kind())) + " are not rewritten on a manifold",
        "kinds that are: ode, hessenberg, mechanical");
  State full = problem->start();
  change_start(options.start, problem->layout(), full);
  check_smooth(*problem, full.t);
  if (const StartReport report = make_consistent(*problem, full); report.outcome != Outcome::ok)
    throw Error("the start is not consistent: " + report.message);
  if (!options.formulation.empty())
    equations_ = std::make_unique<OfFormulation>(problem, options);
  else if (as_mechanical(*problem) != nullptr)
    equations_ = std::make_unique<OfMechanical>(problem, full);
  else if (problem->kind() == Kind::hessenberg)
    equations_ = std::make_unique<OfHessenberg>(problem);
  else
    equations_ = std::make_unique<OfOde>(problem);
  equations_->layout = equations_->ode().layout();
  equations_->start = {full.t, full.y.head(equations_->layout.size())};
  equations_->sizes = Vector::Ones(equations_->layout.size());
  // Of a mechanism of millimetres velocities are of a millimetre per second, for all that is known here.
  double small = 1;
  for (const auto& [label, size] : problem->small_entries())
    if (label.starts_with("q.")) small = std::min(small, size);
  for (const Block& block : equations_->layout.blocks())
    for (Eigen::Index i = 0; i < block.size; ++i)
      if (const std::string& unit = block.units[static_cast<std::size_t>(i)]; unit == "m" || unit == "m/s")
        equations_->sizes[block.offset + i] = small;
  begin(equations_->start, Matrix(equations_->layout.size(), 0));
}

TangentFlow::~TangentFlow() = default;

const Layout& TangentFlow::layout() const {
  return equations_->layout;
}
const State& TangentFlow::start() const {
  return equations_->start;
}
const Statistics& TangentFlow::statistics() const {
  return equations_->statistics;
}
Eigen::Index TangentFlow::dimension() const {
  return layout().size() - equations_->normals(start().t, start().y).cols();
}
void TangentFlow::rate(double t, In z, Out dz) {
  equations_->ode().f(t, z, dz);
}
Outcome TangentFlow::project(double t, Out z) {
  Vector unused(z.size());
  rate(t, z, unused);  // projections use the factors of the last evaluation
  return equations_->project(t, z);
}

void TangentFlow::measure_in(const Vector& sizes) {
  equations_->sizes = sizes;
}
const Vector& TangentFlow::sizes() const {
  return equations_->sizes;
}

Matrix TangentFlow::basis(double t, In z) {
  const Matrix normals = equations_->normals(t, z);
  const Eigen::Index n = z.size();
  Matrix all = Matrix::Identity(n, n);
  if (normals.cols() > 0) all = normals.householderQr().householderQ() * all;
  return sizes().asDiagonal() * all.rightCols(n - normals.cols());
}

void TangentFlow::begin(const State& z, const Matrix& columns) {
  z_ = z;
  W_ = columns;
  const MethodEntry& entry = find_method("dop853");
  variations_ = std::make_unique<Variations>(*equations_, columns.cols());
  method_ = entry.make();
  Tolerance tolerance = options_.tolerance;
  if (const Layout both = variations_->layout(); (sizes().array() != 1).any())
    for (Eigen::Index i = 0; i < both.size(); ++i)
      tolerance.named[both.label(i)] = tolerance.absolute * sizes()[i % sizes().size()];
  method_->bind(*variations_, {.tolerance = tolerance,
                               .projection = Projection::on,
                               .options = Parameters(entry.options, {}, entry.name),
                               .statistics = &equations_->statistics});
  controller_.restart();
  from_ = {z.t, Vector(z.y.size() + columns.size())};
  from_.y << z.y, Eigen::Map<const Vector>(columns.data(), columns.size());
  // What is off the constraints now would be seen as an error of the first step, however short.
  if (project(z.t, from_.y.head(z.y.size())) == Outcome::ok) {
    variations_->project_columns(z.t, from_.y);
    unpack();
  }
  to_ = from_;
  h_ = 0;
}

void TangentFlow::unpack() {
  const Eigen::Index n = z_.y.size();
  z_.t = from_.t;
  z_.y = from_.y.head(n);
  W_ = Eigen::Map<const Matrix>(from_.y.data() + n, n, W_.cols());
}

Outcome TangentFlow::fail(Outcome outcome, double h) {
  message_ = "t = " + short_number(from_.t) + ": " + std::string(meaning(outcome));
  if (const Fault fault = equations_->ode().diagnose(from_.t, z_.y)) message_ += " (" + fault.what + ")";
  if (outcome == Outcome::step_too_small) message_ += ", " + short_number(h);
  return outcome;
}

Outcome TangentFlow::advance(double end, const OnStep& on_step) {
  message_.clear();
  const double tiny = 1e-13 * (std::abs(end) + std::abs(from_.t));
  if (h_ == 0) h_ = 1e-3 * (end - from_.t);
  Outcome last = Outcome::step_too_small;
  while (end - from_.t > tiny) {
    if (options_.interrupt != nullptr && options_.interrupt->load()) return fail(Outcome::interrupted, h_);
    const double left = end - from_.t, h = h_ >= left ? left : std::min(h_, left > 2 * h_ ? left : left / 2);
    if (h < 1e-14 * (1 + std::abs(from_.t))) return fail(last, h);
    const Attempt attempt = method_->attempt(from_, h, to_);
    if (attempt.outcome != Outcome::ok || attempt.error > 1) {
      last = attempt.outcome == Outcome::ok ? Outcome::step_too_small : attempt.outcome;
      h_ = attempt.outcome == Outcome::ok ? controller_.after_rejection(h, attempt)
                                          : controller_.after_failure(h);
      ++equations_->statistics.rejected;
      continue;
    }
    ++equations_->statistics.steps;
    method_->accept();
    std::swap(from_, to_);
    if (h == left) from_.t = end;
    const double next = controller_.after_acceptance(h, attempt);
    h_ = h == left ? std::max(h_, next) : next;  // a step that was cut says little about the next one
    unpack();
    equations_->renew(z_);
    if (on_step && on_step(z_.t, W_) == Columns::changed) {
      from_.y.tail(W_.size()) = Eigen::Map<const Vector>(W_.data(), W_.size());
      method_->restart();
    }
  }
  return Outcome::ok;
}

}  // namespace dalembert
