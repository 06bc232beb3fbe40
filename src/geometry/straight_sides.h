// Where the side of a cone faces the side of another, of a cylinder or capsule, or a sharp edge: in closed form.
//
// A side is a bundle of lines from p that touch their solid along a normal with n·axis = sin α, α half the angle of the cone; α = 0 is a
// line, grown by its radius. A normal that both sides have, from a to b, solves
//   n·a = sin α,  −n·b = sin β,  |n| = 1:     n = x a + y b ± z w,   w = a × b,   W = |w|²
//   x W = sin α + c sin β,  y W = −sin β − c sin α,  (z W)² = (cos(α + β) − c)(cos(α − β) + c),   c = a·b
// and along it the gap is n·(p_b − p_a) less the radii, as the farthest point of a cone is its apex. Of the two signs the one with the
// larger gap separates more: that of w·(p_b − p_a). The other one belongs to the far sides. So nobody has to guess.
// Where z is 0 the two lines that touch are parallel; beyond, no direction is a normal of both.
#pragma once

#include "geometry/element.h"

namespace rigor {

/// True for the side of a cone beside another straight side.
bool areConeAndStraight(const Element& a, const Element& b);

/// False if they face each other nowhere, beyond the apex, or along parallel lines.
bool faceStraightSides(const Element& a, const Element& b, Facing& facing);

}  // namespace rigor
