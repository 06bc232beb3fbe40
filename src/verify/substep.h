// Judges one recorded sub-step: what moved, what pushed, and whether the laws hold between them.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "verify/findings.h"
#include "verify/freedoms.h"
#include "verify/friction_shape.h"
#include "verify/near_shapes.h"
#include "verify/touch.h"
#include "verify/true_distance.h"

namespace rigor::verify {

/// Stepper maximal: what the freedoms have of the momentum of the bodies (discrete_momentum.h); of other steppers nothing.
struct MomentumOfSubstep {
  Reals begin, end;         ///< [nv] π, and P
  Reals v_begin, v_end;     ///< [nv] velocities at the start pose that have these momenta: M⁻¹π, M⁻¹P
  Reals sizes;              ///< [nv] of the terms of both
  std::vector<char> known;  ///< [trees] begin is: not of one that goes on from a snapshot in flight
};

/// One sub-step of a recording, in long double.
struct SubstepData {
  std::int64_t step = 0, index = 0;
  Real h = 0, theta = 1;
  std::vector<char> takes, first;  ///< [trees] take part, and for the first time in their step
  Reals kick;                      ///< [nv] 0 where the tree takes no part, as its velocities
  bool impact = false;             ///< nothing but impulses: no time, no kick
  Reals q, v, v_mean, v_end;       ///< q of trees that take no part: at the node
  Reals q_end;                     ///< where it leads: q ⊕ h v_end
  Motion start, end;               ///< standing still at both
  MomentumOfSubstep momentum;
  std::vector<std::int64_t> last;  ///< [trees] the sub-step before; −1: none that is recorded
};

inline constexpr int kMostPushed = 6;  ///< rows of one push

/// What pushed: the rows of one contact, limit, motor, dry friction, part of a loop, spring or damper, or what acts on the freedom of
/// a loop.
struct Push {
  enum Kind { kContact, kLimit, kMotor, kDryFriction, kLoop, kSpring, kOwn, kLoopFreedom } kind = kContact;
  std::int64_t entry = 0;                ///< in the contacts or rows of the recording
  Pair pair;                             ///< contact
  int freedom = 0;                       ///< limit, motor, dry friction
  bool upper = false;                    ///< limit
  int spring = 0;                        ///< spring or damper: which one
  bool damps = false;                    ///< it is the damper
  int part = 0;                          ///< freedom of a loop: which one
  FreedomRow acts = FreedomRow::kLower;  ///< and what acts on it
  int rows = 0;
  Row J[kMostPushed];              ///< u = J v at the start pose
  Real impulse[kMostPushed] = {};  ///< normal, tangent, tangent, torques about them; or as recorded
  Vec axes[3];                     ///< contact: directions of the rows
  bool scaled = false;
  Real scale[kMostPushed] = {1, 1, 1,
                             1, 1, 1};  ///< contact: coefficients by which its law measures rows (surface_laws.cpp)
  Touch touch, touch_end;               ///< contact
  Row response;                         ///< M̂⁻¹ Jᵀλ
};

class SubstepJudge {
 public:
  SubstepJudge(const World& world, const Recording& recording, Findings& findings);

  /// The state was set from outside: what overlaps now may go on to do so.
  void begin(const Reals& q) {
    distances_.begin(computeMotion(world_, q, {}));
    forgetImpacts();
  }
  void judge(const SubstepData& data);
  void judgeWay(const SubstepData& data);  ///< only positions: gaps, ranges, loops
  /// Of a smooth sub-step of stepper event: the same, and that contacts and rows are where they are recorded.
  void judgePlaces(const SubstepData& data);
  const std::vector<Push>& pushes() const { return pushes_; }  ///< of the sub-step that was judged last
  std::string nameOf(const Push& push) const;
  /// Σ αλ·(J v′ − u) of the contacts of the sub-step that was judged last (energy_gain.h) [J].
  Real curvedWork() const { return curved_work_; }
  /// Law dissipation: to how much the tilt k = Wnt/Wnn of contacts was known at worst.
  Real knownTilt() const { return known_tilt_; }
  /// How deep a recorded contact of that sub-step is by its force, if it is soft [m].
  Real softDepthOf(std::int64_t contact) const;
  /// Gaps of pairs whose trees are of different parts [trees], over a whole step with all its sub-steps.
  void judgeApart(const SubstepData& step, const std::vector<SubstepData>& way, const std::vector<std::int64_t>& part);

 private:
  void judgePositions();
  void judgeGap(const Pair& pair);
  void judgeDistances(DirectionHints hints, const BodyFilter& wanted);
  void judgeSolidsApart(const std::vector<SubstepData>& way, const std::vector<std::int64_t>& part);
  DirectionHints contactNormals() const;  ///< at the end of the sub-step
  bool takes(int body) const {
    return body == kWorldBody || world_.bodies[body].tree < 0 || data_->takes[world_.bodies[body].tree];
  }
  void readPushes();
  /// What `fill` adds to zeros, on the freedoms of these trees; −1: none.
  template <class Fill>
  Row makeRow(std::vector<int> trees, const Fill& fill);
  int treeOf(int body) const { return body == kWorldBody ? -1 : world_.bodies[body].tree; }
  /// All pushes on the trees that one acts on, in their order.
  std::vector<int> pushesBeside(const Push& push) const;
  std::optional<Pair> findContact(std::int64_t entry) const;
  void readContact(std::int64_t entry);
  void readRow(std::int64_t entry);
  bool isOwnRow(std::uint64_t index) const;
  void addOwnImpulses();
  bool readLoopRow(std::uint64_t index, Push& push);
  bool readSpringRow(std::uint64_t index, Push& push);
  bool readJointRow(std::uint64_t index, Push& push);
  bool readFreedomRow(std::uint64_t index, Push& push);
  /// The momentum balance of all freedoms.
  struct Balance {
    Reals left, sizes;  ///< [nv] what does not add up to zero, and the sizes of its terms
    Real speed;         ///< [m/s or rad/s] largest in the step, at least what 1 m/s² does
    bool sprung;        ///< some joint has a spring
  };
  Reals outsideForce() const;
  Real actuatorImpulse(int i);
  void judgeTorque(int i, Real actuator);
  Balance addUpBalance();
  Reals missedVelocity(const Balance& balance) const;
  void addMomentum(const TreeMatrix& M, int i, Balance& balance) const;
  void judgeBalance();
  void judgeNode();
  void judgeLaws();
  void judgeContact(const Push& push);
  struct Told {
    Real u[kMostPushed] = {};  ///< velocities of the rows
    Vec slip;                  ///< in the world
    Real shifted = 0;          ///< un + ν, and what the compliance adds
    Real approach = 0;         ///< un before, where no time passes
    Real returned = 0;         ///< second phase of an impact by Poisson's law: least normal impulse [N s]
    Real asked = -1;           ///< the same by Stronge's: twice the work of the normal impulse [J]; negative: none
    Real rate = 0;             ///< and un when it began
    Real floor = 0;            ///< rounding of u
  };
  Told tellContact(const Push& push);
  Real curvedWorkOf(const Push& push, const Real* u) const;
  /// The velocity that friction opposes by the law, and to how much it is known.
  struct Opposed {
    Vec velocity;
    Real known_to;
  };
  Opposed opposedSlip(const Push& push, const Vec& slip, Real mu);
  Real frictionFor(const Push& push, const Vec& friction, const Vec& slip, Real normal) const;
  Row normalRowAt(const Push& push, const Motion& pose);
  bool pushesNothing(const Push& push, Real slip) const;
  struct Measured {
    Real limit, size;           ///< what a velocity may miss; the scale of the velocities
    Real slip, rest, pressure;  ///< velocities: of the slip, and weighted impulses: within the cone, altogether
    bool rubs;                  ///< there is friction
    Real radius_limit;          ///< what the radius of the cone may miss
  };
  void judgeMode(const Push& push, const Measured& measured);
  bool pushedBefore(const Push& push) const;
  void judgeLimit(const Push& push);
  struct Stop {
    Real gap, gap_end, u;  ///< at both ends; rate of the gap
    Real fastest, floor;   ///< speed before and in the middle; rounding of u
  };
  void judgeStop(const Push& push, const Stop& stop);
  void judgeSpring(const Push& push);
  void judgeMotor(const Push& push);
  void judgeMissingSprings();
  bool isKicked(int body) const;  ///< by forces, in this sub-step
  struct Box {
    Real lo, hi;
    Real u, shifted;  ///< its velocity, and û
    Real floor = 0;   ///< rounding of u
  };
  void judgeBox(const Push& push, const Box& box);
  void judgeMissingFriction();

  // Freedoms of loops (freedom_laws.cpp).
  void judgeRanges();
  void judgeFreedom(const Push& push);
  void judgeMissingFreedoms();
  void judgeWork();

  /// Scale and rounding floor of a block's velocities.
  struct Scale {
    Real weight, size, limit;  ///< mean of the diagonal of W; s; what a velocity may miss
  };

  // Impacts (impact_laws.cpp).

  /// What a sub-step is to a tree.
  enum class Phase : char { kWhole, kFirst, kSecond };
  /// A contact after the first phase of an impact.
  struct Compressed {
    Real approach, rate, impulse;  ///< un before it and after it [m/s], normal impulse [N s]
  };
  void forgetImpacts();
  void beginImpact();
  void endImpact();
  Phase phaseOf(const Push& push) const;
  void tellBounce(const Push& push, Told& told);
  Real missedPressing(const Push& push, const Told& told, const Scale& scale, bool guarded) const;
  void judgeStronge(const Push& push, const Told& told, const Scale& scale, bool guarded);
  void judgeEnergyOfImpact();

  // Surfaces (surface_laws.cpp).

  /// Friction and slip of a contact as its law compares them: friction stays within `radius` and opposes the slip.
  struct Rubbing {
    int count = 2;
    Real force[kMostPushed - 1] = {}, slip[kMostPushed - 1] = {};
    Real radius = 0;
    Real miss() const;
    Real forceSize() const;
    Real slipSize() const;
  };
  Rubbing rubbingOf(const Push& push, const Real* u, Real weight, Real normal) const;
  void alignAxes(Push& push) const;
  Vec turnAxis(const Push& push, int row) const { return push.axes[row - 3]; }
  void scaleRows(Push& push, Real friction) const;
  Real frictionBySpeed(const Push& push) const;
  Vec beltOf(const Push& push) const;
  Real kickOf(const Push& push) const;
  Real kickBetween(int body_1, int body_2) const;  ///< mean of those that forces move
  Real softDepth(const Push& push) const;
  void findSoftDepths();
  Real allowedDepth(int shape_1, int shape_2) const;

  Real rateRounding(const Push& push) const;
  Scale scaleOf(const Push& push, const Real* u) const;
  void judgeOtherLaw(const Push& push, const Told& told, const Scale& scale, bool guarded);
  const Joint& jointOf(int freedom) const { return *freedom_joint_[freedom]; }
  Reals springImpulse(bool stiff) const;
  Real targetOf(const Joint& joint) const;  ///< in the step that is judged
  Real pdImpulse(const Joint& joint) const;

  const World& world_;
  const Recording& r_;
  Findings& findings_;
  std::vector<const Joint*> freedom_joint_;  ///< [nv]
  std::vector<LoopPart> loop_parts_;
  std::vector<SpringPart> springs_;
  std::vector<FreedomPart> freedoms_;
  TrueDistance distances_;

  const SubstepData* data_ = nullptr;
  std::int64_t own_entry_ = 0;  ///< of Recording::own_place: the first that was not judged yet
  std::vector<Push> pushes_;
  std::vector<char> saturated_;                   ///< [nv] PD at its bound: a push of its own
  Reals total_;                                   ///< Jᵀλ of all pushes
  Reals total_size_;                              ///< Σ|Jᵀλ|: pushes from both sides cancel, their rounding does not
  std::optional<TreeCholesky> mass_;              ///< M̂ of the sub-step
  std::vector<std::vector<int>> pushes_of_tree_;  ///< [trees] that forces move
  Reals motor_impulse_;                           ///< [nv] of rows of motors
  std::vector<ShapePair> near_;                   ///< pairs that may meet in the sub-step
  Real curved_work_ = 0, known_tilt_ = 0;
  std::optional<Motion> predicted_;  ///< where the velocity at the start of the sub-step would lead
  FrictionShape friction_;
  std::vector<Phase> phase_;                ///< [trees] of the sub-step
  std::vector<char> pending_;               ///< [trees] its second phase comes next
  std::vector<char> approaches_;            ///< [trees] something still strikes: the next one comes
  std::map<RowId, Compressed> compressed_;  ///< contacts of trees whose second phase comes next
  std::map<int, Real> lost_;                ///< [J] of a first phase, by the first tree that took part
  bool given_ = false;                      ///< normal impulse of the contact that is judged is given by its law
  bool bounces_ = false;                    ///< restitution asks for something in this impact
  std::map<std::pair<int, int>, Real> soft_depths_;  ///< [m] of shapes, by the forces of the sub-step
  Reals scratch_;                                    ///< [nv] zero between calls of makeRow
};

template <class Fill>
Row SubstepJudge::makeRow(std::vector<int> trees, const Fill& fill) {
  fill(scratch_);
  std::sort(trees.begin(), trees.end());
  trees.erase(std::unique(trees.begin(), trees.end()), trees.end());
  Row row;
  for (const int tree : trees) {
    if (tree < 0) continue;
    for (const int j : world_.tree_freedoms[tree]) row.emplace_back(j, std::exchange(scratch_[j], 0));
  }
  std::sort(row.begin(), row.end());
  return row;
}

}  // namespace rigor::verify
