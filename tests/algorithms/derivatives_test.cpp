// Analytic derivatives against central differences, over every joint type and random trees.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "dynamics/samples.h"
#include "math/dual.h"
#include "model/broadcast.h"
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

/// rnea and aba of dual numbers at (q ⊕ δq, v + δv), with armature.
struct DualDynamics {
  explicit DualDynamics(Sample& s) : sample(s), parameters(broadcast<Dual<>>(s.model.parameters())) {}

  /// ∂/∂δ_j of `answer`, a function of the kernels' input.
  template <class Answer>
  MatrixXd slopes(bool along_q, const VectorXd& third, const Answer& answer) {
    const Topology& topology = sample.model.topology();
    const int n = topology.nv;
    MatrixXd D(n, n);
    for (int j = 0; j < n; ++j) {
      std::vector<Dual<>> q(sample.q.begin(), sample.q.end()), v(sample.v.begin(), sample.v.end()), step(n);
      if (along_q) {
        step[j] = Dual<>::variable(0.0);
        integrate(topology, q.data(), step.data(), Dual<>(1.0), q.data());
      } else {
        v[j] = Dual<>::variable(sample.v[j]);
      }
      std::vector<Dual<>> given(third.begin(), third.end()), out(n);
      Kinematics<Dual<>> kin;
      kin.resize(topology);
      computeKinematics(topology, parameters, q.data(), kin);
      std::vector<Inertia<Dual<>>> inertias(topology.links);
      computeInertias(topology, parameters, kin, inertias);
      answer(kin, inertias, v, given, out);
      for (int i = 0; i < n; ++i) D(i, j) = out[i].tangent[0];
    }
    return D;
  }

  MatrixXd ofRnea(bool along_q) {
    return slopes(along_q, sample.vdot, [&](auto& kin, auto& inertias, auto& v, auto& a, auto& tau) {
      RneaScratch<Dual<>> scratch;
      scratch.resize(sample.model.topology());
      rnea(sample.model.topology(), parameters, kin, inertias, v.data(), a.data(), nullptr, scratch, tau.data());
    });
  }
  MatrixXd ofAba(bool along_q, const VectorXd& force) {
    return slopes(along_q, force, [&](auto& kin, auto& inertias, auto& v, auto& tau, auto& a) {
      AbaScratch<Dual<>> scratch;
      scratch.resize(sample.model.topology());
      aba(sample.model.topology(), parameters, kin, inertias, v.data(), tau.data(), nullptr, scratch, a.data());
    });
  }

  Sample& sample;
  Parameters<Dual<>> parameters;
};

TEST(InverseDerivatives, AreThoseOfDualNumbers) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    DualDynamics dual(s);
    const InverseDerivatives& D = computeRNEADerivatives(s.model, data, s.q, s.v, s.vdot);
    EXPECT_LE(relativeError(D.dtau_dq, dual.ofRnea(true)), 1e-12);
    EXPECT_LE(relativeError(D.dtau_dv, dual.ofRnea(false)), 1e-12);
  });
}

TEST(ForwardDerivatives, AreThoseOfDualNumbers) {
  forEachSample([](Sample& s) {
    Data data(s.model);
    DualDynamics dual(s);
    const VectorXd tau = rnea(s.model, data, s.q, s.v, s.vdot);
    const ForwardDerivatives& D = computeABADerivatives(s.model, data, s.q, s.v, tau);
    // rounding passes through M⁻¹ twice: once in the acceleration, once in the product
    const double condition = D.Minv.norm() * crba(s.model, data, s.q).norm();
    EXPECT_LE(relativeError(D.da_dq, dual.ofAba(true, tau)), 1e-12 + 1e-14 * condition);
    EXPECT_LE(relativeError(D.da_dv, dual.ofAba(false, tau)), 1e-12 + 1e-14 * condition);
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
      // deep trees take another algorithm there: rounding, enlarged by the condition of M
      const double condition = D.Minv.norm() * D.Minv.inverse().norm();
      EXPECT_LE(relativeError(D.Minv, computeMinverse(s.model, probe, s.q)), 1e-12 + 1e-14 * condition);
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
