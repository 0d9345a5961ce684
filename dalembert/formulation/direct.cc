// direct: the problem as it stands, for problems that are already of a kind a method accepts.
#include <optional>
#include <string>
#include <vector>

#include "dalembert/constraints/hidden_constraint.h"
#include "dalembert/core/text.h"
#include "dalembert/formulation/ode_as_implicit.h"
#include "dalembert/formulation/unchanged.h"
#include "dalembert/nonlinear/hidden_entries.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

namespace {

/// z of a step is the one of its last stage; asked for, it is computed with the accuracy of y [BraseyHairer1993, (3.6)].
class DirectIndex2 final : public Unchanged {
 public:
  DirectIndex2(const Hessenberg& problem, Statistics& statistics)
      : Unchanged(problem),
        hidden_(problem, statistics),
        n_(differential_size(problem.layout())),
        dy_(Vector::Zero(n_)) {}
  Outcome recover(const State& rewritten, State& original, Depth depth) const override {
    original = rewritten;
    if (depth != Depth::multipliers) return Outcome::ok;
    return hidden_.solve(original.t, original.y.head(n_), original.y.tail(original.y.size() - n_), dy_);
  }

 private:
  mutable HiddenConstraint hidden_;  // the work space of this run
  Eigen::Index n_;
  mutable Vector dy_;
};

/// The same for implicit equations, from differences of the constraints; where these cannot tell, as the method has them.
class DirectImplicit final : public Unchanged {
 public:
  explicit DirectImplicit(const Implicit& problem) : Unchanged(problem), hidden_(problem) {}
  Outcome recover(const State& rewritten, State& original, Depth depth) const override {
    original = rewritten;
    if (depth != Depth::multipliers || !hidden_.any()) return Outcome::ok;
    const auto error = hidden_.improve(original.t, original.y);
    if (!error && !unknown_) unknown_ = original.t;
    if (error && *error > error_) error_ = *error, worst_ = original.t;
    return Outcome::ok;
  }
  bool reset() override {
    unknown_.reset();
    error_ = 0;
    return true;
  }
  std::vector<std::string> warnings(const Tolerance& tolerance) const override {
    constexpr double noticed = 10;
    std::vector<std::string> all;
    if (error_ > noticed * tolerance.relative)
      all.push_back("algebraic entries of a higher index are right to about " + short_number(error_) +
                    " only at t = " + short_number(worst_) + ": differences of the constraints tell no more");
    if (unknown_ && hidden_.index() > 2)
      all.push_back("entries of index 3 are at t = " + short_number(*unknown_) +
                    " as the method has them, and their error is not known: " + hidden_.why_not());
    return all;
  }

 private:
  HiddenEntries hidden_;
  mutable std::optional<double> unknown_;  // what this run has seen, from here on
  mutable double error_ = 0, worst_ = 0;
};

/// y' - f(t,y,z) = 0, g(t,y) = 0
class Index2AsImplicit final : public Implicit {
 public:
  explicit Index2AsImplicit(const Hessenberg& problem)
      : problem_(problem), n_(differential_size(problem.layout())), m_(problem.layout().size() - n_) {}
  Layout layout() const override {
    const Layout all = problem_.layout();
    Layout same;
    for (const auto& b : all.blocks())
      same.add(b.name, b.size, b.role, b.role == Role::differential ? 1 : 2, b.labels, b.units);
    return same;
  }
  State start() const override { return problem_.start(); }
  double end() const override { return problem_.end(); }
  void F(double t, In y, In dy, Out residual) const override {
    auto top = residual.head(n_);
    problem_.f(t, y.head(n_), y.tail(m_), top);
    top = dy.head(n_) - top;
    problem_.g(t, y.head(n_), residual.tail(m_));
  }
  void jacobians(double t, In y, In /*dy*/, Entries& F_y, Entries& F_dy) const override {
    problem_.f_y(t, y.head(n_), y.tail(m_), f_y_);
    problem_.f_z(t, y.head(n_), y.tail(m_), f_z_);
    problem_.g_y(t, y.head(n_), g_y_);
    F_y.begin();
    for (std::size_t k = 0; k < f_y_.size(); ++k) F_y.add(f_y_.row(k), f_y_.column(k), -f_y_.value(k));
    for (std::size_t k = 0; k < f_z_.size(); ++k) F_y.add(f_z_.row(k), n_ + f_z_.column(k), -f_z_.value(k));
    for (std::size_t k = 0; k < g_y_.size(); ++k) F_y.add(n_ + g_y_.row(k), g_y_.column(k), g_y_.value(k));
    F_y.end();
    F_dy.begin();
    for (Eigen::Index i = 0; i < n_; ++i) F_dy.add(i, i, 1);
    F_dy.end();
  }
  void rate(double t, In y, Out dy) const override {
    problem_.f(t, y.head(n_), y.tail(m_), dy.head(n_));
    dy.tail(m_).setZero();
  }
  const Invariant* invariant() const override { return problem_.invariant(); }
  Fault diagnose(double t, In y) const override { return problem_.diagnose(t, y); }

 private:
  const Hessenberg& problem_;
  Eigen::Index n_, m_;
  mutable Entries f_y_, f_z_, g_y_;  // the work space of this run
};

/// The same state under another kind.
template <class Equations, class Original>
class Renamed : public Formulation, public SameEntries {
 public:
  template <class... More>
  explicit Renamed(const Original& problem, More... more) : problem_(problem), implicit_(problem, more...) {}
  const Problem& original() const override { return problem_; }
  const Problem& rewritten() const override { return implicit_; }
  void enter(const State& original, State& rewritten) const override { rewritten = original; }
  Outcome recover(const State& rewritten, State& original, Depth) const override {
    original = rewritten;
    return Outcome::ok;
  }
  bool reset() override { return true; }
  bool remember(Memory&) override { return true; }

 private:
  const Original& problem_;
  Equations implicit_;
};

class HessenbergAsImplicit final : public Renamed<Index2AsImplicit, Hessenberg> {
 public:
  HessenbergAsImplicit(const Hessenberg& problem, Statistics& statistics)
      : Renamed(problem), z_(problem, statistics) {}
  Outcome recover(const State& rewritten, State& original, Depth depth) const override {
    return z_.recover(rewritten, original, depth);
  }

 private:
  DirectIndex2 z_;
};

FormulationEntry direct(
    Kind kind, Kind to, bool drifts,
    std::function<std::unique_ptr<Formulation>(const Problem&, const Parameters&, Statistics&)> make) {
  return {.name = "direct",
          .summary = "the equations as they stand",
          .cite = "",
          .from = kind,
          .to = to,
          .preference = kind == to ? 0 : -10,
          .drifts = drifts,
          .options = {},
          .make = std::move(make)};
}

}  // namespace

std::vector<FormulationEntry> formulations_in_direct() {
  return {
      direct(Kind::ode, Kind::ode, false,
             [](const Problem& p, const Parameters&, Statistics&) { return std::make_unique<Unchanged>(p); }),
      direct(Kind::implicit, Kind::implicit, false,
             [](const Problem& p, const Parameters&, Statistics&) {
               return std::make_unique<DirectImplicit>(as<Implicit>(p));
             }),
      direct(Kind::ode, Kind::implicit, false,
             [](const Problem& p, const Parameters&, Statistics&) {
               return std::make_unique<Renamed<OdeAsImplicit, Ode>>(as<Ode>(p), OdeAsImplicit::Jacobian::own);
             }),
      direct(Kind::hessenberg, Kind::implicit, false,
             [](const Problem& p, const Parameters&, Statistics& s) {
               return std::make_unique<HessenbergAsImplicit>(as<Hessenberg>(p), s);
             }),
      direct(Kind::hessenberg, Kind::hessenberg, true,
             [](const Problem& p, const Parameters&, Statistics& s) {
               return std::make_unique<DirectIndex2>(as<Hessenberg>(p), s);
             })};
}

}  // namespace dalembert
