// What a normal impulse allows friction to be: a disc, or by law pyramid a regular polygon whose corners lie on its circle.
#pragma once

#include "verify/world.h"

namespace rigor::verify {

class FrictionShape {
 public:
  explicit FrictionShape(int corners) : corners_(corners) {}
  explicit FrictionShape(const World& world) : corners_(world.law == FrictionLaw::kPyramid ? world.corners : 0) {}

  /// Shortest way out to the edge; negative: how far outside. `axes` are those of the contact's rows, normal first.
  Real room(const Vec axes[3], const Vec& friction, Real radius) const;
  /// The most dissipative force is its own projection after a step against the slip; by how much it is not.
  Real miss(const Vec axes[3], const Vec& friction, const Vec& slip, Real radius) const;

 private:
  int corners_;  // 0: a disc
};

}  // namespace rigor::verify
