// Free bodies without gravity for potentials and constraints that a test writes itself.
#pragma once

#include <string>
#include <vector>

#include "rigor/rigor.h"

namespace rigor {

struct FreeBody {
  std::string name;
  double mass = 1.0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), spin = Eigen::Vector3d::Zero();  ///< [m/s], [rad/s]
};

struct FreeBodies {
  std::vector<FreeBody> bodies;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::string stepper = "minimal";
  double dt = 1e-3;

  Scene scene() const {
    ModelBuilder builder;
    builder.setGravity(gravity);
    for (const FreeBody& spec : bodies) {
      BodySpec body;
      body.name = spec.name;
      body.joint.name = spec.name + "_base";
      body.joint.type = kFree;
      const Eigen::Matrix3d J = spec.mass * Eigen::Vector3d(0.01, 0.02, 0.015).asDiagonal().toDenseMatrix();
      body.mass = {spec.mass, Eigen::Vector3d::Zero(), J};
      builder.addBody(body);
    }
    Scene scene;
    scene.model = builder.build();
    scene.q = scene.model.q0();
    scene.v = Eigen::VectorXd::Zero(scene.model.nv());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      scene.q.segment<3>(7 * i) = bodies[i].position;
      scene.v.segment<6>(6 * i) << bodies[i].velocity, bodies[i].spin;
    }
    scene.stepper = stepper;
    scene.dt = dt;
    return scene;
  }
};

/// ½ k |p₂ − p₁|² of two points of bodies.
inline OwnPotential makeOwnSpring(int body_1, const Eigen::Vector3d& p_1, int body_2, const Eigen::Vector3d& p_2,
                                  double stiffness, double length = 0.0) {
  return {"spring", body_1, body_2, [=](const OwnPose& one, const OwnPose& two) {
            const PoseNumber stretch = norm(two.point(p_2) - one.point(p_1)) - length;
            return 0.5 * stiffness * stretch * stretch;
          }};
}

/// |p₂ − p₁| = L.
inline OwnConstraint makeRod(int body_1, const Eigen::Vector3d& p_1, int body_2, const Eigen::Vector3d& p_2,
                             double length) {
  return {"rod", body_1, body_2,
          [=](const OwnPose& one, const OwnPose& two) { return norm(two.point(p_2) - one.point(p_1)) - length; }};
}

}  // namespace rigor
