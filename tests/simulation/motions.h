// Motions without contact whose truth is known: in closed form, or from a Runge–Kutta method with tiny steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "rigor/rigor.h"
#include "simulation/simple_scenes.h"

namespace rigor {

inline Scene loadNamedScene(const std::string& name) {
  return loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml");
}

/// Two cubes of 0.1 m and 1 kg on massless rods of 1 m, hinges along x, released at rest from these angles.
inline Scene doublePendulum(double shoulder, double elbow) {
  Scene scene = loadNamedScene("double_pendulum");
  scene.q << shoulder, elbow;
  return scene;
}

/// A body with principal inertias 1, 2, 3 kg m² that turns about its middle axis, where turning is unstable.
inline Scene asymmetricTop() { return loadNamedScene("asymmetric_top"); }

/// ANYmal in flight with all joints limp and everything moving; nothing can touch.
inline Scene flyingAnymal() {
  Scene scene = loadNamedScene("anymal_energy");
  scene.wrenches.clear();
  for (int j = 0; j < scene.model.nv(); ++j) scene.v[j] = 1.5 * std::sin(1.0 + 2.0 * j);
  return scene;
}

/// Largest difference of a coordinate; quaternions of both signs are the same rotation, but runs do not change sign.
inline double distance(const Eigen::VectorXd& a, const Eigen::VectorXd& b) { return (a - b).cwiseAbs().maxCoeff(); }

/// Where the scene is after `seconds` in steps of dt.
inline Eigen::VectorXd positionAfter(Scene scene, const std::string& integrator, double seconds, double dt) {
  scene.integrator = integrator;
  scene.dt = dt;
  Simulator simulator(scene, {.max_halvings = 0});  // a step of another length would spoil the order
  if (!simulator.run(seconds).accepted()) throw Error(simulator.report().explain());
  return simulator.state().q;
}

}  // namespace rigor
