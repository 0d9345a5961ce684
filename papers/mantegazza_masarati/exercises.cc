// All exercises as one table, and what several chapters measure with.
#include "papers/mantegazza_masarati/exercises.h"

#include <fmt/format.h>

#include <cmath>

#include "dalembert/analysis/convergence.h"
#include "dalembert/analysis/named_formulas.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert::mantegazza_masarati {

PaperRow claimed(const std::string& exercise, const std::string& quantity, const std::string& printed,
                 const std::string& by_hand, const std::string& ours, Verdict verdict, bool same) {
  return {.label = exercise,
          .quantity = quantity,
          .printed = printed,
          .ours = ours,
          .verdict = verdict,
          .reference = PaperReference{by_hand, "worked out by hand in docs/course", agree(same)}};
}

PaperRow answered(const std::string& exercise, const std::string& quantity, const std::string& by_hand,
                  const std::string& ours, bool same) {
  return claimed(exercise, quantity, "", by_hand, ours, Verdict::not_printed, same);
}

PaperRow vanishes(const std::string& exercise, const std::string& quantity, double ours, double below,
                  bool else_holds) {
  return answered(exercise, quantity, "0", fmt::format("{:.0e}", ours), else_holds && std::abs(ours) < below);
}

Judged judged(const std::string& name, const std::map<std::string, double>& options) {
  if (const auto formula = named_formula(name)) return {*formula, stability_report(*formula)};
  const MethodEntry& entry = find_method(name);
  const auto form = linear_form(entry, Parameters(entry.options, options, name));
  if (!form) throw Error(name + " does not say its coefficients");
  return {*form, stability_report(entry, *form)};
}

double step_end(const std::shared_ptr<const Problem>& problem, const std::string& method, double h) {
  RunOptions options{.control = Control::fixed, .scrutiny = Scrutiny::method};
  options.request.method = method;
  options.end = options.step = h;
  const Summary summary = run(problem, options);
  return summary.outcome == Outcome::ok ? summary.state.y[0] : not_a_number;
}

double step_error(const std::shared_ptr<const Problem>& problem, const std::string& method, double h) {
  return problem->exact(h)->y[0] - step_end(problem, method, h);
}

double seen_order(const std::string& method) {
  ConvergenceOptions options{.pieces = 40, .halvings = 4};
  options.run.request.method = method;
  const Convergence found = study_convergence(make_problem("manufactured-ode"), options);
  return found.blocks.empty() ? not_a_number : found.blocks.front().order.value_or(not_a_number);
}

std::string stable_in_three_ways(const StabilityReport& report) {
  const auto word = [](const Statement& statement) {
    return std::string(statement.is == Statement::Is::yes  ? "yes"
                       : statement.is == Statement::Is::no ? "no"
                                                           : "open");
  };
  return word(report.zero_stable) + " " + word(report.a_stable) + " " + word(report.l_stable);
}

PaperPart exercises() {
  return {"exercises", "the 31 exercises, 1.1 to 5.2",
          [](const PaperOptions&, std::vector<std::filesystem::path>&) {
            Rows all;
            for (const auto chapter : {exercises_of_chapter_1, exercises_of_chapter_2, exercises_of_chapter_3,
                                       exercises_of_chapter_4, exercises_of_chapter_5})
              for (auto& row : chapter()) all.push_back(std::move(row));
            return all;
          }};
}

}  // namespace dalembert::mantegazza_masarati
