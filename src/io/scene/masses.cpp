// What a body of several shapes weighs.
#include <fmt/format.h>

#include "io/scene/assemble.h"

namespace rigor {
namespace {

/// In the frame that the shape has the pose X in.
MassProperties placed(const MassProperties& mass, const Pose& X) {
  const Eigen::Matrix3d R = X.rotation.toRotationMatrix();
  const Eigen::Matrix3d turned = R * mass.inertia * R.transpose();
  return {mass.mass, X * mass.com, 0.5 * (turned + turned.transpose())};
}

/// About the common centre (parallel-axis theorem); one part alone keeps its numbers.
MassProperties sumOf(const std::vector<MassProperties>& parts) {
  if (parts.size() == 1) return parts[0];
  MassProperties sum;
  for (const MassProperties& part : parts) {
    sum.mass += part.mass;
    sum.com += part.mass * part.com;
  }
  if (sum.mass > 0.0) sum.com /= sum.mass;
  for (const MassProperties& part : parts) {
    const Eigen::Vector3d arm = part.com - sum.com;
    sum.inertia += part.inertia + part.mass * (arm.squaredNorm() * Eigen::Matrix3d::Identity() - arm * arm.transpose());
  }
  return sum;
}

/// The solid of a shape with this density; errors name the shape.
MassProperties solidOf(const SceneShape& shape, double density) {
  try {
    return placed(computeMassProperties(shape.spec.shape, density), shape.spec.X_BS);
  } catch (const Error& error) {
    throw Error(shape.where, error.problem(), "Give the body mass, com and inertia instead. " + error.remedy());
  }
}

double volumeOf(const SceneShape& shape) {
  try {
    return computeVolume(shape.spec.shape);
  } catch (const Error& error) {
    throw Error(shape.where, error.problem(), "Give the body mass, com and inertia instead. " + error.remedy());
  }
}

/// From the shapes' own masses and densities, and the body's for the others. Nothing where nothing is said.
std::optional<MassProperties> weighShapes(TableReader& reader, const std::vector<SceneShape>& shapes) {
  const bool has_mass = reader.has("mass"), has_density = reader.has("density");
  std::vector<MassProperties> parts;
  double volume = 0.0;
  for (const SceneShape& shape : shapes) {
    const bool own = shape.mass || shape.density;
    if (own && has_mass)
      throw Error(shape.where, "the shape has a mass of its own, and the whole body too",
                  "Leave out the mass of the body: it is the sum.");
    if (!own && has_mass) volume += volumeOf(shape);
  }
  const double density = has_mass      ? reader.positive("mass", 0.0) / volume
                         : has_density ? reader.positive("density", 0.0)
                                       : 0.0;
  for (const SceneShape& shape : shapes) {
    if (shape.mass)
      parts.push_back(solidOf(shape, *shape.mass / volumeOf(shape)));
    else if (shape.density)
      parts.push_back(solidOf(shape, *shape.density));
    else if (has_mass || has_density)
      parts.push_back(solidOf(shape, density));
    else
      return {};
  }
  return parts.empty() ? std::nullopt : std::optional(sumOf(parts));
}

Eigen::Matrix3d readInertia(TableReader& reader) {
  const TomlValue& value = *reader.find("inertia");
  const std::vector<double> I = reader.numbers(value, value.items.size() == 3 ? 3 : 6, "inertia");
  Eigen::Matrix3d inertia = Eigen::Vector3d(I[0], I[1], I[2]).asDiagonal();
  if (I.size() == 6) inertia << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
  return inertia;
}

}  // namespace

std::optional<MassProperties> readBodyMass(TableReader& reader, const std::vector<SceneShape>& shapes) {
  if (reader.has("mass") && reader.has("density"))
    reader.fail("density", "mass and density are both given", "Keep one of them.");
  const bool has_inertia = reader.has("inertia");
  std::optional<MassProperties> mass;
  if (has_inertia && reader.has("mass"))
    mass = MassProperties{reader.positive("mass", 0.0)};  // the shapes need enclose no volume
  else
    mass = weighShapes(reader, shapes);
  const bool has_com = reader.has("com");
  if (!mass && (has_inertia || has_com))
    reader.fail(has_inertia ? "inertia" : "com", "is given without a mass", "Write mass = … in kg.");
  if (!mass) return mass;
  if (has_inertia) mass->inertia = readInertia(reader);
  if (has_com || has_inertia) mass->com = reader.vector("com", mass->com);
  return mass;
}

}  // namespace rigor
