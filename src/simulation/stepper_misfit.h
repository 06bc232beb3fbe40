// Options of a scene that its stepper does not go with.
#pragma once

#include <optional>
#include <string>

#include "rigor/scene.h"

namespace rigor {

struct StepperMisfit {
  std::string key, problem, remedy;
};

/// The first one of stepper event and of its accuracy; integrator and law have names that are known.
std::optional<StepperMisfit> findMisfit(const Scene& scene);

}  // namespace rigor
