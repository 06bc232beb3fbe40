#include <fmt/format.h>

#include <algorithm>

#include "event/event_stepper.h"
#include "rigor/error.h"

namespace rigor {

void refuseWithoutEvents(const StepTables& tables) {
  const auto refuse = [](const std::string& what) {
    throw Error(fmt::format("stepper \"event\" does not follow {}", what),
                "Use stepper \"minimal\" or \"maximal\" for this scene.");
  };
  if (!tables.prescribed.empty()) refuse("bodies that move as they are told (motion, kinematic)");
  if (!tables.freedoms.empty()) refuse("stops, dry friction and motors of loops");
  for (const ContactMaterial& surface : tables.collision.surfaces) {
    if (surface.plain) continue;
    if (surface.torsion > 0.0 || surface.rolling > 0.0) refuse("friction of torsion or rolling");
    if (surface.compliance > 0.0) refuse("soft contacts (compliance)");
    if (surface.ratio != 1.0) refuse("friction along a grain (anisotropy)");
  }
}

}  // namespace rigor
