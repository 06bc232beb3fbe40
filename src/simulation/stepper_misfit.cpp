#include "simulation/stepper_misfit.h"

#include <fmt/format.h>

#include "rigor/integrator.h"

namespace rigor {

std::optional<StepperMisfit> findMisfit(const Scene& scene) {
  constexpr double kFinest = 1e-13, kCoarsest = 1e-2;
  const double accuracy = scene.step_accuracy;
  if (accuracy != 0.0 && !(accuracy >= kFinest && accuracy <= kCoarsest))
    return {{"step_accuracy",
             fmt::format("an accuracy of {:g} per second cannot be reached, or means nothing", accuracy),
             fmt::format("Doubles allow {:g}; try 1e-9.", kFinest)}};
  if (scene.stepper != "event") {
    if (accuracy == 0.0) return {};
    return {{"step_accuracy", fmt::format("stepper \"{}\" has a fixed step", scene.stepper),
             "Use the stepper \"event\", or choose dt."}};
  }
  if (findLaw(scene.law) == Law::kDissipation)
    return {{"law", "stepper \"event\" does not follow law \"dissipation\", which is one of time steps",
             "Use law \"coulomb\" or \"pyramid\", or the stepper \"minimal\"."}};
  const Integrator integrator = findIntegrator(scene.integrator);
  if (integrator == Integrator::kLeapfrog || integrator == Integrator::kDormandPrince ||
      integrator == Integrator::kRk4 || integrator == Integrator::kImplicitMidpoint)
    return {};
  return {{"integrator", fmt::format("stepper \"event\" does not work with \"{}\"", scene.integrator),
           "Use rk4, which it takes unless told otherwise, dormand_prince or implicit_midpoint."}};
}

}  // namespace rigor
