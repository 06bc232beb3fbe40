// The work of contact: with w = v′ − M⁻¹Jᵀλ, the velocity without the impulses of contacts, A = λ·½ J (w + v′) ≤ 0.
#include "verify/limits.h"
#include "verify/substep.h"

namespace rigor::verify {

void SubstepJudge::judgeWork() {
  const SubstepData& d = *data_;
  if (!(d.h > 0)) return;  // the law of impacts has been asked
  Reals change(world_.nv, 0);
  Real deep = 0;
  bool solids = false;
  for (const Push& push : pushes_) {
    if (push.kind != Push::kContact || push.impulse[0] == 0) continue;
    for (const auto& [j, value] : push.response) change[j] += value;
    deep += push.impulse[0] * kTouching / d.h;
    solids = solids || !push.pair.ofBalls();
  }
  if (!solids) return;
  Real work = -deep;
  for (const Push& push : pushes_)
    for (int k = 0; push.kind == Push::kContact && k < push.rows; ++k)
      work += push.impulse[k] * (dot(push.J[k], d.v_end) - dot(push.J[k], change) / 2);
  if (!(work > 0)) return;
  const Real kinetic = computeSums(world_, d.q, d.v_end).kinetic;
  findings_.check(work / kinetic, kContactWork, &verdict_.worst.contact_work,
                  [] { return std::string("contact gives energy"); });
}

}  // namespace rigor::verify
