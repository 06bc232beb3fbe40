// Which points hold the rim of a cylinder or cone above a face.
//
// Above a face with the normal n, a point of the rim at the azimuth θ has the gap z − r t·e(θ): z the height of the centre, t the
// tilt, the part of n across the axis. Together these gaps say z ≥ r|t|, a cone, and the law of a rim is that of this cone:
//   where the step ends tilted, one point pushes, that which is lowest at the end;
//   where it ends flat, any of them do, and eight fixed ones are enough to hold it.
// Where the lowest point stays about where it is, it is a feature of its own (kFaceRim). Else points of the material hold the rim.
// A pass with points θ₁ < θ₂ that both push ends lowest in their middle, a little too deep, wherever the right point between
// them is. What tells is the centre of pressure p: were all of the impulse there, the rim would end lowest at about
//   θ′(p) = θ* − κ (p − θ*),   κ ≥ 0: pushing at p lifts p
// and two passes know κ. The point of the next pass is the root θ*, so that a pass squares the error, where halving the interval
// needed ten passes and their points.
#pragma once

#include "collision/solid_pair.h"

namespace rigor {

RimAbove rimOf(const SolidFeatures& features);

/// True for features of a rim above a face, or across a border of it, that lay on that side when the step began. As a rim comes to
/// lie flat its lowest point runs around it, and whatever of it comes down next is no new impact.
bool rollsOnRim(const SolidSearch& search, const PairState& state, const FeaturePair& pair, const Vec3<double>& normal);

/// True for a point of a rim that was chosen by where the rim is deepest: other attempts at a step need others.
bool runsOnRim(const SolidFeatures& features);

/// True if features that take part hold this rim above this face in the other way: both at once would share one force.
bool isHeldOtherwise(const SolidSearch& search, const PairState& state, const RimAbove& rim);

/// Points of tilted rims that pushed in the last step, beside those that are always looked at; not where the lowest is.
void addRememberedRims(std::span<const BlockMemory> last, const PairView& view, std::vector<SolidFeatures>& found);

/// For a rim above a face or beside a side among the features of the end pose: the point that holds it there. A rim is held in one way within a
/// step; false if that leaves nothing to look at. Other features stay as they are.
bool chooseOnRim(const MovedPair& moved, SolidFeatures& features, SolidSearch& search);

}  // namespace rigor
