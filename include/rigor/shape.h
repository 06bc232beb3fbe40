// Collision shapes and poses as the user writes them.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <memory>
#include <string>

namespace rigor {

/// Pose X_AB of a frame B in a frame A: a point p_B of B is at rotation·p_B + position in A.
struct Pose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();

  Pose operator*(const Pose& other) const { return {position + rotation * other.position, rotation * other.rotation}; }
  Eigen::Vector3d operator*(const Eigen::Vector3d& point) const { return position + rotation * point; }
};

enum class ShapeKind : std::uint8_t {
  kSphere,     ///< size = (radius, ·, ·)
  kCapsule,    ///< size = (radius, half length of the cylinder, ·), axis z
  kBox,        ///< size = half extents
  kPlane,      ///< the half space z ≤ 0 of its frame; size unused; only on the world
  kCylinder,   ///< size = (radius, half length, ·), axis z
  kCone,       ///< size = (radius of the base, half height, ·): base at z = −half height, apex at +half height
  kEllipsoid,  ///< size = semi-axes
  kHull,  ///< convex hull of the vertices of `mesh`; size = half extents of a box around the frame's origin that holds it
  kTriangles,    ///< the triangles of `mesh` as they are, solid on the side away from their normals
  kHeightField,  ///< the ground under `field`; only on the world
};

struct Mesh;         // rigor/mesh.h
struct HeightField;  // rigor/mesh.h
struct Polytope;     // src/geometry/polytope.h
struct Surface;      // src/geometry/triangle_surface.h

/// A solid in its own frame; primitives are centred at the origin.
struct Shape {
  ShapeKind kind = ShapeKind::kSphere;
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< [m], meaning by kind
  std::shared_ptr<const Mesh> mesh = {};           ///< shared by all shapes that have it; primitives have none
  std::shared_ptr<const HeightField> field = {};   ///< of a height field
  std::shared_ptr<const Polytope> polytope = {};   ///< vertices, edges and faces of a box or a hull
  std::shared_ptr<const Surface> surface = {};     ///< of triangles or a height field: neighbours and a tree of boxes
};

Shape makeSphere(double radius);
Shape makeCapsule(double radius, double half_length);
Shape makeBox(const Eigen::Vector3d& half_extents);
Shape makePlane();
Shape makeCylinder(double radius, double half_length);
Shape makeCone(double radius, double half_height);
Shape makeEllipsoid(const Eigen::Vector3d& semi_axes);

/// Convex hull of the vertices; triangles are not looked at. Coplanar faces are one, vertices that are no corners are dropped,
/// the numbers of what is left are the same for the same mesh. Throws Error for meshes that are flat (thinner than 1e-9 of
/// their size), have fewer than four vertices, coordinates that are not finite, or an absurd size.
Shape makeHull(std::shared_ptr<const Mesh> mesh);

/// The triangles as they are, open or closed. Triangles without area are left out, and a closed mesh whose normals look inward
/// is turned inside out: Shape::mesh is then a corrected copy (inspectMesh in rigor/mesh.h tells beforehand).
Shape makeTriangles(std::shared_ptr<const Mesh> mesh);

/// Throws Error for a field without rows or columns, with heights that are not finite, or of no width.
Shape makeHeightField(HeightField field);

/// What a hull is made of; zero for shapes without vertices.
struct HullCounts {
  int vertices = 0, edges = 0, faces = 0;
};
HullCounts countHull(const Shape& shape);

/// Mass, centre of mass and rotational inertia about the centre of mass, in the axes of the frame they belong to.
struct MassProperties {
  double mass = 0.0;                                  ///< [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      ///< [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< [kg m²] about com
};

/// Exact mass properties of a solid of constant density [kg/m³]. Throws for a plane, a height field and for triangles that do
/// not enclose a volume (inspectMesh): the hull of the same mesh has one.
MassProperties computeMassProperties(const Shape& shape, double density);

/// Volume of the solid [m³]; infinite for a plane and a height field. Throws for triangles that enclose none.
double computeVolume(const Shape& shape);

}  // namespace rigor
