// Where the energy of a run went: what drives, dampers, friction, impacts, … did in every step, and what nobody did.
//
//   E(k + 1) − E(k) = Σ work of the accounts + remainder
//
// E is the energy of the nodes as a recording has them: kinetic, of gravity and of springs. The work of an account is exact in
// the bookkeeping of the leapfrog (docs/verify.md derives it), so the remainder is the defect of the integrator and
// nothing else: gravity, springs and Coriolis forces along the straight way of a step. It is zero at rest and of third
// order in smooth motion.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rigor/recording.h"

namespace rigor {

enum class Account : std::uint8_t {
  kDrives,         ///< PD drives, also at their bounds, and motors of loops
  kTorques,        ///< torques of tables, controllers and the user
  kWrenches,       ///< forces and torques on bodies
  kKinematic,      ///< bodies that move as they are told, through contacts and loops, and belts
  kDampers,        ///< damping of joints, of freedoms of loops and between points
  kJointFriction,  ///< dry friction of joints and loops
  kFriction,       ///< of contacts, in time: what slides, turns and rolls
  kContacts,  ///< normal impulses in time: gaps that close within a step; what the law of soft contacts takes for good
  kCompliance,  ///< what soft contacts store and give back: −Δ(φ²/2C) of each while it is pressed in
  kImpacts,     ///< all impulses of instants without time
  kLimits,      ///< of joints, and stops of loops, in time
  kLoops,       ///< in time
  kSet,         ///< the state was set from outside
};
inline constexpr int kAccounts = 13;
using Accounts = std::array<double, kAccounts>;  ///< [J] by Account

/// As in files and on pages, by Account.
inline constexpr std::array<const char*, kAccounts> kAccountNames = {
    "drives",     "torques", "wrenches", "kinematic", "dampers", "joint_friction", "friction", "contacts",
    "compliance", "impacts", "limits",   "loops",     "set"};

/// Of the n steps whose end is known: the kick at the last node of a recording is not part of it, so a run of n + 1 steps
/// has n, and one whose last step was taken from node to node has all.
struct EnergyLedger {
  std::vector<double> time;       ///< [n + 1] of the nodes [s]
  std::vector<double> energy;     ///< [n + 1] [J]
  std::vector<double> springs;    ///< [n + 1] the part of it that springs store
  std::vector<Accounts> work;     ///< [n]
  std::vector<double> remainder;  ///< [n] [J]
  std::string missing;            ///< why there is none, if there is none

  int steps() const { return static_cast<int>(work.size()); }
  double total(Account account) const;  ///< [J] of all steps
  double totalRemainder() const;        ///< [J]
  int worstStep() const;                ///< of the largest |remainder|; −1: no steps
};

/// In long double, with the mechanics of `verify`. Throws Error as verifyRecording does.
EnergyLedger computeLedger(const Recording& recording);

void saveLedger(const std::string& file, const EnergyLedger& ledger);  ///< CSV, a row per step

}  // namespace rigor
