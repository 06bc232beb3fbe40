// Gaps between the triangles of a surface and what is round: balls and ellipsoids, whose distance to a triangle is smooth.
#pragma once

#include "geometry/element.h"
#include "geometry/solid.h"

namespace rigor {

/// From a point to a face of a surface (normal from the point to it), which goes on beyond flat edges and valleys (nearestOnFace):
/// over the face the height, negative behind it; beside it the distance.
Facing faceTriangle(const Vec3<double>& from, const PlacedSolid& surface, int face);

/// From a face of a surface to a solid, in the same sense.
Facing faceTriangle(const PlacedSolid& surface, int face, const PlacedSolid& solid);

/// A triangle of a surface that has this edge, or this vertex.
int triangleOfEdge(const Surface& surface, int edge);
int triangleOfVertex(const Surface& surface, int vertex);

/// A triangle as a solid where its surface is; until this thread asks for another one.
PlacedSolid pieceOf(const PlacedSolid& surface, int triangle);

}  // namespace rigor
