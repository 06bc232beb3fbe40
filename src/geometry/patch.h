// The flat or straight part of a surface that faces a direction: what a shape can touch with at more than one point.
#pragma once

#include "geometry/distance.h"

namespace rigor {

inline constexpr int kMostCorners = 512;  ///< of a face; of one with more, evenly spread ones are taken

/// A vector without initial values: arrays of it cost nothing until they are filled.
struct Corner {
  double x, y, z;
};

enum class PatchKind : std::uint8_t {
  kPoint,    ///< round: it touches where the witnesses say
  kSegment,  ///< edge, or line of a cylinder, cone or capsule: two corners
  kPolygon,  ///< face: corners counter-clockwise seen from outside
  kDisc,     ///< end of a cylinder, base of a cone
};

struct Patch {
  PatchKind kind = PatchKind::kPoint;
  int count = 0;
  Corner corner[kMostCorners];
  Vec3<double> normal;  ///< outward, of polygon and disc
  Vec3<double> centre;  ///< of a disc
  Vec3<double> zero;    ///< of a disc: unit vector to its azimuth 0, fixed to the shape
  double radius = 0.0;  ///< of a disc

  Vec3<double> at(int i) const { return {corner[i].x, corner[i].y, corner[i].z}; }
  void add(const Vec3<double>& p) { corner[count++] = {p.x, p.y, p.z}; }

  /// The part of a shape that faces the unit vector `out`, relative to `origin`. A face or edge of a polytope that is known
  /// (≥ 0) is taken as it is.
  void fill(const ConvexShape& shape, const Vec3<double>& out, const Vec3<double>& origin, int face, int edge);
};

}  // namespace rigor
