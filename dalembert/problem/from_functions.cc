#include "dalembert/problem/from_functions.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/problem/function_checks.h"

namespace dalembert {

namespace {

class FunctionEvents final : public Events {
 public:
  explicit FunctionEvents(std::vector<EventFunction> events) : events_(std::move(events)) {
    for (const auto& event : events_) {
      if (!event.value)
        throw Error("event '" + event.name + "' has no value", "give it a function of the state");
      list_.push_back({event.name, event.direction});
    }
  }
  const std::vector<Event>& list() const override { return list_; }
  void values(const State& state, Out e) const override {
    for (std::size_t i = 0; i < events_.size(); ++i)
      e[static_cast<Eigen::Index>(i)] = events_[i].value(state);
  }
  EventResponse respond(std::size_t event, State& state) const override {
    return events_[event].respond ? events_[event].respond(state) : EventResponse{};
  }
  bool need_multipliers() const override {
    return std::any_of(events_.begin(), events_.end(), [](const EventFunction& e) { return e.multipliers; });
  }

 private:
  std::vector<EventFunction> events_;
  std::vector<Event> list_;
};

std::unique_ptr<const Events> events_of(std::vector<EventFunction> functions) {
  if (functions.empty()) return nullptr;
  return std::make_unique<const FunctionEvents>(std::move(functions));
}

/// What all of them share. `Kind` is the class of the kind of problem.
template <class Kind>
class FromFunctions : public Kind {
 public:
  FromFunctions(State start, double end, std::function<Vector(double)> exact,
                std::vector<EventFunction> events)
      : start_(std::move(start)),
        end_(end),
        exact_(std::move(exact)),
        events_(events_of(std::move(events))) {}
  State start() const override { return start_; }
  double end() const override { return end_; }
  std::optional<State> exact(double t) const override {
    if (!exact_) return {};
    return State{t, exact_(t)};
  }
  const Events* events() const override { return events_.get(); }

 private:
  State start_;
  double end_;
  std::function<Vector(double)> exact_;
  std::unique_ptr<const Events> events_;
};

void refuse_twins(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  if (const auto twin = std::adjacent_find(names.begin(), names.end()); twin != names.end())
    throw Error("two entries have the name '" + *twin + "'", "give each its own");
}

/// The entries from begin to end; none if there are none at all. Throws Error if there are too few or too many.
std::vector<std::string> part(const std::vector<std::string>& all, Eigen::Index size, Eigen::Index begin,
                              Eigen::Index end, const char* what) {
  if (all.empty()) return {};
  if (static_cast<Eigen::Index>(all.size()) != size)
    throw Error(
        "there are " + std::to_string(all.size()) + " " + what + " for " + std::to_string(size) + " entries",
        std::string("give one of the ") + what + " per entry of the state, or none");
  const std::vector<std::string> mine(all.begin() + begin, all.begin() + end);
  if (std::string_view(what) == "names") refuse_twins(mine);
  return mine;
}

void write_dense(const Matrix& values, Entries& matrix) {
  matrix.begin();
  for (Eigen::Index i = 0; i < values.rows(); ++i)
    for (Eigen::Index j = 0; j < values.cols(); ++j) matrix.add(i, j, values(i, j));
  matrix.end();
}

class OdeFromFunctions final : public FromFunctions<Ode> {
 public:
  OdeFromFunctions(State start, Differentiable f, const ProblemOptions& o)
      : FromFunctions(start, o.end.value_or(start.t + 1), o.exact, o.events), f_(std::move(f)) {
    const Eigen::Index n = start.y.size();
    layout_.add("y", n, Role::differential, 0, part(o.names, n, 0, n, "names"),
                part(o.units, n, 0, n, "units"));
    refuse_unwritten("f", n, [&](Out dy) { f_(start.t, start.y, dy); });
  }
  Layout layout() const override { return layout_; }
  void f(double t, In y, Out dy) const override { f_(t, y, dy); }
  void f_y(double t, In y, Entries& jacobian) const override {
    Matrix dense(y.size(), y.size());
    f_.jacobian(t, y, dense);
    write_dense(dense, jacobian);
  }

 private:
  Differentiable f_;
  Layout layout_;
};

class HessenbergFromFunctions final : public FromFunctions<Hessenberg> {
 public:
  HessenbergFromFunctions(State start, Eigen::Index n, Differentiable f, Differentiable g,
                          const ProblemOptions& o)
      : FromFunctions(start, o.end.value_or(start.t + 1), o.exact, o.events),
        n_(n),
        m_(start.y.size() - n),
        f_(std::move(f)),
        g_(std::move(g)) {
    const Eigen::Index all = n_ + m_;
    layout_
        .add("y", n_, Role::differential, 1, part(o.names, all, 0, n_, "names"),
             part(o.units, all, 0, n_, "units"))
        .add("z", m_, Role::algebraic, 2, part(o.names, all, n_, all, "names"),
             part(o.units, all, n_, all, "units"));
    refuse_unwritten("f", n_, [&](Out dy) { f_(start.t, start.y, dy); });
    refuse_unwritten("g", m_, [&](Out residual) { g_(start.t, start.y.head(n_), residual); });
  }
  Layout layout() const override { return layout_; }
  void f(double t, In y, In z, Out dy) const override { f_(t, joined(y, z), dy); }
  void g(double t, In y, Out residual) const override { g_(t, y, residual); }
  void f_y(double t, In y, In z, Entries& matrix) const override {
    write_dense(f_yz(t, y, z).leftCols(n_), matrix);
  }
  void f_z(double t, In y, In z, Entries& matrix) const override {
    write_dense(f_yz(t, y, z).rightCols(m_), matrix);
  }
  void g_y(double t, In y, Entries& matrix) const override {
    Matrix dense(m_, n_);
    g_.jacobian(t, y, dense);
    write_dense(dense, matrix);
  }
  void g_t(double t, In y, Out rate) const override { g_.rate(t, y, rate); }

 private:
  Vector joined(In y, In z) const {
    Vector both(n_ + m_);
    both << y, z;
    return both;
  }
  Matrix f_yz(double t, In y, In z) const {
    Matrix dense(n_, n_ + m_);
    f_.jacobian(t, joined(y, z), dense);
    return dense;
  }

  Eigen::Index n_, m_;
  Differentiable f_, g_;
  Layout layout_;
};

class MechanicalFromFunctions final : public FromFunctions<Mechanical> {
 public:
  MechanicalFromFunctions(const MechanicalStart& start, Mass mass, Force force, Constraints constraints,
                          MechanicalOptions o)
      : FromFunctions(whole(start, constraints.rows), o.end.value_or(start.t + 1), o.exact, o.events),
        n_(start.q.size()),
        mass_(std::move(mass)),
        force_(std::move(force)),
        constraints_(std::move(constraints)),
        o_(std::move(o)) {
    if (start.v.size() != n_)
      throw Error(
          "there are " + std::to_string(n_) + " positions and " + std::to_string(start.v.size()) +
              " velocities",
          "give as many of both; coordinates whose velocities are not their rates need a class of their own");
    if (const auto* diagonal = std::get_if<Vector>(&mass_); diagonal != nullptr && diagonal->size() != n_)
      refuse_mass(diagonal->size(), 1);
    if (const auto* matrix = std::get_if<Matrix>(&mass_);
        matrix != nullptr && (matrix->rows() != n_ || matrix->cols() != n_))
      refuse_mass(matrix->rows(), matrix->cols());
    if (const auto* function = std::get_if<2>(&mass_); function != nullptr && !*function)
      throw Error("the function of the mass is empty", "give one, or a Vector or Matrix");
    if (!force_)
      throw Error("the function of the force is empty", "give one that writes zeros if there is none");
    refuse_masses(mass_at_start(start));
    refuse_unwritten("the force", n_, [&](Out f) { force_(start.t, start.q, start.v, f); });
    refuse_unwritten("g", constraints_.rows, [&](Out g) { constraints_.g(start.t, start.q, g); });
    refuse_derivatives(start);
    const Eigen::Index all = 2 * n_ + constraints_.rows;
    const auto names = [&](Eigen::Index begin, Eigen::Index end) {
      return part(o_.names, all, begin, end, "names");
    };
    const auto units = [&](Eigen::Index begin, Eigen::Index end) {
      return part(o_.units, all, begin, end, "units");
    };
    layout_ = mechanical_layout({.q = names(0, n_),
                                 .v = names(n_, 2 * n_),
                                 .lambda = names(2 * n_, all),
                                 .q_units = units(0, n_),
                                 .v_units = units(n_, 2 * n_),
                                 .lambda_units = units(2 * n_, all)});
  }

  Sizes sizes() const override { return {.q = n_, .v = n_, .holonomic = constraints_.rows}; }
  Layout layout() const override { return layout_; }

  void mass(const Placement& at, Entries& M) const override {
    if (const auto* diagonal = std::get_if<Vector>(&mass_)) {
      M.begin();
      for (Eigen::Index i = 0; i < n_; ++i) M.add(i, i, (*diagonal)[i]);
      M.end();
    } else if (const auto* matrix = std::get_if<Matrix>(&mass_)) {
      write_dense(*matrix, M);
    } else {
      Matrix dense = Matrix::Zero(n_, n_);
      std::get<2>(mass_)(at.t, at.q, dense);
      refuse_resized(dense, n_, n_, "mass");
      write_dense(dense, M);
    }
  }
  void force(const Placement& at, In v, In /*s*/, Out f) const override { force_(at.t, at.q, v, f); }

  void g(const Placement& at, Out residual) const override {
    if (constraints_.rows > 0) constraints_.g(at.t, at.q, residual);
  }
  void jacobian(const Placement& at, Entries& J) const override {
    Matrix G = Matrix::Zero(constraints_.rows, n_);
    if (o_.jacobian) {
      o_.jacobian(at.t, at.q, G);
      refuse_resized(G, constraints_.rows, n_, "jacobian");
    } else if (constraints_.rows > 0) {
      constraints_.g.jacobian(at.t, at.q, G);
    }
    write_dense(G, J);
  }
  void velocity_bias(const Placement& at, Out w) const override {
    if (o_.velocity_bias)
      o_.velocity_bias(at.t, at.q, w);
    else if (constraints_.rows > 0)
      constraints_.g.rate(at.t, at.q, w);
  }
  void bias(const Placement& at, In v, Out bias) const override {
    if (o_.bias)
      o_.bias(at.t, at.q, v, bias);
    else if (constraints_.rows > 0)
      constraints_.g.second(at.t, at.q, v, bias);
  }

  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    if (!o_.energy) return {};
    return o_.energy(at.t, at.q, v);
  }
  double power(const Placement& at, In v, In /*s*/) const override {
    return o_.power ? o_.power(at.t, at.q, v) : 0;
  }
  /// Whether rows are driven, a function does not tell.
  bool conservative() const override { return !o_.power && constraints_.rows == 0; }

 private:
  static State whole(const MechanicalStart& start, Eigen::Index rows) {
    if (rows < 0) throw Error("the number of constraint rows is " + std::to_string(rows), "it is at least 0");
    State state{start.t, Vector::Zero(start.q.size() + start.v.size() + rows)};
    state.y.head(start.q.size()) = start.q;
    state.y.segment(start.q.size(), start.v.size()) = start.v;
    return state;
  }
  /// Those that were given against those of g itself, at the start, with velocities that excite all terms.
  void refuse_derivatives(const MechanicalStart& start) const {
    if (constraints_.rows == 0) return;
    Vector v = start.v;
    for (Eigen::Index i = 0; i < n_; ++i) v[i] += i % 2 == 0 ? 1 : -0.7;
    const auto at = placed_at(start.t, start.q);
    if (o_.jacobian) {
      Matrix given = Matrix::Zero(constraints_.rows, n_), own = given;
      o_.jacobian(start.t, start.q, given);
      refuse_resized(given, constraints_.rows, n_, "jacobian");
      constraints_.g.jacobian(start.t, start.q, own);
      refuse_wrong("jacobian", given, own);
    }
    Vector given(constraints_.rows), own(constraints_.rows);
    if (o_.velocity_bias) {
      velocity_bias(*at, given);
      constraints_.g.rate(start.t, start.q, own);
      refuse_wrong("velocity_bias", given, own);
    }
    if (o_.bias) {
      bias(*at, v, given);
      constraints_.g.second(start.t, start.q, v, own);
      refuse_wrong("bias", given, own);
    }
  }
  Matrix mass_at_start(const MechanicalStart& start) const {
    if (const auto* diagonal = std::get_if<Vector>(&mass_)) return diagonal->asDiagonal();
    if (const auto* matrix = std::get_if<Matrix>(&mass_)) return *matrix;
    Matrix M = Matrix::Zero(n_, n_);
    std::get<2>(mass_)(start.t, start.q, M);
    refuse_resized(M, n_, n_, "mass");
    return M;
  }
  static void refuse_masses(const Matrix& M) {
    if (!M.allFinite()) throw Error("the mass is not finite at the start");
    const double size = M.size() == 0 ? 0 : M.cwiseAbs().maxCoeff(), rounding = 1e-9 * size;
    for (Eigen::Index i = 0; i < M.rows(); ++i) {
      if (M(i, i) < 0)
        throw Error("the mass of coordinate " + std::to_string(i) + " is " + short_number(M(i, i)),
                    "kinetic energy is not negative");
      for (Eigen::Index j = 0; j < i; ++j)
        if (std::abs(M(i, j) - M(j, i)) > rounding)
          throw Error("the mass matrix is not symmetric: its entries " + std::to_string(i) + ", " +
                          std::to_string(j) + " are " + short_number(M(i, j)) + " and " +
                          short_number(M(j, i)),
                      "write both halves of it");
    }
    // a shift by rounding: massless coordinates are allowed
    if (size > 0 && (M + rounding * Matrix::Identity(M.rows(), M.cols())).llt().info() != Eigen::Success)
      throw Error("the mass matrix has a negative eigenvalue", "kinetic energy is not negative");
  }
  [[noreturn]] void refuse_mass(Eigen::Index rows, Eigen::Index columns) const {
    throw Error("the mass is " + std::to_string(rows) + " x " + std::to_string(columns) + " for " +
                    std::to_string(n_) + " coordinates",
                "a Vector is a diagonal, a Matrix is square");
  }

  Eigen::Index n_;
  Mass mass_;
  Force force_;
  Constraints constraints_;
  MechanicalOptions o_;
  Layout layout_;
};

}  // namespace

std::shared_ptr<const Ode> ode(double t0, Vector y0, Differentiable f, ProblemOptions options) {
  return std::make_shared<const OdeFromFunctions>(State{t0, std::move(y0)}, std::move(f), options);
}

std::shared_ptr<const Hessenberg> hessenberg_of(double t0, Vector y0, Vector z0, Differentiable f,
                                                Differentiable g, ProblemOptions options) {
  State start{t0, Vector(y0.size() + z0.size())};
  start.y << y0, z0;
  return std::make_shared<const HessenbergFromFunctions>(std::move(start), y0.size(), std::move(f),
                                                         std::move(g), options);
}

std::shared_ptr<const Mechanical> mechanical(MechanicalStart start, Mass mass, Force force,
                                             Constraints constraints, MechanicalOptions options) {
  return std::make_shared<const MechanicalFromFunctions>(start, std::move(mass), std::move(force),
                                                         std::move(constraints), std::move(options));
}

std::shared_ptr<const Mechanical> mechanical(MechanicalStart start, Mass mass, Force force,
                                             MechanicalOptions options) {
  return mechanical(std::move(start), std::move(mass), std::move(force), {0, [](double, In, Out) {}},
                    std::move(options));
}

ImplicitFrame::ImplicitFrame(double t0, Vector y0, ImplicitOptions options)
    : start_{t0, std::move(y0)},
      options_(std::move(options)),
      events_(events_of(std::move(options_.events))) {
  if (!options_.end) options_.end = t0 + 1;
  const Eigen::Index n = start_.y.size();
  if (options_.layout.size() == 0) options_.layout.add("y", n, Role::differential, 1);
  if (options_.layout.size() != n)
    throw Error("the layout has " + std::to_string(options_.layout.size()) + " entries for " +
                    std::to_string(n) + " initial values",
                "give blocks that cover the state");
  if (const Eigen::Index sizes = options_.typical_sizes.size(); sizes != 0 && sizes != n)
    throw Error("there are " + std::to_string(sizes) + " typical sizes for " + std::to_string(n) + " entries",
                "give one each, or none");
  std::vector<std::string> labels;
  for (Eigen::Index i = 0; i < n; ++i) labels.push_back(options_.layout.label(i));
  refuse_twins(std::move(labels));
}

ImplicitFrame::~ImplicitFrame() = default;

void ImplicitFrame::check() const {
  const Eigen::Index n = start_.y.size();
  const Vector rate = Vector::Zero(n);
  refuse_unwritten("F", n, [&](Out r) { F(start_.t, start_.y, rate, r); });
}

std::optional<State> ImplicitFrame::exact(double t) const {
  if (!options_.exact) return {};
  return State{t, options_.exact(t)};
}

}  // namespace dalembert
