// Motion of a step without constraints: mass matrix, velocity-dependent terms at the mean velocity, implicit damping
// and PD. Everything that stays fixed while the passes of a step look for the impulses.
//
//   M̂ (v′ − v) = k (τ − c(q, v̄) − D v + kp (q* − q − h v) − kd v) + s + Jᵀ λ,   M̂ = M + ½ k D + k (kd + h kp)
//
// k = (h_last + h)/2 is the length of the kick, for each tree by its own last step; v̄ is the mean of v and v′.
// M̂ = Lᵀ D L (dynamics/mass_factors.h).
//
// Springs: s = −k K x, x their stretch at q, as long as the leapfrog follows their vibration. Where h²·tr(K M⁻¹), an
// upper bound of (h ω)², is above 1, each half of the kick takes the mean stretch of its own step instead,
// s = −K (½h_last (x₋ + x)/2 + ½h (x + x₊)/2): M̂ gets ¼h²K, and any stiffness is stable without eating energy.
//
// Freedoms that move as they are told (kinematic bodies) have v′ from the pose that they shall reach, q ⊕ h v′ = X(t + h), and in
// a step of length 0 from the velocity of their motion. No impulse changes it: their links weigh nothing here, M̂ is 1 on their
// diagonal, so that L is the identity, z is v′ − v, and contacts have no side that answers on them (constraints.h).
#pragma once

#include <vector>

#include "dynamics/mass_factors.h"
#include "dynamics/rnea.h"
#include "minimal/own_forces.h"
#include "minimal/part.h"
#include "rigor/state.h"
#include "stepping/stepper.h"

namespace rigor {

/// How momentum is made of velocities: M(q) v with terms at the mean velocity, or discrete momenta of bodies (discrete_motion.h).
enum class Formulation : unsigned char { kMinimal, kMaximal };

/// What a step of the variational integrator knows besides (discrete_motion.h). Empty in the other formulation.
struct DiscreteMotion {
  std::vector<double> base;             ///< [nv] the v′ that it is linearised at
  std::vector<double> momentum;         ///< [nv] π, carried to the node
  std::vector<double> given;            ///< [nv] impulse of gravity, wrenches and own potentials
  std::vector<double> at_base, at_end;  ///< [nv] P without armature, there and at the last v′ that was asked for
  std::vector<Stride<double>> strides;  ///< [links] at the latter
  std::vector<Force<double>> momenta;   ///< [links] about the centre of mass, there
  std::vector<Force<double>> about_O;   ///< [links] scratch
  std::vector<Motion<double>> V;        ///< [links] scratch
  std::vector<char> own_points;         ///< [trees] whose links have points of their own (two_pose_mass.h); empty: none
  std::vector<char> round;              ///< [links] CollisionTable::round: turns as often as it likes
  MassFactors<double> node;             ///< of M at q
  Eigen::VectorXd q_end;                ///< [nq] of the first guess

  void resize(const Topology& topology);
};

struct FreeMotion {
  double h = 0.0;
  std::vector<double> kick;               ///< [nv] k, the same for all freedoms of a tree
  double least = 0.0;                     ///< [s] times shorter than this are not resolved: 1e-5 of the whole step
  double velocity_scale = 0.0;            ///< [m/s] below this, velocities are judged absolutely
  std::vector<Inertia<double>> inertias;  ///< [links] about O
  RneaScratch<double> rnea;               ///< V of the links at v̄
  OwnForces own;                          ///< of own potentials at q
  std::vector<Force<double>> external;    ///< [links] about O, of these and of wrenches
  std::vector<double> predicted;          ///< [nv] extrapolated increment of v
  std::vector<double> mean_velocity;      ///< [nv] v̄
  std::vector<double> bias;               ///< [nv] c − Jᵀ f_external
  std::vector<double> diagonal;      ///< [nv] what is added to the diagonal of M: first armature and damping, then PD
  MassFactors<double> mass;          ///< of M̂, or of A of a variational step
  std::vector<double> rhs;           ///< [nv] impulse of all forces
  std::vector<double> z;             ///< [nv] D⁻¹ L⁻ᵀ rhs
  std::vector<double> stretch;       ///< [nv] of the springs at q
  std::vector<int> springs;          ///< freedoms that have one
  std::vector<char> stiff;           ///< [nv] the leapfrog cannot follow the springs of its tree
  std::vector<char> saturated;       ///< [nv] PD that acts as a box row instead
  int saturations = 0;               ///< how many of them do
  std::vector<int> prescribed;       ///< freedoms of the part that move as they are told
  std::vector<double> told;          ///< [nv] v′ − v of these
  std::vector<double> told_at_node;  ///< [nv] and the velocity of their motion when the step begins
  DiscreteMotion discrete;

  void resize(const Topology& topology, const Parameters<double>& parameters, Formulation formulation);
  bool isDiscrete() const { return mass.hasTwoPoses(); }
  /// The velocity that M̂⁻¹(rhs + Jᵀλ) is added to: v, or where a variational step is linearised.
  const double* baseOr(const double* v) const { return isDiscrete() ? discrete.base.data() : v; }
  double lastStep(int dof) const { return 2.0 * kick[dof] - h; }
};

/// Length of the step, and the kicks of a part that follow from it.
void setLengths(const Part& part, double h, FreeMotion& motion);

/// All of it at q, from the lengths, `predicted`, `saturated` and `own`.
void computeFreeMotion(const Part& part, const Parameters<double>& parameters, const Kinematics<double>& kin,
                       const StepInput& input, const double* q, const double* v, FreeMotion& motion);

// Its parts, for passes that change one of them.

/// Wrenches of the step and own potentials as forces on links about O [links]; null if there are none.
const Force<double>* computeExternal(const StepInput& input, const OwnForces& own, const Kinematics<double>& kin,
                                     std::vector<Force<double>>& external);

/// v′ − v of the freedoms that move as they are told, in a step from `time` of the length that the motion has; it is what
/// `predicted` says of them, too.
void tellPrescribed(const Part& part, const StepInput& input, double time, const double* q, const double* v,
                    FreeMotion& motion);

/// Extrapolates the increment of v from the last ones: order 3 with three of them, zero after an impact.
void predictIncrement(const Part& part, const Memory& memory, FreeMotion& motion);

/// Inertias of the links, and c at v̄ = v + ½·predicted with the forces from outside.
void computeInertiasAndBias(const Part& part, const Parameters<double>& parameters, const Kinematics<double>& kin,
                            const StepInput& input, const double* v, FreeMotion& motion);

/// c alone, at another v̄.
void computeBias(const Part& part, const Parameters<double>& parameters, const Kinematics<double>& kin,
                 const StepInput& input, const double* v, FreeMotion& motion);

/// M with armature and damping; does not depend on v.
void computeMass(const Part& part, const Parameters<double>& parameters, const Kinematics<double>& kin,
                 FreeMotion& motion);

/// Stretch of the springs at q.
void computeStretch(const Part& part, const Parameters<double>& parameters, const double* q, FreeMotion& motion);

/// Adds the PD terms of joints that are not saturated, and springs that are too stiff for the step, and factors M̂.
void factorMass(const Part& part, const Parameters<double>& parameters, const StepInput& input, FreeMotion& motion);

/// rhs and z for the present bias and saturation.
void computeKick(const Part& part, const Parameters<double>& parameters, const StepInput& input, const double* q,
                 const double* v, FreeMotion& motion);

/// The springs of some trees.
inline std::span<const int> springsOf(const FreeMotion& motion, const Trees& trees) {
  const std::vector<int>& all = motion.springs;
  if (trees.all()) return all;
  const auto first = std::lower_bound(all.begin(), all.end(), trees.first_dof);
  return {first, std::lower_bound(first, all.end(), trees.end_dof)};
}

/// |v̄ − (v + v′)/2|∞ of some trees.
double missedVelocity(const Trees& trees, const FreeMotion& motion, const double* v, const double* v_end);

/// Impulse of a spring over the step if it begins with velocity v and ends with v′ [N m s].
inline double springImpulse(const Parameters<double>& parameters, const FreeMotion& motion, int dof, double v,
                            double v_end) {
  double way = motion.kick[dof] * motion.stretch[dof];
  const double last = motion.lastStep(dof);
  if (motion.stiff[dof]) way += 0.25 * (motion.h * motion.h * v_end - last * last * v);
  return -parameters.stiffness[dof] * way;
}

/// Impulse of a drive over a step that begins at q and ends with the velocities v′ [N m s].
inline double driveImpulse(const Drive& drive, const FreeMotion& motion, const double* q, const double* v_end) {
  return motion.kick[drive.dof] * drive.torqueAtEnd(motion.h, q[drive.q_index], v_end[drive.dof]);
}

}  // namespace rigor
