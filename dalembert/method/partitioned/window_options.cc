// window-iteration: its options and its entry.
#include "dalembert/core/error.h"
#include "dalembert/method/partitioned/window_iteration.h"

namespace dalembert {

std::vector<Parameter> CouplingScheme::options() {
  return {{"substeps", 10, "", "steps of each field in a window, unless its method says (rk4:20)"},
          {"splitting",
           0,
           "",
           "the field that interface rows are imposed on: the last one they see, the first one, "
           "theta times the one plus 1-theta times the other, or both in alternation",
           {"last", "first", "weighted", "alternating"}},
          {"theta", 0.9, "", "weight of the last field in splitting=weighted"},
          {"relaxation",
           3,
           "",
           "of what goes back into the iteration",
           {"none", "fixed", "aitken", "quasi-newton"}},
          {"omega", 0.5, "", "relaxation=fixed: the factor; aitken and quasi-newton: the first one"},
          {"guess",
           1,
           "",
           "everything as at the start of the window, or extrapolated from the one before",
           {"constant", "extrapolated"}},
          {"sweep", 0, "", "fields in turn, or all at once in threads", {"gauss-seidel", "jacobi"}},
          {"terms",
           0,
           "",
           "forces of a field: as it moves, or as it moved in the previous iterate",
           {"now", "previous"}},
          {"stop",
           0,
           "",
           "when nothing changes any more, or after `iterations` sweeps, tested by nothing",
           {"converged", "count"}},
          {"accuracy", 1, "", "of the iteration, in tolerances of the run"},
          {"iterations", 100, "", "per window, at most (stop=count: exactly)"}};
}

CouplingScheme CouplingScheme::read(const Partitioned& problem, const Setting& setting) {
  const Parameters& p = setting.options;
  CouplingScheme scheme;
  const int substeps = p.count("substeps", 1, 100000);
  std::vector<std::string> names = setting.fields;
  if (names.empty()) names = {"dopri5"};
  if (names.size() == 1) names.resize(problem.fields().size(), names.front());
  if (names.size() != problem.fields().size())
    throw Error(
        std::to_string(names.size()) + " methods for " + std::to_string(problem.fields().size()) + " fields",
        "give one for all of them, or one each");
  for (const auto& name : names) scheme.methods.push_back(FieldMethod::parse(name, substeps));
  scheme.splitting = static_cast<Splitting>(p.count("splitting", 0, 3));
  scheme.theta = p["theta"];
  scheme.relaxing = static_cast<Relaxing>(p.count("relaxation", 0, 3));
  scheme.omega = p["omega"];
  if (scheme.omega == 0) throw Error("omega is 0", "nothing would ever change");
  scheme.guess = static_cast<Guess>(p.count("guess", 0, 1));
  scheme.sweep = static_cast<Sweep>(p.count("sweep", 0, 1));
  scheme.terms = static_cast<Terms>(p.count("terms", 0, 1));
  scheme.accuracy = p.positive("accuracy");
  scheme.stop = static_cast<Stop>(p.count("stop", 0, 1));
  scheme.iterations = p.count("iterations", 1, 1000000);
  return scheme;
}

std::vector<MethodEntry> methods_in_window_options() {
  return {
      {.name = "window-iteration",
       .summary = "each field by its own method in its own substeps, iterated window by window",
       .cite = "WangHouModnak2011 DegrooteBatheVierendeels2009 KuettlerWall2008",
       .claims = {{Kind::partitioned, "y", 5, "accuracy=1e-7"}, {Kind::partitioned, "z", 5, "accuracy=1e-7"}},
       .adaptive = true,
       .dense_order = 4,
       .options = CouplingScheme::options(),
       .make = [] { return std::make_unique<WindowIteration>(); },
       .preferences = {{Kind::partitioned}}}};
}

}  // namespace dalembert
