// Worlds of boxes and other solids, and how deep they really are in each other.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "rigor/rigor.h"

namespace rigor {

/// Free and fixed solids of one material, one after the other; fixed ones cannot move.
struct SolidWorld {
  struct Body {
    Shape shape;
    Pose pose;
    bool fixed = false;
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), spin = Eigen::Vector3d::Zero();
    double density = 1000.0;
  };
  std::vector<Body> bodies;
  double friction = 0.5, restitution = 0.0, dt = 1e-3;
  bool floor = false;  ///< the plane z = 0
  bool weightless = false;

  Scene scene() const {
    ModelBuilder builder("solids");
    MaterialPair material;
    material.material_1 = material.material_2 = "default";
    material.friction = friction;
    material.restitution = restitution;
    builder.addMaterialPair(material);
    if (weightless) builder.setGravity(Eigen::Vector3d::Zero());
    if (floor) builder.addWorldShape({"floor", makePlane(), {}});
    std::vector<double> v;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Body& body = bodies[i];
      BodySpec spec;
      spec.name = "body_" + std::to_string(i);
      spec.joint.name = spec.name + "_joint";
      spec.joint.type = body.fixed ? kFixed : kFree;
      spec.shapes.push_back({spec.name, body.shape, {}});
      if (!body.fixed) spec.mass = computeMassProperties(body.shape, body.density);
      if (body.fixed) spec.joint.X_PJ = body.pose;
      const int index = builder.addBody(spec);
      if (body.fixed) continue;
      Eigen::VectorXd q(7);
      const Eigen::Quaterniond r = body.pose.rotation.normalized();
      q << body.pose.position, r.w(), r.x(), r.y(), r.z();
      builder.setReference(index, q);
      v.insert(v.end(), body.velocity.begin(), body.velocity.end());
      v.insert(v.end(), body.spin.begin(), body.spin.end());
    }
    Scene scene;
    scene.name = "solids";
    scene.model = builder.build();
    scene.q = scene.model.q0();
    scene.v = Eigen::Map<Eigen::VectorXd>(v.data(), static_cast<int>(v.size()));
    scene.dt = dt;
    return scene;
  }
};

/// The least signed distance of all pairs of shapes that may touch, by `collide`, which shares no features with the step.
inline double leastDistance(const Simulator& simulator) {
  const Model& model = simulator.scene().model;
  const auto poseOf = [&](int shape) {
    const ModelShape& s = model.shapes()[shape];
    return s.body == kWorld ? s.X_BS : simulator.pose(s.body) * s.X_BS;
  };
  double least = 1e300;
  for (const auto& [a, b] : model.collisionPairs())
    least =
        std::min(least, collide(model.shapes()[a].shape, poseOf(a), model.shapes()[b].shape, poseOf(b), 0.0).distance);
  return least;
}

/// What a run came to.
struct SolidRun {
  bool accepted = true;
  double deepest = 0.0;  ///< [m] over all steps
  double kinetic = 0.0;  ///< [J] at the end
  double rise = 0.0;     ///< [J] of the energy above its lowest value before
};

inline SolidRun runSolids(Simulator& simulator, int steps) {
  SolidRun run;
  double lowest = 1e300;
  for (int i = 0; i < steps && run.accepted; ++i) {
    const StepReport& report = simulator.step();
    run.accepted = report.status == StepStatus::kAccepted;
    run.deepest = std::min(run.deepest, leastDistance(simulator));
    const double energy = report.kinetic + report.potential;
    run.rise = std::max(run.rise, energy - lowest);
    lowest = std::min(lowest, energy);
  }
  run.kinetic = simulator.node().kinetic;
  return run;
}

}  // namespace rigor
