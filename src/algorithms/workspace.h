// What Data holds: one memory for all algorithms on one model, and the checks that each of them starts with.
#pragma once

#include "algorithms/aba_derivatives.h"
#include "algorithms/chain_inverse.h"
#include "algorithms/coriolis.h"
#include "algorithms/delassus_chains.h"
#include "algorithms/delassus_recursion.h"
#include "algorithms/force_derivatives.h"
#include "algorithms/rnea_derivatives.h"
#include "dynamics/aba.h"
#include "lanes/paired_tree.h"
#include "rigor/algorithms.h"

namespace rigor {

struct Workspace {
  explicit Workspace(const Model& model);

  Model model;  ///< kept, so that another model is recognised
  Kinematics<double> kin;
  std::vector<Inertia<double>> inertias;   ///< [links]
  std::vector<Inertia<double>> composite;  ///< [links]
  RneaScratch<double> rnea;
  AbaScratch<double> aba;
  PairedTree paired;                    ///< rnea, aba and crba without wrenches, contacts
  std::vector<Force<double>> external;  ///< [links] wrenches of bodies, about O
  Eigen::VectorXd zero;                 ///< [nv]
  Eigen::VectorXd torque;               ///< [nv] without armature; an argument may be the last result

  // Made when first asked for.
  CoriolisScratch<double> coriolis;
  RneaDerivativeScratch<double> rnea_derivatives;
  ColumnGroups column_groups;
  std::vector<double> group_columns;   ///< [nv × 8]
  std::vector<Motion<double>> gained;  ///< [links] acceleration by that of the joints
  ArticulatedFactors<double> articulated;
  ContactSides<double> sides;
  ChainInverseScratch<double> chain_inverse;
  DelassusChainsScratch<double> delassus_chains;
  DelassusRecursionScratch<double> delassus_recursion;
  std::vector<Mobility<double>> kernel;   ///< [links] Υ about O
  InverseDerivatives at_acceleration;     ///< those of rnea at the acceleration that aba gave, without M
  std::vector<double> packed, inverse_D;  ///< mass matrix or its factors, chain-packed (topology.h)

  // Results, each belonging to one function.
  std::vector<Eigen::Isometry3d> placements;
  Eigen::VectorXd rnea_torque, bias, gravity, acceleration, spring, damper;
  Eigen::MatrixXd mass, mass_inverse, coriolis_matrix;
  Eigen::MatrixXd force_derivative, delassus, compliance;
  std::vector<Matrix6d> compliance_kernel;  ///< [bodies]
  Eigen::VectorXd delassus_product;
  InverseDerivatives inverse_derivatives;
  ForwardDerivatives forward_derivatives;
  Matrix6Xd columns, jacobian, jacobian_rate, centroidal_map;
};

/// The workspace of `data`, after a check that it was made for this model and that the arguments fit.
Workspace& enter(const Model& model, Data& data, VectorIn q);
Workspace& enter(const Model& model, Data& data, VectorIn q, VectorIn v);
/// Throws Error unless `x` is an array of nv finite numbers; `name` is what the message calls it.
void checkVelocityLike(const Model& model, VectorIn x, const char* name);
/// Throws Error unless the model has this body.
void checkBody(const Model& model, int body);

/// Kinematics and inertias at q.
void placeLinks(Workspace& work, VectorIn q);

/// Wrenches as forces on links about O, at the kinematics of `work`. Null if there are none.
const Force<double>* sumWrenches(Workspace& work, const Wrenches& wrenches);

/// Chain-packed mass matrix with armature into work.packed; changes work.composite.
void packMass(Workspace& work);
/// The factors of it in work.packed and work.inverse_D.
void factorMass(Workspace& work);

/// Articulated inertias at the kinematics of `work` into work.articulated.
void factorTree(Workspace& work);

/// True if a freedom has more freedoms above it, itself included, in the mean. Where chains are long, a recursion over
/// articulated bodies beats the factors of the mass matrix, whose cost grows with the square of the depth.
bool isDeeper(const Topology& topology, int mean_depth);

/// [nv × nv] zeros on the first call: entries that no freedoms share are never written.
inline double* prepareMatrix(Eigen::MatrixXd& matrix, int n) {
  if (matrix.rows() != n) matrix = Eigen::MatrixXd::Zero(n, n);
  return matrix.data();
}

}  // namespace rigor
