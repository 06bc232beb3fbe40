// What surfaces have beyond friction that is the same in all directions: belts, friction that depends on the direction of slip,
// and friction of turning.
//
//   belts       ut = t · (slip + R₂ v₂ − R₁ v₁), v the velocity of a surface in the frame of its shape: a known shift
//   turning     rows of 4: the turn about the normal too; of 6: those about both tangents; uk = a · (Ω₂ − Ω₁), Ω the rotation vector
//               of the step
//   scale       Σ (fk/ck)² ≤ fn² over all of them, c the coefficients. With rows ck·uk and impulses fk/ck that is a round cone
//               with μ = 1, and the most dissipative friction of the ellipsoid is Coulomb's law of the cone.
//
// A coefficient of 0 gives a row of zeros: its impulse does nothing.
#pragma once

#include "minimal/constraints.h"

namespace rigor {

/// [m/s] Velocity of the second surface against the first one at a pose, beyond that of the bodies.
Vec3<double> beltBetween(const CollisionTable& table, const Kinematics<double>& kin, const FeaturePair& pair,
                         const Vec3<double>& normal);

/// Tangents along the grain of the surface, and the velocity of belts; after makeTangents.
void alignSurface(const StepContext& context, const PlacedModel& start, const ContactMaterial& surface,
                  ContactDetail& contact);

/// Puts the coefficients into the rows of a contact that needs them there; `c` has its friction.
void scaleSurface(const ContactMaterial& surface, Constraint& c, ContactDetail& contact);

/// The law φ(q′) = −C λn/κ of a soft contact, κ the length of the kick (that of the step, in steps of equal length): with ν = φ/h
/// of either sign and R = C/(h κ) it is û_n = 0. In a half kick, where no time passes, κ stands for h.
void soften(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set, Constraint& c);

/// φ(q′) + C λn/κ: the gap of a contact, less what its force presses it in by [m].
inline double hardGap(const Constraint& c, double gap, const ConstraintSet& set) {
  return gap + c.softness * set.impulse[c.first_row];
}

/// Rows of one side: those of F, along the normal and the tangents, and those of the torques T about them, all scaled.
void writeScaledRows(const ConstraintSet& set, const Topology& topology, const Motion<double>* S, const Constraint& c,
                     const ContactDetail& contact, const Side& side, const Force<double> F[3], const Vec3<double> T[3],
                     double* rows);

/// u of the tangents and of the turns from `slip` and contact.turn; keeps the slip.
void writeScaledVelocity(const Constraint& c, const Vec3<double>& slip, double h, ContactDetail& contact,
                         ConstraintSet& set);

/// Rounding floors, `floor` being that of the slip [m/s].
void writeScaledFloor(const Constraint& c, const ContactDetail& contact, double floor, double h, ConstraintSet& set);

/// Adds the velocity of belts to u = J v of a contact.
void addBelt(const Constraint& c, const ConstraintSet& set, double* u);

/// Power that belts feed in: λ times that velocity.
double workOfBelt(const Constraint& c, const ConstraintSet& set);

/// Of the impulses of a contact, whatever its rows: the force [N s] and the torque [N m s] on its second body.
struct ContactImpulse {
  Vec3<double> force, torque;
};
ContactImpulse impulseOf(const Constraint& c, const ContactDetail& contact, const double* impulse);

/// Slip of the last pass, without the scale of its rows [m/s].
Vec3<double> slipOf(const Constraint& c, const ContactDetail& contact, const ConstraintSet& set);

}  // namespace rigor
