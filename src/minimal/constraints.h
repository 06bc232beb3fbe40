// The constraints of a step and their rows: contacts, joint limits, saturated motors, dry joint friction, loops.
//
// A constraint has three rows (contact: normal, tangent, tangent; parts of loops) or one, and touches at most two links. Rows live on
// the chains of those links (model/topology.h). Four arrays of the same layout belong to them:
//   force       J    at the start pose: an impulse λ acts through Jᵀ
//   response    Z    D⁻¹ L⁻ᵀ Jᵀ
//   constraint  J̃    ∂u/∂v at the predicted pose
//   half        Ỹ    L⁻ᵀ J̃ᵀ
#pragma once

#include <cstdint>
#include <vector>

#include "collision/contact_pair.h"
#include "minimal/free_motion.h"
#include "model/loop_parts.h"

namespace rigor {

enum class RowSource : std::uint8_t { kContact, kLimit, kMotor, kDryFriction, kLoop };

inline constexpr double kLimitThreshold = 0.01;  ///< [rad/s or m/s] joints that reach their end faster strike it

/// Ids of rows that belong to a joint or a loop; ids of contacts are smaller (collision/contact_pair.cpp).
inline std::uint64_t rowId(RowSource source, int index) {
  return (static_cast<std::uint64_t>(source) << 60) | static_cast<std::uint64_t>(index);
}
inline bool isMotorAtBound(const BlockMemory& block) {
  return block.id >> 60 == static_cast<std::uint64_t>(RowSource::kMotor) && block.mode == ContactMode::kSlip;
}
inline int motorDof(const BlockMemory& block) { return static_cast<int>(block.id & 0xffffffffu); }

struct Side {
  int link = kWorld;
  int offset = 0;     ///< into the row arrays; row r of freedom k is at offset + k·rows + r
  int length = 0;     ///< degrees of freedom of the chain
  double sign = 1.0;  ///< contact and loop: +1 for body 2, −1 for body 1
  int ball = 0;       ///< contact
  Vec3<double> turn;  ///< h·Ω of the link over the step, where the ball has a radius
};

/// Range of a joint with one freedom.
struct JointLimit {
  int dof, q_index;
  double lower, upper;
};

struct Constraint {
  RowSource source = RowSource::kContact;
  std::uint64_t id = 0;
  int index = 0;  ///< contact pair, part of a loop, or degree of freedom
  int rows = 3;
  int sides = 0;
  Side side[2];       ///< links that the rows move; the world has no side
  int first_row = 0;  ///< among all rows of the step

  // contact, at the start pose
  Vec3<double> normal, tangent_1, tangent_2;
  Vec3<double> point;  ///< between the surfaces, in the world

  double sign = 1.0;   ///< limit: +1 lower, −1 upper
  double bound = 0.0;  ///< limit: the angle or length
  double gap = 0.0, gap_end = 0.0;
  double distance_end = 0.0;  ///< contact: the gap itself at the end, where gap_end is that to the plane between them
  bool crossed = false;  ///< contact: balls that met on the way in a pass of this step; gap_end is then along `normal`
  int crossings = 0;     ///< how often passes of this step began to see them cross
  double opening[3] = {0, 0, 0};  ///< loop: g(q)
  double mu = 0.0;
  double bias = 0.0;  ///< ν, or −u* of a motor
  double lo = 0.0, hi = 0.0, compliance = 0.0;
  bool touching = false;                ///< no gap when the step began
  bool closed = false;                  ///< the same, and its impact is over: its impulse is a force, not a jump
  const BlockMemory* memory = nullptr;  ///< what it did in the last step
};

struct ConstraintSet {
  std::vector<Constraint> list;
  int rows = 0;
  std::vector<double> force, response, constraint, half;
  std::vector<double> impulse;          ///< [rows] λ
  std::vector<double> velocity;         ///< [rows] u from positions
  std::vector<double> floor;            ///< [rows] rounding floor of u from positions
  std::vector<Motion<double>> columns;  ///< [nv] scratch: pulled-back motion columns
  double winding = 1.0;                 ///< floors grow with the turns of hinges: an angle is known to eps·|q| only
  std::vector<char> pair_used;          ///< [pairs]
  std::vector<char> limit_used;         ///< [2·nv] lower, upper

  void clear(int pairs, int nv);
};

/// What a step's constraints are looked up in.
struct StepContext {
  const Topology& topology;
  const Parameters<double>& parameters;
  const ContactPairs& contacts;
  const std::vector<JointLimit>& limits;
  const std::vector<LoopPart>& loops;
  const StepInput& input;
  const Memory& memory;
  const double* q;
  const double* v;
};

/// Links and balls at one pose.
struct StepPose {
  Kinematics<double> kin;
  std::vector<BallCentre> centres;
};

/// Gives a constraint a side on the chain of a link, with room for its rows; the world has none.
void addSide(const Topology& topology, int link, double sign, int ball, Constraint& c, ConstraintSet& set);

/// Takes the next rows; the impulse of the last step is the first guess.
Constraint& enter(const StepContext& context, Constraint& c, ConstraintSet& set);

/// All contacts and limits that may close in this step (margins swept with the velocity), dry friction, the
/// motors that were saturated in the last step, and all loops.
void findConstraints(const StepContext& context, const StepPose& start, const FreeMotion& motion, ConstraintSet& set);

/// The constraints of a node, for a step of length 0: contacts and limits that touch or would within motion.least, loops,
/// and with a kick dry friction and saturated motors. With a kick, what strikes is left out: the half kick before an
/// impact knows nothing of it yet.
void findTouching(const StepContext& context, const StepPose& start, const FreeMotion& motion, ConstraintSet& set);

/// Adds contacts and limits that are violated at the pose `end`, q′, or on the way there. Returns whether there were any.
bool appendViolated(const StepContext& context, const StepPose& start, const StepPose& end, const double* q_end,
                    const FreeMotion& motion, ConstraintSet& set);

/// Turns the motor of a degree of freedom into a box row.
void addMotor(const StepContext& context, int dof, const FreeMotion& motion, ConstraintSet& set);

/// L⁻ᵀ on the rows of one side of a constraint, in place.
void halfSolve(const Topology& topology, const FreeMotion& motion, const Constraint& c, const Side& side, double* rows);

/// Z for constraints from `first` on; needed again when M̂ is factored anew.
void computeResponses(const Topology& topology, const FreeMotion& motion, int first, ConstraintSet& set);

}  // namespace rigor
