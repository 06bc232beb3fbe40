// Hinges, loops, motors, walls.
#include <fmt/format.h>

#include "reference/exam_problems.h"
#include "reference/free_bodies.h"
#include "reference/planted_jams.h"
#include "reference/problem_families.h"

namespace rigor::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::Vector3d;

ContactProblem finish(const Mechanism& mechanism) {
  Random unused(0);
  return mechanism.problem(unused);
}

RowVectorXd rowOf(int freedom, int nv, double value = 1.0) {
  RowVectorXd row = RowVectorXd::Zero(nv);
  row[freedom] = value;
  return row;
}

/// Links of 0.5 m on hinges along y and z by turns, from the world on along x; masses at their ends.
struct Limb {
  int links;
  Vector3d axis(int link) const { return link % 2 == 0 ? Vector3d(Vector3d::UnitY()) : Vector3d(Vector3d::UnitZ()); }
  Vector3d end(int link) const { return {0.5 * (link + 1), 0.0, -0.125 * (link + 1)}; }
  MatrixXd pointRows(int link, const Vector3d& point) const {
    MatrixXd J = MatrixXd::Zero(3, links);
    for (int k = 0; k <= link; ++k) J.col(k) = axis(k).cross(point - (k == 0 ? Vector3d::Zero() : end(k - 1)));
    return J;
  }
  Mechanism make(double speed) const {
    Mechanism limb(links);
    limb.M.diagonal().setConstant(1e-3);
    for (int i = 0; i < links; ++i) {
      const MatrixXd J = pointRows(i, end(i));
      limb.M += (i + 1.0) * J.transpose() * J;
      limb.force -= (i + 1.0) * kGravity * J.row(2).transpose();
      limb.velocity[i] = i % 2 == 0 ? speed : -speed;
    }
    return limb;
  }
};

/// Two bodies tied end to end along x, each on its four lower corners.
Mechanism makePair(double mu) {
  Mechanism pair(12);
  const Vector3d half(0.25, 0.0625, 0.0625);
  for (int i = 0; i < 2; ++i) {
    setBody(pair, i, 1.0 + i, half);
    for (int corner = 0; corner < 4; ++corner) pair.addContact(pointRows(pair, i, rimPoint(half, corner, 4)), kUp, mu);
  }
  pair.velocity << 0.5, 0.0, -0.25, 0.0, 0.5, 0.0, 0.5, 0.25, 0.0, 0.25, 0.0, 1.0;
  return pair;
}
MatrixXd pointTie(const Mechanism& pair) {
  return pointRows(pair, 1, {-0.25, 0.0, 0.0}) - pointRows(pair, 0, {0.25, 0.0, 0.0});
}
MatrixXd turnTie(int rows) {
  MatrixXd J = MatrixXd::Zero(rows, 12);
  for (int r = 0; r < rows; ++r) J(r, 9 + r) = 1.0, J(r, 3 + r) = -1.0;
  return J;
}

/// A rod that leans by `angle` from the floor and slides with its lower end ahead.
Mechanism makeRod(double angle, double mu, double speed) {
  Mechanism rod(6);
  const double half = 0.5;
  setBody(rod, 0, 1.0, {half, 0.01, 0.01});
  rod.M.block<3, 3>(3, 3).diagonal() << 0.1, half * half / 3.0, half * half / 3.0;
  rod.addContact(pointRows(rod, 0, {-half * std::cos(angle), 0.0, -half * std::sin(angle)}), kUp, mu);
  rod.velocity[0] = speed;
  return rod;
}

/// A contact of a free body at `arm` that resists turning about its normal too, and rolling: rows times their coefficients, so
/// that μ is 1.
void addRoundFoot(Mechanism& mechanism, int body, const Vector3d& arm, double mu, double torsion, double rolling) {
  const int nv = static_cast<int>(mechanism.M.rows());
  const MatrixXd slide = contactFrame(kUp) * pointRows(mechanism, body, arm);
  MatrixXd turn = MatrixXd::Zero(3, nv), J = MatrixXd::Zero(rolling > 0.0 ? 6 : 4, nv);
  turn.block<3, 3>(0, 6 * body + 3) = contactFrame(kUp);
  J.row(0) = slide.row(0);
  J.middleRows(1, 2) = mu * slide.bottomRows(2);
  J.row(3) = torsion * turn.row(0);
  if (rolling > 0.0) J.bottomRows(2) = rolling * turn.bottomRows(2);
  mechanism.addBlock(BlockKind::kContact, J);
  mechanism.blocks.back().mu = 1.0;
}

/// A box of 1 kg between two fingers of half a kilogram on slides along x, four points each, pressed by motors.
Mechanism makeGrip(double mu, double squeeze, double compliance) {
  Mechanism grip(8);
  const Vector3d half(0.0625, 0.0625, 0.125);
  setBody(grip, 0, 1.0, half);
  grip.M(6, 6) = grip.M(7, 7) = 0.5;
  for (int finger = 0; finger < 2; ++finger) {
    const double side = finger == 0 ? -1.0 : 1.0;
    for (int corner = 0; corner < 4; ++corner) {
      const Vector3d arm(side * half.x(), corner % 2 ? 0.03125 : -0.03125, corner / 2 ? 0.03125 : -0.03125);
      MatrixXd J = pointRows(grip, 0, arm);
      J(0, 6 + finger) = -1.0;
      grip.addContact(J, Vector3d(-side, 0.0, 0.0), mu);
    }
    grip.addBlock(BlockKind::kBox, rowOf(6 + finger, 8), 0.5 * side, -1e-3 * squeeze, 1e-3 * squeeze, compliance);
  }
  return grip;
}

}  // namespace

void addFeet(std::vector<ExamProblem>& exam) {
  for (const int links : {1, 2}) {
    const Limb limb{links};
    for (const double mu : {0.25, 2.0}) {
      Mechanism foot = limb.make(0.5);
      foot.addContact(limb.pointRows(links - 1, limb.end(links - 1)), kUp, mu);
      exam.push_back({fmt::format("rank_{}_foot_mu_{}", links, mu), true, finish(foot)});
    }
    Mechanism feet = limb.make(0.5);
    for (const double side : {-0.125, 0.0, 0.125})
      feet.addContact(limb.pointRows(links - 1, limb.end(links - 1) + Vector3d(0.0, side, 0.0)), kUp, 0.5);
    exam.push_back({fmt::format("rank_{}_feet_3", links), true, finish(feet)});
  }
  const Limb chain{8};
  Mechanism lying = chain.make(0.25);
  for (int link = 0; link < 8; ++link) lying.addContact(chain.pointRows(link, chain.end(link)), kUp, 0.5);
  exam.push_back({"chain_of_8", true, finish(lying)});
}

void addLoops(std::vector<ExamProblem>& exam) {
  Mechanism ball = makePair(0.5), hinge = makePair(0.5), weld = makePair(0.5), twice = makePair(0.5);
  ball.addBlock(BlockKind::kEqual, pointTie(ball));
  exam.push_back({"ball_joint_on_floor", true, finish(ball)});
  hinge.addBlock(BlockKind::kEqual, pointTie(hinge));
  hinge.addBlock(BlockKind::kEqual, turnTie(2));
  exam.push_back({"hinge_on_floor", true, finish(hinge)});
  weld.addBlock(BlockKind::kEqual, pointTie(weld));
  weld.addBlock(BlockKind::kEqual, turnTie(3));
  exam.push_back({"weld_on_floor", true, finish(weld)});
  twice = weld;
  twice.addBlock(BlockKind::kEqual, pointTie(twice));
  exam.push_back({"weld_twice_on_floor", true, finish(twice)});
  Mechanism unequal = makePair(1.5);
  unequal.M.topLeftCorner<6, 6>() *= 1e6, unequal.force.head<6>() *= 1e6;
  unequal.addBlock(BlockKind::kEqual, pointTie(unequal));
  unequal.addBlock(BlockKind::kEqual, turnTie(3));
  exam.push_back({"weld_1e6_on_floor", true, finish(unequal)});
}

void addRods(std::vector<ExamProblem>& exam) {
  for (const double mu : {0.5, 1.5, 3.0})  // above 4/3 friction presses a rod at 60 degrees into the floor
    exam.push_back({fmt::format("rod_mu_{}", mu), true, finish(makeRod(kPi / 3.0, mu, -2.0))});
  exam.push_back({"rod_slips_away", true, finish(makeRod(kPi / 3.0, 1.5, 2.0))});
  exam.push_back({"rod_nearly_upright", true, finish(makeRod(1.4, 3.0, -2.0))});
}

void addGrips(std::vector<ExamProblem>& exam) {
  exam.push_back({"grip_holds", true, finish(makeGrip(0.5, 100.0, 0.0))});
  exam.push_back({"grip_lets_slip", true, finish(makeGrip(0.5, 5.0, 0.0))});
  exam.push_back({"grip_without_friction", true, finish(makeGrip(0.0, 100.0, 0.0))});
  exam.push_back({"grip_soft_motors", true, finish(makeGrip(0.8, 1e4, 0.1))});
}

void addJams(std::vector<ExamProblem>& exam) {
  for (const JamFamily& family : jamFamilies()) {
    // the first sample whose file stays small
    for (std::uint64_t seed = 1;; ++seed) {
      const ContactProblem closing = family.make(seed, 0.5);
      if (closing.rows() > 36) continue;
      exam.push_back({"closing_" + family.name, false, closing});
      exam.push_back({"opening_" + family.name, true, family.make(seed, -0.5)});
      break;
    }
  }
}

void addJoints(std::vector<ExamProblem>& exam) {
  const auto joint = [] {
    Mechanism one(1);
    one.M(0, 0) = 0.5, one.velocity[0] = -1.0, one.force[0] = -5.0;
    return one;
  };
  Mechanism limit = joint(), motor = joint(), dry = joint(), all = joint();
  limit.addBlock(BlockKind::kAtLeast, rowOf(0, 1));
  exam.push_back({"limit", true, finish(limit)});
  motor.addBlock(BlockKind::kBox, rowOf(0, 1), -2.0, -1e-2, 1e-2, 0.5);
  exam.push_back({"motor_at_its_bound", true, finish(motor)});
  dry.addBlock(BlockKind::kBox, rowOf(0, 1), 0.0, -10.0, 10.0);
  exam.push_back({"dry_friction_holds", true, finish(dry)});
  all.addBlock(BlockKind::kAtLeast, rowOf(0, 1), 0.25);
  all.addBlock(BlockKind::kBox, rowOf(0, 1), -2.0, -0.125, 0.125, 0.5);
  all.addBlock(BlockKind::kBox, rowOf(0, 1), 0.0, -0.0625, 0.0625);
  exam.push_back({"limit_motor_dry_friction", true, finish(all)});
  const Limb chain{6};
  Mechanism arm = chain.make(0.5);
  for (int k = 0; k < 6; ++k) {
    arm.addBlock(BlockKind::kAtLeast, rowOf(k, 6, k % 2 == 0 ? 1.0 : -1.0), k < 3 ? 0.0 : 0.25);
    arm.addBlock(BlockKind::kBox, rowOf(k, 6), k % 2 == 0 ? 1.0 : 0.0, -0.05, 0.05, k % 2 == 0 ? 0.1 : 0.0);
  }
  arm.addContact(chain.pointRows(5, chain.end(5)), kUp, 0.5);
  exam.push_back({"arm_with_limits_and_motors", true, finish(arm)});
}

void addRobots(std::vector<ExamProblem>& exam) {
  for (const char* name : {"standing_robot", "moving_robot", "predicted_rows", "lying_robot", "robot_limits_motors"})
    for (const Family& family : problemFamilies())
      if (family.name == name) exam.push_back({name, true, makeSample(family, 0)});
}

void addRoundFeet(std::vector<ExamProblem>& exam) {
  const auto ball = [] {
    Mechanism one(6);
    setBody(one, 0, 2.0, Vector3d::Constant(0.125));
    return one;
  };
  Mechanism spinning = ball(), held = ball(), rolling = ball(), stopped = ball();
  spinning.velocity[5] = 10.0;
  addRoundFoot(spinning, 0, {0.0, 0.0, -0.125}, 0.5, 0.01, 0.0);
  exam.push_back({"ball_spins", true, finish(spinning)});
  held.velocity[5] = 1e-3;
  addRoundFoot(held, 0, {0.0, 0.0, -0.125}, 0.5, 0.01, 0.0);
  exam.push_back({"ball_spins_no_more", true, finish(held)});
  rolling.velocity << 0.5, 0.0, 0.0, 0.0, 4.0, 1.0;
  addRoundFoot(rolling, 0, {0.0, 0.0, -0.125}, 0.5, 0.01, 0.005);
  exam.push_back({"ball_rolls", true, finish(rolling)});
  stopped.velocity << 0.0, -1e-4, 0.0, 8e-4, 0.0, 0.0;
  addRoundFoot(stopped, 0, {0.0, 0.0, -0.125}, 0.5, 0.01, 0.005);
  exam.push_back({"ball_rolls_no_more", true, finish(stopped)});
  for (const double torsion : {0.01, 0.2}) {
    Mechanism box(6);
    setBody(box, 0, 2.0, {0.25, 0.125, 0.125});
    box.velocity << 1.0, 0.5, 0.0, 0.0, 0.0, 3.0;
    for (int i = 0; i < 4; ++i)
      addRoundFoot(box, 0, rimPoint({0.25, 0.125, 0.125}, i, 4), 0.5, torsion, torsion > 0.1 ? 0.05 : 0.0);
    exam.push_back({fmt::format("box_on_feet_torsion_{}", torsion), true, finish(box)});
  }
}

std::vector<ExamProblem> listExam() {
  std::vector<ExamProblem> exam;
  for (const auto add : {addTables, addStacks, addFriction, addImpacts, addDuplicates, addHeaps, addRest, addFeet,
                         addLoops, addRods, addGrips, addJams, addJoints, addRobots, addRoundFeet})
    add(exam);
  return exam;
}

}  // namespace rigor::reference
