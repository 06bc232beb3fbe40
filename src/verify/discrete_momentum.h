// Momentum in recordings of stepper maximal (docs/maximal.md), by its definition: body by body, from the poses at both ends of a sub-step.
//
// A body that goes from (c, R) to (c′, R′) in the time h has the momentum
//   p = m (c′ − c)/h,   L = (1/h) (N − Nᵀ)^∨,   N = R′ J_d Rᵀ,   J_d = ½ tr(J) 1 − J
// in the axes of the world, the same at both ends. What a freedom has of it is columns · (p, L) over the bodies that it moves, and armature
// times its velocity: P with the columns of the start, π of the next sub-step with those of its own start. At nodes, where no time
// passes, momentum is M v; so it is of round bodies, which may turn more than once in a sub-step.
#pragma once

#include "verify/substep.h"

namespace rigor::verify {

/// [trees] a single body that is free, turns alike about all axes through the origin of its joint, touches with balls around it or not at
/// all, and no loop holds.
std::vector<char> findRoundTrees(const World& world);

/// What the sub-steps of a recording begin and end with. Sub-steps come in order.
class DiscreteMomentum {
 public:
  DiscreteMomentum(const World& world, const Recording& recording);

  /// Fills data.momentum, which is empty for other steppers; start and end are known.
  void enter(SubstepData& data);
  /// M(q)⁻¹ of the momentum that the sub-steps have left at a pose to which they led with the velocities v.
  Reals velocityLeft(const Reals& q, const Reals& v) const;
  /// Trees, counted once per restart, whose first sub-step goes on from a snapshot in flight.
  std::int64_t unknown() const { return unknown_; }

 private:
  struct Carried {
    Vec linear, angular;  ///< about the centre of mass
    Real rounding = 0;    ///< of both, in units of what doubles round
  };
  enum class Past : char { kUnknown, kNode, kCarried };

  void beginTree(const SubstepData& data, int tree);
  std::vector<Carried> atNode(const Reals& q, const Reals& v) const;
  Carried ofStride(const SubstepData& data, int body) const;
  void addBody(const Motion& pose, int body, const Carried& momentum, Reals& to, Reals& sizes) const;
  void addArmature(int body, const Reals& v, Reals& to, Reals& sizes) const;
  bool carries(int tree) const { return !round_[tree] && past_[tree] == Past::kCarried; }
  void findVelocities(SubstepData& data) const;

  const World& world_;
  const Recording& r_;
  std::vector<char> round_;       ///< [trees]
  std::vector<Past> past_;        ///< [trees]
  std::vector<Carried> carried_;  ///< [bodies]
  std::int64_t unknown_ = 0;
};

}  // namespace rigor::verify
