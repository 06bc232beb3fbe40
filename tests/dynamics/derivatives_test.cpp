// Analytic derivatives against central differences, over every joint type and random trees.
#include <gtest/gtest.h>

#include "dynamics/samples.h"
#include "rigor/algorithms.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// Two central differences extrapolated to order four: rounding 1e-16/h and curvature h⁴ are both below 1e-11 of the
/// largest entry for states of size 1; stiff trees (aba with small inertias) lose three more digits.
constexpr double kStep = 1e-4, kDifference = 1e-7;

using Function = std::function<VectorXd(const VectorXd&)>;

MatrixXd differentiate(const Function& f, int n) {
  const auto slope = [&](int j, double h) -> VectorXd {
    const VectorXd step = h * VectorXd::Unit(n, j);
    return (f(step) - f(-step)) / (2.0 * h);
  };
  MatrixXd D(f(VectorXd::Zero(n)).size(), n);
  for (int j = 0; j < n; ++j) D.col(j) = (4.0 * slope(j, kStep) - slope(j, 2.0 * kStep)) / 3.0;
  return D;
}

/// One wrench per body, every second in body axes.
Wrenches randomWrenches(Sample& s) {
  Wrenches wrenches;
  for (int body = 0; body < s.model.bodyCount(); ++body)
    wrenches.push_back({body, s.random.vector(5.0), s.random.vector(5.0), body % 2 == 0});
  return wrenches;
}

TEST(InverseDerivatives, AreThoseOfRnea) {
  forEachSample([](Sample& s) {
    Data data(s.model), probe(s.model);
    const int n = s.model.nv();
    for (const Wrenches& wrenches : {Wrenches{}, randomWrenches(s)}) {
      const InverseDerivatives& D = computeRNEADerivatives(s.model, data, s.q, s.v, s.vdot, wrenches);
      const auto by_q = [&](const VectorXd& d) {
        return rnea(s.model, probe, integrate(s.model, s.q, d), s.v, s.vdot, wrenches);
      };
      const auto by_v = [&](const VectorXd& d) { return rnea(s.model, probe, s.q, s.v + d, s.vdot, wrenches); };
      EXPECT_LE(relativeError(D.dtau_dq, differentiate(by_q, n)), 1e-9);
      EXPECT_LE(relativeError(D.dtau_dv, differentiate(by_v, n)), 1e-9);
      EXPECT_LE(relativeError(D.M, crba(s.model, probe, s.q)), kRounding);
    }
  });
}

TEST(InverseDerivatives, ByVelocityTimesVelocityIsTwiceTheCoriolisForce) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    const VectorXd force = computeRNEADerivatives(s.model, data, s.q, s.v, s.vdot).dtau_dv * s.v;
    const VectorXd coriolis = nonLinearEffects(s.model, data, s.q, s.v) - computeGeneralizedGravity(s.model, data, s.q);
    EXPECT_LE(relativeError(force, VectorXd(2.0 * coriolis)), kRounding);
  });
}

TEST(ForwardDerivatives, AreThoseOfAba) {
  forEachSample([](Sample& s) {
    Data data(s.model), probe(s.model);
    const int n = s.model.nv();
    for (const Wrenches& wrenches : {Wrenches{}, randomWrenches(s)}) {
      const VectorXd tau = rnea(s.model, probe, s.q, s.v, s.vdot, wrenches);  // so that a is of size 1
      const ForwardDerivatives& D = computeABADerivatives(s.model, data, s.q, s.v, tau, wrenches);
      const auto by_q = [&](const VectorXd& d) {
        return aba(s.model, probe, integrate(s.model, s.q, d), s.v, tau, wrenches);
      };
      const auto by_v = [&](const VectorXd& d) { return aba(s.model, probe, s.q, s.v + d, tau, wrenches); };
      EXPECT_LE(relativeError(D.da_dq, differentiate(by_q, n)), kDifference);
      EXPECT_LE(relativeError(D.da_dv, differentiate(by_v, n)), kDifference);
      EXPECT_EQ(D.Minv, computeMinverse(s.model, probe, s.q));
      EXPECT_LE(relativeError(D.a, s.vdot), 1e-9);  // through the condition of M
    }
  });
}

TEST(ForceDerivative, IsThatOfTheJacobianTransposeTimesAForce) {
  forEachSample([](Sample& s) {
    Data data(s.model), probe(s.model);
    for (int body = 0; body < s.model.bodyCount(); ++body) {
      const Vector3d point = s.random.vector(0.5), force = s.random.vector(5.0), torque = s.random.vector(5.0);
      const auto tau = [&](const VectorXd& d) -> VectorXd {
        const Matrix6Xd J = getFrameJacobian(s.model, probe, integrate(s.model, s.q, d), body, point);
        return J.topRows(3).transpose() * force + J.bottomRows(3).transpose() * torque;
      };
      EXPECT_LE(relativeError(computeForceDerivative(s.model, data, s.q, body, point, force, torque),
                              differentiate(tau, s.model.nv())),
                1e-9);
    }
  });
}

}  // namespace
}  // namespace rigor
