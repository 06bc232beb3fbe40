#include "reference/extreme_families.h"

#include "reference/free_bodies.h"

namespace rigor::reference {
namespace {

using Eigen::Vector3d;

constexpr double kRadius = 0.1;

// A ball of radius 0.1 m as body number `body`.
void setBall(Mechanism& mechanism, int body, double mass) {
  const double half_edge = kRadius * std::sqrt(0.6);  // of the box with the inertia of a solid ball: 2/5 r² = 2/3 s²
  setBody(mechanism, body, mass, Vector3d::Constant(half_edge));
}

void addBallContact(Mechanism& balls, int upper, int lower, const Vector3d& from_lower, double mu) {
  const Vector3d n = from_lower.normalized();
  balls.addContact(pointRows(balls, upper, -kRadius * n) - pointRows(balls, lower, kRadius * n), n, mu);
}

// Rests under a push, slides and spins, or falls.
void move(Random& random, Mechanism& body) {
  const double kind = random.uniform(0.0, 3.0);
  if (kind < 1.0) {
    body.force.head<2>() += body.M(0, 0) * random.vector(4.0).head<2>();
  } else if (kind < 2.0) {
    body.velocity.head<2>() = random.vector(2.0).head<2>();
    body.velocity[5] = random.uniform(-5.0, 5.0);
  } else {
    for (int i = 0; i < 6; ++i) body.velocity[i] = random.uniform(-1.0, 1.0);
    body.velocity[2] = -random.logUniform(1e-3, 10.0);
  }
}

}  // namespace

ContactProblem strongFriction(std::uint64_t seed) {
  Random random(seed);
  Mechanism box(6);
  const Vector3d half(random.uniform(0.05, 0.5), random.uniform(0.05, 0.5), random.uniform(0.05, 0.3));
  setBody(box, 0, random.logUniform(0.1, 100.0), half);
  const int contacts = random.integer(1, 8);
  const double mu = random.logUniform(10.0, 1000.0);
  for (int i = 0; i < contacts; ++i) box.addContact(pointRows(box, 0, rimPoint(half, i, contacts)), kUp, mu);
  move(random, box);
  return box.problem(random);
}

ContactProblem heavyColumn(std::uint64_t seed) {
  constexpr int kBalls = 10;
  Random random(seed);
  Mechanism column(6 * kBalls);
  const double ratio = random.logUniform(1.0, 1e8), mu = random.uniform(0.2, 1.0), lean = random.uniform(0.0, 0.02);
  for (int i = 0; i < kBalls; ++i) {
    setBall(column, i, std::pow(ratio, i / (kBalls - 1.0)));
    column.velocity.segment<3>(6 * i) = random.vector(0.01);
  }
  column.addContact(pointRows(column, 0, -kRadius * kUp), kUp, mu);
  for (int i = 1; i < kBalls; ++i) addBallContact(column, i, i - 1, kUp + random.vector(lean), mu);
  return column.problem(random);
}

ContactProblem heavyPyramid(std::uint64_t seed) {
  constexpr int kRows = 4, kBalls = 10;
  Random random(seed);
  Mechanism pyramid(6 * kBalls);
  const double ratio = random.logUniform(1.0, 1e8), mu = random.uniform(0.3, 1.0);
  int ball = 0, below = 0;
  for (int row = 0; row < kRows; ++row) {
    const int length = kRows - row;
    for (int i = 0; i < length; ++i) {
      setBall(pyramid, ball + i, std::pow(ratio, row / (kRows - 1.0)));
      if (row == 0) pyramid.addContact(pointRows(pyramid, ball + i, -kRadius * kUp), kUp, mu);
      if (i > 0) addBallContact(pyramid, ball + i, ball + i - 1, Vector3d::UnitX(), mu);
      if (row == 0) continue;
      addBallContact(pyramid, ball + i, below + i, Vector3d(0.5, 0.0, std::sqrt(0.75)), mu);
      addBallContact(pyramid, ball + i, below + i + 1, Vector3d(-0.5, 0.0, std::sqrt(0.75)), mu);
    }
    below = ball;
    ball += length;
  }
  for (int i = 0; i < kBalls; ++i) pyramid.velocity.segment<3>(6 * i) = random.vector(random.integer(0, 1) * 0.01);
  return pyramid.problem(random);
}

ContactProblem slenderBox(std::uint64_t seed) {
  Random random(seed);
  Mechanism box(6);
  const double thin = 1e-3, other = random.integer(0, 1) == 0 ? thin : 500.0 * thin;
  const Vector3d half(500.0 * thin, other, thin);
  setBody(box, 0, random.logUniform(0.01, 10.0), half);
  const int contacts = random.integer(2, 8);
  const double mu = random.uniform(0.1, 1.5);
  for (int i = 0; i < contacts; ++i) box.addContact(pointRows(box, 0, rimPoint(half, i, contacts)), kUp, mu);
  move(random, box);
  return box.problem(random);
}

}  // namespace rigor::reference
