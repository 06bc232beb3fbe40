// Contact frames as the dynamics sees them: three unit forces on one or two links.
#pragma once

#include <vector>

#include "dynamics/jacobian.h"

namespace rigor {

/// One end of a contact: three unit forces on a link, about O of its tree.
template <class T>
struct ContactSide {
  int contact;
  int link;
  Force<T> F[3];
};

/// All ends of all contacts. An end on the world moves nothing and is left out, so a contact may have none, one or two.
template <class T>
struct ContactSides {
  std::vector<ContactSide<T>> list;
  int contacts = 0;

  void clear(int count) {
    list.clear();
    contacts = count;
  }

  /// `axes` are the directions of the rows in world axes, `p` the point relative to O, `sign` −1 for the other body.
  void add(int contact, int link, const Vec3<T>& p, const Mat3<T>& axes, T sign) {
    if (link < 0) return;
    const Vec3<T> none{T(0.0), T(0.0), T(0.0)};
    list.push_back(
        {contact,
         link,
         {forceAt(p, sign * axes.x, none), forceAt(p, sign * axes.y, none), forceAt(p, sign * axes.z, none)}});
  }

  /// The same for unit torques, wherever they act.
  void addTorques(int contact, int link, const Mat3<T>& axes) {
    if (link < 0) return;
    const Vec3<T> none{T(0.0), T(0.0), T(0.0)};
    list.push_back({contact, link, {Force<T>{none, axes.x}, Force<T>{none, axes.y}, Force<T>{none, axes.z}}});
  }
};

/// W[3 × 3 block (i, j)] += X, by columns with `rows` rows.
template <class T>
RIGOR_INLINE void addBlock(T* W, int rows, int i, int j, const T (&X)[3][3]) {
  T* block = W + 3 * i + static_cast<std::ptrdiff_t>(rows) * 3 * j;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) block[r + static_cast<std::ptrdiff_t>(rows) * c] += X[r][c];
}

/// The block of two ends and, if they differ, its mirror image.
template <class T>
RIGOR_INLINE void addPair(T* W, int rows, int i, int j, const T (&X)[3][3], bool same_end) {
  addBlock(W, rows, i, j, X);
  if (same_end) return;
  T mirrored[3][3];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) mirrored[c][r] = X[r][c];
  addBlock(W, rows, j, i, mirrored);
}

}  // namespace rigor
