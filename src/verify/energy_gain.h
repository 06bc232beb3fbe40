// Whether a system that nothing drives wins energy, beyond what the leapfrog breathes.
//
// A sub-step of length h leads with v′ from the node velocity v₀ = v′ − αΔ to the next one, v₁ = v′ + (1 − α₁)Δ₁, with Δ the
// increments at the two nodes and α = h/2κ the part of each that follows its node. With the kinetic energy T,
//   T(v₁) − T(v₀) = v′ᵀM(v₁ − v₀) + T((1 − α₁)Δ₁) − T(αΔ).
// The first term is the work of all forces on the way h v′. The others are no work: the energy of a node is what forces did,
// and T of the part of its increment that belongs to the sub-step. A weight whose support ends shows ⅛m(hg)² more from one
// node to the next, and loses it where it is caught. The sum of the first terms does not; but it rises for a moment where
// something is pressed that is leaving and only gravity holds back. Both differ by no more than T of one increment, so
// what is won for good is in both, and a rise counts as far as both have it.
//
// Of stepper maximal the same holds with M⁻¹P and M⁻¹π instead of v′ and v, and Δ = M⁻¹(P − π): what is between two nodes is momentum.
//
// A contact pushes along its row J of the start of the sub-step. Where it runs over a curved surface, J v′ differs from the
// velocity u of the law, which is read from positions, and the part αλ·(J v′ − u) of its work is paid back by the half kick
// at the next node; but not if the contact has let go until then. That much may stay, once.
#pragma once

#include "verify/substep.h"

namespace rigor::verify {

class EnergyGain {
 public:
  EnergyGain(const World& world, const Recording& recording);

  /// A sub-step, in order. `curved`: Σ αλ·(J v′ − u) of its contacts [J].
  void add(const SubstepData& data, Real curved);
  /// A smooth sub-step of stepper event, which breathes no more than one step of fourth order misses [J].
  void addSmooth(const SubstepData& data, Real error, bool known);
  /// Stepper maximal, after the last one: M⁻¹ of the momentum that was left for the last node.
  void end(Reals v_left) { last_end_ = std::move(v_left); }
  const Reals& lastVelocity() const { return last_end_; }
  /// After the last one, or of nodes alone (version 1).
  void judge(Verdict& verdict, Findings& findings) const;

 private:
  bool isDriven() const;
  bool endsAtStart() const;
  Real breathingAtEnd() const;
  Real roundingOfEnergies() const;
  Real allEnergy() const;

  const World& world_;
  const Recording& r_;
  const bool driven_;
  Reals before_, after_;      ///< [nodes] T of the part of a node's increment before it, and after it
  Reals between_;             ///< [steps] the difference of both, summed over the nodes within a step
  Reals missed_;              ///< [steps] what smooth sub-steps may miss
  bool breathes_;             ///< there are sub-steps that breathe
  Reals curved_;              ///< [steps] largest of the sub-steps
  Reals last_end_;            ///< [nv] v′ of the last sub-step
  std::vector<char> midway_;  ///< [nv] that v′ is half a kick away from the next node
};

}  // namespace rigor::verify
