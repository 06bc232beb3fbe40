#include "geometry/thin_triangle.h"

#include <algorithm>

namespace rigor {

ThinTriangle::ThinTriangle()
    : core_(std::make_shared<Polytope>(makePolytope({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}))) {
  solid_.kind = ShapeKind::kHull;
  solid_.core = core_;
}

void ThinTriangle::fill(const Surface& surface, int triangle) {
  triangle_ = triangle;
  Polytope& core = *core_;
  core.radius = 0.0;
  for (int k = 0; k < 3; ++k) {
    vertex_[k] = surface.corner(triangle, k);
    core.vertices[k] = surface.core.vertices[vertex_[k]];
    core.radius = std::max(core.radius, norm(core.vertices[k]));
  }
  solid_.extent = 0.0;
  for (int k = 0; k < 3; ++k) {
    solid_.extent = std::max(solid_.extent, norm(core.vertices[(k + 1) % 3] - core.vertices[k]));
    edge_[k] = surface.edgeOf(triangle, k);
    const bool along = surface.core.edges[edge_[k]].vertex[0] == vertex_[k];
    const int from = k, to = (k + 1) % 3;
    core.edges[k] = along ? Polytope::Edge{{from, to}, {0, 1}} : Polytope::Edge{{to, from}, {1, 0}};
  }
  const Polytope::Face& front = surface.core.faces[triangle];
  core.faces[0].normal = front.normal, core.faces[0].offset = front.offset;
  core.faces[1].normal = -front.normal, core.faces[1].offset = -front.offset;
  face_[0] = triangle;
  face_[1] = surface.two_sided ? triangle + surface.triangles : -1;
}

}  // namespace rigor
