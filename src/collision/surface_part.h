// One triangle of a surface, while a pair of a surface and a solid is looked at triangle by triangle.
//
// The searches among solids see the triangle as a solid of its own. What they find gets the numbers of the surface, which
// neighbouring triangles share, and only what the surface has a normal for may push (surface_normals.h).
#pragma once

#include <vector>

#include "geometry/solid_gap.h"
#include "geometry/thin_triangle.h"

namespace rigor {

struct SurfacePart {
  int side = 0;  ///< of the pair, that the surface is on
  const Surface* surface = nullptr;
  const ThinTriangle* thin = nullptr;
  const Solid* other = nullptr;

  int face() const { return thin->triangle(); }
  /// From the surface outward, of a normal from side 1 to side 2.
  Vec3<double> outward(const Vec3<double>& normal) const { return side == 0 ? normal : -normal; }
};

/// Features of the solid of the triangle by the numbers of the surface. False for what the surface does not have: the back of one
/// with one side.
bool numberInSurface(const SurfacePart& part, SolidFeatures& features);

/// And back. False for features that do not belong to this triangle.
bool numberInTriangle(const SurfacePart& part, SolidFeatures& features);

/// True if the surface has a normal (in the world, from side 1 to side 2) where this triangle reaches farthest along it.
bool hasNormal(const SurfacePart& part, const PlacedSolid& surface, const Vec3<double>& normal);

/// True if features, by the numbers of the surface, may push at a pose.
bool mayPush(const SurfacePart& part, const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b);

/// Numbers features of the solid of the triangle anew, and drops those that may not push.
void keepPushing(const SurfacePart& part, const PlacedSolid& a, const PlacedSolid& b,
                 std::vector<SolidFeatures>& features);

/// Rounded vertices and ellipsoids against the face of the triangle that they are in front of (listBalls).
void listBallsOver(const SurfacePart& part, const PlacedSolid& a, const PlacedSolid& b,
                   std::vector<SolidFeatures>& found);

/// Triangles of a surface that a solid may meet: those near it, and those near its way to a second pose.
struct NearSurface {
  const PlacedSolid &surface, &other;
  double margin;  ///< [m]
};
void findNearTriangles(const NearSurface& near, std::vector<int>& found);
/// False only if no triangle is nearer than the margin: by the box around all of them.
bool mayBeNear(const NearSurface& near);
void findPassedTriangles(const NearSurface& from, const PlacedSolid& surface_end, const PlacedSolid& other_end,
                         std::vector<int>& found);

}  // namespace rigor
