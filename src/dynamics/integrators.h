// One step of motion without constraints, from node to node: (q, v) → (q′, v′) for v̇ = a(q, v), q̇ = v on the manifold.
//
// Maps only: no contact, no memory. Doubles only, since the implicit ones iterate until they have converged. The two
// leapfrogs carry their velocity between nodes and live in the time stepper.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

#include "model/topology.h"
#include "rigor/integrator.h"

namespace rigor {

/// v̇ as a function of the state: everything that pushes, divided by the mass.
class AccelerationField {
 public:
  virtual ~AccelerationField() = default;
  virtual void evaluate(const double* q, const double* v, double* acceleration) = 0;
};

struct NodeStepResult {
  bool converged = true;  ///< false: the iteration of an implicit map failed, the end state is its last iterate
  int iterations = 0;     ///< of an implicit map
  double residual = 0.0;  ///< of its equation, relative to the velocities in it
};

/// Takes node steps; owns scratch only. Does not allocate after its construction.
class NodeIntegrator {
 public:
  NodeIntegrator(const Topology& topology, Integrator integrator);

  NodeStepResult step(AccelerationField& field, const double* q, const double* v, double h, double* q_end,
                      double* v_end);

  /// [nv] Of the last step of a method with an error estimate: how far its answer is from that of one order less. The tangents are those
  /// at q.
  const Eigen::VectorXd& missedWay() const { return missed_q_; }
  const Eigen::VectorXd& missedVelocity() const { return missed_v_; }

 private:
  NodeStepResult rungeKutta(AccelerationField& field, const double* q, const double* v, double h, double* q_end,
                            double* v_end);
  NodeStepResult semiImplicit(AccelerationField& field, const double* q, const double* v, double h, double* q_end,
                              double* v_end);
  NodeStepResult backwardByFixedPoint(AccelerationField& field, const double* q, const double* v, double h);
  NodeStepResult backwardByNewton(AccelerationField& field, const double* q, const double* v, double h);
  void computeResidual(AccelerationField& field, const double* q, const double* v, double h);
  void computeJacobian(AccelerationField& field, const double* q, const double* v, double h);
  double residualSize(const double* v, double h) const;

  const Topology& topology_;
  Integrator integrator_;
  Eigen::VectorXd q_stage_, v_stage_, acceleration_;  // [nq], [nv], [nv]
  Eigen::VectorXd slopes_q_[7], slopes_v_[7];         // [nv] of the stages
  Eigen::VectorXd missed_q_, missed_v_;               // [nv]
  Eigen::VectorXd turn_;                              // [nv] way from q to a stage, in the tangent space at q
  Eigen::VectorXd unknown_, residual_, shifted_;      // [nv] of the implicit maps
  Eigen::MatrixXd jacobian_;                          // of Newton's method alone: the square of a long chain is large
  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
};

}  // namespace rigor
