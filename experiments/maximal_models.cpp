#include "experiments/maximal_models.h"

namespace rigor::experiments {

double halfLength(const Shape& shape) { return shape.kind == ShapeKind::kBox ? shape.size[2] : shape.size[1]; }

MassProperties massOf(const Shape& shape, double mass) {
  return computeMassProperties(shape, mass / computeVolume(shape));
}

BodySpec makeRod(const std::string& name, int parent, JointType joint, const Eigen::Vector3d& pivot, const Shape& shape,
                 double mass) {
  BodySpec rod;
  rod.name = name;
  rod.parent = parent;
  rod.joint.name = name + "_joint";
  rod.joint.type = joint;
  rod.joint.axis = Eigen::Vector3d::UnitX();
  rod.joint.X_PJ.position = pivot;
  rod.mass = massOf(shape, mass);
  rod.mass.com = {0.0, 0.0, -halfLength(shape)};
  return rod;
}

ShapeSpec makeContactPoint(const std::string& name, const Eigen::Vector3d& place) {
  ShapeSpec point;
  point.name = name;
  point.shape = makeSphere(kPointRadius);
  point.X_BS.position = place;
  return point;
}

void addGround(ModelBuilder& builder, double friction) {
  ShapeSpec ground;
  ground.name = "ground";
  ground.shape = makePlane();
  ground.material = "ground";
  builder.addWorldShape(ground);
  builder.addMaterialPair({.material_1 = "ground", .material_2 = "", .friction = friction});
}

Scene makeMaximalScene(const std::string& name, const Model& model, double dt) {
  Scene scene;
  scene.name = name;
  scene.model = model;
  scene.q = model.q0();
  scene.v = Eigen::VectorXd::Zero(model.nv());
  scene.dt = dt;
  scene.stepper = "maximal";
  return scene;
}

Scene makeBoxPendulum(double damper, double dt) {
  ModelBuilder builder("box pendulum");
  BodySpec rod = makeRod("rod", kWorld, kHinge, Eigen::Vector3d::Zero(), makeBox({0.05, 0.05, 0.5}));
  rod.joint.damping = damper;
  builder.addBody(rod);
  Scene scene = makeMaximalScene("box pendulum", builder.build(), dt);
  scene.q[0] = 0.5 * kPi;
  return scene;
}

}  // namespace rigor::experiments
