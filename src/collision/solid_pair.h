// One pair of solids while a step looks at it: what the search at the start and the look at the end share.
#pragma once

#include "collision/solid_search.h"
#include "geometry/solid_elements.h"

namespace rigor {

inline constexpr double kTouch = 1e-8;       ///< [m] a branch that is nearer touches
inline constexpr double kEntered = 1e-9;     ///< [m] overlap along a branch that still separates
inline constexpr double kApart = 3e-12;      ///< [m] overlap that a pass may leave
inline constexpr double kViolated = 1e-12;   ///< [m] overlap of a feature that has to take part
inline constexpr double kCoincident = 2e-5;  ///< of the size: points this near are one
inline constexpr double kNextTo = 0.05;      ///< of the size: a vertex this near is held by its edge

/// Directions are looked for between a and b, of which one may be a triangle that stands for its surface. Features have the
/// numbers of the shapes themselves.
struct PairView {
  const SolidPair& pair;
  const PlacedSolid &a, &b;  ///< at the start
  PairState& state;
  const PlacedSolid &shape_a, &shape_b;  ///< the same, or the surface
  PairState& shared;                     ///< of the pair of shapes: who takes part, and its margin
  const SurfacePart* part = nullptr;     ///< which triangle

  bool isCurved() const { return a.solid->isCurved() || b.solid->isCurved(); }
  /// Where to begin to look for the best direction, or null. Of what is curved the answer depends on it by rounding, and a state
  /// that is restored has no hints: there is none.
  const Vec3<double>* hint() const { return state.has_hint && !isCurved() ? &state.hint : nullptr; }
};
PairView viewPair(const SolidStep& step, int index, SolidSearch& search);
/// True for features that this view is about: all, or those of its triangle.
bool isOfView(const PairView& view, const SolidFeatures& features);

/// How much nearer the two may come in the step [m].
double marginOf(const SolidStep& step, const SolidPair& pair);
/// Radius of the smaller one [m].
double sizeOf(const SolidStep& step, const SolidPair& pair);
/// How b will move against a in the step, as it begins.
Transform<double> motionIn(const SolidStep& step, const PairView& view);
/// Finds the direction that separates best at the start, once per step.
void findStart(const PairView& view);

FeaturePair makePair(const SolidPair& pair, const SolidFeatures& features);
SolidFeatures featuresOf(const RowId& id, const Vec3<double>& normal);
/// Edges that have no common normal.
bool areParallel(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b);
/// The elements that touch where nothing is flat: a rim or a round side, and a vertex, an edge or another of them.
SolidFeatures touchingElements(const SolidSeparation& found);

/// True if a rim among these elements has its disc across the normal: any point of it would do, and the disc is what touches.
bool liesOnDisc(const SolidFeatures& elements, const Vec3<double>& normal, const PlacedSolid& a, const PlacedSolid& b);

void take(const SolidStep& step, const PairView& view, const FeaturePair& pair, const GapAtPose<double>& at,
          SolidSearch& search);
bool isTaken(const SolidSearch& search, const PairState& state, const RowId& id);
/// A point where another feature of the pair takes part already: two would share one force.
/// On a surface such features push in the same direction: where two triangles meet at an angle both are needed.
bool isCoincident(const SolidSearch& search, const PairView& view, const GapAtPose<double>& at, double near);

/// True for elements that another feature stands for: the disc whose rim they have lies across the normal, or a crossing of their
/// rims is the same point.
bool isHeldBefore(const SolidSearch& search, const PairView& view, const SolidFeatures& elements,
                  const GapAtPose<double>& at, double near);

/// True if an edge that takes part beside a round side holds this vertex of it as well: it is next to where they touch. Their
/// gaps differ by the square of that way, so that together they would be a double root.
bool isHeldByItsEdge(const SolidSearch& search, const PairView& view, const SolidFeatures& vertex,
                     const Vec3<double>& at, const PlacedSolid& a, const PlacedSolid& b, double near);

/// A pair with both of its poses.
struct MovedPair {
  PairView from;
  const PlacedSolid &a, &b;              ///< at the end
  const PlacedSolid &shape_a, &shape_b;  ///< as in PairView
};

/// How b moved against a, back from the end to the start.
Transform<double> motionBack(const MovedPair& moved);
/// False if the balls around both stay apart all the way.
bool comeNear(const SolidStep& step, const MovedPair& moved);
/// True if one of them may have gone through the other: it moved a good part of the thinner one.
bool isFast(const SolidStep& step, const MovedPair& moved);
/// The side of its triangle that the solid was on: the face that pushes where edges may not.
Branch faceOfTriangle(const PairView& view);
/// True if a direction that separates at the end did so at the start as well.
bool separatedBefore(const MovedPair& moved, const Branch& branch);
/// The direction that separated the two until they met: the last to stop.
Branch chooseEntered(const MovedPair& moved, const Separation& end, bool went_through);

}  // namespace rigor
