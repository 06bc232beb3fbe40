// What pushed in one sub-step, entered into the ledger.
#pragma once

#include <map>

#include "verify/freedoms.h"
#include "verify/ledger_book.h"
#include "verify/touch.h"

namespace rigor::verify {

class LedgerSubstep {
 public:
  LedgerSubstep(const World& world, const Recording& recording, LedgerBook& book);

  /// A kick of the leapfrog, or a strike.
  void enter(const SubstepData& data);
  /// From node to node by another integrator, with forces that are the same functions of the state: the half kick that leads
  /// from the carried velocity to the node, `last_kick` long, and the mean of the powers at both ends.
  void enterSmooth(const SubstepData& data, Real last_kick, const Reals& q_end);
  /// After the sub-steps of a step: soft contacts that had no impulse in it have opened, and gave back what they stored.
  /// `set`: the state was set from outside before the next one.
  void endStep(std::int64_t step, bool set);

 private:
  void share(const SubstepData& data);
  /// The share of the first of these trees that forces move, which is that of what pushes both.
  const Share& shareOf(int tree_1, int tree_2) const;
  /// An impulse on one freedom; what no force moves passes it on: then it is work of the kinematic body as well.
  void push(Account account, const Share& share, int freedom, Real impulse);
  struct Wrench {
    Vec point, impulse, torque;
  };
  void pushBody(Account account, const Share& share, int body, const Wrench& wrench, Real sign);
  void enterSpring(std::int64_t entry);
  void store(std::int64_t step, Real taken);
  void enterBelt(std::int64_t entry, const Share& share, const Vec& friction);
  void enterForces();
  void enterContact(std::int64_t entry);
  void enterRow(std::int64_t entry);
  void enterLoop(std::uint64_t id, const Real* impulse);
  void enterTie(std::uint64_t id, Real impulse);
  void enterFreedom(std::uint64_t id, Real impulse);
  int treeOf(int body) const { return body == kWorldBody ? -1 : world_.bodies[body].tree; }
  Reals wrenches(std::int64_t step, const Motion& motion) const;  ///< [nv] forces
  struct Powers {
    Real drives = 0, torques = 0, wrenches = 0, dampers = 0;
  };
  Powers powersAt(const SubstepData& data, const Reals& q, const Reals& v, const Reals& way) const;
  Real targetOf(const SubstepData& data, const Joint& joint) const;

  const World& world_;
  const Recording& r_;
  LedgerBook& book_;
  std::vector<const Joint*> joint_;  ///< [nv]
  std::vector<LoopPart> loop_parts_;
  std::vector<SpringPart> ties_;  ///< springs and dampers on loops and between points
  std::vector<FreedomPart> freedoms_;

  struct Spring {
    Real stored = 0;
    std::int64_t step = 0;  ///< the last in which it pushed
  };
  std::map<RowId, Spring> springs_;  ///< soft contacts that are pressed in, by id

  const SubstepData* data_ = nullptr;
  Motion start_;                 ///< standing still
  Reals before_, after_;         ///< [nv] velocities that the work of impulses is reckoned with: ledger_book.h
  std::vector<Share> shares_;    ///< [trees]
  std::vector<char> saturated_;  ///< [nv] PD at its bound: a row of its own
};

}  // namespace rigor::verify
