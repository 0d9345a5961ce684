// Simbody's headers are not C++20; this file is C++17.
#include <Simbody.h>

#include <memory>
#include <vector>

#include "bench/chain_rivals.h"

namespace dalembert::bench {

RivalEnd chain_by_simbody(const Chain& chain, SimbodyMethod method, double accuracy) {
  using namespace SimTK;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity gravity(forces, matter, Vec3(0, -chain.gravity, 0));
  const double half = chain.link_length() / 2, m = chain.link_mass(), I = chain.link_inertia();
  const Body::Rigid link(MassProperties(m, Vec3(0), Inertia(0, I, I)));
  std::vector<MobilizedBody::Pin> links;
  for (int i = 0; i < chain.n; ++i) {
    if (i == 0)
      links.emplace_back(matter.Ground(), Transform(Vec3(0)), link, Transform(Vec3(-half, 0, 0)));
    else
      links.emplace_back(links.back(), Transform(Vec3(half, 0, 0)), link, Transform(Vec3(-half, 0, 0)));
  }
  SimTK::State state = system.realizeTopology();
  links.front().setAngle(state, chain.lean - Pi / 2);
  std::unique_ptr<Integrator> integrator;
  switch (method) {
    case SimbodyMethod::runge_kutta_merson:
      integrator = std::make_unique<RungeKuttaMersonIntegrator>(system);
      break;
    case SimbodyMethod::runge_kutta_fehlberg:
      integrator = std::make_unique<RungeKuttaFeldbergIntegrator>(system);
      break;
  }
  integrator->setAccuracy(accuracy);
  integrator->setFinalTime(chain.end);
  TimeStepper stepper(system, *integrator);
  stepper.initialize(state);
  stepper.stepTo(chain.end);
  const SimTK::State& last = integrator->getState();
  system.realize(last, Stage::Position);
  RivalEnd result;
  result.ok = true;
  result.q.resize(3 * chain.n);
  double angle = 0;
  for (int i = 0; i < chain.n; ++i) {
    const MobilizedBody::Pin& each = links[static_cast<std::size_t>(i)];
    const Vec3 centre = each.getBodyOriginLocation(last);
    angle += each.getAngle(last);
    result.q.segment<3>(3 * i) << centre[0], centre[1], angle;
  }
  result.steps = integrator->getNumStepsTaken();
  result.evaluations = integrator->getNumRealizations();
  return result;
}

}  // namespace dalembert::bench
