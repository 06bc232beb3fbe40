// The expanding polytope: the way out for an origin inside A − B.
//
// A polytope within A − B grows by support points. Its faces bound the separation of all directions from above, directions
// that were tried bound the best from below; where no face is left between the bounds the best is found.
#pragma once

#include "geometry/axis_search.h"

namespace rigor {

struct Depth {
  Axis axis;             ///< the best
  Simplex simplex;       ///< of a face of A − B across it, with the weights of the origin's foot
  bool certain = false;  ///< the bounds met
};

/// On cores, one of which must have a volume. `known` is a direction already refined and `foot` three points of A − B as far
/// out along it as any, or fewer. Also for an origin just outside, where the answer is at least the best of the faces.
Depth expand(const DifferenceShape& difference, const Axis& known, const Simplex& foot);

}  // namespace rigor
