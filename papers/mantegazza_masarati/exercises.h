// The exercises of the notes: what the program computes beside the answers that docs/course derives by hand. Where the notes
// claim something about the answer, that is what is printed.
#pragma once

#include <string>
#include <vector>

#include "dalembert/analysis/stability_report.h"
#include "papers/mantegazza_masarati/parts.h"

namespace dalembert::mantegazza_masarati {

using Rows = std::vector<PaperRow>;

Rows exercises_of_chapter_1();  ///< constraints and what is tangent to them
Rows exercises_of_chapter_2();  ///< differences and one-step formulas
Rows exercises_of_chapter_3();  ///< linear stability
Rows exercises_of_chapter_4();  ///< BDF2, Lobatto, Radau
Rows exercises_of_chapter_5();  ///< the index of two limits

/// Nothing is printed: ours beside the answer by hand. `exercise` is its number, "1.1".
PaperRow answered(const std::string& exercise, const std::string& quantity, const std::string& by_hand,
                  const std::string& ours, bool same);
/// The same where the notes say what comes out.
PaperRow claimed(const std::string& exercise, const std::string& quantity, const std::string& printed,
                 const std::string& by_hand, const std::string& ours, Verdict, bool same);

/// A number that is 0 by hand and rounding here, if what else it needs holds.
PaperRow vanishes(const std::string& exercise, const std::string& quantity, double ours, double below,
                  bool else_holds = true);

/// The largest so far; NaN stays.
inline void grow(double& most, double value) {
  if (!(value <= most)) most = value;
}

/// A method of the registry or a formula by name, and what its coefficients say of it.
struct Judged {
  LinearForm form;
  StabilityReport report;
};
Judged judged(const std::string& name, const std::map<std::string, double>& options = {});

/// The error, exact minus computed, of one step of length h on y' = f(t,y) from y(0) = y0, as the method runs.
double step_error(const std::shared_ptr<const Problem>&, const std::string& method, double h);
/// Where one step ends.
double step_end(const std::shared_ptr<const Problem>&, const std::string& method, double h);

/// The order that errors of y show on a nonlinear equation with a known solution, steps halved four times.
double seen_order(const std::string& method);

/// "yes no no": zero-, A- and L-stable
std::string stable_in_three_ways(const StabilityReport&);

}  // namespace dalembert::mantegazza_masarati
