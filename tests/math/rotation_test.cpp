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
  for (double angle :
       {1e-300, 1e-20, 1e-9, 1e-5, 1e-3, 0.01, 0.1, 0.2999999, 0.3000001, 0.5, 1.0, 2.0, 3.0, 3.14, 4.0, 6.0, 20.0}) {
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

TEST(ExpCoefficients, OfSmallTurnsKeepAllDigits) {
  const auto check = [](double angle) {
    const long double a2 = static_cast<long double>(angle * angle), a = std::sqrt(a2);
    // in long double, closed forms lose a2 twice: series again where that would show
    long double c1 = 0.0L, c2 = 0.0L, term = 1.0L;
    for (int k = 0; k < 12; ++k, term *= -a2) {
      c1 += term / std::tgamma(2.0L * k + 3.0L);
      c2 += term / std::tgamma(2.0L * k + 4.0L);
    }
    const long double half = 0.5L * a,
                      c3 = a > 1e-3L ? (1.0L - half * std::cos(half) / std::sin(half)) / a2 : 1.0L / 12 + a2 / 720;
    const auto c = expCoefficients(angle * angle);
    // two roundings of each coefficient; the reference of c3 loses eps/a² of long double, 5e-14 at worst at 1e-3
    EXPECT_LE(std::abs(c.c1 - c1), 2 * kEps * c1) << angle;
    EXPECT_LE(std::abs(c.c2 - c2), 2 * kEps * c2) << angle;
    EXPECT_LE(std::abs(c.c3 - c3), 2 * kEps * c3 + 2e-19L / std::max(a2, 1e-6L)) << angle;
  };
  for (const double angle : {0.0, 1e-300, 1e-160, 1e-20, 1e-9, 1e-4, 2.999999999e-1}) check(angle);
  for (double angle = 1e-3; angle < 0.3; angle *= 1.01) check(angle);
}

TEST(ExpCoefficients, MeetAtTheLimitOfTheSeries) {
  const auto below = expCoefficients(std::nextafter(0.09, 0.0)), above = expCoefficients(0.09);
  // the closed forms lose 1/a² of eps by cancellation, c3 once more
  EXPECT_NEAR(above.c1 / below.c1, 1.0, 30 * kEps);
  EXPECT_NEAR(above.c2 / below.c2, 1.0, 300 * kEps);
  EXPECT_NEAR(above.c3 / below.c3, 1.0, 3000 * kEps);
}

TEST(RotationBetween, IsTheTurnThatLeadsFromOneToTheOther) {
  const Mat3<double> R = toMatrix(expQuat(Vec3<double>{0.4, -1.2, 0.3}));
  for (const Vec3<double>& theta : rotationVectors(3.1)) {
    const Mat3<double> turn = toMatrix(expQuat(theta));
    // products of matrices round to a few eps, also where the turn is tiny; near a half turn 1/w² amplifies them
    const double w = std::cos(0.5 * norm(theta));
    EXPECT_LE(norm(rotationBetween(R, turn * R) - theta), 16 * kEps * (1.0 + 1.0 / (w * w))) << norm(theta);
  }
}

TEST(RotationBetween, IsZeroForNoTurnAndFiniteForAHalfOne) {
  const Mat3<double> one = Mat3<double>::identity();
  EXPECT_EQ(norm(rotationBetween(one, one)), 0.0);
  const Vec3<double> half = rotationBetween(one, Mat3<double>{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}});
  EXPECT_TRUE(std::isfinite(norm(half)));
  const Mat3<double> almost = toMatrix(expQuat(Vec3<double>{0.0, kHalfTurn - 1e-4, 0.0}));
  EXPECT_NEAR(rotationBetween(one, almost).y, kHalfTurn - 1e-4, 1e-7);  // 1 + trace is 2.5e-9 there
}

TEST(ExpQuat, OfSmallTurnsKeepsAllDigits) {
  for (const double sign : {1.0, -1.0})
    for (double angle : {0.0, 1e-300, 1e-20, 1e-9, 1e-3, 0.05, 0.15, 0.2999999, 0.3000001}) {
      const Quat<double> q = expQuat(Vec3<double>{0.0, sign * angle, -0.0});
      const long double half = 0.5L * static_cast<long double>(angle);
      EXPECT_LE(std::abs(q.w - std::cos(half)), kEps) << angle;
      EXPECT_LE(std::abs(q.y - sign * std::sin(half)), 2 * kEps * half) << angle;
      EXPECT_EQ(q.x, 0.0);
    }
}

}  // namespace
}  // namespace rigor
