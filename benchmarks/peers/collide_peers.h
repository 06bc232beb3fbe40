// Coal's side of rigor's shapes, and what collide_peers can print.
#pragma once

#include <coal/collision_object.h>

#include <memory>
#include <string>

#include "rigor/shape.h"

namespace rigor::peers {

using CoalShape = std::shared_ptr<coal::CollisionGeometry>;

/// Planes are half spaces; triangles and height fields are meshes of their triangles.
CoalShape coalOf(const Shape& shape);

inline coal::Transform3s coalPose(const Pose& X) { return {X.rotation.toRotationMatrix(), X.position}; }

/// Every pair of kinds at `count` random pairs of poses, or as many as `seconds` of the processor allow for it; only the pair of
/// that name ("sphere–box") if there is one.
void printAgreement(long count, double seconds, const std::string& only);

/// Sphere, capsule, box and hull near contact, beside Coal and MuJoCo.
void printTimes();

}  // namespace rigor::peers
