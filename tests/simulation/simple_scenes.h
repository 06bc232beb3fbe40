// Scenes of one body whose motion is known in closed form.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "rigor/rigor.h"

namespace rigor {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kGravity = 9.81;

/// A ground plane through the origin, tilted by `slope` so that it falls towards `azimuth`.
inline Eigen::Quaterniond tilt(double slope, double azimuth) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(azimuth, Eigen::Vector3d::UnitZ()) *
                            Eigen::AngleAxisd(slope, Eigen::Vector3d::UnitY()));
}

struct OneBody {
  Shape shape;
  double density = 1000.0;
  Pose pose;
  Eigen::Quaterniond ground = Eigen::Quaterniond::Identity();
  MaterialPair material;
  double dt = 1e-3;
};

/// One free body above (or on) a plane through the origin.
inline Scene makeOneBody(const OneBody& spec) {
  ModelBuilder builder("one body");
  ShapeSpec ground;
  ground.name = "ground";
  ground.shape = makePlane();
  ground.X_BS.rotation = spec.ground;
  ground.material = "ground";
  builder.addWorldShape(ground);
  MaterialPair material = spec.material;
  material.material_1 = "ground";
  builder.addMaterialPair(material);

  BodySpec body;
  body.name = "body";
  body.joint.type = kFree;
  body.joint.name = "base";
  body.mass = computeMassProperties(spec.shape, spec.density);
  ShapeSpec shape;
  shape.name = "shape";
  shape.shape = spec.shape;
  body.shapes.push_back(shape);
  const int index = builder.addBody(body);
  Eigen::VectorXd q(7);
  const Eigen::Quaterniond& r = spec.pose.rotation;
  q << spec.pose.position, r.w(), r.x(), r.y(), r.z();
  builder.setReference(index, q);

  Scene scene;
  scene.name = "one body";
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(6);
  scene.dt = spec.dt;
  return scene;
}

/// A cube of edge 0.2 m resting with four corners on an incline.
inline Scene blockOnIncline(double slope, double azimuth, double mu) {
  OneBody spec;
  spec.shape = makeBox({0.1, 0.1, 0.1});
  spec.ground = tilt(slope, azimuth);
  spec.pose = {spec.ground * Eigen::Vector3d(0, 0, 0.1), spec.ground};
  spec.material.friction = mu;
  return makeOneBody(spec);
}

/// A ball of radius 0.1 m touching an incline.
inline Scene ballOnIncline(double slope, double azimuth, double mu) {
  OneBody spec;
  spec.shape = makeSphere(0.1);
  spec.ground = tilt(slope, azimuth);
  spec.pose = {spec.ground * Eigen::Vector3d(0, 0, 0.1), Eigen::Quaterniond::Identity()};
  spec.material.friction = mu;
  return makeOneBody(spec);
}

/// One link of mass m with its centre at distance l below a joint at the origin (axis y, gravity −z).
struct OneJoint {
  JointType type = kHinge;
  double mass = 1.0, length = 1.0, inertia = 0.0;
  JointSpec joint;
};

inline Scene makeOneJoint(const OneJoint& spec) {
  ModelBuilder builder("one joint");
  BodySpec body;
  body.name = "link";
  body.joint = spec.joint;
  body.joint.name = "joint";
  body.joint.type = spec.type;
  body.joint.axis = Eigen::Vector3d::UnitY();
  body.mass.mass = spec.mass;
  body.mass.com = {0, 0, -spec.length};
  body.mass.inertia = spec.inertia * Eigen::Matrix3d::Identity();
  builder.addBody(body);
  Scene scene;
  scene.name = "one joint";
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  return scene;
}

}  // namespace rigor
