// Gilbert, Johnson and Keerthi: the point of A − B nearest to the origin, while A and B are apart.
#pragma once

#include "geometry/simplex.h"

namespace rigor {

struct Approach {
  Simplex simplex;      ///< its nearest point is minus the way from A to B
  Vec3<double> normal;  ///< the direction with the largest separation seen
  double separation = 0.0;
  bool apart = false;  ///< the cores are farther apart than rounding hides; else nothing above is more than a guess

  /// Takes the direction if it separates more.
  void consider(const Vec3<double>& n, const DifferenceShape& difference) {
    if (const double s = -dot(n, difference.support(n).w); s > separation) separation = s, normal = n;
  }
};

/// On cores: radii are left out. `first` is the support point along `start`, a unit vector.
Approach approach(const DifferenceShape& difference, const Vec3<double>& start, const DifferencePoint& first);

}  // namespace rigor
