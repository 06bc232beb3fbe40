// The matrix of two poses of a sample that moves on for one step.
#pragma once

#include "dynamics/mass_factors.h"
#include "dynamics/samples.h"

namespace rigor {

/// A of a sample and a step, with armature on its diagonal, factored.
inline MassFactors<double> factorTwoPoses(const Sample& s, double h) {
  const Topology& topology = s.tree.topology;
  const Parameters<double>& parameters = s.tree.parameters;
  MassFactors<double> factors;
  factors.resize(topology, MassMethod::kTwoPoses);
  TwoPoseMass<double>& mass = factors.editTwoPoses();
  Eigen::VectorXd q_end(topology.nq);
  integrate<double>(topology, s.q.data(), s.v.data(), h, q_end.data());
  const TreeAtPose end(s.model, q_end);
  std::vector<Stride<double>> strides(topology.links);
  placeCentres<double>(topology, parameters, s.tree.kinematics, strides);
  computeStrides<double>(topology, parameters, s.tree.kinematics, s.v.data(), h, strides);
  mass.passive.assign(parameters.armature.begin(), parameters.armature.end());
  mass.S = s.tree.kinematics.S;
  pullBackColumns<double>(topology, end.kinematics.S.data(), s.v.data(), h, mass.S_end.data());
  for (int link = 0; link < topology.links; ++link)
    mass.bodies[link] = bodyInertia(parameters.inertia[link].mass, strides[link].centre,
                                    end.kinematics.X_OL[link] * parameters.inertia[link].com, turningOf(strides[link]));
  mass.factor(topology, Eigen::VectorXd::Zero(topology.nv).eval().data());
  return factors;
}

}  // namespace rigor
