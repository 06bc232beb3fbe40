// One abstract level for time steppers: from one snapshot to the next, or a refusal.
#pragma once

#include <limits>
#include <vector>

#include "math/vec3.h"
#include "rigor/report.h"
#include "rigor/state.h"
#include "stepping/drive.h"
#include "stepping/prescribed_motion.h"

namespace rigor {

/// Wrench on a link during the step.
struct LinkWrench {
  int link;
  Vec3<double> point;          ///< where the force attacks, in link axes
  Vec3<double> force, torque;  ///< [N], [N m]
  bool in_world;               ///< axes of the world, else of the link
};

/// A freedom that shall end the step with this velocity, whatever force that takes up to its limit: inverse dynamics.
struct Servo {
  int dof = 0;
  double velocity = 0.0;  ///< v* [rad/s or m/s]
  double effort = std::numeric_limits<double>::infinity();
  double softness = 0.0;  ///< R of u − v* + R λ = 0 [m/s per N s]; 0: none
};

/// Forces that act during one step. Drives act at the end of the step (M + h·kd + h²·kp on the left side).
struct StepInput {
  std::vector<double> tau;    ///< [nv]
  std::vector<Drive> drives;  ///< at most one per freedom, in the order of the freedoms
  std::vector<int> drive_of;  ///< [nv] index into the above; −1: not driven
  bool retargeted = false;    ///< targets are not those of the scene
  /// [nv] v′ − v that the velocity-dependent terms shall be taken for, whatever the step ends with; null: that of the step
  const double* increment = nullptr;
  std::vector<Servo> servos;  ///< at most one per freedom, in the order of the freedoms
  std::vector<LinkWrench> wrenches;
  std::vector<PrescribedMotion> motions;     ///< of all kinematic bodies, in the order of their freedoms
  double motions_begin = 0.0;                ///< [s] the time that motions count from
  std::vector<Input::Wrench> body_wrenches;  ///< the same as they were given, for the record
};

/// No forces; room for the drives of nv freedoms.
StepInput makeIdleInput(int nv);
/// Puts a drive where its freedom has its place among the others, instead of one that is there.
void setDrive(const Drive& drive, StepInput& input);

class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Advances `from` by h into `to`. If the step is refused (report.status), `to` is meaningless and `from` the last
  /// good state. Owns scratch only: equal inputs give equal bits.
  virtual void step(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report) = 0;
  /// Node values of `from` itself (time, velocity, energies, momentum, tau), with the forces of `input` and of whatever
  /// touches; h is the length of a step there. Refused if the contact forces cannot be found.
  virtual void findNode(const StepInput& input, const Snapshot& from, double h, StepReport& node) = 0;
};

}  // namespace rigor
