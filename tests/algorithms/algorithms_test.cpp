// The public functions: against school mechanics, against each other, and against wrong arguments.
#include "rigor/algorithms.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>

#include "dynamics/samples.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// Central differences with this step lose 1e-10 to rounding and 1e-10 to curvature for states of size 1.
constexpr double kStep = 1e-5, kDifference = 1e-7;

VectorXd ahead(const Sample& s, double time) { return integrate(s.model, s.q, time * s.v); }

/// Rounding of a result that went through M⁻¹.
double inverseTolerance(const MatrixXd& M) { return 1e-14 * M.norm() * M.inverse().norm() + 1e-12; }

TEST(Algorithms, PlaceAndMoveBodiesLikeSchoolMechanics) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const auto motions = slow::computeMotions(s.model, s.q, s.v, s.vdot);
    const auto& placements = forwardKinematics(s.model, data, s.q);
    for (int body = 0; body < s.model.bodyCount(); ++body) {
      EXPECT_LE(relativeError(placements[body].matrix(), motions[body].X_WB), kRounding);
      EXPECT_LE(relativeError(framePlacement(s.model, data, s.q, body).matrix(), motions[body].X_WB), kRounding);

      const Vector3d point = s.random.vector(0.5);
      const Vector3d point_W = motions[body].p() + motions[body].R() * point;
      Vector6d velocity, acceleration;
      velocity << motions[body].velocityAt(point_W), motions[body].omega;
      acceleration << motions[body].accelerationAt(point_W), motions[body].alpha;
      EXPECT_LE(relativeError(frameVelocity(s.model, data, s.q, s.v, body, point), velocity), kRounding);
      EXPECT_LE(relativeError(frameAcceleration(s.model, data, s.q, s.v, s.vdot, body, point), acceleration),
                kRounding);
      EXPECT_LE(relativeError(getFrameJacobian(s.model, data, s.q, body, point),
                              slow::computeJacobian(s.model, s.q, body, point_W)),
                kRounding);
    }
  });
}

TEST(Algorithms, GiveMotionsInBodyAxesOnRequest) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const int body = s.model.bodyCount() - 1;
    const Vector3d point = s.random.vector(0.5);
    MatrixXd turn = MatrixXd::Zero(6, 6);
    turn.topLeftCorner<3, 3>() = turn.bottomRightCorner<3, 3>() =
        framePlacement(s.model, data, s.q, body).linear().transpose();
    const Vector6d velocity = turn * frameVelocity(s.model, data, s.q, s.v, body, point);
    EXPECT_LE(relativeError(frameVelocity(s.model, data, s.q, s.v, body, point, Axes::kBody), velocity), kRounding);
    const Vector6d acceleration = turn * frameAcceleration(s.model, data, s.q, s.v, s.vdot, body, point);
    EXPECT_LE(relativeError(frameAcceleration(s.model, data, s.q, s.v, s.vdot, body, point, Axes::kBody), acceleration),
              kRounding);
    const MatrixXd J = turn * getFrameJacobian(s.model, data, s.q, body, point);
    EXPECT_LE(relativeError(getFrameJacobian(s.model, data, s.q, body, point, Axes::kBody), J), kRounding);
  });
}

TEST(JointJacobians, SumToTheMotionOfABodyAboutTheWorldsOrigin) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const MatrixXd columns = computeJointJacobians(s.model, data, s.q);
    const Topology& topology = s.model.topology();
    for (int body = 0; body < s.model.bodyCount(); ++body) {
      const int link = s.model.placements()[body].link;
      Vector6d sum = Vector6d::Zero();
      if (link >= 0)
        for (int k = 0; k < topology.chain_length[link]; ++k) {
          const int j = topology.chain[topology.chain_start[link] + k];
          sum += s.v[j] * columns.col(j);
        }
      const Vector3d at_origin = framePlacement(s.model, data, s.q, body).inverse() * Vector3d::Zero();
      EXPECT_LE(relativeError(sum, frameVelocity(s.model, data, s.q, s.v, body, at_origin)), kRounding);
    }
  });
}

TEST(JacobianTimeVariation, IsTheRateOfTheJacobianInBothAxes) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const int body = s.model.bodyCount() - 1;
    const Vector3d point = s.random.vector(0.5);
    for (Axes axes : {Axes::kWorld, Axes::kBody}) {
      const MatrixXd after = getFrameJacobian(s.model, data, ahead(s, kStep), body, point, axes);
      const MatrixXd before = getFrameJacobian(s.model, data, ahead(s, -kStep), body, point, axes);
      const MatrixXd rate = getFrameJacobianTimeVariation(s.model, data, s.q, s.v, body, point, axes);
      EXPECT_LE(relativeError(rate, (after - before) / (2.0 * kStep)), kDifference);
    }
    const VectorXd sum = getFrameJacobian(s.model, data, s.q, body, point) * s.vdot +
                         getFrameJacobianTimeVariation(s.model, data, s.q, s.v, body, point) * s.v;
    EXPECT_LE(relativeError(sum, frameAcceleration(s.model, data, s.q, s.v, s.vdot, body, point)), kRounding);
  });
}

TEST(Algorithms, GiveTheForcesOfSchoolMechanics) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const VectorXd zero = VectorXd::Zero(s.model.nv());
    EXPECT_LE(
        relativeError(rnea(s.model, data, s.q, s.v, s.vdot), slow::computeInverseDynamics(s.model, s.q, s.v, s.vdot)),
        kRounding);
    EXPECT_LE(
        relativeError(nonLinearEffects(s.model, data, s.q, s.v), slow::computeInverseDynamics(s.model, s.q, s.v, zero)),
        kRounding);
    EXPECT_LE(relativeError(computeGeneralizedGravity(s.model, data, s.q),
                            slow::computeInverseDynamics(s.model, s.q, zero, zero)),
              kRounding);
    EXPECT_LE(relativeError(crba(s.model, data, s.q), slow::computeMassMatrix(s.model, s.q)), kRounding);
  });
}

TEST(Algorithms, TakeTheirOwnResultsAsArguments) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const MatrixXd M = crba(s.model, data, s.q);
    const VectorXd gravity = computeGeneralizedGravity(s.model, data, s.q), zero = VectorXd::Zero(s.model.nv());
    const VectorXd& once = rnea(s.model, data, s.q, zero, s.vdot);
    const VectorXd expected = M * once + gravity;
    EXPECT_LE(relativeError(rnea(s.model, data, s.q, zero, once), expected), kRounding);
    const VectorXd back = aba(s.model, data, s.q, s.v, rnea(s.model, data, s.q, s.v, s.vdot));
    EXPECT_LE(relativeError(back, s.vdot), inverseTolerance(M));

    const ForwardDerivatives first = computeABADerivatives(s.model, data, s.q, s.v, s.vdot);
    const ForwardDerivatives apart = computeABADerivatives(s.model, data, s.q, first.a, s.vdot);
    computeABADerivatives(s.model, data, s.q, s.v, s.vdot);
    const VectorXd& inside = computeABADerivatives(s.model, data, s.q, s.v, s.vdot).a;
    const ForwardDerivatives& again = computeABADerivatives(s.model, data, s.q, inside, s.vdot);
    EXPECT_EQ(again.a, apart.a);
    EXPECT_EQ(again.da_dq, apart.da_dq);
    EXPECT_EQ(again.da_dv, apart.da_dv);
  });
}

TEST(Algorithms, RefusePointsAndForcesThatAreNotFinite) {
  const Model model = makeRandomTree(3);
  Data data(model);
  const VectorXd q = neutral(model), v = VectorXd::Zero(model.nv());
  const int body = model.bodyCount() - 1;
  const Vector3d nan(0.0, std::numeric_limits<double>::quiet_NaN(), 0.0), zero = Vector3d::Zero();
  EXPECT_THROW(frameVelocity(model, data, q, v, body, nan), Error);
  EXPECT_THROW(getFrameJacobian(model, data, q, body, nan), Error);
  EXPECT_THROW(computeForceDerivative(model, data, q, body, nan, zero), Error);
  EXPECT_THROW(computeForceDerivative(model, data, q, body, zero, nan), Error);
  EXPECT_THROW(applyDelassus(model, data, q, {{body, zero}}, nan), Error);
}

TEST(Algorithms, TakeWrenchesInEitherAxes) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const VectorXd without = rnea(s.model, data, s.q, s.v, s.vdot);
    VectorXd expected = without;
    Wrenches wrenches;
    for (int body = 0; body < s.model.bodyCount(); ++body) {
      const Vector3d force = s.random.vector(5.0), torque = s.random.vector(5.0), com = s.model.body(body).mass.com;
      const Eigen::Matrix3d R = framePlacement(s.model, data, s.q, body).linear();
      const bool in_world = body % 2 == 0;
      wrenches.push_back(
          {body, in_world ? force : R.transpose() * force, in_world ? torque : R.transpose() * torque, in_world});
      const Matrix6Xd J = getFrameJacobian(s.model, data, s.q, body, com);
      expected -= J.topRows(3).transpose() * force + J.bottomRows(3).transpose() * torque;
    }
    EXPECT_LE(relativeError(rnea(s.model, data, s.q, s.v, s.vdot, wrenches), expected), kRounding);
    const VectorXd vdot = aba(s.model, data, s.q, s.v, expected, wrenches);
    EXPECT_LE(relativeError(vdot, s.vdot), inverseTolerance(crba(s.model, data, s.q)));
  });
}

TEST(MassInverse, IsTheInverse) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const MatrixXd M = crba(s.model, data, s.q), inverse = computeMinverse(s.model, data, s.q);
    const int n = s.model.nv();
    EXPECT_LE(relativeError(MatrixXd(M * inverse), MatrixXd(MatrixXd::Identity(n, n))), inverseTolerance(M));
    EXPECT_EQ(inverse, inverse.transpose());
  });
}

TEST(CoriolisMatrix, TimesVelocityIsTheBiasWithoutGravity) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const VectorXd bias = nonLinearEffects(s.model, data, s.q, s.v);
    const VectorXd gravity = computeGeneralizedGravity(s.model, data, s.q);
    const VectorXd sum = computeCoriolisMatrix(s.model, data, s.q, s.v) * s.v + gravity;
    EXPECT_LE(relativeError(sum, bias), kRounding);
  });
}

TEST(CoriolisMatrix, PlusItsTransposeIsTheRateOfTheMassMatrix) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const MatrixXd after = crba(s.model, data, ahead(s, kStep)), before = crba(s.model, data, ahead(s, -kStep));
    const MatrixXd C = computeCoriolisMatrix(s.model, data, s.q, s.v);
    EXPECT_LE(relativeError(MatrixXd(C + C.transpose()), MatrixXd((after - before) / (2.0 * kStep))), kDifference);
  });
}

TEST(CentroidalMap, TimesVelocityIsTheMomentumOfSchoolMechanicsAboutTheCentre) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const CenterOfMass centre = centerOfMass(s.model, data, s.q, s.v);
    EXPECT_EQ(centre.position, centerOfMass(s.model, data, s.q));
    Vector6d expected = slow::computeMomentum(s.model, s.q, s.v);
    expected.tail<3>() -= centre.position.cross(expected.head<3>());
    EXPECT_LE(relativeError(computeCentroidalMomentum(s.model, data, s.q, s.v), expected), kRounding);
    EXPECT_LE(relativeError(Vector6d(computeCentroidalMap(s.model, data, s.q) * s.v), expected), kRounding);

    const Vector3d moved = centerOfMass(s.model, data, ahead(s, kStep)) - centerOfMass(s.model, data, ahead(s, -kStep));
    EXPECT_LE(relativeError(centre.velocity, Vector3d(moved / (2.0 * kStep))), kDifference);
  });
}

TEST(Energy, IsThatOfSchoolMechanicsAndItsRateIsThePowerOfTheForces) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const double kinetic = computeKineticEnergy(s.model, data, s.q, s.v);
    const double potential = computePotentialEnergy(s.model, data, s.q);
    EXPECT_NEAR(kinetic, slow::computeKinetic(s.model, s.q, s.v), kRounding * (1.0 + kinetic));
    EXPECT_NEAR(potential, slow::computePotential(s.model, s.q), kRounding * (1.0 + std::abs(potential)));

    // along q ⊕ t(v + ½ t a), v + t a the rate of the energy at t = 0 is τ·v
    const auto energyAt = [&](double t) {
      const VectorXd q = integrate(s.model, s.q, t * s.v), v = s.v + t * s.vdot;
      return computeKineticEnergy(s.model, data, q, v) + computePotentialEnergy(s.model, data, q);
    };
    const double rate = (energyAt(kStep) - energyAt(-kStep)) / (2.0 * kStep);
    const double power = rnea(s.model, data, s.q, s.v, s.vdot).dot(s.v);
    EXPECT_NEAR(rate, power, 10.0 * kDifference * (1.0 + kinetic + std::abs(power)));
  });
}

/// The sample's model with a spring and a damper on every joint.
Model addSprings(const Model& model, Random& random) {
  ModelBuilder builder;
  for (int index = 0; index < model.bodyCount(); ++index) {
    BodySpec body = model.body(index);
    body.joint.stiffness = random.number(0.0, 3.0);
    body.joint.damping = random.number(0.0, 3.0);
    builder.addBody(body);
  }
  return builder.build();
}

TEST(Springs, PushAgainstTheRiseOfTheirEnergyAndDampersAgainstTheVelocity) {
  forEachSample([](Sample& s) {
    const Model model = addSprings(s.model, s.random);
    Data data(model);
    const VectorXd force = computeSpringForces(model, data, s.q);
    for (int j = 0; j < model.nv(); ++j) {
      const VectorXd step = kStep * VectorXd::Unit(model.nv(), j);
      const double rise = computeSpringEnergy(model, data, integrate(model, s.q, step)) -
                          computeSpringEnergy(model, data, integrate(model, s.q, -step));
      EXPECT_NEAR(force[j], -rise / (2.0 * kStep), 10.0 * kDifference);  // energies of 10 J
    }
    const VectorXd damper = computeDamperForces(model, data, s.q, s.v);
    for (const ModelJoint& joint : model.joints())
      for (int k = 0; k < velocityCount(joint.spec.type); ++k)
        EXPECT_EQ(damper[joint.v_index + k], -joint.spec.damping * s.v[joint.v_index + k]);
  });
}

TEST(Difference, UndoesIntegrate) {
  forEachSample([](Sample& s) {
    const VectorXd v = 0.7 * s.v;  // turns of at most 0.7·2·√3 < π
    EXPECT_LE(relativeError(difference(s.model, s.q, integrate(s.model, s.q, v)), v), 1e-14);
    EXPECT_LE(difference(s.model, s.q, s.q).norm(), 1e-15);  // rounding of the product of two quaternions
    const VectorXd other = randomPosition(s.model, s.random);
    const VectorXd reached = integrate(s.model, s.q, difference(s.model, s.q, other));
    // q and −q are one rotation: compare by the way that is left
    EXPECT_LE(difference(s.model, reached, other).norm(), 1e-14 * (1.0 + other.norm()));
  });
}

TEST(Difference, TakesTheShorterWayRoundAndFindsHalfTurns) {
  ModelBuilder builder;
  BodySpec body;
  body.joint.type = kFree;
  body.mass = {1.0, Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  builder.addBody(body);
  const Model model = builder.build();
  const VectorXd start = neutral(model);
  for (double angle : {1e-12, 1e-3, 1.0, 3.0, 3.14159265, 3.1415926535897931}) {
    VectorXd v = VectorXd::Zero(6);
    v[4] = angle;
    EXPECT_NEAR(difference(model, start, integrate(model, start, v))[4], angle, 1e-15 + 1e-15 * angle);
  }
  VectorXd v = VectorXd::Zero(6);
  v[3] = 4.0;
  EXPECT_NEAR(difference(model, start, integrate(model, start, v))[3], 4.0 - 2.0 * std::acos(-1.0), 1e-14);
}

TEST(Neutral, IsAConfigurationWhereNothingIsTurned) {
  forEachSample([](Sample& s) {
    const VectorXd q = neutral(s.model);
    EXPECT_NO_THROW(checkState(s.model, q));
    EXPECT_EQ(integrate(s.model, q, VectorXd::Zero(s.model.nv())), q);
  });
}

std::string messageOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// A free base with one arm.
Model makeArm() {
  ModelBuilder builder;
  BodySpec base;
  base.name = "base";
  base.joint.name = "float";
  base.joint.type = kFree;
  base.mass = {1.0, Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  const int root = builder.addBody(base);
  BodySpec arm = base;
  arm.name = "arm";
  arm.parent = root;
  arm.joint.name = "elbow";
  arm.joint.type = kHinge;
  builder.addBody(arm);
  return builder.build();
}

TEST(CheckState, NamesWhatWasExpectedAndWhy) {
  const Model model = makeArm();
  Data data(model);
  const VectorXd q = neutral(model), v = VectorXd::Zero(7);
  const auto contains = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  contains(messageOf([&] { checkState(model, q.head(7), v); }),
           "q has 7 numbers, expected 8 = 7 of the free base + 1 of 1 joint");
  contains(messageOf([&] { checkState(model, q, q); }),
           "v has 8 numbers, expected 7 = 6 of the free base + 1 of 1 joint");
  contains(messageOf([&] { aba(model, data, q, v, q); }), "tau has 8 numbers");
  contains(messageOf([&] { rnea(model, data, q, v, q); }), "a has 8 numbers");

  VectorXd bad = q;
  bad[7] = std::numeric_limits<double>::quiet_NaN();
  contains(messageOf([&] { crba(model, data, bad); }), "q[7] of joint \"elbow\" is nan");
  bad = q;
  bad[3] = 1.0 + 2e-6;
  contains(messageOf([&] { crba(model, data, bad); }), "q[3…6] of joint \"float\" has length 1.000002");
  bad[3] = 1.0 + 5e-7;
  EXPECT_NO_THROW(crba(model, data, bad));
  VectorXd fast = v;
  fast[2] = std::numeric_limits<double>::infinity();
  contains(messageOf([&] { nonLinearEffects(model, data, q, fast); }), "v[2] of joint \"float\" is inf");
}

TEST(CheckState, RefusesBodiesWrenchesAndDataThatDoNotBelong) {
  const Model model = makeArm(), other = makeArm();
  Data data(model);
  const VectorXd q = neutral(model), v = VectorXd::Zero(7);
  EXPECT_THROW(framePlacement(model, data, q, 2), Error);
  EXPECT_THROW(getFrameJacobian(model, data, q, kWorld), Error);
  EXPECT_THROW(rnea(model, data, q, v, v, {{2, Vector3d::Zero(), Vector3d::Zero()}}), Error);
  const Vector3d nan = Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(aba(model, data, q, v, v, {{1, nan, Vector3d::Zero()}}), Error);
  EXPECT_THROW(crba(other, data, q), Error);
  EXPECT_NO_THROW(crba(Model(model), data, q)) << "a copy is the same model";
  Eigen::VectorXd small(3);
  EXPECT_THROW(integrate(model, q, v, small), Error);
}

TEST(Data, CopiesKeepTheirOwnResults) {
  const Model model = makeArm();
  Data data(model);
  const VectorXd q = neutral(model), v = VectorXd::Zero(7);
  const VectorXd& first = rnea(model, data, q, v, VectorXd::Unit(7, 0));
  Data copy(data);
  const VectorXd& second = rnea(model, copy, q, v, VectorXd::Unit(7, 1));
  EXPECT_EQ(first[0], 2.0);
  EXPECT_EQ(second[1], 2.0);
}

}  // namespace
}  // namespace rigor
