#include "minimal/surface_rows.h"

#include <algorithm>
#include <limits>

#include "dynamics/jacobian.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// A direction of a shape in the world.
Vec directionOf(const CollisionTable& table, const Kinematics<double>& start, int shape, const Vec& direction) {
  const SolidPlace& place = table.solids[shape];
  const Vec in_link = place.X_LS.R * direction;
  return place.link < 0 ? in_link : start.X_OL[place.link].R * in_link;
}

Vec alongSurface(const Vec& normal, const Vec& v) { return v - dot(normal, v) * normal; }

/// Axes of the turns, in the order of their rows.
Vec axisOf(const ContactDetail& contact, int turn) {
  return turn == 0 ? contact.start.normal : turn == 1 ? contact.tangent_1 : contact.tangent_2;
}

}  // namespace

void alignSurface(const StepContext& context, const PlacedModel& start, const ContactMaterial& surface,
                  ContactDetail& contact) {
  constexpr double kUpright = 1e-6;  // a grain that stands on the surface has no direction in it
  const CollisionTable& table = context.tables.collision;
  const Vec& normal = contact.start.normal;
  contact.grain = false;
  if (surface.ratio != 1.0) {
    const int shape = contact.pair.shape[surface.grain_of];
    const Vec grain = alongSurface(normal, directionOf(table, start.kin, shape, surface.grain));
    const double length = norm(grain);
    contact.grain = length > kUpright;
    if (contact.grain) {
      contact.tangent_1 = (1.0 / length) * grain;
      contact.tangent_2 = cross(normal, contact.tangent_1);
    }
  }
  contact.belt = beltBetween(table, start.kin, contact.pair, normal);
}

Vec beltBetween(const CollisionTable& table, const Kinematics<double>& kin, const FeaturePair& pair,
                const Vec& normal) {
  const ContactMaterial& surface = table.surfaceOf(pair);
  Vec belt;
  if (!surface.runs) return belt;
  for (const int side : {0, 1}) {
    const Vec velocity = directionOf(table, kin, pair.shape[side], surface.velocity[side]);
    belt += (side == 1 ? 1.0 : -1.0) * alongSurface(normal, velocity);
  }
  return belt;
}

void scaleSurface(const ContactMaterial& surface, Constraint& c, ContactDetail& contact) {
  contact.scaled = c.rows > 3 || contact.grain;
  contact.slip = {};
  if (!contact.scaled) return;
  const double mu = c.block.mu;
  const double scale[kMostRows] = {
      1.0, mu, contact.grain ? surface.ratio * mu : mu, surface.torsion, surface.rolling, surface.rolling};
  std::copy_n(scale, kMostRows, contact.scale);
  c.block.mu = 1.0;
}

void soften(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set, Constraint& c) {
  const double kick = meanKick(context, motion, set, c), time = motion.h > 0.0 ? motion.h : kick;
  c.softness = c.compliance_of_pair / kick;
  c.bias = c.gap / time;
  c.compliance = c.softness / time;
}

void writeScaledRows(const ConstraintSet& set, const Topology& topology, const Motion<double>* S, const Constraint& c,
                     const ContactDetail& contact, const Side& side, const Force<double> F[3], const Vec3<double> T[3],
                     double* rows) {
  Force<double> scaled[kMostRows];
  for (int r = 0; r < c.rows; ++r) scaled[r] = contact.scale[r] * (r < 3 ? F[r] : Force<double>{{}, T[r - 3]});
  if (c.rows == 3) return writeRows<3>(set, topology, S, side, scaled, rows);
  if (c.rows == 4) return writeRows<4>(set, topology, S, side, scaled, rows);
  writeRows<6>(set, topology, S, side, scaled, rows);
}

void writeScaledVelocity(const Constraint& c, const Vec3<double>& slip, double h, ContactDetail& contact,
                         ConstraintSet& set) {
  contact.slip = slip;
  double* u = &set.velocity[c.first_row];
  u[1] = contact.scale[1] * dot(contact.tangent_1, slip);
  u[2] = contact.scale[2] * dot(contact.tangent_2, slip);
  Vec turn{};
  for (const Side& side : set.sidesOf(c)) turn += (side.sign / h) * contact.turn[side.end];
  for (int r = 3; r < c.rows; ++r) u[r] = contact.scale[r] * dot(axisOf(contact, r - 3), turn);
}

void writeScaledFloor(const Constraint& c, const ContactDetail& contact, double floor, double h, ConstraintSet& set) {
  constexpr double kTurn = 8.0;  // entries of two rotations, which a turn is the difference of
  double most = 0.0;
  for (int r = 1; r < c.rows; ++r) {
    const double own = contact.scale[r] * (r < 3 ? floor : kTurn * kEps * set.winding / h);
    set.floor[c.first_row + r] = own;
    most = std::max(most, own);
  }
  set.floor[c.first_row] = floor + most;  // û has |ut| in its normal row
}

void addBelt(const Constraint& c, const ConstraintSet& set, double* u) {
  const ContactDetail& contact = set.contacts[c.detail];
  u[1] += (contact.scaled ? contact.scale[1] : 1.0) * dot(contact.tangent_1, contact.belt);
  u[2] += (contact.scaled ? contact.scale[2] : 1.0) * dot(contact.tangent_2, contact.belt);
}

double workOfBelt(const Constraint& c, const ConstraintSet& set) {
  double u[3] = {};
  addBelt(c, set, u);
  const double* impulse = &set.impulse[c.first_row];
  return impulse[1] * u[1] + impulse[2] * u[2];
}

ContactImpulse impulseOf(const Constraint& c, const ContactDetail& contact, const double* impulse) {
  if (!contact.scaled)
    return {impulse[0] * contact.start.normal + impulse[1] * contact.tangent_1 + impulse[2] * contact.tangent_2, {}};
  ContactImpulse sum{impulse[0] * contact.start.normal + (contact.scale[1] * impulse[1]) * contact.tangent_1 +
                         (contact.scale[2] * impulse[2]) * contact.tangent_2,
                     {}};
  for (int r = 3; r < c.rows; ++r) sum.torque += (contact.scale[r] * impulse[r]) * axisOf(contact, r - 3);
  return sum;
}

Vec slipOf(const Constraint& c, const ContactDetail& contact, const ConstraintSet& set) {
  if (contact.scaled) return contact.slip;
  const double* u = &set.velocity[c.first_row];
  return u[1] * contact.tangent_1 + u[2] * contact.tangent_2;
}

}  // namespace rigor
