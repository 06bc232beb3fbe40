// Two boxes along the fifteen axes that can separate them.
#pragma once

#include "geometry/axis_search.h"

namespace rigor {

/// The best of the normals of faces and of pairs of edges. Where its separation is not positive the boxes overlap, or touch,
/// and it is their signed distance; where it is positive they are at least so far apart.
Axis findBoxAxis(const DifferenceShape& difference);

}  // namespace rigor
