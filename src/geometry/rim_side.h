// A rim beside the round side of a cylinder, capsule or cone.
//
// Seen along the axis of the side a rim is an ellipse, and its points have distances from that axis with one or two least ones. Two:
// its disc lies across the side, which touches it along a chord from rim to rim; one: its outermost point touches. Between the two
// the chord ends, and its ends run together like a square root of the way: no step can follow them. There points of the material
// hold the rim, whose gaps are smooth whatever happens.
#pragma once

#include "geometry/element.h"
#include "geometry/solid.h"

namespace rigor {

/// The distance of a point from a line that is grown by its radius, or from the side of a cone, and the direction out of it.
struct BesideSide {
  Vec3<double> normal;
  double gap;
};
BesideSide lookBeside(const Element& side, const Vec3<double>& point);

/// Directions from the centre of a rim to the points of it that are nearest to a side.
struct RimSpots {
  int count = 0;
  Vec3<double> radial[2];
};
RimSpots findRimSpots(const Element& rim, const Element& side);

/// How a rim and a side face each other at one of its spots, from the rim to the side or back. False if it is beyond the apex of a
/// cone, or on the other side of it: far from `normal`, which may be 0 if it is not known.
bool faceSpot(const Element& rim, const Element& side, const Vec3<double>& radial, bool rim_first,
              const Vec3<double>& normal, Facing& facing);

/// Where two rims that do not lie in one plane cross. It goes on where the normal has come beyond the axis of one of them: the other
/// rim then lies on its disc, and the crossing opens. False if they cross nowhere along about this normal.
bool faceRims(const Element& a, const Element& b, const Vec3<double>& normal, Facing& facing);

/// The material point of a rim that lies in a direction, as the number of a vertex.
int rimPointAlong(const PlacedSolid& round, int disc, const Vec3<double>& radial);

}  // namespace rigor
