// Steps of the variational integrator against the dense twin in maximal coordinates, and what must hold for any of them.
#include "minimal/discrete_motion.h"

#include <gtest/gtest.h>

#include "minimal/time_stepper.h"
#include "reference/random_tree.h"
#include "reference/slow_maximal.h"

namespace rigor {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// The same bodies and joints without armature, springs and dampers, which the twin does not have.
Model withoutArmature(const Model& model) {
  const auto strip = [](JointSpec& joint) {
    joint.armature = joint.rotor_inertia = joint.damping = joint.dry_friction = joint.stiffness = 0.0;
    joint.range.reset();
  };
  ModelBuilder builder("bare");
  builder.setGravity(model.gravity());
  for (int i = 0; i < model.bodyCount(); ++i) {
    BodySpec body = model.body(i);
    strip(body.joint);
    for (JointSpec& joint : body.more_joints) strip(joint);
    builder.addBody(body);
  }
  return builder.build();
}

/// Some steps of a model without contacts.
class Walk {
 public:
  Walk(const Model& model, const VectorXd& q, const VectorXd& v)
      : stepper_(model, makeSolver("auto"), {.max_halvings = 0, .formulation = Formulation::kMaximal}),
        input_(makeIdleInput(model.nv())) {
    now.state.q = q, now.state.v = v;
    now.memory = makeMemory(model.topology().trees, model.nv());
  }
  void step(double h) {
    stepper_.step(input_, now, h, next_, report);
    ASSERT_TRUE(report.accepted());
    std::swap(now, next_);
  }
  Snapshot now;
  StepReport report;

 private:
  TimeStepper stepper_;
  StepInput input_;
  Snapshot next_;
};

TEST(DiscreteStep, LeadsBodiesWhereMaximalCoordinatesWithMultipliersLeadThem) {
  std::vector<Model> models;
  const auto addWithoutArmature = [&](const Model& model) {
    try {
      models.push_back(withoutArmature(model));
    } catch (const Error&) {  // without it some freedom moves no mass
    }
  };
  for (const JointType type : allJointTypes()) {
    const std::size_t before = models.size();
    for (std::uint64_t seed = 0; seed < 8; ++seed) addWithoutArmature(makeJointSample(type, seed));
    EXPECT_GT(models.size(), before) << jointTypeName(type);
  }
  for (std::uint64_t seed = 0; seed < 12; ++seed) addWithoutArmature(makeRandomTree(seed, 1));
  ASSERT_GE(models.size(), 30u);
  for (std::size_t i = 0; i < models.size(); ++i) {
    SCOPED_TRACE("model " + std::to_string(i));
    const Model& model = models[i];
    Random random(i + 100);
    const VectorXd q = randomPosition(model, random), v = 0.3 * randomVelocity(model, random);
    constexpr double kH = 0.005;
    Walk walk(model, q, v);
    std::vector<slow::FreeBody> bodies = slow::makeBodies(model, q, v);
    for (int step = 0; step < 4; ++step) {
      walk.step(kH);
      slow::stepBodies(model, step == 0 ? 0.5 * kH : kH, kH, bodies);
    }
    const std::vector<slow::FreeBody> found = slow::makeBodies(model, walk.now.state.q, VectorXd::Zero(model.nv()));
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      // positions of some metres, from a twin whose rows are differences to 1e-10, over four steps
      EXPECT_LE((found[b].x - bodies[b].x).norm(), 1e-10 * (1.0 + bodies[b].x.norm()));
      EXPECT_LE((found[b].R - bodies[b].R).norm(), 1e-10);
    }
  }
}

TEST(DiscreteStep, KeepsTheMomentumOfAFreeTreeOfAnyJointsToRounding) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    ModelBuilder builder("free");
    builder.setGravity(Vector3d::Zero());
    const Model bare = makeRandomTree(seed, 1);
    for (int i = 0; i < bare.bodyCount(); ++i) {
      BodySpec body = bare.body(i);
      if (i == 0) body.joint.type = kFree, body.more_joints.clear(), body.parent = kWorld;
      if (i > 0 && body.joint.type == kFree) body.joint.type = kBall;
      if (i > 0 && body.parent == kWorld) body.parent = 0;
      body.joint.damping = 0.2, body.joint.stiffness = i == 0 ? 0.0 : 3.0;
      if (i == 0) body.joint.damping = body.joint.armature = body.joint.rotor_inertia = 0.0;
      if (i == 0) body.mass = Random(seed + 1).mass();
      builder.addBody(body);
    }
    const Model model = builder.build();
    ASSERT_EQ(model.topology().trees, 1);
    Random random(seed);
    Walk walk(model, randomPosition(model, random), 0.2 * randomVelocity(model, random));
    Eigen::Vector<double, 6> first;
    double size = 0.0;
    for (int step = 0; step < 300; ++step) {
      walk.step(0.002);
      if (step == 0) first = walk.report.momentum, size = first.norm();
    }
    // what Newton's method leaves is carried on; a sum of some hundred roundings of the momentum remains
    EXPECT_LE((walk.report.momentum - first).norm(), 1e-12 * (1.0 + size));
  }
}

}  // namespace
}  // namespace rigor
