// The constraints of a step and their rows: contacts, joint limits, saturated motors, dry joint friction, loops and what acts on their
// freedoms, springs, own constraints.
//
// A constraint has one to six rows and touches one link or more. Rows live on the chains of those links (model/topology.h), or in
// deep trees on the links themselves (row_space.h): what is said of Z and Ỹ holds for chains.
// Four arrays of the same layout belong to them:
//   force       J    at the start pose: an impulse λ acts through Jᵀ
//   response    Z    D⁻¹ L⁻ᵀ Jᵀ
//   constraint  J̃    ∂u/∂v at the predicted pose
//   half        Ỹ    L⁻ᵀ J̃ᵀ
// Whatever was near has a slot with memory of its own, which it keeps for long; `active` says who takes part in this step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/neighbours.h"
#include "collision/solid_search.h"
#include "dynamics/jacobian.h"
#include "minimal/free_motion.h"
#include "minimal/row_space.h"
#include "minimal/slot_map.h"
#include "minimal/step_tables.h"
#include "rigor/contact_problem.h"
#include "stepping/freedom_coordinate.h"
#include "stepping/placed_model.h"
#include "stepping/row_id.h"

namespace rigor {

/// A link that the rows of a constraint move.
struct Side {
  int link = kWorld;
  int offset = 0;        ///< into the row arrays; row r of freedom k is at offset + k·rows + r
  int length = 0;        ///< entries that a row meets: degrees of freedom of the chain, six of a link, one of a joint
  int list = 0;          ///< which these are (RowSpace::lists)
  bool on_link = false;  ///< not on a chain
  int end = 1;           ///< contact and loop: which of the two bodies, 0 or 1
  double sign = 1.0;     ///< +1 for the second body, −1 for the first
};

/// What a constraint did in the last step.
struct LastStep {
  bool known = false;
  bool pressed = false;                   ///< with an impulse
  bool impact = false;                    ///< and that was an impact
  ContactMode mode = ContactMode::kOpen;  ///< of a large island: of the last pass that solved for it
};

/// What the first phase of an impact did to a constraint.
struct Compression {
  bool known = false;
  double approach = 0.0, rate = 0.0;  ///< [m/s] of a gap, before it and after it
  double impulse = 0.0;               ///< [N s] normal
  double lost = 0.0;                  ///< [J] that its impulses took
};

struct Constraint {
  // of the slot
  RowSource source = RowSource::kContact;
  RowId id;
  int index = 0;  ///< part or freedom of a loop, or degree of freedom
  int rows = 3;
  int first_row = 0;              ///< into impulse, velocity, floor
  int first_side = 0, sides = 0;  ///< links that the rows depend on; the world has no side
  int answering = 0;       ///< the first of them, one at least: links that impulses move; others move as they are told
  int detail = 0;          ///< into the list of its kind
  bool can_open = false;   ///< it is a gap that may not become negative
  bool runs = false;       ///< a contact with a belt (surface_rows.h)
  bool active = false;     ///< takes part in this step
  double threshold = 0.0;  ///< [m/s or rad/s] gaps that close faster strike
  double restitution = 0.0;
  ImpactLaw impact = ImpactLaw::kNewton;         ///< what that means
  double compliance_of_pair = 0.0;               ///< C of a soft contact [m/N]
  ContactMode first_mode = ContactMode::kStick;  ///< where the solver begins if nothing is known and nothing opens

  // of this step
  Block block;        ///< kind, μ, bounds
  double bias = 0.0;  ///< ν, or −u* of a motor
  double compliance = 0.0;
  double softness = 0.0;  ///< [m per N s] of a soft contact, how deep its impulse presses it: C/κ
  double gap = 0.0, gap_end = 0.0;
  bool touching = false;  ///< no gap when the step began
  bool closed = false;    ///< the same, and its impact is over: its impulse is a force, not a jump
  bool crowded = false;   ///< one of many that may meet, without restitution: no step stops for its impact (closing.h)
  bool rolls = false;     ///< of a rim that touched already, without restitution: nor for this one
  bool awaited = false;  ///< the step is being cut off where this one strikes: until then it pushes nothing (landing.h)
  LastStep last;
  bool rested = false;      ///< pressed by forces when something else struck (strike.h)
  Compression compression;  ///< of the impact whose second phase this is
  std::int64_t tried = 0;   ///< in which try of other lengths it took part last (ConstraintSet::tries)
  ContactMode tried_mode = ContactMode::kOpen;  ///< and how that ended
};

/// A contact's geometry: at the start pose, and at the end pose that was looked at last.
struct ContactDetail {
  FeaturePair pair;
  GapAtPose<double> start, end;
  Vec3<double> anchor[2];             ///< the centres of the start in their links
  Vec3<double> tracked[2];            ///< where those points are at the end, relative to O
  Vec3<double> tangent_1, tangent_2;  ///< at the start
  Vec3<double> turn[2];               ///< h·Ω of the links over the step, where a side is round
  bool rolls = false;                 ///< the contact runs over a curved surface; centres are then those of the shapes
  Vec3<double> mean_arm[2];           ///< and these lead from them to the contact
  bool together = false;              ///< slip is that of balls in the frame of their line of centres (ball_slip.h)
  Vec3<double> relative_turn[2];      ///< their turns in it
  bool crossed = false;  ///< balls that met on the way in a pass of this step; gap_end is then along the start's normal
  int crossings = 0;     ///< how often passes of this step began to see them cross
  // friction at rest
  bool slides = false;       ///< it has the kinetic coefficient, and a larger one at rest
  bool tries_rest = false;   ///< it came to rest in this step, and is solved once more with that
  Vec3<double> slip_before;  ///< [m/s] when the step began
  // surface_rows.h
  bool grain = false;            ///< friction depends on the direction; the tangents are along and across it
  bool scaled = false;           ///< rows are multiplied by these:
  double scale[kMostRows] = {};  ///< coefficients of friction, of sliding [1] and of turning [m]; 1 of the normal
  Vec3<double> slip;             ///< of such a contact [m/s]
  Vec3<double> belt;  ///< [m/s] velocity of the second surface against the first one, beyond that of the bodies
};

struct JointDetail {
  double sign = 1.0;   ///< limit: +1 lower, −1 upper
  double bound = 0.0;  ///< limit: the angle or length
  double asked = 0.0;  ///< servo: v*
};

struct LoopDetail {
  double opening[3] = {0, 0, 0};  ///< g(q)
  bool finite = true;             ///< so are g and its rows, at the pose that was looked at last
};

struct SpringDetail {
  bool damps = false;
  Force<double> F[2];    ///< on link 2 and on link 1 at q, about O of their trees
  double stretch = 0.0;  ///< x at q
  double rate = 0.0;     ///< J v when the step began
};

struct ConstraintSet {
  std::vector<int> active;  ///< slots in the order in which they joined the step
  std::vector<Constraint> slots;
  std::vector<Side> sides;
  std::vector<ContactDetail> contacts;
  std::vector<JointDetail> joints;
  std::vector<LoopDetail> loops;
  std::vector<SpringDetail> springs;
  std::vector<FreedomAt> freedoms;  ///< [freedoms of loops] at the start pose, of those that step
  std::vector<double> force, response, constraint, half;
  std::vector<double> impulse;   ///< λ
  std::vector<double> velocity;  ///< u from positions
  std::vector<double> floor;     ///< rounding floor of u from positions

  std::vector<int> limit_slot, motor_slot, friction_slot, servo_slot, loop_slot, spring_slot,
      freedom_slot;                     ///< −1: never near
  SlotMap contact_slot;                 ///< by id
  std::vector<int> violated;            ///< scratch of the search at the end
  std::vector<NearPair> near;           ///< scratch of the search
  std::vector<double> tree_stiffness;   ///< [trees] Σ k W of springs, scratch
  SolidSearch solids;                   ///< the search among solids
  Neighbours neighbours;                ///< who is near whom
  std::vector<int> candidates;          ///< of its pairs those that the part may touch with
  std::vector<int> solid_candidates;    ///< and of its pairs of solids
  std::vector<Motion<double>> columns;  ///< [nv] scratch: pulled-back motion columns
  bool may_rest = false;                ///< some contact slides with less friction than at rest
  double deeper = 1e-11;                ///< [m or rad] that gaps may sink and loops may open: more where ε is wider
  double winding = 1.0;                 ///< floors grow with the turns of hinges: an angle is known to eps·|q| only
  std::size_t next_memory = 0;          ///< which block of the memory is likely asked for next
  std::vector<int> awaited;             ///< slots (Constraint::awaited)
  bool trying = false;                  ///< this step is tried with other lengths; the last answer is the first guess
  std::int64_t tries = 0;  ///< of this step and of all before: nothing of an earlier one is taken for the last

  RowSpace space;                                 ///< what rows are written on
  const Motion<double>* S = nullptr;              ///< [nv] columns of the start
  const TwoPoseMass<double>* points = nullptr;    ///< of links that rows are on, and the same columns about them
  const double* v_of_step = nullptr;              ///< [nv] the velocity that the step begins with
  const Part* part = nullptr;                     ///< who steps
  mutable const double* v_start_known = nullptr;  ///< [extended] the same by the rows' columns, once it was asked for
  mutable std::vector<double> start_motion;       ///< memory of it, and of others:
  mutable std::vector<double> end_motion;         ///< velocities at the end, by S or by S̃
  mutable std::vector<double> link_forces;        ///< [extended] zero but while impulses are added up
  mutable std::vector<double> torques;            ///< [nv] the same
  std::vector<double> free_motion;                ///< [extended] v′ − v − M̂⁻¹ rhs by S̃, where rows are on links
  std::vector<double> chains;                     ///< [2 nv] scratch: rows on links, written on chains

  void prepare(const StepTables& tables, const PlacedModel& placed, double link_rows_from);
  /// Rows are written at this pose, for a part that moves with v.
  void begin(const Part& who, const Kinematics<double>& start, const FreeMotion& motion, const double* v) {
    part = &who;
    S = start.S.data();
    points = &motion.mass.twoPoses();
    v_of_step = v;
    v_start_known = nullptr;
  }
  /// The velocity that the step begins with as rows J meet it.
  const double* startVelocity() const {
    if (!v_start_known)
      v_start_known = space.extend(*part, points->S.data(), points->shift.data(), v_of_step, start_motion);
    return v_start_known;
  }
  /// Another velocity as rows J meet it, until the next one is asked for.
  const double* meetsRows(const Part& part, const double* v) const {
    return space.extend(part, points->S.data(), points->shift.data(), v, end_motion);
  }
  void clear();                                                                ///< nobody takes part
  void followList() { rigor::followList(neighbours.solidsBefore(), solids); }  ///< after each change of the neighbours
  /// Slots of contacts that met long ago are given up once there are many more of them than ever take part.
  void beginStep();
  int size() const { return static_cast<int>(active.size()); }
  bool empty() const { return active.empty(); }
  const int* entriesOf(const Side& side) const { return space.lists.data() + side.list; }
  Constraint& at(int i) { return slots[active[i]]; }
  const Constraint& at(int i) const { return slots[active[i]]; }
  std::span<const Side> sidesOf(const Constraint& c) const {
    return {sides.data() + c.first_side, static_cast<std::size_t>(c.sides)};
  }
  /// Those that impulses move.
  std::span<const Side> answeringSidesOf(const Constraint& c) const {
    return {sides.data() + c.first_side, static_cast<std::size_t>(c.answering)};
  }
};

/// What a step's constraints are looked up in.
struct StepContext {
  const StepTables& tables;
  const Topology& topology;
  const Parameters<double>& parameters;
  const Part& part;  ///< who steps
  const StepInput& input;
  const Memory& memory;
  const double* q;
  const double* v;
};
inline StepContext makeContext(const StepTables& tables, const Part& part, const StepInput& input, const Memory& memory,
                               const double* q, const double* v) {
  return {tables, tables.topology, tables.parameters, part, input, memory, q, v};
}

/// Where a pass of a step ends.
struct StepEnd {
  const PlacedModel& pose;
  const double* q;
  const double* v;
  double h;
};

/// The slot of a constraint, made when it is first asked for; `slot` remembers it. A new one has its sides and rows to be added.
struct SlotRequest {
  RowSource source;
  RowId id;
  int index, rows;
};
/// True if the slot is new.
bool findSlot(const SlotRequest& request, int& slot, ConstraintSet& set);
/// Gives a new slot its sides on the links at its ends 0 and 1, with room for its rows; the world has none.
void addSides(const StepTables& tables, const int link[2], Constraint& c, ConstraintSet& set);
/// The same for rows of freedoms at its ends; −1: none.
void addFreedoms(const StepTables& tables, const int dof[2], Constraint& c, ConstraintSet& set);
/// The place of a freedom among the entries of its side.
int entryOf(const Topology& topology, const Side& side, int dof);

/// rows ← kRows forces F on a side's link, as rows of the set by columns S.
template <int kRows>
void writeRows(const ConstraintSet& set, const Topology& topology, const Motion<double>* S, const Side& side,
               const Force<double>* F, double* rows) {
  if (side.on_link)
    writeLinkRows<kRows>(F, set.points->point[side.link], rows);
  else
    jacobianRows<kRows>(topology, S, side.link, F, rows);
}

/// Σ rows · v of one row over some sides; v as the rows meet it.
double rateOfRow(const ConstraintSet& set, const Constraint& c, std::span<const Side> sides, int row, const double* v);

/// What the memory knows of an id, or null.
const BlockMemory* findBlock(const Memory& memory, const RowId& id);

/// Takes part in the step; the impulse of the last step is the first guess.
void join(const StepContext& context, int slot, ConstraintSet& set);

/// ν of a gap: it may close within the step, but not be passed (VG eq. 29c). A step of length 0 knows velocities alone.
double openBias(double gap, double h);

/// κ of the links that it moves; trees with another past have another one.
double meanKick(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set, const Constraint& c);

/// φ(q′) ≥ min(φ, 0) − ConstraintSet::deeper, up to rounding [m]: whatever the law was told.
bool keepsGap(const Constraint& c, const ConstraintSet& set, double rounding);

/// All contacts and limits, also those of loops, that may close in this step (margins swept with the velocity), dry friction and
/// the motors that were saturated in the last step, of loops dry friction and all motors, all loops, and whoever is awaited: first the search, which fills `near`, then the
/// rows.
void searchNear(const StepContext& context, const PlacedModel& start, const FreeMotion& motion, ConstraintSet& set);
void addConstraints(const StepContext& context, const PlacedModel& start, const FreeMotion& motion, ConstraintSet& set);

/// The constraints of a node, for a step of length 0: contacts and limits that touch or would within motion.least, loops,
/// and with a kick dry friction and saturated motors. With a kick, what strikes is left out: the half kick before an
/// impact knows nothing of it yet.
void findTouching(const StepContext& context, const PlacedModel& start, const FreeMotion& motion, ConstraintSet& set);

/// Adds contacts and limits that are violated at the end, or on the way there. Returns whether there were any.
bool appendViolated(const StepContext& context, const PlacedModel& start, const StepEnd& end, const FreeMotion& motion,
                    ConstraintSet& set);

/// L⁻ᵀ on the rows of one side of a constraint, in place.
void halfSolve(const Topology& topology, const FreeMotion& motion, const Constraint& c, const Side& side, double* rows);

/// change [nv] += Z λ of one constraint, not yet through U⁻¹; of sides on links only the forces are added up, in link_forces.
void addResponse(const ConstraintSet& set, const Constraint& c, double* change);
/// change += D⁻¹L⁻ᵀ of the forces that were added up on the links of trees, and forgets them.
void addLinkResponses(const Trees& trees, const FreeMotion& motion, const ConstraintSet& set, double* change);

/// Z for the active constraints from the i-th on; needed again when M̂ is factored anew.
void computeResponses(const Topology& topology, const FreeMotion& motion, int first, ConstraintSet& set);

}  // namespace rigor
