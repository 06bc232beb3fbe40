#include "geometry/mesh_mass.h"

#include <fmt/format.h>

#include "geometry/convert.h"
#include "geometry/polytope.h"
#include "rigor/error.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

/// Integrals over signed tetrahedra, each from a common point to one triangle of the surface: what lies outside is counted
/// once with each sign. The common point is near the mesh, so that far meshes lose no digits.
class TetrahedronSum {
 public:
  explicit TetrahedronSum(const Eigen::Vector3d& common) : common_(common) {}

  void add(const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Eigen::Vector3d& r) {
    const Eigen::Vector3d a = p - common_, b = q - common_, c = r - common_, sum = a + b + c;
    const double six_volumes = a.dot(b.cross(c));
    volume_ += six_volumes / 6.0;
    first_ += six_volumes / 24.0 * sum;
    second_ +=
        six_volumes / 120.0 * (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }

  double volume() const { return volume_; }

  MassProperties scaled(double density) const {
    const Eigen::Vector3d mean = first_ / volume_;
    const Eigen::Matrix3d squares = second_ - volume_ * mean * mean.transpose();  // ∫ x xᵀ about the centre of mass
    const Eigen::Matrix3d inertia = density * (squares.trace() * Eigen::Matrix3d::Identity() - squares);
    return {density * volume_, common_ + mean, 0.5 * (inertia + inertia.transpose())};
  }

 private:
  Eigen::Vector3d common_;
  double volume_ = 0.0;                               ///< ∫ 1
  Eigen::Vector3d first_ = Eigen::Vector3d::Zero();   ///< ∫ x
  Eigen::Matrix3d second_ = Eigen::Matrix3d::Zero();  ///< ∫ x xᵀ
};

TetrahedronSum sumOf(const Polytope& polytope) {
  const auto corner = [&](int vertex) { return toEigen(polytope.vertices[vertex]); };
  TetrahedronSum sum(corner(0));
  for (int face = 0; face < static_cast<int>(polytope.faces.size()); ++face) {
    const auto corners = polytope.cornersOf(face);
    for (std::size_t i = 2; i < corners.size(); ++i)
      sum.add(corner(corners[0]), corner(corners[i - 1]), corner(corners[i]));
  }
  return sum;
}

TetrahedronSum sumOf(const Mesh& mesh) {
  TetrahedronSum sum(mesh.vertices.empty() ? Eigen::Vector3d::Zero() : mesh.vertices[0]);
  for (const auto& [a, b, c] : mesh.triangles) sum.add(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
  return sum;
}

}  // namespace

double signedVolume(const Mesh& mesh) { return sumOf(mesh).volume(); }

MassProperties meshMassProperties(const Shape& shape, double density) {
  if (shape.kind == ShapeKind::kHull) return sumOf(*shape.polytope).scaled(density);
  const MeshReport report = inspectMesh(*shape.mesh);
  if (!report.closed())
    throw Error(
        {shape.mesh->source, 0, ""},
        fmt::format("the mesh encloses no volume: {} open edges, {} where triangles are turned against each other",
                    report.open_edges, report.clashing_edges),
        "Close it, give the body its mass properties, or take the hull of the mesh.");
  if (!(report.volume > 0.0))
    throw Error({shape.mesh->source, 0, ""}, fmt::format("the mesh encloses a volume of {:.3g} m³", report.volume),
                "Give the body its mass properties, or take the hull of the mesh.");
  return sumOf(*shape.mesh).scaled(density);
}

}  // namespace rigor
