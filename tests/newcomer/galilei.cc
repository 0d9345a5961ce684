// The fall of a body, as a paper with one table of one number.
#include <fmt/core.h>

#include "dalembert/control/run.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "papers/paper.h"

namespace dalembert {

namespace {

std::vector<PaperRow> falls(const PaperOptions&, std::vector<std::filesystem::path>&) {
  const auto m = std::make_shared<PlanarMechanism>(Point2{0, -9.81});
  m->point({.name = "ball", .mass = 1});
  m->ends_at(2);
  const double depth = -run(m, {}).state.y[1];
  return {{.label = "after 2 s",
           .quantity = "g t^2/2",
           .printed = "19.62",
           .ours = fmt::format("{:.2f}", depth),
           .verdict = fmt::format("{:.2f}", depth) == "19.62" ? Verdict::agrees : Verdict::differs}};
}

}  // namespace

std::vector<PaperEntry> papers_in_galilei() {
  return {make_paper("galilei", "The fall of a body", "HairerNorsettWanner1993",
                     {{"falls", "How deep a body falls", falls}})};
}

}  // namespace dalembert
