#include "dalembert/formulation/regularized/regularized_sequence.h"

#include <cmath>

#include "dalembert/problem/hessenberg.h"

namespace dalembert {

namespace {

/// One iterate, fed from outside. The last evaluation is kept: what an iterate carries at the end of a step and its
/// slope there come from one and the same.
class Iterate final : public Ode {
 public:
  Iterate(const Regularization& r, const Vector& first) : r_(r), first_(first) {
    const Eigen::Index n = differential_size(r.original().layout()), m = r.carried_size();
    for (Vector* v : {&x_, &dx_}) *v = Vector::Zero(n);
    for (Vector* v : {&arriving_, &before_, &c_}) *v = Vector::Zero(m);
  }
  void feed(const Carried& source) const { source_ = &source; }
  void reset() {
    source_ = nullptr;
    known_ = false;
  }

  Layout layout() const override {
    const Layout all = r_.original().layout();
    Layout kept;
    for (const auto& b : all.blocks())
      if (b.role == Role::differential) kept.add(b.name, b.size, b.role, 0, b.labels, b.units);
    return kept;
  }
  State start() const override {
    const State full = r_.original().start();
    return {full.t, full.y.head(x_.size())};
  }
  double end() const override { return r_.original().end(); }
  void f(double t, In x, Out dx) const override {
    if (source_ == nullptr)
      arriving_ = first_;
    else
      source_->at(t, arriving_);
    evaluate(t, x, arriving_);
    dx = dx_;
  }
  void carry(double t, In x, In before, Out c) const {
    evaluate(t, x, before);
    c = c_;
  }

 private:
  void evaluate(double t, In x, In before) const {
    if (known_ && t == t_ && x == x_ && before == before_) return;
    t_ = t;
    x_ = x;
    before_ = before;
    r_.evaluate(t, x_, before_, dx_, c_);
    known_ = true;
  }
  const Regularization& r_;
  const Vector& first_;
  mutable const Carried* source_ = nullptr;
  mutable bool known_ = false;
  mutable double t_ = 0;
  mutable Vector x_, arriving_, before_, dx_, c_;
};

/// The iterates, c_0, and how many there are.
struct Row {
  Row(std::unique_ptr<Regularization> given, const Parameters& options)
      : r(std::move(given)), first(Vector::Zero(r->carried_size())) {
    const int asked = options.count("iterates", 0, 20);
    fewest = asked > 0 ? asked : 2;  // a correction needs two
    most = asked > 0 ? asked : 8;
    for (Eigen::Index s = 0; s < most; ++s) iterates.push_back(std::make_unique<Iterate>(*r, first));
  }
  void reset() {
    r->reset();
    first.setZero();
    for (const auto& iterate : iterates) iterate->reset();
  }
  const Iterate& operator[](Eigen::Index s) const { return *iterates[static_cast<std::size_t>(s)]; }

  std::unique_ptr<Regularization> r;
  mutable Vector first;  // set when a run enters
  std::vector<std::unique_ptr<Iterate>> iterates;
  Eigen::Index fewest = 0, most = 0;
};

/// All iterates at one time, each fed by the state of the one before it.
class Stack : public Ode {
 public:
  explicit Stack(const Row& row) : row_(row), n_(row[0].layout().size()), before_(row.first), c_(row.first) {}
  Layout layout() const final {
    const Layout one = row_[0].layout();
    Layout all;
    for (Eigen::Index s = 1; s <= row_.most; ++s)
      for (const auto& b : one.blocks())
        all.add(b.name + "(" + std::to_string(s) + ")", b.size, b.role, 0, b.labels, b.units);
    return all;
  }
  State start() const final {
    const State one = row_[0].start();
    return {one.t, one.y.replicate(row_.most, 1)};
  }
  double end() const final { return row_[0].end(); }
  void f(double t, In y, Out dy) const final {
    before_ = row_.first;
    for (Eigen::Index s = 0; s < row_.most; ++s) {
      row_.r->evaluate(t, y.segment(s * n_, n_), before_, dy.segment(s * n_, n_), c_);
      std::swap(before_, c_);
    }
  }
  Fault diagnose(double t, In y) const final {
    if (Fault fault = Problem::diagnose(t, y)) return fault;
    State full = row_.r->original().start();  // it knows its faults by name
    full.y.head(n_) = y.tail(n_);
    if (Fault fault = row_.r->original().diagnose(t, full.y)) return fault;
    return Ode::diagnose(t, y);
  }
  /// What the last iterate carries.
  const Vector& carried(double t, In y) const {
    before_ = row_.first;
    for (Eigen::Index s = 0; s < row_.most; ++s) {
      row_[s].carry(t, y.segment(s * n_, n_), before_, c_);
      std::swap(before_, c_);
    }
    return before_;
  }

 private:
  const Row& row_;
  Eigen::Index n_;
  mutable Vector before_, c_;
};

class RowSequence : public Sequence {
 public:
  explicit RowSequence(const Row& row) : row_(row) {}
  Eigen::Index fewest() const final { return row_.fewest; }
  Eigen::Index most() const final { return row_.most; }
  Eigen::Index carried_size() const final { return row_.first.size(); }
  const Problem& iterate(Eigen::Index s) const override { return row_[s]; }
  void feed(Eigen::Index s, const Carried& source) const final { row_[s].feed(source); }
  void carry(Eigen::Index s, double t, In y, In before, Out c) const final { row_[s].carry(t, y, before, c); }
  void first(Out c) const final { c = row_.first; }

 private:
  const Row& row_;
};

class OdeSequence final : public Stack, public RowSequence {
 public:
  explicit OdeSequence(const Row& row) : Stack(row), RowSequence(row) {}
};

class ImplicitSequence final : public OdeAsImplicit, public RowSequence {
 public:
  ImplicitSequence(const Stack& stack, const Row& row)
      : OdeAsImplicit(stack, Jacobian::differences), RowSequence(row) {
    for (Eigen::Index s = 0; s < row.most; ++s)
      iterates_.push_back(std::make_unique<OdeAsImplicit>(row[s], Jacobian::differences));
  }
  const Problem& iterate(Eigen::Index s) const override { return *iterates_[static_cast<std::size_t>(s)]; }

 private:
  std::vector<std::unique_ptr<OdeAsImplicit>> iterates_;
};

class RegularizedFormulation final : public Formulation {
 public:
  RegularizedFormulation(std::unique_ptr<Regularization> r, const Parameters& options, Kind to)
      : row_(std::move(r), options), stack_(row_), good_start_(options["good-start"] != 0) {
    if (to == Kind::implicit) implicit_ = std::make_unique<ImplicitSequence>(stack_, row_);
  }
  const Problem& original() const override { return row_.r->original(); }
  const Problem& rewritten() const override {
    return implicit_ ? static_cast<const Problem&>(*implicit_) : stack_;
  }
  void enter(const State& original, State& rewritten) const override {
    const Eigen::Index n = row_[0].start().y.size();
    rewritten.t = original.t;
    for (Eigen::Index s = 0; s < row_.most; ++s) rewritten.y.segment(s * n, n) = original.y.head(n);
    row_.first.setZero();
    if (good_start_) row_.r->first(original, row_.first);
    if (!row_.first.allFinite()) row_.first.setZero();  // a start that leaves multipliers open
  }
  Outcome recover(const State& rewritten, State& original, Depth depth) const override {
    const Eigen::Index n = rewritten.y.size() / row_.most;
    original.t = rewritten.t;
    original.y.head(n) = rewritten.y.tail(n);
    auto z = original.y.tail(original.y.size() - n);
    z.setConstant(not_a_number);
    if (depth != Depth::multipliers) return Outcome::ok;
    return row_.r->algebraic(rewritten.t, rewritten.y.tail(n), stack_.carried(rewritten.t, rewritten.y), z);
  }
  std::vector<std::complex<double>> added_spectrum() const override { return row_.r->spectrum(); }
  bool reset() override {
    row_.reset();
    return true;
  }

 private:
  Row row_;
  OdeSequence stack_;
  bool good_start_;
  std::unique_ptr<ImplicitSequence> implicit_;
};

}  // namespace

std::vector<Parameter> sequence_options() {
  return {
      {"eps", 1e-3, "s", "regularization: each iterate gains a factor of this order"},
      {"iterates", 3, "", "how many; 0: from 2 up to 8, until the last correction is within the tolerance"},
      {"good-start", 1, "", "1: the first guess of the multipliers is right at the start; 0: it is zero"}};
}

Parameter weight_option() {
  return {"E", 2, "", "weight of the residuals: 0 identity, 1 (GB)', 2 (GB)^-1"};
}

Weight weight_in(const Parameters& options) {
  return static_cast<Weight>(options.count("E", 0, 2));
}

std::unique_ptr<Formulation> regularize(std::unique_ptr<Regularization> r, const Parameters& options,
                                        Kind to) {
  options.positive("eps");
  return std::make_unique<RegularizedFormulation>(std::move(r), options, to);
}

}  // namespace dalembert
