// The regular polygon P that law pyramid has in place of the unit disc, its corners on the unit circle, the first of
// them along the first tangent; and the pyramid K = {λt ∈ μ λn P} over it.
#pragma once

#include "rigor/contact_problem.h"

namespace rigor {

struct FrictionPolygon {
  int corners;
  double corner[kMostDirections][2];  ///< d_j
  double middle[kMostDirections][2];  ///< m_j: from the centre to the side between corner j and the next one
  double apothem, half_side;          ///< of P: cos π/n, sin π/n

  int next(int corner_index) const { return corner_index + 1 < corners ? corner_index + 1 : 0; }
  int previous(int corner_index) const { return (corner_index > 0 ? corner_index : corners) - 1; }
  int sideOf(double t1, double t2) const;  ///< whose sector the direction lies in; any where it has none
  /// The corner that goes farthest along the direction.
  int farthest(double t1, double t2) const;
};

/// Made once for every number of corners (isSoundDirections).
const FrictionPolygon& polygonOf(int corners);

/// Moves t to the nearest point of radius·P.
void projectOnPolygon(const FrictionPolygon& polygon, double radius, double t[2]);

/// Which part of a pyramid a point was moved to.
enum class PyramidFace : unsigned char { kInside, kSide, kEdge, kApex };

/// Moves x = (n, t, t) to the nearest point of the pyramid. A pyramid is its own image in the planes through its axis and a
/// corner or the middle of a side, so the nearest point stays on x's side of all of them: one side, one edge and the apex
/// are all there is to look at. `index` is that side or that corner.
PyramidFace projectOnPyramid(const FrictionPolygon& polygon, double mu, double x[3], int& index);

}  // namespace rigor
