#include "verify/recorded_runs.h"

#include <gtest/gtest.h>

#include "reference/random_tree.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

BodySpec makePart(const std::string& name, int parent, JointType type, const Vector3d& at, const Vector3d& axis) {
  BodySpec body;
  body.name = name;
  body.parent = parent;
  body.joint.name = name + "_joint";
  body.joint.type = type;
  body.joint.axis = axis.normalized();
  body.joint.X_PJ.position = at;
  body.joint.X_PJ.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Vector3d(1, 2, 3).normalized()));
  body.X_JB.position = {0.02, -0.01, 0.03};
  body.mass = {1.0, Vector3d(0.05, 0.02, -0.1), Vector3d(0.01, 0.02, 0.015).asDiagonal()};
  body.mass.inertia(0, 1) = body.mass.inertia(1, 0) = 0.001;
  return body;
}

BodySpec makeThing(const std::string& name, const Shape& shape, const std::string& material) {
  BodySpec body;
  body.name = name;
  body.joint.name = name + "_joint";
  body.joint.type = kFree;
  body.mass = computeMassProperties(shape, 1000.0);
  body.shapes.push_back({name, shape, {}, material});
  return body;
}

Eigen::VectorXd poseAt(const Vector3d& position, const Vector3d& turn = Vector3d::Zero()) {
  const Eigen::Quaterniond r(Eigen::AngleAxisd(turn.norm(), turn.norm() > 0 ? turn.normalized() : Vector3d::UnitX()));
  Eigen::VectorXd q(7);
  q << position, r.w(), r.x(), r.y(), r.z();
  return q;
}

Scene finishScene(const std::string& name, const ModelBuilder& builder) {
  Scene scene;
  scene.name = name;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  return scene;
}

}  // namespace

Recording recordRun(const Scene& scene, int steps) {
  Simulator sim(scene);
  Recording recording = makeRecording(scene);
  for (int i = 0; i < steps; ++i) {
    const Eigen::VectorXd q = sim.state().q;
    const StepReport& report = sim.step();
    if (!report.accepted()) break;
    recording.append(q, report);
  }
  recording.finish(sim);
  return recording;
}

void expectAgreement(const Recording& recording) {
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << "step " << verdict.first_bad.step << ": " << verdict.first_bad.what << ": "
                             << verdict.first_bad.value << " > " << verdict.first_bad.limit;
  EXPECT_LT(verdict.worst.momentum, 1e-11);  // the same mechanics by two programs, to the rounding of doubles
  EXPECT_LT(verdict.worst.overlap, 5e-12);   // what a pass may leave, and a little more for what it cannot see
}

Scene makePlayground() {
  ModelBuilder builder("playground");
  builder.addWorldShape({"floor",
                         makePlane(),
                         {Vector3d::Zero(), Eigen::Quaterniond(Eigen::AngleAxisd(0.1, Vector3d::UnitY()))},
                         "floor"});
  builder.addWorldShape({"post", makeSphere(0.2), {Vector3d(1.0, 1.0, 0.0), Eigen::Quaterniond::Identity()}, "floor"});
  builder.addMaterialPair({"floor", "rubber", 0.9, 1.2, 0.0, 0.01});
  builder.addMaterialPair({"floor", "ice", 0.05, -1.0, 0.0, 0.01});
  builder.addMaterialPair({"bouncy", "", 0.4, -1.0, 0.6, 0.01});
  const int box = builder.addBody(makeThing("box", makeBox({0.1, 0.15, 0.05}), "rubber"));
  const int slider = builder.addBody(makeThing("slider", makeBox({0.1, 0.1, 0.1}), "ice"));
  const int ball = builder.addBody(makeThing("ball", makeSphere(0.08), "bouncy"));
  const int pill = builder.addBody(makeThing("pill", makeCapsule(0.05, 0.1), "rubber"));
  const int rider = builder.addBody(makeThing("rider", makeSphere(0.1), "rubber"));
  builder.setReference(box, poseAt({0.0, 0.0, 0.1}, {0.2, 0.1, 0.0}));
  builder.setReference(slider, poseAt({0.0, 0.6, 0.13}));
  builder.setReference(ball, poseAt({0.0, -0.6, 0.2}));
  builder.setReference(pill, poseAt({-0.6, 0.0, 0.2}, {0.4, 0.0, 0.0}));
  builder.setReference(rider, poseAt({1.02, 1.01, 0.31}));
  Scene scene = finishScene("playground", builder);
  for (int j = 0; j < scene.model.nv(); ++j) scene.v[j] = 0.3 * std::sin(1.0 + 2.0 * j);
  return scene;
}

Scene makeBilliards() {
  ModelBuilder builder("billiards");
  builder.addMaterialPair({"cloth", "", 0.3, -1.0, 0.0, 0.01});
  const int first = builder.addBody(makeThing("first", makeSphere(0.1), "cloth"));
  const int second = builder.addBody(makeThing("second", makeSphere(0.15), "cloth"));
  builder.setReference(first, poseAt({-0.2, 0.0, 0.0}));
  builder.setReference(second, poseAt({0.2, 0.05, 0.08}));
  Scene scene = finishScene("billiards", builder);
  scene.v << 2.0, 0.0, 0.1, 3.0, -10.0, 4.0, -2.0, 0.1, 0.0, 1.0, 5.0, -7.0;
  const Vector3d press(400.0, 50.0, 80.0);
  scene.wrenches.push_back({first, press, Vector3d::Zero()});
  scene.wrenches.push_back({second, -press, Vector3d::Zero()});
  return scene;
}

Scene makeWorkshop() {
  ModelBuilder builder("workshop");
  const auto sized = [](BodySpec body, double damping, double stiffness, double dry, double armature) {
    body.joint.damping = damping, body.joint.stiffness = stiffness;
    body.joint.dry_friction = dry, body.joint.armature = armature;
    return body;
  };
  const int root =
      builder.addBody(sized(makePart("root", kWorld, kHinge, {0, 0, 1}, {0, 1, 0.2}), 0.1, 3.0, 0.0, 0.02));
  BodySpec swing = sized(makePart("swing", root, kHinge, {0.1, 0, -0.2}, {1, 0.1, 0}), 0.0, 0.0, 0.05, 0.0);
  swing.joint.range = Range{-0.1, 0.2};
  const int arm = builder.addBody(swing);
  BodySpec slide = sized(makePart("slide", arm, kSlide, {0, 0.1, -0.2}, {0.1, 0.2, 1}), 2.0, 100.0, 0.5, 0.1);
  slide.joint.range = Range{-0.02, 0.05};
  slide.joint.rotor_inertia = 1e-4, slide.joint.gear = 20.0;
  const int carriage = builder.addBody(slide);
  const int screw = builder.addBody([&] {
    BodySpec body = sized(makePart("screw", carriage, kHelical, {0, 0, -0.1}, {1, 1, 0}), 0.05, 0.0, 0.0, 0.0);
    body.joint.pitch = 0.03;
    return body;
  }());
  const int cross =
      builder.addBody(sized(makePart("cross", screw, kUniversal, {0, 0, -0.1}, {0, 0, 1}), 0.02, 1.0, 0.01, 0.0));
  builder.addBody(sized(makePart("bob", cross, kBall, {0.1, 0, -0.1}, {0, 0, 1}), 0.01, 0.5, 0.0, 0.0));
  const int plate = builder.addBody(makePart("plate", kWorld, kPlanar, {2, 0, 0}, {1, 0, 0}));
  BodySpec weak = makePart("weak", plate, kHinge, {0.2, 0, 0}, {0, 1, 0});
  const int weak_body = builder.addBody(weak);
  builder.addBody(makePart("strong", weak_body, kHinge, {0.2, 0, 0}, {0, 1, 0}));
  builder.addBody(makePart("tip", builder.findBody("strong"), kFixed, {0.2, 0, 0}, {0, 1, 0}));
  Scene scene = finishScene("workshop", builder);
  for (int j = 0; j < scene.model.nv(); ++j) scene.v[j] = 0.5 * std::sin(1.0 + 3.0 * j);
  scene.holds.push_back({scene.model.findJoint("weak_joint"), 200.0, 5.0, 0.4, 0.7});
  scene.holds.push_back({scene.model.findJoint("strong_joint"), 100.0, 2.0, -0.3});
  scene.wrenches.push_back({scene.model.findBody("tip"), {1.0, -2.0, 0.5}, {0.1, 0.0, 0.2}, false, 0.01, 0.0505});
  scene.wrenches.push_back({arm, {0.0, 3.0, 1.0}, {0.0, 0.1, 0.0}, true, 0.0, 0.1});
  return scene;
}

Scene makeLinkages() {
  ModelBuilder builder("linkages");
  const auto pendulum = [&](const std::string& name, const Vector3d& at) {
    BodySpec body = makePart(name, kWorld, kHinge, at, {0, 1, 0});
    body.joint.X_PJ.rotation = Eigen::Quaterniond::Identity();
    body.X_JB = {};
    return builder.addBody(body);
  };
  const auto tie = [&](LoopKind kind, const std::string& name, int body_1, const Vector3d& p1, int body_2,
                       const Vector3d& p2) {
    LoopSpec loop;
    loop.name = name, loop.kind = kind;
    loop.body_1 = body_1, loop.body_2 = body_2;
    loop.X_1F.position = p1, loop.X_2F.position = p2;
    loop.axis = Vector3d::UnitY();
    builder.addLoop(loop);
  };
  // two cranks and a free rod between them, one end by a point and the other by an axis
  const int crank = pendulum("crank", {0, 0, 0}), rocker = pendulum("rocker", {0.5, 0, 0});
  BodySpec rod = makeThing("rod", makeCapsule(0.01, 0.2), "default");
  rod.shapes.clear();
  const int coupler = builder.addBody(rod);
  builder.setReference(coupler, poseAt({0.25, 0.0, -0.3}, {0.0, 1.5707963, 0.0}));
  tie(LoopKind::kConnect, "point", crank, {0, 0, -0.3}, coupler, {0, 0, -0.25});
  tie(LoopKind::kHinge, "axis", coupler, {0, 0, 0.25}, rocker, {0, 0, -0.3});
  // a free brick welded to a third crank, which turns twice as fast as a fourth
  const int third = pendulum("third", {0, 2, 0});
  pendulum("fourth", {0, 3, 0});
  BodySpec brick = makeThing("brick", makeBox({0.05, 0.1, 0.02}), "default");
  brick.shapes.clear();
  const int stone = builder.addBody(brick);
  builder.setReference(stone, poseAt({0.0, 2.0, -0.3}));
  tie(LoopKind::kWeld, "weld", third, {0, 0, -0.2}, stone, {0, 0, 0.1});
  LoopSpec gear;
  gear.name = "gear", gear.kind = LoopKind::kJoint;
  gear.joint_1 = "third_joint", gear.joint_2 = "fourth_joint";
  gear.coefficients = {0.0, 2.0, 0.3, 0.0, 0.0};
  builder.addLoop(gear);
  Scene scene = finishScene("linkages", builder);
  scene.v[0] = 1.0;
  scene.wrenches.push_back(
      {coupler, {0.0, 1.0, 0.0}, {0.1, 0.0, 0.05}});  // across the plane, so that the hinge is felt
  return scene;
}

Scene makeTied(JointType type, Ties ties) {
  const bool stiff = ties == Ties::kStiff;
  ModelBuilder builder("tied");
  for (const char* name : {"one", "two", "three"}) {
    BodySpec body = makeThing(name, makeBox({0.1, 0.15, 0.05}), "default");
    body.shapes.clear();
    builder.addBody(body);
  }
  LoopSpec loop;
  loop.name = "tie", loop.kind = LoopKind::kOfType, loop.type = type;
  loop.body_1 = 0, loop.body_2 = 1;
  loop.X_1F = {Vector3d(0.2, 0.1, 0.0), Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Vector3d(2, 1, 2) / 3.0))};
  loop.X_2F.position = {-0.2, 0.0, 0.1};
  loop.axis = {0.2, 0.1, 1.0}, loop.pitch = 0.03;
  if (velocityCount(type) > 0 && ties != Ties::kNoneOnLoop) {
    loop.stiffness = stiff ? 1e8 : 20.0, loop.damping = 0.3;
    loop.spring_reference = Eigen::VectorXd::Constant(positionCount(type), stiff ? 1e-4 : 0.1);
    if (type.rotation == Rotation::kAll) loop.spring_reference.tail<4>() << 1.0, 0.05, -0.02, 0.03;
    if (type.rotation == Rotation::kAll && stiff) loop.spring_reference.tail<4>() << 1.0, 1e-4, 0.0, 0.0;
  }
  builder.addLoop(loop);
  SpringSpec spring;
  spring.name = "line";
  spring.body_1 = 1, spring.body_2 = 2;
  spring.point_1 = {0.1, 0.0, 0.0}, spring.point_2 = {0.0, -0.1, 0.05};
  spring.stiffness = stiff ? 1e8 : 50.0, spring.damping = 0.4, spring.length = stiff ? 0.8063 : 0.6;
  builder.addSpring(spring);
  builder.setReference(1, poseAt({0.4, 0.1, -0.1}, 0.5 * Vector3d(2, 1, 2) / 3.0));
  builder.setReference(2, poseAt({1.3, 0.2, 0.1}));
  Scene scene = finishScene("tied", builder);
  for (int j = 0; j < scene.model.nv(); ++j) scene.v[j] = 0.5 * std::sin(1.0 + 2.0 * j);
  return scene;
}

Scene makeBouncePast(const Shape& resting) {
  ModelBuilder builder("apart");
  builder.addWorldShape({"floor", makePlane(), {}, "default"});
  MaterialPair bouncing;
  bouncing.material_1 = bouncing.material_2 = "default";
  bouncing.friction = 0.0, bouncing.restitution = 1.0;
  builder.addMaterialPair(bouncing);
  builder.setGravity(Eigen::Vector3d::Zero());
  for (const std::string name : {"resting", "thrown"}) {
    BodySpec body;
    body.name = name, body.joint.name = name + "_base", body.joint.type = kFree;
    body.mass = {1.0, Eigen::Vector3d::Zero(), 4e-5 * Eigen::Matrix3d::Identity()};
    body.shapes.push_back({name, name == "thrown" ? makeSphere(0.01) : resting, {}, "default"});
    builder.addBody(body);
  }
  builder.excludePair("resting", "thrown");
  Scene scene;
  scene.model = builder.build();
  scene.dt = 0.02;
  scene.q = scene.model.q0();
  scene.q.segment(0, 3) << 0.25, 0.0, 0.21;
  scene.q.segment(7, 3) << 0.0, 0.0, 0.06;
  scene.v = Eigen::VectorXd::Zero(12);
  scene.v.segment(6, 3) << 20.0, 0.0, -20.0;
  return scene;
}

Scene makeRandomScene(std::uint64_t seed) {
  Random random(seed);
  Scene scene;
  scene.name = "random";
  scene.model = makeRandomTree(seed, 2);
  scene.q = randomPosition(scene.model, random);
  scene.v = randomVelocity(scene.model, random);
  return scene;
}

}  // namespace rigor
