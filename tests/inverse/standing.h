// Robots that stand, without anybody who holds them but inverse dynamics.
#pragma once

#include <cmath>
#include <string>

#include "rigor/inverse.h"
#include "rigor/rigor.h"

namespace rigor {

inline Scene loadReleased(const std::string& name) {
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml");
  scene.releaseJoints();
  return scene;
}

/// A robot that stood for four seconds under PD, then is let go.
struct Stand {
  explicit Stand(const std::string& name) : sim(loadReleased(name)) {
    Simulator held(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml"));
    held.run(4.0);
    Snapshot at = held.save();
    at.memory.blocks.erase(std::remove_if(at.memory.blocks.begin(), at.memory.blocks.end(),
                                          [](const BlockMemory& block) { return block.id.high >> 60 != 0; }),
                           at.memory.blocks.end());
    sim.restore(at);
    joints = InverseDynamics::actuated(sim.scene().model);
    start = sim.state().q;
    begin = sim.state().time;
  }
  /// Joint angles after `time`: legs bend by up to a tenth and stretch again. Feet slip a little: nothing sees to it that they do not.
  double pose(std::size_t i, double time) const {
    const double q = start[joints[i] + 1];
    return q * (1.0 + 0.1 * std::pow(std::sin(4.0 * time), 2));
  }
  DesiredStep squat(double time) const {
    DesiredStep desired{joints, Eigen::VectorXd(joints.size())};
    for (std::size_t i = 0; i < joints.size(); ++i)
      desired.velocity[i] = (pose(i, time) - sim.state().q[joints[i] + 1]) / sim.scene().dt;
    return desired;
  }
  /// Nothing moves: feet stick.
  DesiredStep still() const { return {joints, Eigen::VectorXd::Zero(static_cast<Eigen::Index>(joints.size()))}; }
  double missed(double time) const {
    double most = 0.0;
    for (std::size_t i = 0; i < joints.size(); ++i)
      most = std::max(most, std::fabs(sim.state().q[joints[i] + 1] - pose(i, time)));
    return most;
  }

  Simulator sim;
  std::vector<int> joints;
  Eigen::VectorXd start;
  double begin = 0.0;
};

}  // namespace rigor
