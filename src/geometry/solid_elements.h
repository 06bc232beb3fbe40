// The elements of solids, and the exact distance of two solids of which one is curved.
#pragma once

#include "geometry/distance.h"
#include "geometry/element.h"
#include "geometry/solid.h"

namespace rigor {

Element edgeElement(const PlacedSolid& solid, int edge);
Element rimElement(const PlacedSolid& solid, int disc);

/// Numbers of elements of a solid: what it is, and which one in the lower bits.
enum class ElementOf : int { kVertex, kEdge, kRim, kConeSide, kWhole };
inline constexpr int kElementBits = 27;
constexpr int numberOf(ElementOf what, int index) { return static_cast<int>(what) << kElementBits | index; }
constexpr ElementOf whatOf(int number) { return static_cast<ElementOf>(number >> kElementBits); }
constexpr int indexOf(int number) { return number & ((1 << kElementBits) - 1); }
Element elementOf(const PlacedSolid& solid, int number);
/// True for the sides of cylinders, cones and capsules.
bool isRoundSide(const PlacedSolid& solid, int number);

/// True if elements that touch have one normal: of a vertex, or a vertex and a sharp edge, any between those around them is.
bool haveNormal(int number_a, const PlacedSolid& a, int number_b, const PlacedSolid& b);

/// With the elements that touch, where that is neither a face nor a pair of edges; −1 else.
struct SolidSeparation : Separation {
  int element_1 = -1, element_2 = -1;
};

/// The signed distance of two solids, exact to rounding also where rims, sides and ellipsoids meet: the best of the directions
/// that their elements near the answer of findSeparation (distance.h) have. The axis names faces (discs included) and edges
/// (the axes of round sides included). Of a plane: along its normal.
SolidSeparation separateSolids(const PlacedSolid& a, const PlacedSolid& b, const Vec3<double>* hint = nullptr);

}  // namespace rigor
