// Rigid-body algorithms on one state: kinematics, inverse and forward dynamics, Jacobians, momentum, energy.
//
//     Data data(model);                                            // once per model and thread
//     const Eigen::VectorXd& tau = rnea(model, data, q, v, a);     // M a + bias
//     const Eigen::VectorXd& vdot = aba(model, data, q, v, tau);   // back again
//
// Every function computes all it needs from the state it is given: there is no order of calls and nothing to update
// first. A result that is returned by reference lives in `data` and stays until the same function is called again with
// this `data` (where another function overwrites it too, its comment says so); copy it to keep it longer. No function
// allocates after its first call with a `data`.
//
// Conventions. Linear before angular. Free joint: q = position, quaternion (w, x, y, z); v = linear velocity in world
// axes, angular velocity in body axes. The tangent space of q is R³ × SO(3), with `integrate` as its exponential: all
// derivatives with respect to q are with respect to δ in q ⊕ δ. M holds armature; springs, dampers and dry friction
// are no part of rnea and aba (computeSpringForces, computeDamperForces), nor are loops, couplings and joint limits: the
// tree moves as if they were not there. The simulator knows them all.
//
// Wrong sizes, NaN, and quaternions that are off unit length by more than 1e-6 throw Error (checkState).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <memory>
#include <vector>

#include "rigor/model.h"
#include "rigor/state.h"

namespace rigor {

using VectorIn =
    const Eigen::Ref<const Eigen::VectorXd>&;  ///< contiguous vectors are taken as they are, others are copied
using Vector6d = Eigen::Matrix<double, 6, 1>;  ///< linear, angular
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Matrix6Xd = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Wrenches = std::vector<Input::Wrench>;  ///< forces on bodies at their centres of mass

struct Workspace;  // src/algorithms/workspace.h

/// Memory for the algorithms on one model. One per thread. O(n); the matrices come when they are first asked for.
class Data {
 public:
  explicit Data(const Model& model);
  ~Data();
  Data(const Data& other);
  Data& operator=(const Data& other);
  Data(Data&& other) noexcept;
  Data& operator=(Data&& other) noexcept;

  Workspace& workspace() { return *workspace_; }  ///< for the library itself

 private:
  std::unique_ptr<Workspace> workspace_;
};

/// Axes in which motions of a body are given. The point they belong to is always a point of the body.
enum class Axes : std::uint8_t { kWorld, kBody };

// --- configurations ------------------------------------------------------------------------------------------------

/// Throws Error unless q is a configuration of the model and v, where given, a velocity: sizes, NaN, unit quaternions.
void checkState(const Model& model, VectorIn q);
void checkState(const Model& model, VectorIn q, VectorIn v);
void checkForces(const Model& model, VectorIn tau);  ///< generalised forces: size and NaN

/// All coordinates zero, all quaternions the identity; Model::q0 is the reference that the model's author chose.
Eigen::VectorXd neutral(const Model& model);

/// q ⊕ v: translations and angles add, quaternions are turned by exp(ω). Scale v by the time step.
Eigen::VectorXd integrate(const Model& model, VectorIn q, VectorIn v);
void integrate(const Model& model, VectorIn q, VectorIn v, Eigen::Ref<Eigen::VectorXd> next);

/// The v that leads from one configuration to the other: integrate(from, difference(from, to)) = to, with every turn of
/// a quaternion at most π.
Eigen::VectorXd difference(const Model& model, VectorIn from, VectorIn to);
void difference(const Model& model, VectorIn from, VectorIn to, Eigen::Ref<Eigen::VectorXd> v);

// --- kinematics ----------------------------------------------------------------------------------------------------

/// X_WB of all bodies, in model order.
const std::vector<Eigen::Isometry3d>& forwardKinematics(const Model& model, Data& data, VectorIn q);
Eigen::Isometry3d framePlacement(const Model& model, Data& data, VectorIn q, int body);

/// Velocity of a point of a body (given in the body's frame) and angular velocity of the body.
Vector6d frameVelocity(const Model& model, Data& data, VectorIn q, VectorIn v, int body,
                       const Eigen::Vector3d& point = Eigen::Vector3d::Zero(), Axes axes = Axes::kWorld);

/// Acceleration of that point (d²x/dt² of the material point, without gravity) and angular acceleration.
Vector6d frameAcceleration(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a, int body,
                           const Eigen::Vector3d& point = Eigen::Vector3d::Zero(), Axes axes = Axes::kWorld);

/// Motion per unit of each velocity, in world axes about the world's origin. The spatial velocity of a body is the sum
/// of v_j·column_j over the freedoms between the world and the body.
const Matrix6Xd& computeJointJacobians(const Model& model, Data& data, VectorIn q);

/// J with J v = frameVelocity.
const Matrix6Xd& getFrameJacobian(const Model& model, Data& data, VectorIn q, int body,
                                  const Eigen::Vector3d& point = Eigen::Vector3d::Zero(), Axes axes = Axes::kWorld);

/// dJ/dt along v. In world axes frameAcceleration = J a + J̇ v; in body axes J̇ v lacks the turning of the axes,
/// ω × (J v).
const Matrix6Xd& getFrameJacobianTimeVariation(const Model& model, Data& data, VectorIn q, VectorIn v, int body,
                                               const Eigen::Vector3d& point = Eigen::Vector3d::Zero(),
                                               Axes axes = Axes::kWorld);

// --- dynamics ------------------------------------------------------------------------------------------------------

/// τ = M a + c(q, v) + g(q) − Jᵀf: the generalised forces that give the acceleration a.
const Eigen::VectorXd& rnea(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
                            const Wrenches& wrenches = {});

/// a = M⁻¹(τ − c − g + Jᵀf) in O(n), without forming M.
const Eigen::VectorXd& aba(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn tau,
                           const Wrenches& wrenches = {});

/// c(q, v) + g(q): Coriolis, centrifugal and gravity forces, on the left-hand side as in rnea.
const Eigen::VectorXd& nonLinearEffects(const Model& model, Data& data, VectorIn q, VectorIn v);
const Eigen::VectorXd& computeGeneralizedGravity(const Model& model, Data& data, VectorIn q);

/// Mass matrix with armature, both triangles filled.
const Eigen::MatrixXd& crba(const Model& model, Data& data, VectorIn q);

/// M⁻¹, both triangles filled.
const Eigen::MatrixXd& computeMinverse(const Model& model, Data& data, VectorIn q);

/// C with C v + g = nonLinearEffects and Ṁ = C + Cᵀ along v, so that Ṁ − 2C is skew; both hold exactly for all joints.
/// With quaternion joints C is not made of Christoffel symbols, which do not exist for their velocities.
const Eigen::MatrixXd& computeCoriolisMatrix(const Model& model, Data& data, VectorIn q, VectorIn v);

/// Passive forces of the joints, with the sign of a force: −k·(way from the spring's rest to q), −d·v. rnea and aba know
/// nothing of them; add them to τ.
const Eigen::VectorXd& computeSpringForces(const Model& model, Data& data, VectorIn q);
const Eigen::VectorXd& computeDamperForces(const Model& model, Data& data, VectorIn q, VectorIn v);

// --- derivatives ---------------------------------------------------------------------------------------------------

/// Analytic derivatives of rnea. Column j belongs to δ_j of q ⊕ δ, to v_j, to a_j.
struct InverseDerivatives {
  Eigen::MatrixXd dtau_dq, dtau_dv;  ///< [nv × nv]
  Eigen::MatrixXd M;                 ///< ∂τ/∂a, with armature
};
/// A wrench in world axes keeps its direction while the body moves, one in body axes turns with the body.
const InverseDerivatives& computeRNEADerivatives(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
                                                 const Wrenches& wrenches = {});

/// Analytic derivatives of aba, and its value.
struct ForwardDerivatives {
  Eigen::VectorXd a;             ///< aba(q, v, τ), computed from the factors of M
  Eigen::MatrixXd da_dq, da_dv;  ///< [nv × nv]
  Eigen::MatrixXd Minv;          ///< ∂a/∂τ = M⁻¹
};
const ForwardDerivatives& computeABADerivatives(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn tau,
                                                const Wrenches& wrenches = {});

/// ∂(Jᵀλ)/∂q for a force and a torque in world axes on a body at a point fixed in the body (given in its frame).
const Eigen::MatrixXd& computeForceDerivative(const Model& model, Data& data, VectorIn q, int body,
                                              const Eigen::Vector3d& point, const Eigen::Vector3d& force,
                                              const Eigen::Vector3d& torque = Eigen::Vector3d::Zero());

// --- contacts ------------------------------------------------------------------------------------------------------

/// A point where a body touches another body or the world: three rows u = axesᵀ·(v_body − v_other) of velocity.
struct ContactFrame {
  int body = kWorld;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();     ///< in the frame of `body`
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< columns: directions of the rows in world axes
  int other = kWorld;                                  ///< touches at the same point of space
};

/// How to get W. All give the same matrix but for rounding.
enum class DelassusMethod : std::uint8_t {
  kAuto,       ///< kChains or kRecursion, as the mean depth of the model's freedoms suggests
  kChains,     ///< each force travels to the root of its tree: shallow trees
  kRecursion,  ///< two forces meet in the lowest link that carries both: long chains
};

/// W = J M⁻¹ Jᵀ [3·contacts]², the velocities of the contacts per unit of impulses. Symmetric, often singular.
const Eigen::MatrixXd& computeDelassus(const Model& model, Data& data, VectorIn q,
                                       const std::vector<ContactFrame>& contacts,
                                       DelassusMethod method = DelassusMethod::kAuto);

/// W x in O(n + contacts), without the matrix: for many contacts on long chains.
const Eigen::VectorXd& applyDelassus(const Model& model, Data& data, VectorIn q,
                                     const std::vector<ContactFrame>& contacts, VectorIn x);

// --- operational space (OS §V) -------------------------------------------------------------------------------------
// How bodies answer to forces and torques on them, without mass matrix and Jacobians. All in world axes; forces and velocities
// of a body are those at its origin, of a node those at its point. Bodies that no force moves have zeros.

/// Υ (OS eq. 48–50), the operational space compliance kernel: Υ(k) [6 × 6] of every body is the motion of body k per force and
/// torque on itself. One recursion from the roots to the leaves, O(n).
const std::vector<Matrix6d>& computeComplianceKernel(const Model& model, Data& data, VectorIn q);

/// Ω(i, j) (OS eq. 51), a block of the extended operational space compliance matrix Ω = ψ*H*D⁻¹Hψ (eq. 46): the motion of body i per
/// force and torque on body j. Both are passed on to the lowest link k that carries both: Ω(i, j) = ψ*(k, i) Υ(k) ψ(k, j), with
/// Ω(i, i) = Υ(i). Zero for bodies of different trees.
Matrix6d computeExtendedCompliance(const Model& model, Data& data, VectorIn q, int body_i, int body_j);

/// A point of a body that forces and torques act on.
struct Node {
  int body = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< in the body's frame
};

/// Λ = J M⁻¹ Jᵀ = B Ω Bᵀ (OS eq. 6 and 46, where the transposes of B are swapped) [6·nodes]²: the operational space compliance
/// matrix. B picks, J (of all nodes, linear before angular) is that of getFrameJacobian. O(n + nodes·depth + nodes²).
const Eigen::MatrixXd& computeOperationalSpaceCompliance(const Model& model, Data& data, VectorIn q,
                                                         const std::vector<Node>& nodes);

// --- momentum and energy -------------------------------------------------------------------------------------------
// Of the bodies that can move; those fixed to the world have no part in the motion. Armature has no momentum.

struct CenterOfMass {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s]
};
Eigen::Vector3d centerOfMass(const Model& model, Data& data, VectorIn q);
CenterOfMass centerOfMass(const Model& model, Data& data, VectorIn q, VectorIn v);

/// A with A v = linear momentum and angular momentum about the centre of mass, world axes.
const Matrix6Xd& computeCentroidalMap(const Model& model, Data& data, VectorIn q);

/// Linear momentum [kg m/s] and angular momentum about the centre of mass [kg m²/s], world axes.
Vector6d computeCentroidalMomentum(const Model& model, Data& data, VectorIn q, VectorIn v);

/// ½ vᵀM v with armature [J].
double computeKineticEnergy(const Model& model, Data& data, VectorIn q, VectorIn v);
/// −Σ m g·c: gravity alone, zero at the world's origin [J].
double computePotentialEnergy(const Model& model, Data& data, VectorIn q);
/// ½ k x² of all joint springs, x the way from rest to q; of a quaternion, its rotation vector [J].
double computeSpringEnergy(const Model& model, Data& data, VectorIn q);

}  // namespace rigor
