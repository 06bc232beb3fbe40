// Benchmarks of many balls whose energy is known.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "simulation/closed_form_scenes.h"

namespace rigor {

/// 49 balls of 10 kg and 0.1 m that bounce on the floor for ever from 5 m: 24 034.5 J.
inline Scene bouncingSet() {
  std::vector<FreeBody> balls;
  for (int i = 0; i < 49; ++i) balls.push_back({makeSphere(0.1), 10.0, {{1.0 * (i % 7), 1.0 * (i / 7), 5.0}}});
  return makeFreeBodies(balls, {makeMaterial("ground", "", 0.0, 1.0)});
}

/// 6 × 6 × 6 balls of 10 kg and 0.1 m, 0.21 m apart but for a noise of 1 mm, the lowest at `height`.
inline Scene sixCubed(double height, double restitution) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> noise(-1e-3, 1e-3);
  std::vector<FreeBody> balls;
  for (int i = 0; i < 216; ++i) {
    Eigen::Vector3d place(0.21 * (i % 6), 0.21 * (i / 6 % 6), height + 0.21 * (i / 36));
    for (double& x : place) x += noise(random);
    if (i < 36) place.z() = std::max(place.z(), 0.1);  // not in the ground
    balls.push_back({makeSphere(0.1), 10.0, {place}});
  }
  return makeFreeBodies(balls,
                        {makeMaterial("default", "", 0.0, restitution), makeMaterial("ground", "", 0.0, restitution)});
}

/// Mean square of the energy of nodes about that of the start, over a run.
inline double meanSquareOfEnergy(const Scene& scene, double seconds, double& deepest) {
  Simulator simulator(scene);
  const StepReport& first = simulator.node();
  const double start = first.kinetic + first.potential;
  double squares = 0.0;
  const int steps = static_cast<int>(std::lround(seconds / scene.dt));
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = simulator.step();
    if (!report.accepted()) {
      ADD_FAILURE() << report.explain();
      break;
    }
    squares += std::pow(report.kinetic + report.potential - start, 2) / steps;
    deepest = std::max(deepest, report.penetration);
  }
  return squares;
}

}  // namespace rigor
