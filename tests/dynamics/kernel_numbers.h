// What goes into the kernels and what comes out of them, as plain lists of numbers in any scalar.
#pragma once

#include <vector>

#include "math/spatial.h"
#include "model/topology.h"

namespace rigor {

/// What the kernels read besides the model, one number after another.
template <class T>
struct KernelInput {
  static int size(const Topology& topology) { return topology.nq + 2 * topology.nv + 6 * topology.links + 1; }

  KernelInput(const Topology& topology, const T* numbers)
      : q(numbers), v(q + topology.nq), a(v + topology.nv), forces(topology.links) {
    const T* next = a + topology.nv;
    for (Force<T>& f : forces) {
      f = {{next[0], next[1], next[2]}, {next[3], next[4], next[5]}};
      next += 6;
    }
    step = *next;
  }

  const T *q, *v, *a;  ///< [nq], [nv], [nv]; `a` serves as acceleration and as force
  std::vector<Force<T>> forces;
  T step;
};

/// Collects whatever a kernel returns.
template <class T>
struct KernelOutput {
  std::vector<T> numbers;

  void add(const T& x) { numbers.push_back(x); }
  void add(const Vec3<T>& a) { add(a.x), add(a.y), add(a.z); }
  void add(const Mat3<T>& A) { add(A.x), add(A.y), add(A.z); }
  void add(const Sym3<T>& A) { add(A.xx), add(A.yy), add(A.zz), add(A.xy), add(A.xz), add(A.yz); }
  void add(const Transform<T>& X) { add(X.R), add(X.p); }
  void add(const Motion<T>& m) { add(m.linear), add(m.angular); }
  void add(const Force<T>& f) { add(f.linear), add(f.angular); }
  void add(const Inertia<T>& I) { add(I.mass), add(I.moment), add(I.rotational); }
  template <class Item>
  void add(const std::vector<Item>& items) {
    for (const Item& item : items) add(item);
  }
};

}  // namespace rigor
