// Short ways to write bodies in tests.
#pragma once

#include <string>

#include "rigor/model.h"

namespace rigor {

/// A body with a solid ball of 1000 kg/m³ and radius 0.1 m in it, hanging on `parent`.
inline BodySpec ballBody(const std::string& name, int parent, JointType type) {
  BodySpec body;
  body.name = name;
  body.parent = parent;
  body.joint.name = name + "_joint";
  body.joint.type = type;
  body.mass = computeMassProperties(makeSphere(0.1), 1000.0);
  return body;
}

inline ShapeSpec namedShape(const std::string& name, const Shape& shape, const std::string& material = "default") {
  ShapeSpec spec;
  spec.name = name;
  spec.shape = shape;
  spec.material = material;
  return spec;
}

}  // namespace rigor
