// A step in which no constraint is near, taken from node to node by the integrator that the user chose.
//
// The contact step carries its velocity in the middle of steps (leapfrog). After one, the node velocity is found by the
// kick that leads from the middle of the last step to this node; after a smooth step Memory::last_step is 0, which says
// that the velocity is a node velocity.
#pragma once

#include "dynamics/aba.h"
#include "dynamics/integrators.h"
#include "minimal/constraints.h"

namespace rigor {

/// Acceleration under the forces of a step: torques, wrenches, gravity, damping, springs, own potentials, PD. All act continuously, as functions
/// of the state inside the step.
class SmoothForces final : public AccelerationField {
 public:
  explicit SmoothForces(const StepTables& tables);

  /// `input` must outlive the evaluations. `clamped`: a motor beyond its effort gives its effort, else what it is asked for.
  void use(const StepInput& input, bool clamped = false);
  void evaluate(const double* q, const double* v, double* acceleration) override;
  /// The same where the model is already placed: links and their inertias.
  void evaluate(const Kinematics<double>& kin, const std::vector<Inertia<double>>& inertias, const double* q,
                const double* v, double* acceleration);
  /// True if some PD torque was beyond its effort in an evaluation since use(): such a motor is a constraint.
  bool saturated() const { return saturated_; }

 private:
  /// Springs and dampers between points and on loops, as forces on their links.
  void addTies(const Kinematics<double>& kin, const double* v);

  const Topology& topology_;
  const Parameters<double>& parameters_;
  const OwnTerms& own_;
  const StepInput* input_ = nullptr;
  bool clamped_ = false, saturated_ = false, sprung_ = false;
  Kinematics<double> kin_;
  std::vector<Inertia<double>> inertias_;
  AbaScratch<double> aba_;
  OwnForces own_forces_;
  std::vector<Force<double>> external_;
  std::vector<double> tau_, spring_;  // [nv]
  const std::vector<SpringPart>& ties_;
  std::vector<double> row_;  // [nv] of a spring
};

class SmoothStep {
 public:
  SmoothStep(const StepTables& tables, Integrator integrator);

  /// Velocity at the node from the one carried by the last step; with last_step 0 it is the same.
  void findNodeVelocity(const StepContext& context, Eigen::VectorXd& node);
  /// From the node velocity over h into `to`.
  NodeStepResult take(const StepContext& context, const double* node_velocity, double h, State& to);
  bool saturated() const { return forces_.saturated(); }

 private:
  int nv_;
  SmoothForces forces_;
  NodeIntegrator integrator_;
  Eigen::VectorXd acceleration_;
};

/// What a smooth step leaves for the next: a node velocity, and no impulses.
void rememberNode(const Memory& before, Memory& after);

}  // namespace rigor
