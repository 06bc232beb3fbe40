// All kernels at one state, with their scratch, for tests.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "dynamics/aba.h"
#include "dynamics/crba.h"
#include "dynamics/energy.h"
#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"
#include "dynamics/poses.h"
#include "dynamics/rnea.h"
#include "geometry/convert.h"
#include "reference/random_tree.h"
#include "reference/slow_tree.h"
#include "rigor/model.h"

namespace rigor {

/// A model at a pose, ready for any algorithm.
struct TreeAtPose {
  TreeAtPose(Model given, const Eigen::VectorXd& q)
      : model(std::move(given)), topology(model.topology()), parameters(model.parameters()) {
    kinematics.resize(topology);
    computeKinematics(topology, parameters, q.data(), kinematics);
    inertias.resize(topology.links);
    computeInertias(topology, parameters, kinematics, inertias);
  }

  /// tau of RNEA, with armature added as the simulator does.
  Eigen::VectorXd inverseDynamics(const Eigen::VectorXd& v, const Eigen::VectorXd& vdot,
                                  const Force<double>* external = nullptr) const {
    RneaScratch<double> scratch;
    scratch.resize(topology);
    Eigen::VectorXd tau(topology.nv);
    rnea(topology, parameters, kinematics, inertias, v.data(), vdot.data(), external, scratch, tau.data());
    for (int i = 0; i < topology.nv; ++i) tau[i] += parameters.armature[i] * vdot[i];
    return tau;
  }

  Eigen::VectorXd forwardDynamics(const Eigen::VectorXd& v, const Eigen::VectorXd& tau,
                                  const Force<double>* external = nullptr) const {
    AbaScratch<double> scratch;
    scratch.resize(topology);
    Eigen::VectorXd vdot(topology.nv);
    aba(topology, parameters, kinematics, inertias, v.data(), tau.data(), external, scratch, vdot.data());
    return vdot;
  }

  std::vector<double> packedMassMatrix() const {
    std::vector<Inertia<double>> composite = inertias;
    std::vector<double> M(topology.packed_size);
    crba(topology, kinematics, composite, M.data());
    for (int i = 0; i < topology.nv; ++i) M[topology.row_start[i] + topology.dof_depth[i]] += parameters.armature[i];
    return M;
  }

  EnergyMomentum<double> energy(const Eigen::VectorXd& v) const {
    std::vector<Motion<double>> V(topology.links);
    return computeEnergy(topology, parameters, kinematics, inertias, v.data(), V);
  }

  Model model;
  const Topology& topology;
  const Parameters<double>& parameters;
  Kinematics<double> kinematics;
  std::vector<Inertia<double>> inertias;
};

/// A model at a random state, with random rates of v.
struct Sample {
  Sample(const Model& given, std::uint64_t seed)
      : model(given),
        random(seed),
        q(randomPosition(model, random)),
        v(randomVelocity(model, random)),
        vdot(randomVelocity(model, random)),
        tree(model, q) {}

  Model model;
  Random random;
  Eigen::VectorXd q, v, vdot;
  TreeAtPose tree;
};

/// Checks a property for each joint type on its own, then for random trees of up to three roots.
inline void forEachSample(const std::function<void(Sample&)>& check) {
  std::vector<Model> models;
  for (JointType type : allJointTypes())
    for (std::uint64_t seed = 0; seed < 3; ++seed) models.push_back(makeJointSample(type, seed));
  for (std::uint64_t seed = 0; seed < 30; ++seed) models.push_back(makeRandomTree(seed, 1 + seed % 3));
  for (std::size_t i = 0; i < models.size(); ++i) {
    SCOPED_TRACE("sample " + std::to_string(i));
    Sample sample(models[i], i);
    check(sample);
  }
}

/// Largest difference, relative to the largest entry; 1e-11 leaves room for chains of a dozen joints, where a few
/// hundred roundings at the size of the largest entry add up.
inline constexpr double kRounding = 1e-11;
template <class A, class B>
double relativeError(const A& a, const B& b) {
  if (a.size() == 0) return 0.0;
  return (a - b).cwiseAbs().maxCoeff() / (1.0 + b.cwiseAbs().maxCoeff());
}

}  // namespace rigor
