#include "reference/problem_families.h"

#include "reference/extreme_families.h"
#include "reference/free_bodies.h"

namespace rigor::reference {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

Mechanism boxOnFloor(Random& random, int contacts, double mu) {
  Mechanism box(6);
  const Vector3d half(random.uniform(0.05, 0.5), random.uniform(0.05, 0.5), random.uniform(0.05, 0.3));
  setBody(box, 0, random.logUniform(0.1, 100.0), half);
  for (int i = 0; i < contacts; ++i) box.addContact(pointRows(box, 0, rimPoint(half, i, contacts)), kUp, mu);
  return box;
}

template <int kContacts>
ContactProblem restingBox(std::uint64_t seed) {
  Random random(seed);
  Mechanism box = boxOnFloor(random, kContacts, random.uniform(0.2, 1.2));
  // Pushed sideways, below or above what friction holds.
  box.force[0] += box.M(0, 0) * random.uniform(-4.0, 4.0);
  box.force[1] += box.M(0, 0) * random.uniform(-4.0, 4.0);
  return box.problem(random);
}

template <int kContacts>
ContactProblem slidingBox(std::uint64_t seed) {
  Random random(seed);
  Mechanism box = boxOnFloor(random, kContacts, random.uniform(0.05, 1.5));
  box.velocity.head<2>() = random.vector(2.0).head<2>();
  box.velocity[5] = random.uniform(-5.0, 5.0);
  return box.problem(random);
}

ContactProblem fallingBox(std::uint64_t seed) {
  Random random(seed);
  Mechanism box = boxOnFloor(random, random.integer(1, 8), random.uniform(0.0, 2.0));
  const double speed = random.logUniform(1e-6, 1e3);
  for (int i = 0; i < 6; ++i) box.velocity[i] = random.uniform(-speed, speed);
  box.velocity[2] = -speed;
  for (const Block& block : box.blocks) box.bias[block.row] = random.uniform(0.0, 1.0) < 0.3 ? 0.5 * speed : 0.0;
  return box.problem(random);
}

Mechanism stackOfBoxes(Random& random, int count, double ratio) {
  Mechanism stack(6 * count);
  const Vector3d half(0.1, 0.1, 0.05);
  const double mu = random.uniform(0.2, 1.0);
  for (int i = 0; i < count; ++i)  // heaviest on top: the hard way round
    setBody(stack, i, std::pow(ratio, count > 1 ? static_cast<double>(i) / (count - 1) : 0.0), half);
  for (int i = 0; i < count; ++i)
    for (int corner = 0; corner < 4; ++corner) {
      const Vector3d below = rimPoint(half, corner, 4);
      MatrixXd J = pointRows(stack, i, below);
      if (i > 0) J -= pointRows(stack, i - 1, Vector3d(below.x(), below.y(), half.z()));
      stack.addContact(J, kUp, mu);
    }
  return stack;
}

ContactProblem standingStack(std::uint64_t seed) {
  Random random(seed);
  const int count = random.integer(2, 6);
  Mechanism stack = stackOfBoxes(random, count, random.logUniform(1.0, 1e4));
  return stack.problem(random);
}

ContactProblem slidingStack(std::uint64_t seed) {
  Random random(seed);
  const int count = random.integer(2, 5);
  Mechanism stack = stackOfBoxes(random, count, random.logUniform(1.0, 1e4));
  for (int i = 0; i < count; ++i) stack.velocity.segment<2>(6 * i) = random.vector(0.5).head<2>();
  return stack.problem(random);
}

// Balls on a jittered grid: each rests on what is below and touches its neighbours.
ContactProblem heap(std::uint64_t seed) {
  Random random(seed);
  const int side = random.integer(2, 3), layers = random.integer(1, 3), count = side * side * layers;
  const double radius = 0.1;
  Mechanism balls(6 * count);
  std::vector<Vector3d> centres;
  for (int i = 0; i < count; ++i) {
    const int layer = i / (side * side), x = i % side, y = (i / side) % side;
    centres.push_back(2.0 * radius * Vector3d(x, y, 0.5 + layer) + random.vector(0.02));
    const double size = radius * std::sqrt(0.6);  // half edge with the inertia of a solid ball: 2/5 r² = 2/3 s²
    setBody(balls, i, random.logUniform(0.1, 10.0), Vector3d::Constant(size));
    balls.velocity.segment<3>(6 * i) = random.vector(0.3);
    balls.velocity.segment<3>(6 * i + 3) = random.vector(3.0);
  }
  const double mu = random.uniform(0.1, 1.0);
  for (int i = 0; i < count; ++i) {
    if (centres[i].z() < 1.3 * radius) balls.addContact(pointRows(balls, i, -radius * kUp), kUp, mu);
    for (int j = 0; j < i; ++j) {
      const Vector3d between = centres[i] - centres[j];
      if (between.norm() > 2.3 * radius) continue;
      const Vector3d n = between.normalized();
      balls.addContact(pointRows(balls, i, -radius * n) - pointRows(balls, j, radius * n), n, mu);
    }
  }
  return balls.problem(random);
}

// A box squeezed by two fingers that move along one axis each, with a motor that can saturate.
ContactProblem grip(std::uint64_t seed) {
  Random random(seed);
  Mechanism gripper(8);
  const Vector3d half(0.05, 0.05, 0.08);
  setBody(gripper, 0, random.logUniform(0.05, 20.0), half);
  gripper.M(6, 6) = gripper.M(7, 7) = 0.5;
  const double mu = random.uniform(0.2, 1.2), squeeze = random.logUniform(1.0, 300.0);
  for (int finger = 0; finger < 2; ++finger) {
    const double side = finger == 0 ? -1.0 : 1.0;
    for (int corner = 0; corner < 4; ++corner) {
      const Vector3d arm(side * half.x(), corner % 2 ? 0.03 : -0.03, corner / 2 ? 0.03 : -0.03);
      MatrixXd J = pointRows(gripper, 0, arm);
      J(0, 6 + finger) = -1.0;
      gripper.addContact(J, Vector3d(-side, 0.0, 0.0), mu);
    }
    Eigen::RowVectorXd motor = Eigen::RowVectorXd::Zero(8);
    motor[6 + finger] = 1.0;
    gripper.addBlock(BlockKind::kBox, motor, side * random.uniform(0.01, 1.0), -1e-3 * squeeze, 1e-3 * squeeze,
                     random.uniform(0.0, 1.0) < 0.5 ? 0.0 : random.logUniform(1e-3, 1.0));
  }
  gripper.velocity.head<6>().setConstant(random.uniform(-0.1, 0.1));
  return gripper.problem(random);
}

// Bodies joined by ball or hinge joints written as equal blocks, lying on the floor.
ContactProblem jointedBodies(std::uint64_t seed) {
  Random random(seed);
  const int count = random.integer(2, 6);
  Mechanism bodies(6 * count);
  const Vector3d half(0.15, 0.05, 0.05);
  const double mu = random.uniform(0.1, 1.0);
  for (int i = 0; i < count; ++i) {
    setBody(bodies, i, random.logUniform(0.3, 5.0), half);
    bodies.velocity.segment<6>(6 * i).setRandom();
    for (int k = 0; k < 6; ++k) bodies.velocity[6 * i + k] = random.uniform(-0.3, 0.3);
  }
  for (int i = 0; i < count; ++i)
    for (int corner = 0; corner < 4; ++corner)
      bodies.addContact(pointRows(bodies, i, rimPoint(half, corner, 4)), kUp, mu);
  for (int i = 1; i < count; ++i) {
    const MatrixXd point =
        pointRows(bodies, i, Vector3d(-half.x(), 0, 0)) - pointRows(bodies, i - 1, Vector3d(half.x(), 0, 0));
    const bool hinge = random.uniform(0.0, 1.0) < 0.5;
    MatrixXd J = MatrixXd::Zero(hinge ? 5 : 3, 6 * count);
    J.topRows<3>() = point;
    if (hinge)
      for (int r = 0; r < 2; ++r) J(3 + r, 6 * i + 3 + r) = 1.0, J(3 + r, 6 * (i - 1) + 3 + r) = -1.0;
    bodies.addBlock(BlockKind::kEqual, J);
  }
  return bodies.problem(random);
}

// ---- trees of hinges ----------------------------------------------------------------------------------------------

// A serial chain of point masses on hinges with random axes, hung from the world. Row blocks of points near the root
// have rank 1 or 2.
struct HingeChain {
  std::vector<Vector3d> origins, axes;
  Vector3d tip = Vector3d::Zero();

  HingeChain(Random& random, int links, double length) {
    for (int i = 0; i < links; ++i) {
      origins.push_back(tip);
      Vector3d axis = random.vector(1.0);
      axes.push_back(axis.normalized());
      tip += length * (Vector3d(1.0, 0.0, 0.0) + random.vector(0.6)).normalized();
    }
  }
  Vector3d end(int link) const { return link + 1 < static_cast<int>(origins.size()) ? origins[link + 1] : tip; }
  MatrixXd pointRows(int link, const Vector3d& point, int nv, int first = 0) const {
    MatrixXd J = MatrixXd::Zero(3, nv);
    for (int k = 0; k <= link; ++k) J.col(first + k) = axes[k].cross(point - origins[k]);
    return J;
  }
};

void addPointMass(Mechanism& mechanism, const MatrixXd& J, double mass) {
  mechanism.M += mass * J.transpose() * J;
  mechanism.force -= mass * kGravity * J.row(2).transpose();
}

ContactProblem chainOnFloor(std::uint64_t seed) {
  Random random(seed);
  const int links = random.integer(4, 16);
  const HingeChain chain(random, links, 0.2);
  Mechanism mechanism(links);
  mechanism.M.diagonal().setConstant(1e-3);
  const double mu = random.uniform(0.05, 1.0);
  for (int i = 0; i < links; ++i) {
    const Vector3d middle = 0.5 * (chain.origins[i] + chain.end(i));
    addPointMass(mechanism, chain.pointRows(i, middle, links), random.uniform(0.2, 2.0));
    addPointMass(mechanism, chain.pointRows(i, chain.end(i), links), 0.1);
    mechanism.addContact(chain.pointRows(i, chain.end(i), links), kUp + random.vector(0.2), mu);
    mechanism.velocity[i] = random.uniform(-1.0, 1.0);
  }
  return mechanism.problem(random);
}

ContactProblem hinge(std::uint64_t seed) {
  Random random(seed);
  const int links = random.integer(1, 2);
  const HingeChain chain(random, links, 0.3);
  Mechanism mechanism(links);
  mechanism.M.diagonal().setConstant(1e-4);
  for (int i = 0; i < links; ++i) {
    addPointMass(mechanism, chain.pointRows(i, chain.end(i), links), random.logUniform(0.1, 10.0));
    mechanism.velocity[i] = random.uniform(-2.0, 2.0);
  }
  const double mu = random.uniform(0.0, 2.0);
  for (int i = 0; i < random.integer(1, 3); ++i) {
    const int link = random.integer(0, links - 1);
    const Vector3d point = chain.end(link) + random.vector(0.02);
    mechanism.addContact(chain.pointRows(link, point, links), kUp + random.vector(0.5), mu);
  }
  return mechanism.problem(random);
}

// ---- a quadruped: free base and four legs of three hinges, all with real kinematics -------------------------------

constexpr int kRobot = 18;

struct Quadruped {
  Mechanism mechanism{kRobot};
  std::vector<HingeChain> legs;

  MatrixXd basePoint(const Vector3d& arm) const {
    MatrixXd J = MatrixXd::Zero(3, kRobot);
    J.leftCols<3>().setIdentity();
    J.block<3, 3>(0, 3) = -cross(arm);
    return J;
  }
  MatrixXd legPoint(int leg, int link, const Vector3d& point) const {
    return basePoint(point) + legs[leg].pointRows(link, point, kRobot, 6 + 3 * leg);
  }

  explicit Quadruped(Random& random) {
    for (int corner = 0; corner < 8; ++corner)
      addPointMass(mechanism, basePoint({corner & 1 ? 0.3 : -0.3, corner & 2 ? 0.1 : -0.1, corner & 4 ? 0.1 : -0.1}),
                   2.0);
    for (int leg = 0; leg < 4; ++leg) {
      HingeChain chain(random, 0, 0.0);
      const Vector3d hip(leg & 1 ? 0.3 : -0.3, leg & 2 ? 0.2 : -0.2, 0.0);
      const double bend = random.uniform(0.3, 1.0), spread = random.uniform(-0.2, 0.2);
      const Vector3d thigh = 0.28 * Vector3d(std::sin(bend), std::sin(spread), -std::cos(bend)).normalized();
      const Vector3d shank = 0.3 * Vector3d(-std::sin(bend), 0.0, -std::cos(bend));
      chain.origins = {hip, hip + Vector3d(0.0, leg & 2 ? 0.08 : -0.08, 0.0), Vector3d::Zero()};
      chain.origins[2] = chain.origins[1] + thigh;
      chain.axes = {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitY()};
      chain.tip = chain.origins[2] + shank;
      legs.push_back(chain);
      addPointMass(mechanism, legPoint(leg, 0, chain.origins[1]), 1.4);
      addPointMass(mechanism, legPoint(leg, 1, chain.origins[1] + 0.3 * thigh), 1.6);
      addPointMass(mechanism, legPoint(leg, 2, chain.origins[2] + 0.5 * shank), 0.3);
      for (int joint = 0; joint < 3; ++joint) mechanism.M(6 + 3 * leg + joint, 6 + 3 * leg + joint) += 0.02;
    }
  }

  // Torques that would carry the robot on its feet, roughly: each leg a quarter of the weight.
  void carry(double share) {
    const double weight = -mechanism.force[2];
    for (int leg = 0; leg < 4; ++leg) {
      const MatrixXd J = legPoint(leg, 2, legs[leg].tip);
      for (int joint = 0; joint < 3; ++joint) {
        const int dof = 6 + 3 * leg + joint;
        mechanism.force[dof] -= share * 0.25 * weight * J(2, dof);
      }
    }
  }
  void addFeet(double mu) {
    for (int leg = 0; leg < 4; ++leg) mechanism.addContact(legPoint(leg, 2, legs[leg].tip), kUp, mu);
  }
  void shake(Random& random, double size) {
    for (int i = 0; i < kRobot; ++i) mechanism.velocity[i] += random.uniform(-size, size);
  }
};

ContactProblem standingRobot(std::uint64_t seed) {
  Random random(seed);
  Quadruped robot(random);
  robot.carry(random.uniform(0.5, 1.2));
  robot.addFeet(random.uniform(0.4, 1.0));
  robot.shake(random, 1e-4);
  return robot.mechanism.problem(random);
}

ContactProblem predictedRows(std::uint64_t seed) {
  Random random(seed);
  Quadruped robot(random);
  robot.carry(random.uniform(0.0, 1.2));
  robot.addFeet(random.uniform(0.1, 1.0));
  robot.shake(random, 0.1);
  robot.mechanism.row_noise = 1e-3;
  return robot.mechanism.problem(random);
}

ContactProblem movingRobot(std::uint64_t seed) {
  Random random(seed);
  Quadruped robot(random);
  robot.carry(random.uniform(0.0, 2.0));
  robot.addFeet(random.uniform(0.0, 1.0));
  robot.shake(random, random.logUniform(1e-2, 5.0));
  return robot.mechanism.problem(random);
}

// Limp on the floor: eight coplanar torso points and four feet, 36 rows of rank 18.
ContactProblem lyingRobot(std::uint64_t seed) {
  Random random(seed);
  Quadruped robot(random);
  const double mu = random.uniform(0.2, 1.0);
  for (int i = 0; i < 8; ++i)
    robot.mechanism.addContact(robot.basePoint(rimPoint(Vector3d(0.3, 0.1, 0.1), i, 8)), kUp, mu);
  robot.addFeet(mu);
  robot.shake(random, random.uniform(0.0, 1.0) < 0.5 ? 1e-4 : 0.3);
  return robot.mechanism.problem(random);
}

ContactProblem robotWithLimitsAndMotors(std::uint64_t seed) {
  Random random(seed);
  Quadruped robot(random);
  Mechanism& mechanism = robot.mechanism;
  robot.addFeet(random.uniform(0.2, 1.0));
  robot.shake(random, random.logUniform(1e-3, 1.0));
  for (int joint = 6; joint < kRobot; ++joint) {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(kRobot);
    row[joint] = 1.0;
    if (joint % 3 == 2)
      mechanism.addBlock(BlockKind::kAtLeast, row, random.uniform(0.0, 1.0) < 0.5 ? 0.0 : random.uniform(0.0, 1.0));
    else
      mechanism.addBlock(BlockKind::kBox, row, random.uniform(-1.0, 1.0), -0.04, 0.04,
                         joint % 3 == 0 ? random.logUniform(1e-3, 10.0) : 0.0);
  }
  return mechanism.problem(random);
}

// A rod sliding on a rough floor, steep enough that friction presses it into the floor (Painlevé).
ContactProblem painleveRod(std::uint64_t seed) {
  Random random(seed);
  Mechanism rod(6);
  const double angle = random.uniform(0.5, 1.4), half = 0.5, mass = 1.0;
  setBody(rod, 0, mass, Vector3d(half, 0.01, 0.01));
  rod.M.block<3, 3>(3, 3).diagonal() << 0.1, mass * half * half / 3.0, mass * half * half / 3.0;
  const Vector3d arm(-half * std::cos(angle), 0.0, -half * std::sin(angle));
  rod.addContact(pointRows(rod, 0, arm), kUp, random.uniform(0.5, 3.0));
  rod.velocity << random.uniform(-2.0, 2.0), random.uniform(-0.2, 0.2), random.uniform(-0.5, 0.1), 0.0,
      random.uniform(-1.0, 1.0), 0.0;
  return rod.problem(random);
}

}  // namespace

const std::vector<Family>& problemFamilies() {
  static const std::vector<Family> families = {
      {"standing_robot", 200, standingRobot},
      {"moving_robot", 200, movingRobot},
      {"predicted_rows", 200, predictedRows},
      {"lying_robot", 150, lyingRobot},
      {"robot_limits_motors", 200, robotWithLimitsAndMotors},
      {"resting_box_4", 150, restingBox<4>},
      {"resting_box_8", 150, restingBox<8>},
      {"resting_box_16", 60, restingBox<16>},
      {"resting_box_32", 30, restingBox<32>},
      {"sliding_box_4", 150, slidingBox<4>},
      {"sliding_box_8", 150, slidingBox<8>},
      {"sliding_box_16", 60, slidingBox<16>},
      {"sliding_box_32", 30, slidingBox<32>},
      {"falling_box", 300, fallingBox},
      {"painleve_rod", 200, painleveRod},
      {"hinge", 300, hinge},
      {"chain", 150, chainOnFloor},
      {"grip", 150, grip},
      {"jointed_bodies", 100, jointedBodies},
      {"standing_stack", 100, standingStack},
      {"sliding_stack", 100, slidingStack},
      {"heap", 60, heap},
      {"strong_friction", 150, strongFriction},
      {"heavy_column", 100, heavyColumn},
      {"heavy_pyramid", 100, heavyPyramid},
      {"slender_box", 150, slenderBox},
  };
  return families;
}

ContactProblem makeSample(const Family& family, int index) {
  return family.make(1000003ULL * static_cast<std::uint64_t>(index) + 17);
}

}  // namespace rigor::reference
