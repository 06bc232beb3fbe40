// Potentials and constraints that a user wrote (rigor/own_terms.h) as steps see them: between two links, with exact derivatives.
//
// A function is evaluated at dual poses: x + δ and exp(θ) R of the frame of each body, δ and θ its twelve directions. ∂/∂δ is then a
// force at the origin of the body and ∂/∂θ a torque, both in world axes.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "stepping/loop_opening.h"

namespace rigor {

struct PotentialPart {
  std::shared_ptr<const OwnPotential> term;
  AttachedFrames frames;  ///< of the bodies
};

/// V at a pose, and its derivative as a force on link 2 and on link 1, about O of their trees: bodies feel −∂V.
struct PotentialAt {
  double energy = 0.0;  ///< [J]
  Force<double> gradient[2];
  bool finite = true;
};
PotentialAt computePotential(const PotentialPart& part, const Topology& topology, const Kinematics<double>& kin);

/// Rows `first` … of an own constraint.
void openOwn(const LoopPart& part, const LoopEnd& end_1, const LoopEnd& end_2, LoopOpening& out);

struct OwnTerms {
  std::vector<PotentialPart> potentials;
  std::vector<LoopPart> constraints;  ///< LoopRows::kOwn, at most three rows each

  int count() const;  ///< terms, as recordings number them: potentials, then constraints
};

/// Throws Error with the name of the term and a remedy: no function, no or a second name, bodies that do not exist or that no force
/// moves, no or too many numbers. Constraints are asked at q how many numbers they have.
OwnTerms makeOwnTerms(const Model& model, const std::vector<OwnPotential>& potentials,
                      const std::vector<OwnConstraint>& constraints, const Eigen::VectorXd& q);

/// Throws Error if a constraint, or with potentials any term, is not finite at q.
void refuseNotFinite(const Model& model, const OwnTerms& terms, bool with_potentials, const Eigen::VectorXd& q);

/// Throws Error if a number of a constraint that is closed at q has no slope there: nothing could hold it.
void refuseWithoutSlope(const Model& model, const OwnTerms& terms, const Eigen::VectorXd& q);

/// `potential "tether" is not finite, …`
std::string describeNotFinite(const char* kind, const std::string& name);

}  // namespace rigor
