// Inverse dynamics with contact: which torques make the next step follow a motion while feet push and rub (RP §4).
//
//   InverseDynamics inverse(simulator);
//   const InverseResult& answer = inverse.solve(simulator, {joints, velocities});
//   simulator.input().tau = answer.tau;   // the next step ends with these velocities
//
// The step of the simulator itself is turned round: joints that follow become rows with v′_P = v*_P whose multipliers are κ τ
// (RP eq. 5 and 6), beside contacts, limits and loops with their own laws, all at the end of the step. With these rows taken out the
// contact problem is that of RP eq. 7 (errata 8), by whatever law and solver the scene has: the exact cone, or the pyramid by Lemke's
// method. The answer is replayed as an ordinary step and corrected by what that misses, so that forward(inverse(v*)) = v*: velocity terms
// are taken where the replay takes them, and where a step hits something, the torque is found by shooting.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "rigor/simulator.h"

namespace rigor {

/// What the next step shall end with.
struct DesiredStep {
  std::vector<int> freedoms;  ///< P: ascending, of joints that torques act on
  /// v*, one each [rad/s or m/s]: (q(t + h) − q(t))/h, which is the carried velocity v′ of a step that hits nothing
  Eigen::VectorXd velocity;
};

/// Which forces, where the motion leaves several: four feet on a floor push against each other as they like.
enum class ForceChoice : std::uint8_t {
  kAsFound,      ///< what the contact solver began with: the last step's
  kLeastForce,   ///< least Σ|λ|² of contacts
  kLeastTorque,  ///< least Σ τ² of joints
  kNearLast,     ///< nearest to the last step's forces: no chatter
};

/// How contacts push where the whole motion is given.
enum class ContactUse : std::uint8_t {
  kCoulomb,  ///< in their cones; what slips pushes against its slip
  kSticks,   ///< in any direction, at whatever is closed
  kGiven,    ///< as MotionOptions::given says, and nowhere else
};

struct InverseOptions {
  /// [nv] largest torque of each freedom; empty: none has a limit. Limits are kept, and the motion is missed where they do not suffice.
  Eigen::VectorXd limits;
  ForceChoice choice = ForceChoice::kAsFound;  ///< others are for law coulomb
  /// [nv] how much it matters that a freedom follows, where not all can: squares of what is missed are weighed so; empty: 1.
  Eigen::VectorXd weights;
  double tolerance = 1e-12;  ///< [rad/s or m/s] what the replay may miss before torques are corrected
  int most_corrections = 8;  ///< 0: the first answer is the last, and not replayed
};

/// Of solveMotion.
struct MotionOptions {
  ContactUse contacts = ContactUse::kCoulomb;
  struct Given {
    RowId id;
    Eigen::Vector3d force;  ///< [N] on body 2: along the normal and the two tangents of the contact
  };
  std::vector<Given> given;
  double closed = 1e-6;  ///< [m] gaps below this at the end of the step push
  double rest = 1e-3;    ///< [m/s] slower contacts stick: motions of planners do not stand still to the last digit
};

enum class InverseStatus : std::uint8_t {
  /// The step with these torques does what was asked for, to `tolerance` or to what steps leave open (1e-7 of the fastest joint): `missed`.
  kSolved,
  kLimited,     ///< limits of torque are in the way: it is followed as well as they let it
  kInfeasible,  ///< no torques lead there: proved by a certificate
  kUnsolved,    ///< neither an answer nor a proof was found
};
const char* inverseStatusName(InverseStatus status);  ///< solved, limited, infeasible, unsolved

/// How a contact pushes, and how near it is to letting go.
struct ContactForce {
  Contact contact;
  double margin = 0.0;  ///< coneMargin
};
/// (μ λn − |λt|)/(μ λn): 1 without friction, 0 at the edge of the cone; 0 of a contact that is open, 1 where μ is 0.
double coneMargin(const Model& model, const Contact& contact);

struct InverseResult {
  InverseStatus status = InverseStatus::kUnsolved;
  Eigen::VectorXd tau;  ///< [nv] of all forces that drive joints: those of the simulator's input, and what was found
  Eigen::VectorXd velocity;            ///< [nv] v′ at the end of the step with them
  Eigen::VectorXd q;                   ///< [nq] and where that leads
  double missed = 0.0;                 ///< largest |v_P − v*_P|
  int corrections = 0;                 ///< steps that were taken beyond the first and its replay
  int substeps = 1;                    ///< that the step was taken in; 1: it hit nothing
  std::vector<ContactForce> contacts;  ///< of the step
  /// With kInfeasible. Of solve: impulses of contacts and joints, in the order of the rows of their problem, that move nothing and yet
  /// would have to stop an approach (ContactSolution::certificate). Of solveMotion: [nv] a virtual velocity along which no force that
  /// contacts and limited torques may have gives power, and the motion needs some.
  std::vector<double> certificate;
  double proof = 0.0;     ///< [N s] of solveMotion: impulses smaller than this are excluded; rounding hides larger ones
  double overlap = 0.0;   ///< [m] of solveMotion: how deep the motion asked for enters something
  bool rechosen = false;  ///< forces are those of `choice`
};

class InverseDynamics {
 public:
  /// Works beside a simulator: with its scene, its step and its solver.
  explicit InverseDynamics(const Simulator& simulator, const InverseOptions& options = {});
  InverseDynamics(InverseDynamics&&) noexcept;
  ~InverseDynamics();

  /// Torques for the next step of a simulator of the same scene, which stays as it is. Throws Error for freedoms that are none
  /// of the scene's joints with torques, named twice or out of order, and for velocities that are not finite or too few.
  const InverseResult& solve(const Simulator& at, const DesiredStep& desired);

  /// The same for a motion of all freedoms, [nv] v*: torques act on `driven` (ascending), nobody drives the rest. Without an answer the
  /// torques are those that come nearest to it; status and certificate tell that.
  const InverseResult& solveMotion(const Simulator& at, const Eigen::VectorXd& velocity, const std::vector<int>& driven,
                                   const MotionOptions& options = {});
  /// [3·contacts × k] forces of the contacts of the last answer, normal and two tangents each, that change no motion: torques on
  /// joints that follow take them up. Contacts that are open have zeros.
  Eigen::MatrixXd nullSpace() const;

  /// Freedoms that torques can act on: those of joints between bodies, not of free bodies, not kinematic.
  static std::vector<int> actuated(const Model& model);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace rigor
