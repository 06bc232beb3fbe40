// Forces of a smooth sub-step as functions of the state, and what each does to the energy.
#pragma once

#include "rigor/ledger.h"
#include "verify/smooth_holds.h"

namespace rigor::verify {

using Powers = std::array<Real, kAccounts>;  ///< [W], or [J] of their sums, by Account

class SmoothForces {
 public:
  SmoothForces(const World& world, const Recording& recording, const SmoothTies& ties)
      : world_(world), r_(recording), ties_(ties) {}

  /// Torques, wrenches and targets of its step; dry friction that moves.
  void begin(const SubstepData& data, const std::vector<Rub>& rubs);

  /// [nv] all but what is held: τ − c. `moving` has the velocities v. Adds to `powers`.
  Reals at(const Reals& q, const Reals& v, const Motion& moving, Powers& powers) const;

  /// PD within its effort.
  Real driveTorque(const Joint& joint, const Reals& q, const Reals& v) const;
  Real springForce(const SpringPart& spring, bool damps, const Motion& pose, const Reals& v) const;
  Real motorForce(const FreedomPart& part, const Motion& pose, const Reals& v) const;

 private:
  /// A force along a row: work on the bodies that forces move, and on those that move as they are told.
  void push(Account account, bool stores, const Row& row, Real force, const Reals& v, Reals& total,
            Powers& powers) const;
  Row alongFreedom(const FreedomPart& part, const Motion& pose) const;
  void addJoints(const Reals& q, const Reals& v, Reals& total, Powers& powers) const;
  void addWrenches(const Motion& moving, const Reals& v, Reals& total, Powers& powers) const;
  void addTies(const Motion& moving, const Reals& v, Reals& total, Powers& powers) const;
  int treeOf(int body) const { return body == kWorldBody ? -1 : world_.bodies[body].tree; }
  bool moves(int freedom) const { return !world_.prescribed[world_.tree[freedom]]; }

  const World& world_;
  const Recording& r_;
  const SmoothTies& ties_;
  std::int64_t step_ = 0;
  std::vector<Rub> rubs_;
};

/// What a force along a row does to those that move as they are told [W].
Real powerOnTold(const World& world, const Row& row, const Reals& v);

}  // namespace rigor::verify
