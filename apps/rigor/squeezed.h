// Who may be squeezed by a motion that no force stops: a guess at why a step was refused, for people.
#pragma once

#include <optional>
#include <string>

#include "rigor/simulator.h"

namespace rigor::app {

/// Names of shapes, in quotation marks, or "the world".
struct Squeezed {
  std::string by, body, against;
};

/// A body that is within a step of a kinematic one, which moves towards it, and of something else on its other side.
std::optional<Squeezed> findSqueezed(const Simulator& simulator);

}  // namespace rigor::app
