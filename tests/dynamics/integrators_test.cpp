// The maps from node to node, on models with every kind of joint.
#include "dynamics/integrators.h"

#include <gtest/gtest.h>

#include <limits>

#include "dynamics/samples.h"

namespace rigor {
namespace {

using Eigen::VectorXd;

/// Gravity and a damper on every freedom.
class SampleField final : public AccelerationField {
 public:
  SampleField(const Model& model, double damping) : model_(model), damping_(damping) {}
  void evaluate(const double* q, const double* v, double* acceleration) override {
    const Eigen::Map<const VectorXd> velocity(v, model_.nv());
    const TreeAtPose tree(model_, Eigen::Map<const VectorXd>(q, model_.nq()));
    Eigen::Map<VectorXd>(acceleration, model_.nv()) = tree.forwardDynamics(velocity, -damping_ * velocity);
  }

 private:
  Model model_;
  double damping_;
};

struct Node {
  VectorXd q, v;
};

Node advance(const Model& model, Integrator integrator, double damping, Node node, double h, int steps,
             NodeStepResult* last = nullptr) {
  SampleField field(model, damping);
  NodeIntegrator map(model.topology(), integrator);
  Node next = node;
  for (int i = 0; i < steps; ++i) {
    const NodeStepResult result = map.step(field, node.q.data(), node.v.data(), h, next.q.data(), next.v.data());
    if (last) *last = result;
    std::swap(node, next);
  }
  return node;
}

double distance(const Node& a, const Node& b) {
  return std::max((a.q - b.q).cwiseAbs().maxCoeff(), (a.v - b.v).cwiseAbs().maxCoeff());
}

TEST(NodeIntegrators, HaveTheirOrderOnEveryKindOfJoint) {
  forEachSample([](Sample& s) {
    const Node start{s.q, 0.3 * s.v};
    const double seconds = 0.02;
    const Node truth = advance(s.model, Integrator::kRk4, 0.1, start, seconds / 64, 64);
    for (const IntegratorInfo& info : listIntegrators()) {
      if (isLeapfrog(info.integrator)) continue;
      const int steps = info.order == 1 ? 16 : 4;
      const double coarse = distance(advance(s.model, info.integrator, 0.1, start, seconds / steps, steps), truth);
      const double fine =
          distance(advance(s.model, info.integrator, 0.1, start, seconds / (2 * steps), 2 * steps), truth);
      if (coarse < 1e-10) continue;  // rounding of accelerations of 1e4 rad/s² is all that is left
      EXPECT_GE(std::log2(coarse / fine), info.order - 0.35) << info.name;  // few steps: the next term still shows
    }
  });
}

TEST(ImplicitMidpoint, ComesBackWhenTimeIsTurned) {
  forEachSample([](Sample& s) {
    const Node start{s.q, s.v};
    const Node there = advance(s.model, Integrator::kImplicitMidpoint, 0.0, start, 2e-3, 1);
    const Node back = advance(s.model, Integrator::kImplicitMidpoint, 0.0, there, -2e-3, 1);
    // both ways are solved to 1e-12 of the velocities at worst
    EXPECT_LE(distance(back, start), 1e-11 * (1.0 + start.v.cwiseAbs().maxCoeff()));
    EXPECT_GE(distance(there, start), 1e-4);  // it went somewhere
  });
}

/// A wheel of inertia 1 kg m² with a damper: v̇ = −d v.
Model makeWheel() {
  ModelBuilder builder;
  BodySpec wheel;
  wheel.joint.type = kHinge;
  wheel.mass.mass = 1.0;
  wheel.mass.inertia = Eigen::Matrix3d::Identity();
  builder.addBody(wheel);
  return builder.build();
}

TEST(ImplicitEuler, SaysThatTheFixedPointDoesNotConvergeWhereNewtonDoes) {
  const Model wheel = makeWheel();
  const Node start{VectorXd::Zero(1), VectorXd::Ones(1)};
  NodeStepResult result;
  // h·d = 2: the fixed point doubles its error in each iteration
  advance(wheel, Integrator::kImplicitEulerFixedPoint, 20.0, start, 0.1, 1, &result);
  EXPECT_FALSE(result.converged);
  const Node end = advance(wheel, Integrator::kImplicitEulerNewton, 20.0, start, 0.1, 1, &result);
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(end.v[0], 1.0 / 3.0, 1e-15);
  EXPECT_NEAR(end.q[0], 0.1 / 3.0, 1e-16);
}

TEST(ImplicitEuler, SaysSoWhenTheFieldIsNotFinite) {
  const Model wheel = makeWheel();
  const Node start{VectorXd::Zero(1), VectorXd::Constant(1, std::numeric_limits<double>::infinity())};
  for (Integrator integrator :
       {Integrator::kImplicitEulerFixedPoint, Integrator::kImplicitEulerNewton, Integrator::kImplicitMidpoint}) {
    NodeStepResult result;
    advance(wheel, integrator, 1.0, start, 1e-3, 1, &result);
    EXPECT_FALSE(result.converged);
  }
}

TEST(Integrators, AreFoundByName) {
  for (const IntegratorInfo& info : listIntegrators()) EXPECT_EQ(findIntegrator(info.name), info.integrator);
  try {
    findIntegrator("rk5");
    FAIL() << "an unknown name was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("\"rk5\""), std::string::npos);
    EXPECT_NE(error.remedy().find("rk4"), std::string::npos);
  }
}

}  // namespace
}  // namespace rigor
