#include "math/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reference/rotation_series.h"

namespace rigor {
namespace {

constexpr double kEps = 2.3e-16;

/// Rotation vectors of all sizes below `largest`, among them zero and both sides of the series' limits.
std::vector<Vec3<double>> rotationVectors(double largest) {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  std::vector<Vec3<double>> vectors{{0.0, 0.0, 0.0}};
  for (double angle : {1e-300, 1e-20, 1e-9, 1e-5, 1e-3, 0.0199999, 0.0200001, 0.1, 0.2499999, 0.2500001, 0.5, 1.0, 2.0,
                       3.0, 3.14, 4.0, 6.0, 20.0}) {
    for (int i = 0; i < 20 && angle < largest; ++i) {
      const Vec3<double> n{normal(engine), normal(engine), normal(engine)};
      vectors.push_back((angle / norm(n)) * n);
    }
  }
  return vectors;
}

TEST(ExpQuat, AgreesWithTheMatrixExponential) {
  for (const Vec3<double>& theta : rotationVectors(30.0)) {
    const Mat3<double> R = toMatrix(expQuat(theta));
    // a few roundings of entries below 1, and those of the angle itself
    EXPECT_LE(distance(R, slow::exponential(theta)), 8 * kEps * (1.0 + norm(theta))) << norm(theta);
  }
}

TEST(ExpQuat, IsAUnitQuaternion) {
  for (const Vec3<double>& theta : rotationVectors(30.0)) {
    const Quat<double> q = expQuat(theta);
    EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 4 * kEps) << norm(theta);
  }
}

TEST(Quat, ProductsAreProductsOfMatrices) {
  const auto vectors = rotationVectors(30.0);
  for (std::size_t i = 1; i < vectors.size(); ++i) {
    const Quat<double> a = expQuat(vectors[i - 1]), b = expQuat(vectors[i]);
    EXPECT_LE(distance(toMatrix(a * b), toMatrix(a) * toMatrix(b)), 16 * kEps);
  }
}

TEST(Quat, NormalisingKeepsTheDirection) {
  const Quat<double> q = normalized(Quat<double>{2.0, -4.0, 6.0, 8.0});
  EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 4 * kEps);
  EXPECT_NEAR(q.x / q.w, -2.0, 8 * kEps);
  EXPECT_NEAR(q.z / q.w, 4.0, 8 * kEps);
}

TEST(LogQuat, UndoesTheExponential) {
  for (const Vec3<double>& theta : rotationVectors(3.1)) {
    const Vec3<double> back = logQuat(expQuat(theta));
    // each entry of the quaternion carries eps; near a half turn 1 + w is 1, so nothing is amplified
    EXPECT_LE(norm(back - theta), 8 * kEps * (norm(theta) + 1.0)) << norm(theta);
  }
}

TEST(LogQuat, KeepsTheDigitsOfTinyTurns) {
  for (const Vec3<double>& theta : rotationVectors(1e-2)) {
    const Vec3<double> back = logQuat(expQuat(theta));
    EXPECT_LE(norm(back - theta), 8 * kEps * norm(theta)) << norm(theta);
  }
}

TEST(LogQuat, TakesTheShortWayAndIsExactAtAHalfTurn) {
  const Vec3<double> half = logQuat(Quat<double>{0.0, 1.0, 0.0, 0.0});
  EXPECT_NEAR(half.x, M_PI, 4 * kEps);
  const Vec3<double> back = logQuat(Quat<double>{-std::cos(0.1), std::sin(0.1), 0.0, 0.0});  // 2π − 0.2 about x
  EXPECT_NEAR(back.x, -0.2, 4 * kEps);
}

TEST(LeftJacobian, TurnsAChangeOfTheRotationVectorIntoATurnOfTheResult) {
  for (const Vec3<double>& theta : rotationVectors(30.0)) {
    const auto c = expCoefficients(dot(theta, theta));
    // coefficients are quotients of small differences; at the series' limit ¼ they keep 1e-13 of their size
    EXPECT_LE(distance(leftJacobian(theta, c), slow::leftJacobian(theta)), 1e-14 * (1.0 + norm(theta))) << norm(theta);
  }
}

TEST(LeftJacobian, AgreesWithDifferencesOfTheExponential) {
  const double h = 1e-5;
  for (const Vec3<double>& theta : rotationVectors(7.0)) {
    const Mat3<double> Jl = leftJacobian(theta, expCoefficients(dot(theta, theta)));
    const Quat<double> unturn = expQuat(-theta);
    for (const Vec3<double>& d : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}}) {
      const Vec3<double> forth = logQuat(expQuat(theta + h * d) * unturn);
      const Vec3<double> back = logQuat(expQuat(theta - h * d) * unturn);
      // central difference: h² ≈ 1e-10 and eps/h ≈ 1e-11
      EXPECT_LE(norm((0.5 / h) * (forth - back) - Jl * d), 1e-9) << norm(theta);
    }
  }
}

TEST(LeftJacobian, ItsInverseTransposeUndoesItsTranspose) {
  for (const Vec3<double>& theta : rotationVectors(6.1)) {  // singular at 2π
    const auto c = expCoefficients(dot(theta, theta));
    const Vec3<double> b{0.3, -1.1, 0.7};
    const Vec3<double> x = leftJacobianInverseTransposeTimes(theta, c, b);
    const double near_singular = 1.0 / (2.0 * kHalfTurn - norm(theta));
    EXPECT_LE(norm(transposeTimes(leftJacobian(theta, c), x) - b), 1e-13 * (1.0 + near_singular)) << norm(theta);
  }
}

}  // namespace
}  // namespace rigor
