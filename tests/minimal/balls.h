// Balls on a ground, the smallest worlds with contact.
#pragma once

#include <string>

#include "rigor/model.h"

namespace rigor {

inline constexpr double kBallRadius = 0.1;

/// A ground of the default material, which gives back a share of the speed.
inline ModelBuilder withGround(double restitution = 0.0) {
  ModelBuilder builder;
  builder.addWorldShape({"ground", makePlane(), {}});
  MaterialPair pair;
  pair.material_1 = pair.material_2 = "default";
  pair.restitution = restitution;
  builder.addMaterialPair(pair);
  return builder;
}

/// A body with its joint at a place in the world, without shapes; `mass` says how it is made.
inline BodySpec bodyAt(const std::string& name, JointType type, const Eigen::Vector3d& position, const Shape& mass) {
  BodySpec body;
  body.name = name;
  body.joint.name = name + "_joint";
  body.joint.type = type;
  body.joint.X_PJ.position = position;
  body.mass = computeMassProperties(mass, 1000.0);
  return body;
}

inline BodySpec ballAt(const std::string& name, const Eigen::Vector3d& position) {
  BodySpec body = bodyAt(name, kFree, position, makeSphere(kBallRadius));
  body.shapes.push_back({name, makeSphere(kBallRadius), {}});
  return body;
}

}  // namespace rigor
