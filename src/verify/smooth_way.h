// The way of a smooth sub-step of stepper event, integrated again.
//
//   M a = τ − c + Fᵀλ,   d/dt (J v + belt) = 0      F = J but where something slips: n − μ d instead of n
//
// The forces of what is held are those for which it stays held (index 1); where rows depend on each other they change least against the
// recorded ones, each in units of its own mass. Classical Runge-Kutta in 1, 2, 4, … pieces, each put back onto what is held by the least
// kinetic energy; how pieces differ tells how well the way is known.
#pragma once

#include "verify/smooth_forces.h"

namespace rigor::verify {

/// Where a way leads, and what the accounts have done on it.
struct WayPoint {
  Reals q, v;
  Powers work{};  ///< [J]
};

/// [nv] the tangent that leads from one pose to another: q_to = q_from ⊕ way.
Reals wayBetweenPoses(const World& world, const Reals& q_from, const Reals& q_to);

class SmoothWay {
 public:
  SmoothWay(const World& world, const Recording& recording)
      : ties_(world), world_(world), r_(recording), forces_(world, recording, ties_) {}

  /// A sub-step, in any order. data.q_end where it is known.
  void begin(const SubstepData& data);
  const Holds& holds() const { return holds_; }
  /// All that acts on the way is in the recording, with laws that can be followed.
  bool isKnown() const;

  /// At a state under the modes of the sub-step.
  struct Rates {
    Reals a;          ///< [nv]
    Reals forces;     ///< [rows held] normal, tangents; or of the rows
    Reals responses;  ///< [rows held] J M⁻¹ Fᵀ of each for itself
    bool unique = true;
    Powers powers{};  ///< [W]
  };
  Rates ratesAt(const Reals& q, const Reals& v) const;
  /// d/dt of the rates of holds, normal and tangents of contacts or rows, at constant v: J̇ v and what belts turn with.
  std::vector<std::array<Real, 3>> turningOf(const std::vector<Hold>& holds, bool all, const Reals& q,
                                             const Reals& v) const;

  WayPoint go(int pieces) const;

  const SmoothTies& ties() const { return ties_; }
  const SmoothForces& forces() const { return forces_; }
  const Motion& start() const { return start_; }
  int firstRow(std::size_t hold) const { return first_row_[hold]; }
  TreeCholesky massAt(const Motion& pose) const;

 private:
  struct Island {
    std::vector<int> rows;  ///< of those held
  };
  void findIslands();
  WayPoint takeStep(const WayPoint& from, Real h) const;
  void project(WayPoint& point) const;
  struct Lined {
    std::vector<Row> J;  ///< [rows held]
    Reals belt, opening;
    std::vector<HoldRows> of_hold;
  };
  Lined lineUp(const Motion& pose, const Reals& q) const;
  /// The normal row of a contact.
  bool isFirst(std::size_t row) const { return first_row_[hold_of_[row]] == static_cast<int>(row); }
  void addHoldPowers(const Lined& lined, const Reals& v, const Reals& forces, Powers& powers) const;

  const SmoothTies ties_;
  const World& world_;
  const Recording& r_;
  SmoothForces forces_;
  const SubstepData* data_ = nullptr;
  Holds holds_;
  Motion start_;
  Reals recorded_;              ///< [rows held]
  std::vector<int> hold_of_;    ///< [rows held]
  std::vector<int> first_row_;  ///< [holds]
  std::vector<Island> islands_;
};

}  // namespace rigor::verify
