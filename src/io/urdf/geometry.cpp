#include "io/urdf/geometry.h"

#include <fmt/format.h>

#include <cmath>

#include "io/mesh/find_mesh.h"
#include "rigor/io.h"

namespace rigor {
namespace {

constexpr double kNoticedExcess = 0.2;  // part of the mesh's volume by which a hull is larger before it is told

const XmlElement& onlyShape(const XmlElement& geometry, const UrdfReader& reader) {
  if (geometry.children.size() != 1)
    reader.fail(geometry, fmt::format("<geometry> has {} shapes, not one", geometry.children.size()),
                "Write one <collision> or <visual> for each shape.");
  return geometry.children.front();
}

/// A hull fills what is hollow: grippers and rims then close.
void tellLargerHull(const XmlElement& element, const UrdfMesh& mesh, const Shape& hull, UrdfReader& reader) {
  const MeshReport report = inspectMesh(*hull.mesh);
  if (!report.closed() || report.volume == 0.0) return;  // it encloses no volume to compare with
  const double excess = computeVolume(hull) / std::abs(report.volume) - 1.0;
  if (excess > kNoticedExcess)
    reader.warn(element,
                fmt::format("mesh \"{}\" collides as its hull, which is {:.0f} % larger. Give its convex parts one "
                            "by one if that matters.",
                            mesh.name, 100.0 * excess),
                false, WarningKind::kHull);
}

}  // namespace

std::optional<Shape> readPrimitive(const XmlElement& geometry, UrdfReader& reader) {
  const XmlElement& element = onlyShape(geometry, reader);
  if (element.name == "sphere") {
    reader.expectOnly(element, {"radius"}, {});
    return makeSphere(reader.positive(element, "radius"));
  }
  if (element.name == "capsule") {  // length of the cylinder between the two half spheres
    reader.expectOnly(element, {"radius", "length"}, {});
    return makeCapsule(reader.positive(element, "radius"), 0.5 * reader.positive(element, "length"));
  }
  if (element.name == "cylinder") {
    reader.expectOnly(element, {"radius", "length"}, {});
    return makeCylinder(reader.positive(element, "radius"), 0.5 * reader.positive(element, "length"));
  }
  if (element.name == "box") {
    reader.expectOnly(element, {"size"}, {});
    reader.requiredText(element, "size");
    const Eigen::Vector3d size = reader.vector(element, "size", Eigen::Vector3d::Zero());
    if (!(size.minCoeff() > 0.0))
      reader.fail(element, "an edge of the box is not positive", "Write three positive lengths in metres.");
    return makeBox(0.5 * size);
  }
  if (element.name != "mesh")
    reader.fail(element, fmt::format("unknown shape <{}>", element.name),
                "Known: sphere, box, capsule, cylinder, mesh.");
  return {};
}

UrdfMesh readMeshElement(const XmlElement& geometry, UrdfReader& reader) {
  const XmlElement& element = onlyShape(geometry, reader);
  reader.expectOnly(element, {"filename", "scale"}, {});
  UrdfMesh mesh;
  mesh.name = reader.requiredText(element, "filename");
  mesh.scale = reader.vector(element, "scale", Eigen::Vector3d::Ones());
  const MeshSearch search = findMesh(mesh.name, reader.file(), reader.packagePath());
  if (!search.file)
    reader.fail(element, fmt::format("mesh \"{}\" is not there: {}", mesh.name, search.placesText()),
                "Give the folder above its package with --package-path.");
  mesh.file = *search.file;
  return mesh;
}

std::optional<Shape> readCollisionShape(const XmlElement& geometry, UrdfReader& reader) {
  if (const std::optional<Shape> primitive = readPrimitive(geometry, reader)) return primitive;
  const XmlElement& element = geometry.children.front();
  reader.requiredText(element, "filename");
  try {
    const UrdfMesh mesh = readMeshElement(geometry, reader);
    const Shape hull = loadHull(mesh.file, mesh.scale);
    tellLargerHull(element, mesh, hull, reader);
    return hull;
  } catch (const Error& error) {
    const bool here = error.where().file == reader.file();
    const std::string place = here ? "" : fmt::format("\"{}\": ", error.where().file);
    reader.warn(element, fmt::format("left out, it does not collide: {}{}. {}", place, error.problem(), error.remedy()),
                true, WarningKind::kMissingShape);
    return {};
  }
}

}  // namespace rigor
