// One link, or two that are alike in the lanes of one register: a kernel written for a place runs for both and gives each
// link the bits that it would have alone (math/pair.h).
#pragma once

#include <type_traits>
#include <vector>

#include "math/pair.h"
#include "math/spatial.h"
#include "model/parameters.h"

namespace rigor {

RIGOR_INLINE Pair pairUp(double a, double b) { return Pair(a, b); }
RIGOR_INLINE Vec3<Pair> pairUp(const Vec3<double>& a, const Vec3<double>& b) {
  return {pairUp(a.x, b.x), pairUp(a.y, b.y), pairUp(a.z, b.z)};
}
RIGOR_INLINE Mat3<Pair> pairUp(const Mat3<double>& a, const Mat3<double>& b) {
  return {pairUp(a.x, b.x), pairUp(a.y, b.y), pairUp(a.z, b.z)};
}
RIGOR_INLINE Sym3<Pair> pairUp(const Sym3<double>& a, const Sym3<double>& b) {
  return {pairUp(a.xx, b.xx), pairUp(a.yy, b.yy), pairUp(a.zz, b.zz),
          pairUp(a.xy, b.xy), pairUp(a.xz, b.xz), pairUp(a.yz, b.yz)};
}
RIGOR_INLINE Motion<Pair> pairUp(const Motion<double>& a, const Motion<double>& b) {
  return {pairUp(a.linear, b.linear), pairUp(a.angular, b.angular)};
}
RIGOR_INLINE Force<Pair> pairUp(const Force<double>& a, const Force<double>& b) {
  return {pairUp(a.linear, b.linear), pairUp(a.angular, b.angular)};
}
RIGOR_INLINE Transform<Pair> pairUp(const Transform<double>& a, const Transform<double>& b) {
  return {pairUp(a.R, b.R), pairUp(a.p, b.p)};
}
RIGOR_INLINE Inertia<Pair> pairUp(const Inertia<double>& a, const Inertia<double>& b) {
  return {pairUp(a.mass, b.mass), pairUp(a.moment, b.moment), pairUp(a.rotational, b.rotational)};
}
RIGOR_INLINE LinkInertia<Pair> pairUp(const LinkInertia<double>& a, const LinkInertia<double>& b) {
  return {pairUp(a.mass, b.mass), pairUp(a.com, b.com), pairUp(a.rotational, b.rotational)};
}

RIGOR_INLINE double laneOf(double x, int) { return x; }
RIGOR_INLINE double laneOf(const Pair& x, int lane) { return x.lane(lane); }

template <class T>
RIGOR_INLINE Vec3<double> laneOf(const Vec3<T>& a, int lane) {
  return {laneOf(a.x, lane), laneOf(a.y, lane), laneOf(a.z, lane)};
}
template <class T>
RIGOR_INLINE Sym3<double> laneOf(const Sym3<T>& a, int lane) {
  return {laneOf(a.xx, lane), laneOf(a.yy, lane), laneOf(a.zz, lane),
          laneOf(a.xy, lane), laneOf(a.xz, lane), laneOf(a.yz, lane)};
}
template <class T>
RIGOR_INLINE Force<double> laneOf(const Force<T>& f, int lane) {
  return {laneOf(f.linear, lane), laneOf(f.angular, lane)};
}
template <class T>
RIGOR_INLINE Motion<double> laneOf(const Motion<T>& a, int lane) {
  return {laneOf(a.linear, lane), laneOf(a.angular, lane)};
}
template <class T>
RIGOR_INLINE Transform<double> laneOf(const Transform<T>& X, int lane) {
  return {{laneOf(X.R.x, lane), laneOf(X.R.y, lane), laneOf(X.R.z, lane)}, laneOf(X.p, lane)};
}
template <class T>
RIGOR_INLINE Inertia<double> laneOf(const Inertia<T>& I, int lane) {
  return {laneOf(I.mass, lane), laneOf(I.moment, lane), laneOf(I.rotational, lane)};
}

/// A link by itself, in any scalar.
template <class T>
struct OneLink {
  using Scalar = T;
  int first;

  RIGOR_INLINE OneLink in(const std::vector<int>& index) const { return {index[first]}; }
  RIGOR_INLINE OneLink next(int k) const { return {first + k}; }
  template <class Kernel>
  RIGOR_INLINE void forEach(const Kernel& kernel) const {
    kernel(first);
  }
  /// Entry of a table that only renames: the same for all links of a place, or else the `general` one.
  template <class X>
  RIGOR_INLINE X shared(const std::vector<X>& table, X) const {
    return table[first];
  }

  template <class X>
  RIGOR_INLINE const X& load(const X* array) const {
    return array[first];
  }
  template <class X>
  RIGOR_INLINE void store(X* array, const X& value) const {
    array[first] = value;
  }
  template <class X>
  RIGOR_INLINE void addTo(X* array, const X& value) const {
    array[first] += value;
  }
};

/// Two links that are alike (topology.h); they may have one parent.
struct TwoLinks {
  using Scalar = Pair;
  int first, second;

  RIGOR_INLINE TwoLinks in(const std::vector<int>& index) const { return {index[first], index[second]}; }
  RIGOR_INLINE TwoLinks next(int k) const { return {first + k, second + k}; }
  template <class Kernel>
  RIGOR_INLINE void forEach(const Kernel& kernel) const {
    kernel(first);
    kernel(second);
  }
  template <class X>
  RIGOR_INLINE X shared(const std::vector<X>& table, X general) const {
    return table[first] == table[second] ? table[first] : general;
  }

  template <class X>
  RIGOR_INLINE auto load(const X* array) const {
    return pairUp(array[first], array[second]);
  }
  template <class X, class Y>
  RIGOR_INLINE void store(X* array, const Y& value) const {
    array[first] = laneOf(value, 0);
    array[second] = laneOf(value, 1);
  }
  /// The later link first, as a walk back over single links would.
  template <class X, class Y>
  RIGOR_INLINE void addTo(X* array, const Y& value) const {
    array[second] += laneOf(value, 1);
    array[first] += laneOf(value, 0);
  }
};

/// Calls kernel(place) for all links, roots first. In a whole model two at a time where they are alike: for kernels with so much
/// arithmetic that it outweighs bringing two links together. Lanes of other kinds are full already.
template <class T, class Kernel>
RIGOR_INLINE void walkOutward(const Trees& trees, const Kernel& kernel) {
  if constexpr (std::is_same_v<T, double>) {
    if (trees.all()) {
      for (const LinkVisit& visit : trees.topology.visits)
        visit.second < 0 ? kernel(OneLink<double>{visit.first}) : kernel(TwoLinks{visit.first, visit.second});
      return;
    }
  }
  for (int link = trees.first_link; link < trees.end_link; ++link) kernel(OneLink<T>{link});
}

/// The same, leaves first.
template <class T, class Kernel>
RIGOR_INLINE void walkInward(const Trees& trees, const Kernel& kernel) {
  if constexpr (std::is_same_v<T, double>) {
    if (trees.all()) {
      const std::vector<LinkVisit>& visits = trees.topology.visits;
      for (auto visit = visits.rbegin(); visit != visits.rend(); ++visit)
        visit->second < 0 ? kernel(OneLink<double>{visit->first}) : kernel(TwoLinks{visit->first, visit->second});
      return;
    }
  }
  for (int link = trees.end_link - 1; link >= trees.first_link; --link) kernel(OneLink<T>{link});
}

}  // namespace rigor
