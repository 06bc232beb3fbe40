// Which features of rims of cylinders and cones face another solid: parts of listFeatures (solid_features.h).
#pragma once

#include "geometry/solid_features.h"

namespace rigor {

inline constexpr double kFacing = 0.5;  ///< cosine: faces and crossings that look another way belong to another branch
inline constexpr double kBeyondEnd = 1e-9;  ///< [m] that a crossing may lie beyond the end of an edge

/// How far a point (in the frame of the shape) lies outside a face, seen along its normal; ≤ 0: inside.
double outsideFace(const Solid& solid, int index, const Vec3<double>& point);

/// A vertex of `of`, if it lies inside a face of the other side, or hardly outside.
void addInFace(const PlacedSolid& faced, int face, const PlacedSolid& of, int vertex, int faced_side,
               std::vector<SolidFeatures>& found);

/// Rims of one side (`of`) above faces of the other, which turn against each other by `turn`.
void addRims(const PlacedSolid& faced, const PlacedSolid& of, int faced_side, const Mat3<double>& turn,
             const FeatureLists& lists, std::vector<SolidFeatures>& found);

/// Where rims cross sharp edges, other rims and round sides; or points of them beside a round side (rim_side.h).
void addRimCrossings(const PlacedSolid& a, const PlacedSolid& b, const Facings& facings, const FeatureLists& lists,
                     std::vector<SolidFeatures>& found);

}  // namespace rigor
