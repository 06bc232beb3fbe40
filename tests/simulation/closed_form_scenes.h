// Worlds of free bodies of given masses, for motions that are known in closed form.
#pragma once

#include <string>
#include <vector>

#include "simulation/simple_scenes.h"

namespace rigor {

/// A free body that is as heavy as it is told, with the inertia of its shape.
struct FreeBody {
  Shape shape;
  double mass = 1.0;
  Pose pose = {};
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  std::string material = "default";
};

inline MassProperties withMass(const Shape& shape, double mass) {
  MassProperties properties = computeMassProperties(shape, 1.0);
  properties.inertia *= mass / properties.mass;
  properties.mass = mass;
  return properties;
}

inline MaterialPair makeMaterial(const std::string& a, const std::string& b, double friction,
                                 double restitution = 0.0) {
  MaterialPair pair;
  pair.material_1 = a, pair.material_2 = b;
  pair.friction = friction, pair.restitution = restitution;
  return pair;
}

/// Free bodies above the plane z = 0, whose material is "ground".
inline Scene makeFreeBodies(const std::vector<FreeBody>& bodies, const std::vector<MaterialPair>& materials,
                            bool ground = true, double gravity = kGravity) {
  ModelBuilder builder("free bodies");
  builder.setGravity({0, 0, -gravity});
  for (const MaterialPair& pair : materials) builder.addMaterialPair(pair);
  if (ground) builder.addWorldShape({"ground", makePlane(), {}, "ground"});
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    BodySpec spec;
    spec.name = "body_" + std::to_string(i);
    spec.joint.name = spec.name + "_joint";
    spec.joint.type = kFree;
    spec.mass = withMass(bodies[i].shape, bodies[i].mass);
    spec.shapes.push_back({spec.name, bodies[i].shape, {}, bodies[i].material});
    const int index = builder.addBody(spec);
    Eigen::VectorXd q(7);
    const Eigen::Quaterniond& r = bodies[i].pose.rotation;
    q << bodies[i].pose.position, r.w(), r.x(), r.y(), r.z();
    builder.setReference(index, q);
  }
  Scene scene;
  scene.name = "free bodies";
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  for (std::size_t i = 0; i < bodies.size(); ++i) scene.v.segment<3>(6 * static_cast<int>(i)) = bodies[i].velocity;
  return scene;
}

}  // namespace rigor
