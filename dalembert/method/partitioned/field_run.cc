#include "dalembert/method/partitioned/field_run.h"

#include <algorithm>
#include <chrono>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

const FormulationEntry& edge(const std::string& name, Kind from, Kind to) {
  for (const auto& entry : all_formulations())
    if (entry.name == name && entry.from == from && entry.to == to) return entry;
  throw Error("formulation '" + name + "' is missing");
}

std::unique_ptr<Formulation> rewrite(const FormulationEntry& entry, const Problem& problem,
                                     Statistics& statistics) {
  return entry.make(problem, Parameters(entry.options, {}, entry.name), statistics);
}

FieldProblem listening(FieldProblem problem, const std::vector<Trace>& traces) {
  problem.listen(traces);
  return problem;
}

}  // namespace

FieldMethod FieldMethod::parse(const std::string& text, int substeps) {
  const auto colon = text.find(':');
  FieldMethod method{&find_method(text.substr(0, colon)), substeps};
  if (colon != std::string::npos) {
    const std::string count = text.substr(colon + 1);
    if (count.empty() || count.size() > 6 || count.find_first_not_of("0123456789") != std::string::npos ||
        std::stoi(count) < 1)
      throw Error("'" + text + "': '" + count + "' is not a number of substeps", "write for instance rk4:20");
    method.substeps = std::stoi(count);
  }
  const MethodEntry& m = *method.entry;
  if (!(m.accepts(Kind::ode) || m.stable(Kind::implicit, 1)))
    throw Error("method '" + m.name + "' cannot advance a field",
                "take a one-step method for ordinary differential equations, for instance dopri5, rk4 or "
                "trapezoid");
  return method;
}

double FieldMethod::order() const {
  if (entry->accepts(Kind::ode)) return entry->order(Kind::ode);
  double order = 1;
  for (const auto& claim : entry->claims)
    if (claim.kind == Kind::implicit && claim.index == 1) order = std::max(order, claim.order);
  return order;
}

FieldRun::FieldRun(const Partitioned& all, std::size_t field, const std::vector<std::size_t>& carriers,
                   const FieldMethod& method, Terms terms, const Setting& setting,
                   const std::vector<Trace>& traces, FieldRecord& record)
    : shape_(all, field),
      problem_(listening(FieldProblem(all, field, carriers), traces)),
      record_(record),
      mechanics_(problem_, Symmetry::symmetric, record.statistics),
      index1_(rewrite(edge("index1", Kind::mechanical, Kind::ode), problem_, record.statistics)),
      method_(method.entry->make()),
      terms_(terms),
      before_(traces[field]) {
  if (terms_ == Terms::previous) problem_.recall(before_);
  const auto& options = method.entry->options;
  const bool builds_up = std::any_of(options.begin(), options.end(),
                                     [](const Parameter& option) { return option.name == "max-order"; });
  if (builds_up && setting.precision == Precision::tolerance)
    throw Error("method '" + method.entry->name +
                    "' begins anew in each window with order 1, and follows no tolerance there",
                "take a one-step method, for instance radau or dopri5, or give step=H");
  const Problem* equations = &index1_->rewritten();
  if (!method.entry->accepts(Kind::ode)) {
    implicit_ = rewrite(edge("direct", Kind::ode, Kind::implicit), *equations, record.statistics);
    equations = &implicit_->rewritten();
  }
  // Relaxation acts on what fields tell each other, and a projection carries the last positions past it: where the rows
  // drift no faster than the method errs, it is left out. Higher orders need it for their multipliers.
  const bool project = !implicit_ || method.order() > 2;
  method_->bind(*equations, {.tolerance = setting.tolerance,
                             .projection = project ? setting.projection : Projection::off,
                             .precision = setting.precision,
                             .options = Parameters(method.entry->options, {}, method.entry->name),
                             .statistics = &record.statistics});
  state_.y = next_.y = Vector::Zero(shape_.differential());
  own_ = Vector::Zero(problem_.sizes().rows());
}

Outcome FieldRun::write_node(const State& state, int k, Trace& mine) {
  auto node = mine.values().col(k);
  node.head(shape_.differential()) = state.y;
  const Outcome outcome =
      mechanics_.accelerate(state.t, shape_.positions(state.y), shape_.velocities(state.y),
                            shape_.states(state.y), {}, shape_.accelerations(node), own_);
  problem_.all_multipliers(mechanics_.here(), own_, shape_.multipliers(node));
  ++record_.statistics.force_evaluations;
  return outcome == Outcome::ok && !node.allFinite() ? Outcome::not_finite : outcome;
}

Attempt FieldRun::sweep(const std::vector<Trace>& others, double h, Trace& mine) {
  const auto clock = std::chrono::steady_clock::now();
  if (terms_ == Terms::previous) before_ = mine;
  problem_.listen(others);
  method_->restart();
  state_.t = mine.time(0);
  state_.y = mine.values().col(0).head(shape_.differential());
  Attempt whole;
  whole.outcome = write_node(state_, 0, mine);
  for (int k = 0; k < mine.substeps() && whole.outcome == Outcome::ok; ++k) {
    const Attempt part = method_->attempt(state_, h / mine.substeps(), next_);
    whole.error += part.error;
    whole.exponent = part.exponent;
    whole.outcome = part.outcome;
    if (part.outcome != Outcome::ok) break;
    method_->accept();
    std::swap(state_, next_);
    state_.t = mine.time(k + 1);
    whole.outcome = write_node(state_, k + 1, mine);
  }
  record_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
  return whole;
}

}  // namespace dalembert
