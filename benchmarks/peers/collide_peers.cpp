// rigor's distances beside those of Coal: agreement over random pairs, and time of all three with MuJoCo.
//
// collide_peers agree COUNT SECONDS [PAIR]   every pair of kinds, or one, at COUNT random pairs of poses, SECONDS at most for a pair
// collide_peers time                         sphere, capsule, box and hull near contact
//
// Built and run by collide_peers.sh. All three are called from C++ in this one process.
#include "collide_peers.h"

#include <coal/BVH/BVH_model.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "geometry/convert.h"
#include "geometry/polytope.h"
#include "geometry/triangle_surface.h"

namespace rigor::peers {
namespace {

CoalShape coalMesh(const Mesh& mesh) {
  auto model = std::make_shared<coal::BVHModel<coal::OBBRSS>>();
  std::vector<coal::Triangle> triangles;
  for (const auto& t : mesh.triangles) triangles.push_back(coal::Triangle(t[0], t[1], t[2]));
  model->beginModel();
  model->addSubModel(std::vector<coal::Vec3s>(mesh.vertices.begin(), mesh.vertices.end()), triangles);
  model->endModel();
  return model;
}

CoalShape coalHull(const Polytope& hull) {
  auto points = std::make_shared<std::vector<coal::Vec3s>>();
  auto triangles = std::make_shared<std::vector<coal::Triangle>>();
  for (const Vec3<double>& v : hull.vertices) points->push_back(toEigen(v));
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const auto corners = hull.cornersOf(static_cast<int>(f));
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
      triangles->push_back(coal::Triangle(corners[0], corners[i], corners[i + 1]));
  }
  return std::make_shared<coal::Convex<coal::Triangle>>(points, points->size(), triangles, triangles->size());
}

}  // namespace

CoalShape coalOf(const Shape& shape) {
  const auto& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return std::make_shared<coal::Sphere>(s[0]);
    case ShapeKind::kCapsule:
      return std::make_shared<coal::Capsule>(s[0], 2.0 * s[1]);
    case ShapeKind::kBox:
      return std::make_shared<coal::Box>(2.0 * s[0], 2.0 * s[1], 2.0 * s[2]);
    case ShapeKind::kCylinder:
      return std::make_shared<coal::Cylinder>(s[0], 2.0 * s[1]);
    case ShapeKind::kCone:
      return std::make_shared<coal::Cone>(s[0], 2.0 * s[1]);
    case ShapeKind::kEllipsoid:
      return std::make_shared<coal::Ellipsoid>(s[0], s[1], s[2]);
    case ShapeKind::kPlane:
      return std::make_shared<coal::Halfspace>(coal::Vec3s(0, 0, 1), 0.0);
    case ShapeKind::kTriangles:
      return coalMesh(*shape.mesh);
    case ShapeKind::kHeightField:
      return coalMesh(meshOf(*shape.field));
    default:
      return coalHull(*shape.polytope);
  }
}

}  // namespace rigor::peers

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  if (what == "agree" && (count == 4 || count == 5))
    return rigor::peers::printAgreement(std::atol(arguments[2]), std::atof(arguments[3]),
                                        count == 5 ? arguments[4] : ""),
           0;
  if (what == "time" && count == 2) return rigor::peers::printTimes(), 0;
  fmt::print("usage: collide_peers agree COUNT SECONDS [PAIR] | time\n");
  return 2;
}
