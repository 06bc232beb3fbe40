// The work of impulses in the bookkeeping of the leapfrog.
//
// At the node of a sub-step all impulses together change the velocity of a tree from v to v′, M(v′ − v) = Σp. The part
// α = h/2κ of each follows the node, the rest precedes it, and in between is the node velocity w = v′ − α(v′ − v). With the
// kinetic energy T at the pose of the node
//   T(w) − T(v)  = Σ (1 − α) p·½(v + w)     belongs to the step that ends at the node
//   T(v′) − T(w) = Σ      α  p·½(w + v′)    belongs to the one that begins there
// without any error, freedom by freedom. A strike (h = κ = 0) follows the node it happens at, α = 1; a half kick (h = 0 < κ)
// precedes it, α = 0. Of stepper maximal v and v′ are those that have the momenta before and after, M⁻¹π and M⁻¹P.
#pragma once

#include "rigor/ledger.h"
#include "verify/substep.h"

namespace rigor::verify {

/// How the impulses on a tree are shared out in one sub-step.
struct Share {
  Real after = 0;           ///< α
  std::int64_t ends = 0;    ///< step that the part before the node belongs to; −1: to none
  std::int64_t begins = 0;  ///< that of the part after it
};

class LedgerBook {
 public:
  explicit LedgerBook(std::int64_t steps) : work_(steps, Works{}) {}

  /// An impulse on one freedom whose velocity goes from v to v_end.
  void enter(Account account, const Share& share, Real impulse, Real v, Real v_end) {
    const Real w = v_end - share.after * (v_end - v);
    add(account, share.ends, (1 - share.after) * impulse * (v + w) / 2);
    add(account, share.begins, share.after * impulse * (w + v_end) / 2);
  }
  void add(Account account, std::int64_t step, Real work) {
    if (step >= 0) work_[step][static_cast<int>(account)] += work;
  }
  Real of(std::int64_t step, int account) const { return work_[step][account]; }
  Real sum(std::int64_t step) const {
    Real sum = 0;
    for (const Real work : work_[step]) sum += work;
    return sum;
  }

 private:
  using Works = std::array<Real, kAccounts>;
  std::vector<Works> work_;  ///< [steps]
};

}  // namespace rigor::verify
