#include "reference/planted_jams.h"

#include "reference/free_bodies.h"

namespace rigor::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

double someFriction(Random& random) { return random.integer(0, 2) == 0 ? 0.0 : random.uniform(0.0, 2.0); }

Vector3d someDirection(Random& random) {
  Vector3d d = random.vector(1.0);
  while (d.norm() < 0.1) d = random.vector(1.0);
  return d.normalized();
}

// Sets everything in motion and the walls to their closing speed.
ContactProblem finish(Mechanism& scene, Random& random, double closing) {
  const double speed = random.logUniform(1e-6, 1e3);
  for (Eigen::Index i = 0; i < scene.velocity.size(); ++i) scene.velocity[i] = random.uniform(-speed, speed);
  scene.force.setZero();
  for (const Block& block : scene.blocks)
    if (block.kind == BlockKind::kContact || block.kind == BlockKind::kAtLeast)
      scene.bias[block.row] = -closing * speed;
  ContactProblem problem = scene.problem(random);
  // Half of the scenes are files without a scale, half are steps of a simulation.
  problem.velocity_scale = random.integer(0, 1) == 0 ? 0.0 : 1e-3 * speed;
  return problem;
}

// A ball touches with its surface: all contacts act on its centre along their normals.
void addWall(Mechanism& scene, int body, const Vector3d& normal, double mu, int copies = 1) {
  for (int i = 0; i < copies; ++i) scene.addContact(pointRows(scene, body, -0.1 * normal), normal, mu);
}

ContactProblem ballInVice(std::uint64_t seed, double closing) {
  Random random(seed);
  Mechanism scene(6);
  setBody(scene, 0, random.logUniform(1e-3, 1e3), Vector3d::Constant(0.08));
  const Vector3d d = seed % 3 == 0 ? Vector3d(Vector3d::UnitX()) : someDirection(random);
  const double mu = someFriction(random);
  addWall(scene, 0, d, mu, random.integer(1, 3));
  addWall(scene, 0, -d, mu, random.integer(1, 3));
  if (random.integer(0, 1) == 1) addWall(scene, 0, someDirection(random), mu);  // a bystander
  return finish(scene, random, closing);
}

// Normals that hold each other in balance: two to four directions and minus a positive combination of them.
ContactProblem ballInCage(std::uint64_t seed, double closing) {
  Random random(seed);
  Mechanism scene(6);
  setBody(scene, 0, random.logUniform(1e-3, 1e3), Vector3d::Constant(0.08));
  const double mu = someFriction(random);
  Vector3d sum = Vector3d::Zero();
  for (int i = random.integer(2, 4); i > 0; --i) {
    const Vector3d d = someDirection(random);
    addWall(scene, 0, d, mu);
    sum += random.uniform(0.5, 1.0) * d;
  }
  if (sum.norm() < 0.1) return ballInCage(seed + 7919, closing);
  addWall(scene, 0, -sum.normalized(), mu);
  return finish(scene, random, closing);
}

ContactProblem boxBetweenPlates(std::uint64_t seed, double closing) {
  Random random(seed);
  Mechanism scene(6);
  const Vector3d half(random.uniform(0.05, 0.5), random.uniform(0.05, 0.5), random.uniform(0.05, 0.3));
  setBody(scene, 0, random.logUniform(1e-2, 1e2), half);
  const double mu = someFriction(random);
  const int points = random.integer(3, 8);
  for (int i = 0; i < points; ++i) {
    const Vector3d below = rimPoint(half, i, points);
    scene.addContact(pointRows(scene, 0, below), kUp, mu);
    scene.addContact(pointRows(scene, 0, Vector3d(below.x(), below.y(), half.z())), -kUp, mu);
  }
  return finish(scene, random, closing);
}

Mechanism stack(Random& random, int count, double ratio, double mu) {
  Mechanism scene(6 * count);
  const Vector3d half(0.1, 0.1, 0.05);
  for (int i = 0; i < count; ++i)
    setBody(scene, i, std::pow(ratio, count > 1 ? static_cast<double>(i) / (count - 1) : 0.0), half);
  const int corners = random.integer(3, 5);
  for (int i = 0; i < count; ++i)
    for (int corner = 0; corner < corners; ++corner) {
      const Vector3d below = rimPoint(half, corner, corners);
      MatrixXd J = pointRows(scene, i, below);
      if (i > 0) J -= pointRows(scene, i - 1, Vector3d(below.x(), below.y(), half.z()));
      scene.addContact(J, kUp, mu);
    }
  return scene;
}

ContactProblem stackUnderPress(std::uint64_t seed, double closing) {
  Random random(seed);
  const int count = random.integer(2, 5);
  const double mu = someFriction(random);
  Mechanism scene = stack(random, count, random.logUniform(1.0, 1e4), mu);
  for (int corner = 0; corner < 4; ++corner) {
    const Vector3d below = rimPoint(Vector3d(0.1, 0.1, 0.05), corner, 4);
    scene.addContact(pointRows(scene, count - 1, Vector3d(below.x(), below.y(), 0.05)), -kUp, mu);
  }
  return finish(scene, random, closing);
}

ContactProblem ballsInTube(std::uint64_t seed, double closing) {
  Random random(seed);
  const int count = random.integer(2, 12);
  Mechanism scene(6 * count);
  const Vector3d d = someDirection(random);
  const double mu = someFriction(random);
  for (int i = 0; i < count; ++i) setBody(scene, i, random.logUniform(0.01, 10.0), Vector3d::Constant(0.08));
  addWall(scene, 0, d, mu);
  for (int i = 1; i < count; ++i)
    scene.addContact(pointRows(scene, i, -0.1 * d) - pointRows(scene, i - 1, 0.1 * d), d, mu);
  addWall(scene, count - 1, -d, mu);
  return finish(scene, random, closing);
}

MatrixXd someInertia(Random& random, int nv) {
  MatrixXd A(nv, nv);
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j) A(i, j) = random.uniform(-1.0, 1.0);
  MatrixXd M = A * A.transpose();
  M.diagonal().array() += random.uniform(0.1, 1.0);
  return M;
}

// A round foot between two walls, a second foot on the floor, a joint at its limit and a motor beside them.
ContactProblem robotBetweenWalls(std::uint64_t seed, double closing) {
  Random random(seed);
  const int nv = random.integer(6, 18);
  Mechanism scene(nv);
  scene.M = someInertia(random, nv);
  const double mu = someFriction(random);
  const auto foot = [&] {
    MatrixXd J(3, nv);
    for (int c = 0; c < nv; ++c) J.col(c) = random.vector(1.0);
    return J;
  };
  const auto add = [&](const MatrixXd& centre, const MatrixXd& spin, const Vector3d& n) {
    scene.addContact(centre - 0.05 * cross(n).transpose() * spin, n, mu);
  };
  const MatrixXd first = foot(), first_spin = foot(), second = foot(), second_spin = foot();
  const Vector3d d = someDirection(random);
  add(first, first_spin, d);
  add(second, second_spin, kUp);
  add(first, first_spin, -d);
  MatrixXd joint = MatrixXd::Zero(1, nv);
  joint(0, nv - 1) = 1.0;
  scene.addBlock(BlockKind::kAtLeast, joint);
  scene.addBlock(BlockKind::kBox, joint, 0.0, -1.0, 1.0, 0.1);
  return finish(scene, random, closing);
}

// Both limits of a joint at once.
ContactProblem jointBetweenLimits(std::uint64_t seed, double closing) {
  Random random(seed);
  const int nv = random.integer(1, 8);
  Mechanism scene(nv);
  scene.M = someInertia(random, nv);
  for (int joint = 0; joint < nv; ++joint)
    for (double sign : {1.0, -1.0}) {
      MatrixXd row = MatrixXd::Zero(1, nv);
      row(0, joint) = sign;
      scene.addBlock(BlockKind::kAtLeast, row);
    }
  return finish(scene, random, closing);
}

// Two bodies welded to each other, one against each wall: only through the loop do the walls feel each other.
ContactProblem weldedBetweenWalls(std::uint64_t seed, double closing) {
  Random random(seed);
  Mechanism scene(12);
  for (int i = 0; i < 2; ++i) setBody(scene, i, random.logUniform(0.1, 10.0), Vector3d::Constant(0.08));
  const Vector3d d = someDirection(random);
  const double mu = someFriction(random);
  addWall(scene, 0, d, mu);
  addWall(scene, 1, -d, mu);
  const Vector3d joint = 0.1 * d;  // the bodies stand 0.2 apart along d
  MatrixXd weld(6, 12);
  weld << pointRows(scene, 0, joint) - pointRows(scene, 1, -joint), MatrixXd::Zero(3, 12);
  weld.block<3, 3>(3, 3).setIdentity();
  weld.block<3, 3>(3, 9) = -Eigen::Matrix3d::Identity();
  scene.addBlock(BlockKind::kEqual, weld);
  if (random.integer(0, 1) == 1) scene.addBlock(BlockKind::kEqual, weld.topRows(3));  // and once more
  return finish(scene, random, closing);
}

}  // namespace

const std::vector<JamFamily>& jamFamilies() {
  static const std::vector<JamFamily> families = {
      {"ball_in_vice", ballInVice},
      {"ball_in_cage", ballInCage},
      {"box_between_plates", boxBetweenPlates},
      {"stack_under_press", stackUnderPress},
      {"balls_in_tube", ballsInTube},
      {"robot_between_walls", robotBetweenWalls},
      {"joint_between_limits", jointBetweenLimits},
      {"welded_between_walls", weldedBetweenWalls},
  };
  return families;
}

ContactProblem unequalStack(std::uint64_t seed, double mass_ratio) {
  Random random(seed);
  Mechanism scene = stack(random, random.integer(2, 6), mass_ratio, random.uniform(0.0, 1.0));
  return scene.problem(random);
}

}  // namespace rigor::reference
