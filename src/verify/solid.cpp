#include "verify/solid.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>

namespace rigor::verify {
namespace {

/// Edges in the order in which the faces first pass them, each in the direction of that face. Returns how often each was passed.
std::map<std::pair<int, int>, int> findEdgesOf(Solid& solid) {
  std::map<std::pair<int, int>, int> passed;
  for (const std::vector<int>& face : solid.faces)
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int a = face[i], b = face[(i + 1) % face.size()];
      if (passed[std::minmax(a, b)]++ == 0) solid.edges.push_back({a, b});
    }
  return passed;
}

/// Mean normal of each polygon: Σ a × b over its sides, from its first corner.
void findNormals(Solid& solid) {
  for (const std::vector<int>& face : solid.faces) {
    Vec normal;
    const Vec first = solid.corners[face[0]];
    for (std::size_t i = 1; i + 1 < face.size(); ++i)
      normal = normal + cross(solid.corners[face[i]] - first, solid.corners[face[i + 1]] - first);
    solid.normals.push_back((1 / norm(normal)) * normal);
  }
}

/// Corner: bits 0, 1, 2 are the signs of x, y, z. Face 2·axis, + 1 on the positive side. Edge 4·axis + the signs of the
/// two coordinates that follow.
void makeBoxOf(const Vec& half, Solid& solid) {
  for (int corner = 0; corner < 8; ++corner)
    solid.corners.push_back(
        {corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z});
  for (int axis = 0; axis < 3; ++axis) {
    const int up = 1 << axis, next = 1 << (axis + 1) % 3, last = 1 << (axis + 2) % 3;
    solid.faces.push_back({0, last, last + next, next});
    solid.faces.push_back({up, up + next, up + next + last, up + last});
  }
  findEdgesOf(solid);
  std::vector<std::array<int, 2>> numbered(12);
  for (const std::array<int, 2>& edge : solid.edges) {
    const int along = edge[0] ^ edge[1], axis = along == 4 ? 2 : along - 1;
    const auto isPositive = [&](int k) { return (edge[0] >> (axis + k) % 3) & 1; };
    numbered[4 * axis + isPositive(1) + 2 * isPositive(2)] = edge;
  }
  solid.edges = std::move(numbered);
}

void readFaces(const Json& polytope, Solid& solid) {
  for (const Json& corner : polytope.at("vertices")) solid.corners.push_back(vectorOf(corner));
  for (const Json& item : polytope.at("faces")) {
    solid.faces.push_back(item.get<std::vector<int>>());
    const std::vector<int>& face = solid.faces.back();
    const auto isCorner = [&](int i) { return i >= 0 && i < static_cast<int>(solid.corners.size()); };
    if (face.size() < 3 || !std::all_of(face.begin(), face.end(), isCorner))
      failHeader("a face of a hull has corners that are not there");
  }
}

void readHull(const Json& polytope, Solid& solid) {
  readFaces(polytope, solid);
  for (const auto& [ends, times] : findEdgesOf(solid))
    if (times != 2) failHeader("the faces of a hull do not enclose it");
}

/// Closed if every edge is passed twice or, where more triangles meet, an even number of times.
void readSurface(const Json& shape, const Json& polytope, Solid& solid) {
  readFaces(polytope, solid);
  solid.closed = true;
  for (const auto& [ends, times] : findEdgesOf(solid)) solid.closed = solid.closed && times % 2 == 0;
  solid.two_sided = shape.at("two_sided").get<bool>();
  for (const std::vector<int>& face : solid.faces)
    if (face.size() != 3) failHeader("a surface has faces that are no triangles");
  for (const Vec& corner : solid.corners) solid.bound = std::max(solid.bound, norm(corner));
}

/// A side of a triangle of a surface, and how its edge is passed.
struct SideOfTriangle {
  int triangle, side;
  bool forward;
};

/// How far the surface rises in front of one triangle at the edge to another: 0 if both lie in one plane, up to rounding.
Real riseAcross(const Solid& surface, const SideOfTriangle& one, const SideOfTriangle& other) {
  const auto corner = [&](const SideOfTriangle& of, int k) {
    return surface.corners[surface.faces[of.triangle][(of.side + k) % 3]];
  };
  const Vec from = corner(one, 0), along = corner(one, 1) - from, way = corner(other, 2) - from;
  const Real height = dot(surface.normals[one.triangle], way), width = norm(cross(along, way)) / norm(along);
  return std::fabs(height) > std::max(1e-12L * width, 4e-15L * surface.bound) ? height : 0;
}

/// Solid::ends: faces go on as their planes beyond flat edges and valleys.
void findEndsOf(Solid& surface) {
  std::map<std::pair<int, int>, std::vector<SideOfTriangle>> sides;
  const int count = static_cast<int>(surface.two_sided ? surface.faces.size() / 2 : surface.faces.size());
  for (int t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = surface.faces[t][k], b = surface.faces[t][(k + 1) % 3];
      sides[std::minmax(a, b)].push_back({t, k, a < b});
    }
  surface.ends.assign(surface.faces.size(), {true, true, true});
  for (const auto& [ends, around] : sides) {
    if (around.size() != 2 || around[0].forward == around[1].forward) continue;
    const Real one = riseAcross(surface, around[0], around[1]), other = riseAcross(surface, around[1], around[0]);
    const bool folded = dot(surface.normals[around[0].triangle], surface.normals[around[1].triangle]) < 0;
    const Real rise = std::fabs(one) >= std::fabs(other) ? one : other;
    const bool ridge = rise < 0 || (rise == 0 && folded), valley = rise > 0;
    for (const SideOfTriangle& side : around) {
      surface.ends[side.triangle][side.side] = ridge;
      // corners of a back run the other way, from the same first one: its side 0 is that from corner 0 to corner 2
      if (surface.two_sided) surface.ends[side.triangle + count][2 - side.side] = valley;
    }
  }
}

/// Solid::beside: the faces that pass an edge, in one sense and in the other.
void findFacesBeside(Solid& solid) {
  std::map<std::pair<int, int>, int> passed;
  for (int face = 0; face < static_cast<int>(solid.faces.size()); ++face)
    for (std::size_t i = 0; i < solid.faces[face].size(); ++i)
      passed[{solid.faces[face][i], solid.faces[face][(i + 1) % solid.faces[face].size()]}] = face;
  for (const auto& [i, j] : solid.edges) {
    const auto one = passed.find({i, j}), other = passed.find({j, i});
    if (one == passed.end() || other == passed.end()) return solid.beside.clear();  // not a closed polytope
    solid.beside.push_back({one->second, other->second});
  }
}

/// Of a core with faces, the least width across a face; what pairs of edges could gain does not matter here.
Real widthOf(const Solid& solid) {
  Real least = 2 * solid.bound;
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    Real lowest = 0;
    for (const Vec& corner : solid.corners)
      lowest = std::min(lowest, dot(solid.normals[f], corner - solid.corners[solid.faces[f][0]]));
    least = std::min(least, -lowest);
  }
  return least + 2 * solid.radius;
}

void measure(Solid& solid) {
  const Vec& s = solid.size;
  switch (solid.kind) {
    case SolidKind::kUnknown:
    case SolidKind::kSurface:
      return;
    case SolidKind::kHalfSpace:
      solid.bound = solid.thickness = std::numeric_limits<Real>::infinity();
      return;
    case SolidKind::kGrown:
      for (const Vec& corner : solid.corners) solid.bound = std::max(solid.bound, norm(corner));
      solid.bound += solid.radius;
      solid.thickness = solid.faces.empty() ? 2 * solid.radius : widthOf(solid);
      return;
    case SolidKind::kCylinder:
    case SolidKind::kCone:
      solid.bound = std::sqrt(s.x * s.x + s.y * s.y);
      solid.thickness = std::min(solid.kind == SolidKind::kCone ? s.x : 2 * s.x, 2 * s.y);
      return;
    case SolidKind::kEllipsoid:
      solid.bound = std::max({s.x, s.y, s.z});
      solid.thickness = 2 * std::min({s.x, s.y, s.z});
      return;
  }
}

Real reachOfCone(const Vec& size, Real across, Real up) { return std::max(size.y * up, size.x * across - size.y * up); }

}  // namespace

Solid readSolid(const Json& shape, const Json& polytopes) {
  Solid solid;
  const std::string kind = shape.at("kind").get<std::string>();
  solid.body = shape.at("body").get<int>();
  solid.frame = poseOf(shape.at("frame"));
  solid.size = vectorOf(shape.at("size"));
  if (kind == "plane") solid.kind = SolidKind::kHalfSpace;
  if (kind == "cylinder") solid.kind = SolidKind::kCylinder;
  if (kind == "cone") solid.kind = SolidKind::kCone;
  if (kind == "ellipsoid") solid.kind = SolidKind::kEllipsoid;
  if (kind == "sphere" || kind == "capsule" || kind == "box" || kind == "hull") solid.kind = SolidKind::kGrown;
  if (kind == "sphere" || kind == "capsule") solid.radius = solid.size.x;
  if (kind == "sphere") solid.corners = {{}};
  if (kind == "capsule") solid.corners = {{0, 0, -solid.size.y}, {0, 0, solid.size.y}}, solid.edges = {{0, 1}};
  if (kind == "cylinder") solid.corners = {{0, 0, -solid.size.y}, {0, 0, solid.size.y}}, solid.edges = {{0, 1}};
  if (kind == "cone") solid.corners = {{0, 0, solid.size.y}};
  if (kind == "box") makeBoxOf(solid.size, solid);
  if (kind == "hull") readHull(polytopes.at(shape.at("polytope").get<std::size_t>()), solid);
  if ((kind == "triangles" || kind == "height field") && shape.contains("polytope")) {
    solid.kind = SolidKind::kSurface;
    readSurface(shape, polytopes.at(shape.at("polytope").get<std::size_t>()), solid);
  }
  findNormals(solid);
  if (solid.kind == SolidKind::kSurface) findEndsOf(solid);
  if (solid.kind == SolidKind::kGrown && !solid.faces.empty()) findFacesBeside(solid);
  measure(solid);
  return solid;
}

PlacedSolid placeSolid(const Solid& solid, const Pose& body) { return placeAt(solid, body * solid.frame); }

PlacedSolid placeAt(const Solid& solid, const Pose& X) {
  PlacedSolid placed;
  placed.solid = &solid;
  placed.X = X;
  if (solid.kind == SolidKind::kSurface) return placed;
  placed.corners.reserve(solid.corners.size());
  for (const Vec& corner : solid.corners) placed.corners.push_back(placed.X.p + placed.X.R * corner);
  placed.normals.reserve(solid.normals.size());
  for (const Vec& normal : solid.normals) placed.normals.push_back(placed.X.R * normal);
  return placed;
}

/// How far under the apex the ball is that touches a cone at its rim: slant²/height.
static Real coneBallDepth(const Solid& cone) {
  const Real r = cone.size.x, height = 2 * cone.size.y;
  return (r * r + height * height) / height;
}

Vec PlacedSolid::faceNormal(int face) const {
  if (solid->kind == SolidKind::kHalfSpace) return X.R.z;
  if (solid->discs() > 0) return face == 1 ? X.R.z : -X.R.z;
  return normals.empty() ? X.R * solid->normals[face] : normals[face];
}

Vec PlacedSolid::facePoint(int face) const {
  if (solid->kind == SolidKind::kHalfSpace) return X.p;
  if (solid->discs() > 0) return X.p + (face == 1 ? solid->size.y : -solid->size.y) * X.R.z;
  return corner(solid->faces[face][0]);
}

/// Of the way between the ends of an edge; of the side of a cone the square, from the apex.
static Real shareOfPoint(const Solid& solid, int number) {
  const int parts = (number & kFinePoint) != 0 ? 0xfffff : 0x7fff;
  const Real share = static_cast<Real>(number & parts) / parts;
  return solid.kind == SolidKind::kCone ? share * share : share;
}

Vec PlacedSolid::corner(int number) const {
  if ((number & (kRimPoint | kEdgePoint)) == 0)
    return corners.empty() ? X.p + X.R * solid->corners[number] : corners[number];
  if ((number & kRimPoint) == 0) {
    const int edge = edgeOfPoint(number);
    const Real share = shareOfPoint(*solid, number);
    if (solid->kind == SolidKind::kCone) return X.p + (solid->size.y - share * coneBallDepth(*solid)) * X.R.z;
    return edgeStart(edge) + share * this->edge(edge);
  }
  const int turn = 1 << 29, disc = (number & ~kRimPoint) / turn;
  const Real angle = 2 * std::numbers::pi_v<Real> * (number % turn) / turn;
  return facePoint(disc) + solid->size.x * (std::cos(angle) * X.R.x + std::sin(angle) * X.R.y);
}

Real PlacedSolid::cornerRadius(int number) const {
  if ((number & kRimPoint) != 0) return 0;
  if ((number & kEdgePoint) != 0 && solid->kind == SolidKind::kCone)  // that touches its side
    return shareOfPoint(*solid, number) * coneBallDepth(*solid) * solid->size.x /
           std::hypot(solid->size.x, 2 * solid->size.y);
  if ((number & kEdgePoint) != 0) return edgeRadius();
  return solid->isCylinder() ? solid->size.x : solid->radius;
}

Real reachOf(const PlacedSolid& placed, const Vec& n) {
  const Solid& solid = *placed.solid;
  const Vec &s = solid.size, local = transpose(placed.X.R) * n;
  const Real across = std::sqrt(local.x * local.x + local.y * local.y), centre = dot(n, placed.X.p);
  switch (solid.kind) {
    case SolidKind::kUnknown:
    case SolidKind::kSurface:
      break;
    case SolidKind::kHalfSpace:  // up to rounding: the direction may have gone through a frame or two
      if (across > 1e-15L || local.z < 0) break;
      return centre;
    case SolidKind::kGrown: {
      Real most = -std::numeric_limits<Real>::infinity();
      for (const Vec& corner : placed.corners) most = std::max(most, dot(n, corner));
      return most + solid.radius;
    }
    case SolidKind::kCylinder:
      return centre + s.x * across + s.y * std::fabs(local.z);
    case SolidKind::kCone:
      return centre + reachOfCone(s, across, local.z);
    case SolidKind::kEllipsoid:
      return centre + norm({s.x * local.x, s.y * local.y, s.z * local.z});
  }
  return std::numeric_limits<Real>::infinity();
}

}  // namespace rigor::verify
