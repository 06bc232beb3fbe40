// Inverse dynamics with contact: which torques make the next step follow a motion while feet push and rub (RP §4).
//
//   InverseDynamics inverse(simulator);
//   const InverseResult& answer = inverse.solve(simulator, {joints, velocities});
//   simulator.input().tau = answer.tau;   // the next step ends with these velocities
//
// The step of the simulator itself is turned round: joints that follow become rows with v′_P = v*_P whose multipliers are κ τ
// (RP eq. 5 and 6), beside contacts, limits and loops with their own laws, all at the end of the step. With these rows taken out the
// contact problem is that of RP eq. 7 (errata 8), by whatever law and solver the scene has: the exact cone, or the pyramid by Lemke's
// method. The answer is replayed as an ordinary step, and v* corrected by what that misses (mean velocities and sub-steps of both
// differ by rounding or more), so that forward(inverse(v*)) = v*.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <vector>

#include "rigor/simulator.h"

namespace rigor {

/// What the next step shall end with.
struct DesiredStep {
  std::vector<int> freedoms;  ///< P: ascending, of joints that torques act on
  Eigen::VectorXd
      velocity;  ///< v*, one each [rad/s or m/s]: carried velocities, (q(t + h) − q(t))/h where one step leads there
};

struct InverseOptions {
  /// [nv] largest torque of each freedom; empty: none has a limit. Limits are kept, and the motion is missed where they do not suffice.
  Eigen::VectorXd limits;
  double tolerance = 1e-12;  ///< [rad/s or m/s] what the replay may miss before v* is corrected
  int most_corrections = 8;  ///< 0: the first answer is the last, and not replayed
};

enum class InverseStatus : std::uint8_t {
  kSolved,      ///< the step with these torques ends with the velocities that were asked for
  kLimited,     ///< limits of torque are in the way: it is followed as well as they let it
  kInfeasible,  ///< no torques lead there: proved by a certificate
  kUnsolved,    ///< neither an answer nor a proof was found
};
const char* inverseStatusName(InverseStatus status);  ///< solved, limited, infeasible, unsolved

/// How a contact pushes, and how near it is to letting go.
struct ContactForce {
  Contact contact;
  double margin = 0.0;  ///< (μ λn − |λt|)/(μ λn): 1 no friction, 0 at the edge of the cone or open
};

struct InverseResult {
  InverseStatus status = InverseStatus::kUnsolved;
  Eigen::VectorXd tau;  ///< [nv] of all forces that drive joints: those of the simulator's input, and what was found
  Eigen::VectorXd velocity;            ///< [nv] v′ at the end of the step with them
  Eigen::VectorXd q;                   ///< [nq] and where that leads
  double missed = 0.0;                 ///< largest |v′_P − v*_P|
  int corrections = 0;                 ///< steps that were replayed beyond the first
  std::vector<ContactForce> contacts;  ///< of the step
  std::vector<double> certificate;     ///< with kInfeasible (ContactSolution::certificate), else empty
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

  /// Freedoms that torques can act on: those of joints between bodies, not of free bodies, not kinematic.
  static std::vector<int> actuated(const Model& model);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace rigor
