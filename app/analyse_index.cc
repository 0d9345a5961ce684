// dalembert analyse index: the matrix pencil of a problem at one state, its index and its eigenvalues.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "app/base_state.h"
#include "app/commands.h"
#include "app/json.h"
#include "app/modes_report.h"
#include "app/outputs.h"
#include "app/picture.h"
#include "app/screen.h"
#include "app/text.h"
#include "dalembert/analysis/pencil.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/formulation/formulation.h"

namespace dalembert::app {

namespace {

struct Call {
  BaseCall base;
  std::string level, formulation, plot;
  std::vector<std::string> option, without;
  bool matrices = false, json = false;
};

ConstraintLevel level_of(const std::string& name) {
  if (name.empty() || name == "position") return ConstraintLevel::position;
  if (name == "velocity") return ConstraintLevel::velocity;
  if (name == "acceleration") return ConstraintLevel::acceleration;
  throw unknown("level", name, {"position", "velocity", "acceleration"});
}

/// Of these equations at any state of the problem.
class Equations {
 public:
  Equations(const Call& call, const Problem& problem)
      : call_(call), problem_(problem), level_(level_of(call.level)) {
    if (!call.level.empty() && (problem.kind() != Kind::mechanical || !call.formulation.empty()))
      throw Error("--level is that of the constraints of a mechanical problem as it stands",
                  "leave out --level, or --formulation");
    if (call.formulation.empty()) return;
    const auto entries = find_formulation(call.formulation);
    for (const Kind kind : {Kind::implicit, Kind::hessenberg, Kind::ode})
      for (const FormulationEntry& entry : entries)
        if (!form_ && entry.from == problem.kind() && entry.to == kind)
          form_ = entry.make(problem,
                             Parameters(entry.options, to_assignments("--option", call.option), entry.name),
                             statistics_);
    if (!form_)
      throw Error("formulation '" + call.formulation + "' does not rewrite this problem (" +
                  std::string(name(problem.kind())) + ") into equations with a pencil");
  }
  Pencil at(const State& state) const {
    Pencil pencil = whole(state);
    return call_.without.empty() ? pencil : pencil.without(call_.without);
  }
  /// What is linearised, in words.
  std::string name_of() const {
    if (form_) return "as " + call_.formulation;
    if (problem_.kind() != Kind::mechanical) return "as it stands";
    return level_ == ConstraintLevel::position ? "with its constraints as they are written"
                                               : "with its constraints at the level of " + call_.level;
  }

 private:
  Pencil whole(const State& state) const {
    if (form_) {
      State mine = form_->rewritten().start();
      form_->enter(state, mine);
      return pencil_of(form_->rewritten(), mine);
    }
    if (const auto* mechanical = as<Mechanical>(&problem_)) return pencil_of(*mechanical, state, level_);
    return pencil_of(problem_, state);
  }

  const Call& call_;
  const Problem& problem_;
  ConstraintLevel level_;
  Statistics statistics_;
  std::unique_ptr<Formulation> form_;
};

/// Pencils at states around: what is zero at one of them only does not count.
std::vector<Pencil> around(const Equations& equations, const State& state) {
  std::vector<Pencil> all = {equations.at(state)};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int k = 0; k < 2; ++k) {
    State other = state;
    for (double& y : other.y) y += 1e-2 * uniform(random) * (1 + std::abs(y));
    if (Pencil pencil = equations.at(other); pencil.E.allFinite() && pencil.A.allFinite())
      all.push_back(std::move(pencil));
  }
  return all;
}

std::string few(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  if (names.size() <= most) return join(names);
  return join({names.begin(), names.begin() + most}) + fmt::format(" and {} more", names.size() - most);
}

std::string decisions(const KroneckerForm& form, Eigen::Index n) {
  Table table({"round", "rank of E", "least singular value kept", "largest dropped", "differentiated next"});
  for (std::size_t k = 0; k < form.rounds.size(); ++k) {
    const auto& round = form.rounds[k];
    table.add({std::to_string(k + 1), fmt::format("{} of {}", round.rank, n),
               round.rank > 0 ? number(round.singular_values[round.rank - 1], 3) : "",
               round.rank < n ? number(round.singular_values[round.rank], 2) : "",
               round.equations.empty() ? "nothing" : few(round.equations)});
  }
  return shown(table);
}

std::string blocks(const KroneckerForm& form) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < form.blocks.size(); ++k)
    if (form.blocks[k] > 0) all.push_back(fmt::format("{} of size {}", form.blocks[k], k + 1));
  return join(all);
}

std::string structure(const StructuralIndex& found, const Pencil& pencil, const KroneckerForm& form) {
  if (!found.regular)
    return "Structural index: none, since equations cannot be given unknowns of their own: the system is "
           "structurally singular.\n";
  std::vector<std::string> often;
  for (std::size_t i = 0; i < found.equations.size(); ++i)
    if (found.equations[i] > 0)
      often.push_back(
          fmt::format("{} {}", pencil.equations[i],
                      found.equations[i] == 1 ? "once" : fmt::format("{} times", found.equations[i])));
  std::string all =
      fmt::format("Structural index {}, by which unknowns are in which equations alone", found.index) +
      (often.empty() ? ": nothing is to be differentiated.\n" : ": differentiate " + few(often) + ".\n");
  if (!form.regular || form.index != found.index)
    all +=
        "That would hold for numbers in general. Those of these equations cancel: what holds is what their "
        "ranks say, above.\n";
  return all;
}

std::string written_out(const Matrix& matrix, const std::string& name, const Pencil& pencil) {
  std::vector<std::string> head = {name};
  for (const auto& unknown : pencil.unknowns) head.push_back(unknown);
  Table table(head);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    std::vector<std::string> cells = {pencil.equations[static_cast<std::size_t>(i)]};
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      cells.push_back(number(matrix(i, j) == 0 ? 0 : matrix(i, j), 5));
    table.add(cells);
  }
  return "\n" + shown(table);
}

std::string text(const Call& call, const std::string& head, const Pencil& pencil, const KroneckerForm& form,
                 const StructuralIndex& structural) {
  const Eigen::Index n = pencil.E.rows();
  std::string all = head + "\n";
  if (!form.regular)
    all += fmt::format(
        "The pencil s E - A of {} equations is singular: after {} the same equations come again. Some "
        "unknowns are not determined, "
        "or some equations contradict each other; constraint rows that follow from others are the usual "
        "reason (`dalembert analyse "
        "redundancy`).\n",
        n, plural(static_cast<long>(form.rounds.size()), "round", "rounds"));
  else
    all += fmt::format(
        "Index {}. The pencil s E - A of {} equations is regular, with {} and {} infinite{}.\n", form.index,
        n, plural(static_cast<long>(form.finite.size()), "finite eigenvalue", "finite eigenvalues"),
        n - static_cast<Eigen::Index>(form.finite.size()),
        form.blocks.empty() ? "" : " (blocks at infinity: " + blocks(form) + ")");
  if (form.other) {
    const std::string or_else = form.other->regular
                                    ? fmt::format("index {} with {}", form.other->index,
                                                  plural(static_cast<long>(form.other->finite.size()),
                                                         "finite eigenvalue", "finite eigenvalues"))
                                    : "a singular pencil";
    all += fmt::format(
        "This cannot be told for certain: a singular value below is neither clear of zero nor as small as "
        "rounding makes it. "
        "If it is zero, it is {}.\n",
        or_else);
  }
  all += structure(structural, pencil, form) + "\n" + decisions(form, n);
  if (!form.finite.empty()) {
    Table table({"finite eigenvalue [1/s]"});
    for (const auto value : form.finite) table.add({app::text(value)});
    all += "\n" + shown(table);
  }
  if (call.matrices) all += written_out(pencil.E, "E", pencil) + written_out(pencil.A, "A", pencil);
  return all;
}

Json to_json(const Call& call, const Pencil& pencil, const KroneckerForm& form,
             const StructuralIndex& structural) {
  const auto complex = [](std::complex<double> z) { return Json{z.real(), z.imag()}; };
  Json finite = Json::array(), rounds = Json::array(), qz = Json::array(), sizes = Json::array();
  for (const auto value : form.finite) finite.push_back(complex(value));
  for (const auto& round : form.rounds)
    rounds.push_back({{"rank", round.rank},
                      {"singular_values", app::to_json(round.singular_values)},
                      {"differentiated", round.equations}});
  for (const auto count : form.blocks) sizes.push_back(count);
  const SchurForm schur = schur_form(pencil);
  for (std::size_t i = 0; i < schur.alpha.size(); ++i)
    qz.push_back({{"alpha", complex(schur.alpha[i])}, {"beta", schur.beta[i]}});
  Json c = Json::object(), d = Json::object();
  for (std::size_t i = 0; i < structural.equations.size(); ++i)
    c[pencil.equations[i]] = structural.equations[i];
  for (std::size_t i = 0; i < structural.unknowns.size(); ++i) d[pencil.unknowns[i]] = structural.unknowns[i];
  return {{"problem", call.base.what},
          {"regular", form.regular},
          {"index", form.regular ? Json(form.index) : Json()},
          {"certain", form.other == nullptr},
          {"other_index", form.other && form.other->regular ? Json(form.other->index) : Json()},
          {"finite", finite},
          {"infinite",
           form.regular ? Json(pencil.E.rows() - static_cast<Eigen::Index>(form.finite.size())) : Json()},
          {"blocks_at_infinity", sizes},
          {"rounds", rounds},
          {"structural_index", structural.regular ? Json(structural.index) : Json()},
          {"differentiate", c},
          {"highest_derivatives", d},
          {"unknowns", pencil.unknowns},
          {"equations", pencil.equations},
          {"E", app::to_json(pencil.E)},
          {"A", app::to_json(pencil.A)},
          {"solutions", app::to_json(form.solutions)},
          {"flow", app::to_json(form.flow)},
          {"qz",
           {{"eigenvalues", qz},
            {"Q", app::to_json(schur.Q)},
            {"Z", app::to_json(schur.Z)},
            {"E", app::to_json(schur.S)},
            {"A", app::to_json(schur.T)}}}};
}

/// Which unknowns and derivatives are in which equation, and by which singular values each round decided the rank of E.
std::vector<Panel> pictures(const std::string& what, const Pencil& pencil, const KroneckerForm& form) {
  const Eigen::Index n = pencil.E.rows();
  Series derivatives{
      .name = "derivative (E)", .x = {}, .y = {}, .line = Line::none, .marker = Marker::square};
  Series values{.name = "value (A)", .x = {}, .y = {}, .line = Line::none, .marker = Marker::plus};
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto add = [&](Series& series) {
        series.x.push_back(static_cast<double>(j + 1));
        series.y.push_back(static_cast<double>(i + 1));
      };
      if (pencil.E(i, j) != 0) add(derivatives);
      if (pencil.A(i, j) != 0) add(values);
    }
  Series kept{.name = "kept", .x = {}, .y = {}, .line = Line::none, .marker = Marker::circle};
  Series dropped{.name = "dropped", .x = {}, .y = {}, .line = Line::none, .marker = Marker::cross};
  constexpr double least = 1e-17;  // zeros have no place on a logarithmic axis
  for (std::size_t k = 0; k < form.rounds.size(); ++k)
    for (Eigen::Index i = 0; i < form.rounds[k].singular_values.size(); ++i) {
      Series& series = i < form.rounds[k].rank ? kept : dropped;
      series.x.push_back(static_cast<double>(k + 1));
      series.y.push_back(std::max(least, form.rounds[k].singular_values[i]));
    }
  return {{.title = what + ": unknowns in equations",
           .x_label = "unknown",
           .y_label = "equation",
           .series = {derivatives, values},
           .x_names = pencil.unknowns,
           .y_names = pencil.equations},
          {.title = form.regular ? fmt::format("Index {}: rank of E, round by round", form.index)
                                 : "A singular pencil: rank of E, round by round",
           .x_label = "round",
           .y_label = "singular value",
           .y_axis = Axis::logarithmic,
           .series = {kept, dropped}}};
}

Status index(const Call& call) {
  check_outputs({picture_output("--plot", call.plot)}, {call.base.what});
  const Subject subject = find_subject(call.base.what, call.base.set);
  const BaseState base = base_state(call.base, subject);
  const Equations equations(call, *base.problem);
  const std::vector<Pencil> pencils = around(equations, base.state);
  const Pencil& pencil = pencils.front();
  const KroneckerForm form = kronecker_form(pencil, tell_now_and_then());
  const StructuralIndex structural = structural_index(pencils);
  if (call.json)
    print(to_json(call, pencil, form, structural));
  else
    say_page(text(call,
                  fmt::format("{}\nLinearised {}, {}.", title(subject), base.where, equations.name_of()),
                  pencil, form, structural));
  if (call.plot.empty()) return done;
  return written([&] { write_picture(call.plot, pictures(call.base.what, pencil, form)); });
}

Action add_index(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_base(arguments, call->base);
  arguments.option("--level", call->level, "of the constraints of a mechanical problem (default: position)",
                   "position|velocity|acceleration");
  arguments.option("--formulation", call->formulation,
                   "the equations that a formulation makes: ggl, index2, ...", "F");
  arguments.option("--option", call->option, "set an option of the formulation (may be repeated)",
                   "NAME=VALUE");
  arguments.list("--without", call->without,
                 "leave out unknowns, separated by commas, with the equations that are theirs", "NAMES");
  arguments.option("--plot", call->plot,
                   "draw which unknowns are in which equation, and the ranks of E, to a .svg or .png file",
                   "FILE");
  arguments.flag("--matrices", call->matrices, "write E and A out");
  arguments.flag("--json", call->json, "print JSON, with all matrices and the QZ decomposition");
  return [call] { return index(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_index() {
  return {
      {.name = "analyse index",
       .rank = 2,
       .summary = "the matrix pencil of a problem: index, finite eigenvalues, what has to be differentiated",
       .examples = {"dalembert analyse index pendulum",
                    "dalembert analyse index pendulum --level velocity --matrices",
                    "dalembert analyse index pendulum --formulation ggl --json",
                    "dalembert analyse index two-mass-stiff --set c1=0 --without R.R"},
       .add = add_index}};
}

}  // namespace dalembert::app
