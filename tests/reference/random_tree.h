// Random models with every kind of joint, and random states of them. Equal seeds give equal models.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <random>
#include <vector>

#include "rigor/model.h"

namespace rigor {

/// The twelve pairs of translation and rotation, helical and universal; fixed first, free last.
const std::vector<JointType>& allJointTypes();

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double number(double low, double high);  ///< uniform
  int index(int count);                    ///< 0 … count − 1
  Eigen::Vector3d vector(double size);     ///< uniform in a cube of half edge `size`
  Eigen::Quaterniond rotation();           ///< uniform
  Pose pose(double size);
  MassProperties mass();  ///< of a real body: 0.1 … 5 kg within about 0.3 m

 private:
  std::mt19937_64 engine_;
};

/// `trees` trees of 2 … 9 bodies each, among them bodies fixed to others and to the world; roots may be free.
/// Every second joint has armature. A quarter of the bodies have several joints. All joint
/// types appear in a handful of seeds.
Model makeRandomTree(std::uint64_t seed, int trees = 2);

/// One body with a joint of this type on a moving body (a free one on the world), random in all else.
Model makeJointSample(JointType type, std::uint64_t seed);

Eigen::VectorXd randomPosition(const Model& model, Random& random);  ///< unit quaternions
Eigen::VectorXd randomVelocity(const Model& model, Random& random);

}  // namespace rigor
