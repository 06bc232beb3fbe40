// What Pinocchio and MuJoCo answered, as scripts/make_peer_references.py wrote it down. No peer is needed to read it.
#pragma once

#include <Eigen/Core>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rigor/model.h"

namespace rigor {

/// Numbers by the name of the quantity, all rows one after another:
///
/// | name | shape | |
/// |---|---|---|
/// | M | rows of the lower triangle | mass matrix with armature |
/// | bias, gravity | nv | c(q, v) + g(q), g(q) |
/// | acceleration | nv | of the joint forces tau |
/// | poses | bodies × 12 | position, rows of the rotation |
/// | jacobians, jacobian_rates | 2 × 6 × nv, 2 × 6 | of the origins of the two watched bodies, world axes; J̇v |
/// | kinetic, potential | 1 | |
/// | com, linear_momentum, angular_momentum | 3 | momentum about the world's origin |
/// | rnea_dq, rnea_dv | nv × nv | of inverse dynamics at `acceleration` |
/// | aba_dq, aba_dv | nv × nv | of forward dynamics; only for robots |
using Answers = std::map<std::string, Eigen::VectorXd>;

/// One mechanism at one state.
struct PeerCase {
  std::optional<Model> model;  ///< random trees; robots come from their URDF file
  int nq = 0, nv = 0, bodies = 0;
  Eigen::VectorXd q, v, tau;
  std::vector<int> watched;  ///< two bodies
  Answers pinocchio;
  std::optional<Answers> mujoco;  ///< it cannot express every joint
};

struct PeerFile {
  std::string versions;  ///< "pin 4.1.0\nmujoco 4.0.0"
  std::vector<PeerCase> cases;
};

/// Reads tests/peers/NAME.npz.
PeerFile readPeerFile(const std::string& name);

}  // namespace rigor
