#include "math/spatial.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <random>

#include "math/rotation.h"

namespace rigor {
namespace {

constexpr double kRounding = 1e-14;  // some ten products of numbers below 3

class Samples {
 public:
  double number() { return normal_(engine_); }
  Vec3<double> vector() { return {number(), number(), number()}; }
  Sym3<double> symmetric() { return {number(), number(), number(), number(), number(), number()}; }
  Mat3<double> rotation() { return toMatrix(expQuat(vector())); }
  Motion<double> motion() { return {vector(), vector()}; }
  Force<double> force() { return {vector(), vector()}; }

 private:
  std::mt19937_64 engine_{11};
  std::normal_distribution<double> normal_;
};

Eigen::Vector3d eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
Eigen::Matrix3d eigen(const Mat3<double>& A) {
  Eigen::Matrix3d B;
  B << eigen(A.x), eigen(A.y), eigen(A.z);
  return B;
}
Eigen::Matrix3d eigen(const Sym3<double>& A) {
  return Eigen::Matrix3d{{A.xx, A.xy, A.xz}, {A.xy, A.yy, A.yz}, {A.xz, A.yz, A.zz}};
}
double size(const Motion<double>& a) { return norm(a.linear) + norm(a.angular); }
double size(const Force<double>& a) { return norm(a.linear) + norm(a.angular); }
Motion<double> minus(const Motion<double>& a, const Motion<double>& b) { return a + (-1.0) * b; }

TEST(Vec3, ProductsAgreeWithEigen) {
  Samples samples;
  for (int i = 0; i < 100; ++i) {
    const Vec3<double> a = samples.vector(), b = samples.vector();
    EXPECT_LE((eigen(cross(a, b)) - eigen(a).cross(eigen(b))).norm(), kRounding);
    EXPECT_NEAR(dot(a, b), eigen(a).dot(eigen(b)), kRounding);
    EXPECT_NEAR(norm(a), eigen(a).norm(), kRounding);
  }
}

TEST(Mat3, ProductsAgreeWithEigen) {
  Samples samples;
  for (int i = 0; i < 100; ++i) {
    const Mat3<double> A{samples.vector(), samples.vector(), samples.vector()}, B = samples.rotation();
    const Vec3<double> c = samples.vector();
    EXPECT_LE((eigen(A * B) - eigen(A) * eigen(B)).norm(), kRounding);
    EXPECT_LE((eigen(A * c) - eigen(A) * eigen(c)).norm(), kRounding);
    EXPECT_LE((eigen(transposeTimes(A, c)) - eigen(A).transpose() * eigen(c)).norm(), kRounding);
    EXPECT_EQ(eigen(transpose(A)), eigen(A).transpose());
  }
}

TEST(Sym3, RotatesLikeATensor) {
  Samples samples;
  for (int i = 0; i < 100; ++i) {
    const Mat3<double> R = samples.rotation();
    const Sym3<double> A = samples.symmetric();
    EXPECT_LE((eigen(rotate(R, A)) - eigen(R) * eigen(A) * eigen(R).transpose()).norm(), kRounding);
    const Vec3<double> b = samples.vector();
    EXPECT_LE((eigen(A * b) - eigen(A) * eigen(b)).norm(), kRounding);
  }
}

TEST(Transform, ProductsCarryPointsOneAfterTheOther) {
  Samples samples;
  for (int i = 0; i < 100; ++i) {
    const Transform<double> A{samples.rotation(), samples.vector()}, B{samples.rotation(), samples.vector()};
    const Vec3<double> point = samples.vector();
    EXPECT_LE(norm((A * B) * point - A * (B * point)), kRounding);
  }
}

TEST(SpatialCross, OfForceIsMinusTheTransposeOfThatOfMotion) {
  Samples samples;
  for (int i = 0; i < 100; ++i) {
    const Motion<double> a = samples.motion(), b = samples.motion();
    const Force<double> f = samples.force();
    EXPECT_NEAR(dot(b, cross(a, f)), -dot(cross(a, b), f), 10 * kRounding);
  }
}

TEST(SpatialCross, IsAntisymmetricAndObeysTheJacobiIdentity) {
  Samples samples;
  for (int i = 0; i < 100; ++i) {
    const Motion<double> a = samples.motion(), b = samples.motion(), c = samples.motion();
    EXPECT_LE(size(cross(a, b) + cross(b, a)), kRounding);
    EXPECT_LE(size(minus(cross(a, cross(b, c)), cross(cross(a, b), c) + cross(b, cross(a, c)))), 10 * kRounding);
  }
}

TEST(SpatialCross, IsTheRateOfAColumnThatABodyCarriesAlong) {
  Samples samples;
  const double h = 1e-6;
  for (int i = 0; i < 20; ++i) {
    const Motion<double> carrier = samples.motion();
    const Vec3<double> axis = samples.vector(), point = samples.vector();
    // a turn about an axis through a point, both moved along by the carrier for a time t
    const auto column = [&](double t) {
      const Mat3<double> R = toMatrix(expQuat(t * carrier.angular));
      const Vec3<double> n = R * axis, p = R * point + t * carrier.linear;
      return Motion<double>{cross(p, n), n};
    };
    const Motion<double> rate = (0.5 / h) * minus(column(h), column(-h));
    EXPECT_LE(size(minus(rate, cross(carrier, column(0.0)))), 1e-8);  // eps/h and h²
  }
}

TEST(Inertia, MomentumIsThatOfTheSeparatePoints) {
  Samples samples;
  for (int i = 0; i < 100; ++i) {
    Inertia<double> sum;
    Force<double> expected;
    const Motion<double> motion = samples.motion();
    for (int k = 0; k < 5; ++k) {
      const double mass = 0.1 + std::abs(samples.number());
      const Vec3<double> point = samples.vector();
      sum += inertiaAbout(mass, point, Sym3<double>{});
      const Vec3<double> momentum = mass * (motion.linear + cross(motion.angular, point));
      expected += Force<double>{momentum, cross(point, momentum)};
    }
    EXPECT_LE(size(sum * motion - expected), 100 * kRounding);
  }
}

TEST(Inertia, OwnRotationalInertiaIsAddedToThatOfTheCentre) {
  Samples samples;
  for (int i = 0; i < 100; ++i) {
    const double mass = 0.1 + std::abs(samples.number());
    const Vec3<double> c = samples.vector();
    const Sym3<double> own = samples.symmetric();
    const Inertia<double> I = inertiaAbout(mass, c, own);
    const Eigen::Vector3d e = eigen(c);
    const Eigen::Matrix3d expected =
        eigen(own) + mass * (e.squaredNorm() * Eigen::Matrix3d::Identity() - e * e.transpose());
    EXPECT_LE((eigen(I.rotational) - expected).norm(), 10 * kRounding);
    EXPECT_EQ(I.mass, mass);
    EXPECT_LE(norm(I.moment - mass * c), kRounding);
  }
}

}  // namespace
}  // namespace rigor
