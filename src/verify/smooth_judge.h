// Judges a smooth sub-step of stepper event: the law at its start, its way, and whether its modes hold until its end.
//
// Impulses of such a sub-step are h times the forces at its start, so momentum balances there by construction: with
// a = M⁻¹(τ − c + Jᵀλ) the accelerations are judged.
#pragma once

#include <fmt/format.h>

#include "verify/smooth_way.h"

namespace rigor::verify {

class SmoothJudge {
 public:
  SmoothJudge(const World& world, const Recording& recording, Findings& findings);

  /// Reads what the sub-step holds; data.q_end where it is known. False: it has laws that cannot be followed.
  bool begin(const SubstepData& data);
  /// Where the way leads; what is known of it is found here.
  void follow();
  const WayPoint& end() const { return end_; }
  /// After follow(); `data` with both ends, `places` having judged them.
  void judge(const SubstepData& data, const SubstepJudge& places);
  /// How much one step of fourth order misses the energy at the end of the sub-step that was followed last [J].
  Real energyError() const;

 private:
  /// At the start of the sub-step, with the recorded forces.
  struct Start {
    Reals a, sizes;                            ///< [nv] accelerations, and the sizes of what they are a sum of
    Reals unsure;                              ///< [nv] of accelerations: friction whose slip has no sharp direction
    Reals weights;                             ///< [held] J M⁻¹ Jᵀ of the first row
    std::vector<HoldRows> rows;                ///< [held]
    std::vector<std::array<Real, 3>> turning;  ///< [held]
  };
  Start findStart() const;
  /// A row at the start: its rate and the rate of that, and to how much these are known.
  struct RowMotion {
    Real u, acceleration, rest, limit;
  };
  RowMotion motionOf(const Start& start, const Row& row, Real belt, Real turning) const;
  RowMotion motionOf(const Start& start, std::size_t index, int row) const;
  Real turnedOf(const Start& start, std::size_t index) const;
  std::string nameOf(const Hold& hold) const;
  void judgeStart(const Start& start);
  void judgePushing(const Start& start, std::size_t index);
  void judgeFriction(const Start& start, std::size_t index);
  void judgeStaying(const Start& start, std::size_t index);
  void judgeOpen(const Start& start);
  void judgeForces(const SubstepJudge& places);
  void judgeRub(const Push& push, Real rate, Real bound, const std::string& name);
  void judgeTorques();
  void judgeEnd();
  void judgeModes();
  void judgeSlipAtEnd(const Hold& hold, const Motion& end);
  void judgeRubsAtEnd(const Motion& end);
  const Joint& jointOf(int freedom) const { return *freedom_joint_[freedom]; }

  const World& world_;
  const Recording& r_;
  Findings& findings_;
  SmoothWay way_;
  std::vector<const Joint*> freedom_joint_;  ///< [nv]
  const SubstepData* data_ = nullptr;
  WayPoint once_, end_;        ///< one step of fourth order; as well as is known
  Reals missed_q_, missed_v_;  ///< [trees] largest difference of both
};

}  // namespace rigor::verify
