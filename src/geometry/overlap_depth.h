// The expanding polytope: the point on the surface of A − B that is nearest to an origin inside it.
#pragma once

#include "geometry/simplex.h"

namespace rigor {

struct Depth {
  Simplex simplex;      ///< the face of the polytope that is nearest to the origin, with the weights of its foot
  Vec3<double> normal;  ///< the direction with the largest separation seen
  double separation = 0.0;
  double bound = 0.0;        ///< no direction has a larger separation than this
  Vec3<double> face_normal;  ///< of that face: a second guess while the bounds are apart
};

/// On cores, one of which must have a volume. Also for an origin just outside, where the answer is the best of the faces.
Depth expand(const DifferenceShape& difference, const Vec3<double>& start);

}  // namespace rigor
