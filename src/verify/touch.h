// Gaps of pairs, from poses alone.
#pragma once

#include "verify/motion.h"

namespace rigor::verify {

/// Each side has a point on the line of the normal that is fixed to its body: the centre of curvature where the side is
/// round, else the point of its surface.
struct Touch {
  Real gap = 0;    ///< [m]
  Vec normal;      ///< from side 1 to side 2
  Vec point;       ///< where the impulse attacks: on ball 2, or midway between the two surfaces
  Real size = 0;   ///< of the numbers that the gap is a difference of: its rounding in doubles is a few eps times this
  Real reach = 1;  ///< [m] length that the normal is the direction of, at most 1
  Real shift = 1;  ///< how far the point goes along two edges where they move by one: 1/sine of their angle
  Real blur = 0;   ///< [m] that rounding shifts the point along two round sides that are nearly parallel
  Vec centre[2];   ///< in the world
  Real radius[2] = {};  ///< [m] from the centre to the surface
  bool rolls = false;  ///< of round shapes: the centres are those of the shapes, and the arms their means over the step
};

Touch computeTouch(const Pair& pair, const Motion& motion);

/// The same for features of solids, which go on beyond their borders: a face is its plane, an edge its line.
Touch computeFeatureTouch(const Pair& pair, const Motion& motion);

/// Of round shapes, where that differs from what all solids have: rims, sides, crossings, elements.
Touch touchOfRound(const Pair& pair, const PlacedSolid& first, const PlacedSolid& second);
Touch touchBetween(const Vec& centre_1, Real radius_1, const Vec& centre_2, Real radius_2, const Vec& normal, Real gap);
Touch touchOfCentres(const Vec& centre_1, Real radius_1, const Vec& centre_2, Real radius_2);
Touch swapSides(Touch touch);

/// One sub-step: from where to where, with which velocity, how long.
struct Move {
  const Motion &from, &to;
  const Reals& v;
  Real h;
};

/// How far the surfaces slid against each other between two poses, side 2 against side 1, in the tangent plane at the
/// start: Δc2 − Δc1 + θ2 × (p2 − c2) − θ1 × (p1 − c1), c the centres, fixed to their bodies, and θ the rotation vectors.
/// Two balls slide in the frame of their line of centres instead, unless one turns by 2.5 rad, or that line by 26°.
/// What rolls is followed at the centre of its shape, with the mean of the arms from there at the start and at the end.
Vec computeSlide(const World& world, const Pair& pair, const Touch& start, const Touch& end, const Move& move);

/// The axis of the world that the first tangent of a contact goes along as far as it can, and both tangents.
Vec tangentAxis(const Vec& normal);
void makeTangents(const Vec& normal, const Vec& axis, Vec& t1, Vec& t2);

/// How far body 2 turned against body 1: the difference of their rotation vectors.
Vec computeTurn(const World& world, const Pair& pair, const Move& move);

/// Velocity of the second surface against the first one, beyond that of the bodies: belts, along the surface.
Vec beltBetween(const World& world, const Motion& motion, const Pair& pair, const Vec& normal);

/// The pair with the guesses for the end of a step, from how it touched at the start.
Pair carried(const Pair& pair, const Touch& start, const Motion& from, const Motion& to);

/// How far outside either shape the surfaces that touch are [m]: a push there is a push of nothing.
Real outsideOf(const Pair& pair, const Touch& touch, const Motion& motion);

/// How deep the balls of a pair go into each other on the straight way between two poses beyond what they do at its
/// ends, if they change sides or come too far in; 0 if they do not. Planes cannot be passed.
Real depthOfPassing(const Pair& pair, const Motion& from, const Motion& to);

}  // namespace rigor::verify
