#include "minimal/contact_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/jacobian.h"
#include "math/rotation.h"
#include "minimal/ball_slip.h"
#include "minimal/surface_rows.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kNoSlip = 1e-10;      // [m/s] what sticks with less friction sticks with more
constexpr double kStaticSpeed = 1e-3;  // [m/s] slip below this counts as rest for static friction

/// From the centre of curvature of a side to its surface point at the start; of what rolls, from the centre of the shape to
/// where the contact is on the mean of the step.
Vec surfaceArm(const ContactDetail& contact, const Side& side) {
  if (contact.rolls) return contact.mean_arm[side.end];
  return (-side.sign * contact.start.radius[side.end]) * contact.start.normal;
}

bool turnsUnder(const ContactDetail& contact, const Side& side) {
  return contact.rolls || contact.start.radius[side.end] > 0.0;
}

Vec armOf(const StepContext& context, const Kinematics<double>& start, const ContactDetail& contact, const Side& side) {
  return contact.start.point - start.origin[context.topology.tree[side.link]];
}

/// J: the impulse attacks at the contact point.
RIGOR_INLINE void writeForceRows(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                                 ConstraintSet& set) {
  const ContactDetail& contact = set.contacts[c.detail];
  const Vec directions[3] = {contact.start.normal, contact.tangent_1, contact.tangent_2};
  for (const Side& side : set.sidesOf(c)) {
    const Vec arm = armOf(context, start, contact, side);
    Force<double> F[3];
    for (int r = 0; r < 3; ++r) F[r] = forceAt(arm, side.sign * directions[r], {});
    if (contact.scaled) {
      const Vec T[3] = {side.sign * directions[0], side.sign * directions[1], side.sign * directions[2]};
      writeScaledRows(set, context.topology, start.S.data(), c, contact, side, F, T, &set.force[side.offset]);
      continue;
    }
    writeRows<3>(set, context.topology, start.S.data(), side, F, &set.force[side.offset]);
  }
}

/// Which of two coefficients applies is decided by the slip at the velocity that the step begins with.
double chooseFriction(const ContactMaterial& surface, const StepContext& context, const Kinematics<double>& start,
                      const Constraint& c, ConstraintSet& set) {
  ContactDetail& contact = set.contacts[c.detail];
  writeForceRows(context, start, c, set);  // three rows, without their scale
  const Vec belt = c.runs ? contact.belt : Vec{};
  double a = dot(contact.tangent_1, belt), b = dot(contact.tangent_2, belt);
  for (const Side& side : set.sidesOf(c)) {
    const int* entries = set.entriesOf(side);
    const double* row = &set.force[side.offset];
    for (int k = 0; k < side.length; ++k, row += 3)
      a += row[1] * set.startVelocity()[entries[k]], b += row[2] * set.startVelocity()[entries[k]];
  }
  contact.slip_before = a * contact.tangent_1 + b * contact.tangent_2;
  contact.slides = a * a + b * b >= kStaticSpeed * kStaticSpeed;
  set.may_rest = set.may_rest || contact.slides;
  return contact.slides ? surface.friction : surface.friction_static;
}

/// All that a surface has beyond one coefficient of friction.
void applySurface(const StepContext& context, const PlacedModel& start, const ContactMaterial& surface,
                  const FreeMotion& motion, Constraint& c, ConstraintSet& set) {
  ContactDetail& contact = set.contacts[c.detail];
  alignSurface(context, start, surface, contact);
  contact.slides = contact.tries_rest = contact.scaled = false;
  if (surface.friction_static != surface.friction) c.block.mu = chooseFriction(surface, context, start.kin, c, set);
  scaleSurface(surface, c, contact);
  if (c.compliance_of_pair > 0.0) soften(context, motion, set, c);
}

/// [m] Depth of balls that is more than rounding, as long as it is less than a contact's own (kTouching).
double leastDepth(const GapAtPose<double>& at) {
  constexpr double kDepth = 1e-12;
  const double rounding = 16.0 * kEps * (absoluteSum(at.point) + at.radius[0] + at.radius[1]);
  return at.gap > -kTouching ? kDepth + rounding : std::numeric_limits<double>::infinity();
}

/// Rounding of the velocity, which is read from positions: 4·eps·(|x| + |p|)/h. Of two balls both centres count, and their radii: the
/// line between them is known to eps times that, and slip is an arc on it.
void writeFloor(const StepContext& context, const Kinematics<double>& start, double h, const Constraint& c,
                ConstraintSet& set) {
  const ContactDetail& contact = set.contacts[c.detail];
  double size = 0.0;
  for (const Side& side : set.sidesOf(c))
    size += absoluteSum(start.origin[context.topology.tree[side.link]]) +
            absoluteSum(contact.start.centre[side.end].relative);
  if (contact.pair.kind == FeatureKind::kBallBall) {
    size += contact.start.radius[0] + contact.start.radius[1];
    for (int end = 0; end < 2; ++end)
      if (contact.pair.link[end] < 0) size += absoluteSum(contact.start.centre[end].world);
  }
  const double floor = 4.0 * kEps * set.winding * size / h;
  if (contact.scaled) return writeScaledFloor(c, contact, floor, h, set);
  std::fill_n(&set.floor[c.first_row], 3, floor);
  set.floor[c.first_row] *= 1.0 + c.block.mu;  // û has μ|ut| in its normal row
}

/// h·Ω of a link over the step: log(R′Rᵀ), or of a round one, which may turn more than once, R·hω.
Vec turnOf(const StepContext& context, const PlacedModel& start, const StepEnd& end, int link) {
  const Mat3<double>& R = start.kin.X_OL[link].R;
  if (!context.tables.collision.round[link]) return rotationBetween(R, end.pose.kin.X_OL[link].R);
  const double* omega = end.v + context.topology.v_index[link] + 3;
  return R * Vec{end.h * omega[0], end.h * omega[1], end.h * omega[2]};
}

/// ∂u/∂ω of a round link: it turns about its own centre, by R·hω exactly. `torque` of both tangents, by that turn.
void roundTurnRows(const Mat3<double>& R, const Constraint& c, const ContactDetail& contact, const Vec* torque,
                   const Side& side, ConstraintSet& set) {
  const Vec axes[3] = {R.x, R.y, R.z};
  const Vec turns[3] = {contact.start.normal, contact.tangent_1, contact.tangent_2};
  for (int k = 0; k < 3; ++k) {
    double* entry = &set.constraint[side.offset + c.rows * (3 + k)];
    entry[0] = 0.0;
    for (int r = 0; r < 2; ++r) entry[r + 1] = dot(axes[k], torque[r]);
    if (!contact.scaled) continue;
    for (int r = 3; r < c.rows; ++r) entry[r] = side.sign * dot(axes[k], turns[r - 3]);
    for (int r = 1; r < c.rows; ++r) entry[r] *= contact.scale[r];
  }
}

/// The turns of a side at the end, by which the axes of the turning rows are differentiated, and with F the rows J̃.
void storeScaledRows(const StepContext& context, const Constraint& c, const ContactDetail& contact, const Side& side,
                     const Force<double> F[3], ConstraintSet& set) {
  double* rows = &set.constraint[side.offset];
  const Vec axes[3] = {contact.start.normal, contact.tangent_1, contact.tangent_2};
  const Vec& turn = contact.turn[side.end];
  const auto coefficients = expCoefficients(dot(turn, turn));
  Vec T[3];
  for (int r = 0; r < 3; ++r) T[r] = leftJacobianInverseTransposeTimes(turn, coefficients, side.sign * axes[r]);
  writeScaledRows(set, context.topology, set.columns.data(), c, contact, side, F, T, rows);
}

/// J̃ of two balls whose slip is read in the frame of their line of centres.
void writeRowsOfBalls(const StepContext& context, const PlacedModel& start, const Constraint& c, ConstraintSet& set) {
  const ContactDetail& contact = set.contacts[c.detail];
  const Vec& normal_end = contact.crossed ? contact.start.normal : contact.end.normal;
  const BallSlipRow rows[2] = {differentiateSlip(contact, contact.tangent_1),
                               differentiateSlip(contact, contact.tangent_2)};
  for (const Side& side : set.sidesOf(c)) {
    const Vec& centre = contact.end.centre[side.end].relative;
    Force<double> F[3] = {forceAt(centre, side.sign * normal_end, {})};
    for (int r = 0; r < 2; ++r) F[r + 1] = forceAt(centre, side.sign * rows[r].force, rows[r].torque[side.end]);
    if (contact.scaled)
      storeScaledRows(context, c, contact, side, F, set);
    else
      writeRows<3>(set, context.topology, set.columns.data(), side, F, &set.constraint[side.offset]);
    if (!context.tables.collision.round[side.link]) continue;
    const Vec& turn = contact.turn[side.end];
    const Mat3<double> J = leftJacobian(turn, expCoefficients(dot(turn, turn)));
    const Vec torque[2] = {transposeTimes(J, rows[0].torque[side.end]), transposeTimes(J, rows[1].torque[side.end])};
    roundTurnRows(start.kin.X_OL[side.link].R, c, contact, torque, side, set);
  }
}

/// Both sides of crossing edges slide where they are attacked: their lines may be nearest far from either.
bool isOfSharpEdges(const StepContext& context, const FeaturePair& pair) {
  const bool edges = pair.kind == FeatureKind::kEdges || pair.kind == FeatureKind::kEdgesBack;
  const std::vector<SolidPlace>& solids = context.tables.collision.solids;
  return edges && solids[pair.shape[0]].solid.radius == 0.0 && solids[pair.shape[1]].solid.radius == 0.0;
}

bool hasCurved(const StepContext& context, const FeaturePair& pair) {
  const std::vector<SolidPlace>& solids = context.tables.collision.solids;
  return solids[pair.shape[0]].solid.isCurved() || solids[pair.shape[1]].solid.isCurved();
}

/// The gap at the end; of balls that met on the way, that along the normal of the start.
double gapOfBalls(const CollisionTable& table, const PlacedModel& start, const StepEnd& end, ContactDetail& contact) {
  const FeatureWay way = wayOf(contact.pair, start.centres, end.pose.centres);
  const bool crosses = passThrough(contact.pair, table.shapes, way);
  contact.crossings += crosses && !contact.crossed;
  // passes that try the gap of the end again and again go around in circles
  contact.crossed = crosses || contact.crossings > 1;
  if (!contact.crossed) return contact.end.gap;
  return gapAlong(contact.pair, table.shapes, contact.start.normal, way.to_1, way.to_2);
}

/// From the centre of a shape to the contact, on the mean of start and end.
Vec meanArm(const ContactDetail& contact, const PlacedModel& start, const StepEnd& end, int side) {
  const int shape = contact.pair.shape[side];
  return 0.5 *
         ((contact.start.point - start.solids[shape].X_WS.p) + (contact.end.point - end.pose.solids[shape].X_WS.p));
}

}  // namespace

void ContactRows::add(const StepContext& context, const FeaturePair& pair, int& slot, const GapAtPose<double>& at,
                      const PlacedModel& start, const FreeMotion& motion, ConstraintSet& set) {
  const ContactMaterial& surface = context.tables.collision.surfaceOf(pair);
  if (findSlot({RowSource::kContact, pair.id, 0, surface.rows()}, slot, set)) {
    Constraint& c = set.slots[slot];
    c.can_open = true;
    c.runs = surface.runs;
    c.compliance_of_pair = context.tables.collision.complianceOf(pair);
    const bool soft = c.compliance_of_pair > 0.0;  // what is soft does not strike
    c.threshold = soft ? std::numeric_limits<double>::infinity() : surface.threshold;
    c.restitution = soft ? 0.0 : surface.restitution;
    c.impact = surface.impact;
    c.block.kind = BlockKind::kContact;
    c.detail = static_cast<int>(set.contacts.size());
    set.contacts.emplace_back().pair = pair;
    addSides(context.tables, pair.link, c, set);
  }
  Constraint& c = set.slots[slot];
  ContactDetail& contact = set.contacts[c.detail];
  contact.start = at;
  contact.pair.normal = at.normal;  // from which the end of round elements is looked for
  makeTangents(at.normal, contact.tangent_1, contact.tangent_2);
  contact.turn[0] = contact.turn[1] = {};
  contact.crossed = false;
  contact.crossings = 0;
  c.gap = at.gap;
  c.touching = c.gap <= kTouching;
  c.bias = openBias(c.gap, motion.h);
  // what tolerances took of the gap of balls comes back: it would add up, step by step
  if (motion.h > 0.0 && !isOfSolids(pair.kind) && c.touching && c.gap < -leastDepth(at)) c.bias = at.gap / motion.h;
  const bool curved = isOfSolids(pair.kind) && hasCurved(context, pair);
  contact.rolls = curved && pair.kind != FeatureKind::kFaceVertex && pair.kind != FeatureKind::kVertexFace;
  if (isOfSolids(pair.kind)) {
    // what rounding took comes back, and round elements that follow another begin a little too deep
    if (motion.h > 0.0 && (curved || c.gap > -kTouching)) c.bias = c.gap / motion.h;
    for (const Side& side : set.sidesOf(c)) {
      const Transform<double>& X_OL = start.kin.X_OL[side.link];
      if (isOfSharpEdges(context, pair))
        contact.start.centre[side.end].relative = armOf(context, start.kin, contact, side);
      const PlacedSolid& solid = start.solids[pair.shape[side.end]];
      if (contact.rolls) contact.start.centre[side.end].relative = solid.X_WS.p - solid.origin;
      contact.anchor[side.end] = transposeTimes(X_OL.R, contact.start.centre[side.end].relative - X_OL.p);
    }
  }
  c.block.mu = surface.friction;
  if (!surface.plain) applySurface(context, start, surface, motion, c, set);
  join(context, slot, set);
  writeForceRows(context, start.kin, c, set);
}

bool ContactRows::comeToRest(const StepContext& context, const PlacedModel& start, const FreeMotion& motion,
                             ConstraintSet& set) {
  bool changed = false;
  for (int i = 0; set.may_rest && i < set.size(); ++i) {
    Constraint& c = set.at(i);
    if (!contactOf(c, set) || !set.contacts[c.detail].slides || !(set.impulse[c.first_row] > 0.0)) continue;
    ContactDetail& contact = set.contacts[c.detail];
    const Vec slip = slipOf(c, contact, set);
    const bool still = norm(slip) < kStaticSpeed;
    const bool rests = still || dot(slip, contact.slip_before) <= 0.0;
    const bool tries = !contact.tries_rest && rests && norm(slip) > kNoSlip, gives_up = contact.tries_rest && !still;
    if (!tries && !gives_up) continue;
    const ContactMaterial& surface = context.tables.collision.surfaceOf(contact.pair);
    contact.tries_rest = true;
    contact.slides = !gives_up;  // it is asked once
    c.block.mu = gives_up ? surface.friction : surface.friction_static;
    if (!surface.plain) scaleSurface(surface, c, contact);
    writeForceRows(context, start.kin, c, set);
    changed = true;
  }
  if (changed) computeResponses(context.topology, motion, 0, set);
  return changed;
}

void ContactRows::writeFloors(const StepContext& context, const PlacedModel& start, double h, ConstraintSet& set) {
  for (const int slot : set.active)
    if (const Constraint& c = set.slots[slot]; contactOf(c, set)) writeFloor(context, start.kin, h, c, set);
}

void ContactRows::secant(const StepContext& context, const PlacedModel& start, const StepEnd& end, Constraint& c,
                         ConstraintSet& set) {
  const CollisionTable& table = context.tables.collision;
  ContactDetail& contact = set.contacts[c.detail];
  const FeaturePair& pair = contact.pair;
  const bool of_solids = isOfSolids(pair.kind);
  contact.end = of_solids ? gapOfSolids(pair, end.pose.solids) : gapOf(table, pair, end.pose.centres);
  Vec slip{};
  const bool turns_count = c.rows > 3;
  for (const Side& side : set.sidesOf(c)) {
    const Vec &from = contact.start.centre[side.end].relative, &to = contact.tracked[side.end];
    contact.tracked[side.end] =
        of_solids ? end.pose.kin.X_OL[side.link] * contact.anchor[side.end] : contact.end.centre[side.end].relative;
    const int tree = context.topology.tree[side.link];
    Vec moved = (end.pose.kin.origin[tree] - start.kin.origin[tree]) + (to - from);
    if (contact.rolls) contact.mean_arm[side.end] = meanArm(contact, start, end, side.end);
    const bool turns_under = turnsUnder(contact, side);
    if (turns_under || turns_count) contact.turn[side.end] = turnOf(context, start, end, side.link);
    if (turns_under) moved += cross(contact.turn[side.end], surfaceArm(contact, side));
    slip += (side.sign / end.h) * moved;
  }
  c.gap_end = of_solids ? contact.end.gap : gapOfBalls(table, start, end, contact);
  contact.together = c.block.mu > 0.0 && turnTogether(contact);  // without friction nobody asks for the slip
  if (contact.together) slip = (1.0 / end.h) * slipOfBalls(contact);
  double* u = &set.velocity[c.first_row];
  u[0] = (c.gap_end - c.gap) / end.h;
  if (c.runs) slip += contact.belt;
  u[1] = dot(contact.tangent_1, slip);
  u[2] = dot(contact.tangent_2, slip);
  if (contact.scaled) writeScaledVelocity(c, slip, end.h, contact, set);
  // depends on the start pose alone
  if (set.floor[c.first_row] == 0.0) writeFloor(context, start.kin, end.h, c, set);
}

void ContactRows::rows(const StepContext& context, const PlacedModel& start, const StepEnd&, const Constraint& c,
                       ConstraintSet& set) {
  const ContactDetail& contact = set.contacts[c.detail];
  if (contact.together) return writeRowsOfBalls(context, start, c, set);
  const Vec& normal_end = contact.crossed ? contact.start.normal : contact.end.normal;
  const Vec tangents[2] = {contact.tangent_1, contact.tangent_2};
  for (const Side& side : set.sidesOf(c)) {
    const Vec &centre = contact.end.centre[side.end].relative, &tracked = contact.tracked[side.end];
    const Vec &turn = contact.turn[side.end], arm = surfaceArm(contact, side);
    const bool turns = turnsUnder(contact, side);
    const auto coefficients = expCoefficients(dot(turn, turn));
    Force<double> F[3];
    F[0] = forceAt(centre, side.sign * normal_end, {});
    for (int r = 0; r < 2; ++r) {
      const Vec d = side.sign * tangents[r];
      const Vec torque = turns ? leftJacobianInverseTransposeTimes(turn, coefficients, cross(arm, d)) : Vec{};
      F[r + 1] = forceAt(tracked, d, torque);
    }
    if (contact.scaled)
      storeScaledRows(context, c, contact, side, F, set);
    else
      writeRows<3>(set, context.topology, set.columns.data(), side, F, &set.constraint[side.offset]);
    if (!context.tables.collision.round[side.link]) continue;
    const Vec torque[2] = {cross(arm, side.sign * tangents[0]), cross(arm, side.sign * tangents[1])};
    roundTurnRows(start.kin.X_OL[side.link].R, c, contact, torque, side, set);
  }
}

void ContactRows::addImpulse(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                             const ConstraintSet& set, MomentumScratch& scratch) {
  const ContactDetail& contact = set.contacts[c.detail];
  const double* impulse = &set.impulse[c.first_row];
  if (!contact.scaled) {
    const Vec force =
        impulse[0] * contact.start.normal + impulse[1] * contact.tangent_1 + impulse[2] * contact.tangent_2;
    for (const Side& side : set.sidesOf(c))
      scratch.impulse[side.link] += forceAt(armOf(context, start, contact, side), side.sign * force, {});
    return;
  }
  const ContactImpulse total = impulseOf(c, contact, impulse);
  for (const Side& side : set.sidesOf(c))
    scratch.impulse[side.link] +=
        forceAt(armOf(context, start, contact, side), side.sign * total.force, side.sign * total.torque);
}

void ContactRows::addImpulseSize(const StepContext& context, const Kinematics<double>& start, const Constraint& c,
                                 double size, const ConstraintSet& set, MomentumScratch& scratch) {
  const ContactDetail& contact = set.contacts[c.detail];
  if (contact.scaled) size *= std::max(1.0, *std::max_element(contact.scale, contact.scale + c.rows));
  for (const Side& side : set.sidesOf(c))
    scratch.size[side.link] += {size, absoluteSum(armOf(context, start, contact, side)) * size};
}

void ContactRows::stay(Constraint& c, ConstraintSet& set) {
  c.gap_end =
      c.softness > 0.0 ? std::max(c.gap, 0.0) : c.gap;  // how deep what is soft may be, no step of length 0 decides
  set.contacts[c.detail].end = set.contacts[c.detail].start;
}

double deepestContact(const ConstraintSet& set) {
  double depth = -std::numeric_limits<double>::infinity();
  for (const int slot : set.active)
    if (const ContactDetail* contact = contactOf(set.slots[slot], set)) {
      const Constraint& c = set.slots[slot];
      depth = std::max(depth, c.softness > 0.0 ? -hardGap(c, c.gap_end, set) : -contact->end.gap);
    }
  return depth;
}

bool ContactRows::held(const Constraint& c, const ConstraintSet& set, double h) {
  const bool soft = c.softness > 0.0;
  // the normal row has μ|ut| in its floor, the tangents have that of positions, unless they are scaled
  if (!soft && !set.contacts[c.detail].scaled) return keepsGap(c, set, h * set.floor[c.first_row + 2]);
  const double rounding = h * set.floor[c.first_row];
  return soft ? !(hardGap(c, c.gap_end, set) < -set.deeper - rounding) : keepsGap(c, set, rounding);
}

}  // namespace rigor
