// Four forces side by side that pass the same freedoms: what is a number for one force is a whole register here.
#pragma once

#include "math/four.h"
#include "math/spatial.h"

namespace rigor {

template <class T>
struct ForceColumns {
  Four<T> component[6];  ///< linear, angular

  RIGOR_INLINE void clear() {
    for (Four<T>& four : component) four = Four<T>(T(0.0));
  }
  RIGOR_INLINE void set(int column, const Force<T>& F) {
    component[0].setLane(column, F.linear.x);
    component[1].setLane(column, F.linear.y);
    component[2].setLane(column, F.linear.z);
    component[3].setLane(column, F.angular.x);
    component[4].setLane(column, F.angular.y);
    component[5].setLane(column, F.angular.z);
  }
  /// Takes U times a number per column away.
  RIGOR_INLINE void subtract(const Force<T>& U, const Four<T>& times) {
    component[0] -= Four<T>(U.linear.x) * times;
    component[1] -= Four<T>(U.linear.y) * times;
    component[2] -= Four<T>(U.linear.z) * times;
    component[3] -= Four<T>(U.angular.x) * times;
    component[4] -= Four<T>(U.angular.y) * times;
    component[5] -= Four<T>(U.angular.z) * times;
  }
};

template <class T>
RIGOR_INLINE Four<T> dot(const Motion<T>& S, const ForceColumns<T>& F) {
  Four<T> sum = Four<T>(S.linear.x) * F.component[0], other = Four<T>(S.angular.x) * F.component[3];
  sum += Four<T>(S.linear.y) * F.component[1], other += Four<T>(S.angular.y) * F.component[4];
  sum += Four<T>(S.linear.z) * F.component[2], other += Four<T>(S.angular.z) * F.component[5];
  sum += other;
  return sum;
}

}  // namespace rigor
