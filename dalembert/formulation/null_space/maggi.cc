// maggi-*: no constraint forces, equations along a basis of the velocities that the rows admit, after Maggi and Kane.
//
//   v = T e + v_p,   T'M T e' = T'(f - M h),   J T = 0         [MantegazzaMasarati2012, (17)-(33)]
//
// One entry per way to find T: by elimination (independent coordinates), or an orthonormal basis by QR, SVD, the
// eigenvectors of J'J with eigenvalue zero, or Gram-Schmidt. The orthonormal ones give the same motion.
#include "dalembert/core/error.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/formulation/null_space/maggi_equations.h"

namespace dalembert {

namespace {

class Maggi final : public Formulation {
 public:
  Maggi(const Mechanical& problem, const MaggiEquations::MakeChart& chart, Correction correction,
        Statistics& statistics)
      : ode_(problem, chart, correction, statistics),
        part_(problem.sizes()),
        qvs_(Vector::Zero(part_.differential())) {}

  const Problem& original() const override { return ode_.problem(); }
  const Problem& rewritten() const override { return ode_; }
  void enter(const State& original, State& rewritten) const override {
    rewritten.t = original.t;
    qvs_ = original.y.head(qvs_.size());
    ode_.enter(original.t, qvs_, rewritten.y);
  }
  Outcome recover(const State& rewritten, State& original, Depth depth) const override {
    original.t = rewritten.t;
    original.y.setConstant(not_a_number);
    const Outcome outcome = ode_.leave(rewritten.t, rewritten.y, original.y.head(qvs_.size()));
    if (outcome != Outcome::ok || depth != Depth::multipliers) return outcome;
    return ode_.multipliers(rewritten.t, rewritten.y, part_.multipliers(original.y));
  }
  bool reset() override { return ode_.reset(); }
  bool remember(Memory& memory) override {
    ode_.remember(memory);
    return true;
  }
  bool renew(State& state) const override { return ode_.renew(state.t, state.y); }

 private:
  MaggiEquations ode_;
  MechanicalState part_;
  mutable Vector qvs_;
};

const Parameter nearest = {
    "nearest", 0, "",
    "1: positions are corrected to the nearest point, 0: by Newton's method, each step "
    "as short as it can be"};

FormulationEntry entry(const std::string& name, const std::string& summary, const std::string& cite,
                       int preference, Parameter chart_option,
                       std::function<MaggiEquations::MakeChart(const Parameters&)> chart) {
  return {.name = name,
          .summary = summary,
          .cite = cite,
          .from = Kind::mechanical,
          .to = Kind::ode,
          .preference = preference,
          .also_implicit = name == "maggi-qr",  // the bases give one motion: the cheapest stands for all
          .drifts = true,
          .options = {std::move(chart_option), nearest},
          .make = [chart = std::move(chart)](const Problem& problem, const Parameters& options,
                                             Statistics& statistics) {
            const Correction correction =
                options.count("nearest", 0, 1) == 1 ? Correction::nearest : Correction::newton;
            return std::make_unique<Maggi>(as<Mechanical>(problem), chart(options), correction, statistics);
          }};
}

FormulationEntry orthonormal(const std::string& name, const std::string& how, const std::string& cite,
                             Orthonormal by) {
  return entry(
      "maggi-" + name, "equations along the admissible velocities, orthonormal basis by " + how, cite, -3,
      {"aligned", 1, "",
       "1: the basis is carried along, 0: as it comes from each decomposition (wrong; to show that)"},
      [by](const Parameters& options) -> MaggiEquations::MakeChart {
        const auto alignment = options.count("aligned", 0, 1) == 1 ? AlignedChart::Alignment::carried
                                                                   : AlignedChart::Alignment::none;
        return [=](Eigen::Index size, Eigen::Index rows) {
          return std::make_unique<AlignedChart>(size, rows, by, alignment);
        };
      });
}

FormulationEntry lu() {
  return entry(
      "maggi-lu", "equations in independent velocities, chosen by pivoted elimination and changed on the way",
      "WehageHaug1982 MantegazzaMasarati2012", -2,
      {"switch", 2, "",
       "others are chosen where one velocity depends on another by more than this; 0: never"},
      [](const Parameters& options) -> MaggiEquations::MakeChart {
        const double limit = options["switch"];
        if (limit != 0 && !(limit >= 1))
          throw Error("switch is " + std::to_string(limit),
                      "give a number of at least 1 (the best choice there is), or 0 to never switch");
        return [limit](Eigen::Index size, Eigen::Index rows) {
          return std::make_unique<CoordinateChart>(size, rows, limit);
        };
      });
}

}  // namespace

std::vector<FormulationEntry> formulations_in_maggi() {
  return {
      lu(), orthonormal("qr", "QR", "KimVanderploeg1986 MantegazzaMasarati2012", Orthonormal::qr),
      orthonormal("svd", "singular values", "ManiHaugAtkinson1985 MantegazzaMasarati2012", Orthonormal::svd),
      orthonormal("zero-eigenvalue", "the zero eigenvalues of J'J", "WaltonSteeves1969",
                  Orthonormal::zero_eigenvalue),
      orthonormal("gram-schmidt", "Gram-Schmidt", "LiangLance1987", Orthonormal::gram_schmidt)};
}

}  // namespace dalembert
