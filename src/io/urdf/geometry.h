// The <geometry> of collisions and visuals.
#pragma once

#include <optional>
#include <string>

#include "io/urdf/reader.h"

namespace rigor {

/// sphere, box, capsule, cylinder; nothing for a mesh. Throws Error for anything else.
std::optional<Shape> readPrimitive(const XmlElement& geometry, UrdfReader& reader);

/// Where the mesh of a <geometry> is and how large it shall be.
struct UrdfMesh {
  std::string name, file;  ///< as written, and where it was found
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
};
/// Throws Error that names the places searched.
UrdfMesh readMeshElement(const XmlElement& geometry, UrdfReader& reader);

/// What collides: a primitive, or the hull of a mesh. Nothing, with a warning, if the mesh cannot be read.
std::optional<Shape> readCollisionShape(const XmlElement& geometry, UrdfReader& reader);

}  // namespace rigor
