// Scenes for the tests of stepper event.
#pragma once

#include "rigor/scene.h"

namespace rigor {

/// A scene by stepper event.
inline Scene byEvents(Scene scene, double dt = 1e-3) {
  scene.stepper = "event";
  scene.dt = dt;
  return scene;
}

}  // namespace rigor
