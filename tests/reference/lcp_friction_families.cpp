#include "reference/free_bodies.h"
#include "reference/lcp_families.h"
#include "reference/planted_jams.h"
#include "reference/problem_families.h"

namespace rigor::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

LcpSample asPyramid(ContactProblem problem, Random& random, LcpTruth truth = LcpTruth::kSolvable) {
  problem.law = Law::kPyramid;
  problem.directions = random.integer(0, 1) ? 8 : 4;
  return {makePyramidLcp(problem), truth};
}

Mechanism boxOnFloor(Random& random, double mu) {
  Mechanism box(6);
  const int contacts = random.integer(1, 8);
  const Vector3d half(random.uniform(0.05, 0.5), random.uniform(0.05, 0.5), random.uniform(0.05, 0.3));
  setBody(box, 0, random.logUniform(0.1, 100.0), half);
  for (int i = 0; i < contacts; ++i) box.addContact(pointRows(box, 0, rimPoint(half, i, contacts)), kUp, mu);
  return box;
}

// Half of them exactly at rest: every tangential b is 0.
LcpSample boxAtRest(std::uint64_t seed) {
  Random random(seed);
  Mechanism box = boxOnFloor(random, random.uniform(0.2, 1.2));
  const double push = random.integer(0, 1) * 4.0;
  for (int k = 0; k < 2; ++k) box.force[k] += box.M(0, 0) * random.uniform(-push, push);
  return asPyramid(box.problem(random), random);
}

LcpSample slidingBox(std::uint64_t seed) {
  Random random(seed);
  Mechanism box = boxOnFloor(random, random.uniform(0.05, 1.5));
  box.velocity.head<2>() = random.vector(2.0).head<2>();
  box.velocity[5] = random.uniform(-5.0, 5.0);
  return asPyramid(box.problem(random), random);
}

LcpSample fallingBox(std::uint64_t seed) {
  Random random(seed);
  Mechanism box = boxOnFloor(random, random.uniform(0.0, 2.0));
  const double speed = random.logUniform(1e-6, 1e3);
  for (int i = 0; i < 6; ++i) box.velocity[i] = random.uniform(-speed, speed);
  box.velocity[2] = -speed;
  for (const Block& block : box.blocks) box.bias[block.row] = random.uniform(0.0, 1.0) < 0.3 ? 0.5 * speed : 0.0;
  return asPyramid(box.problem(random), random);
}

// Two or three boxes, the heaviest on top.
LcpSample stack(std::uint64_t seed) {
  Random random(seed);
  const int count = random.integer(2, 3);
  const double ratio = random.logUniform(1.0, 1e6), mu = random.uniform(0.2, 1.0);
  const bool slides = random.integer(0, 1) == 1;
  Mechanism boxes(6 * count);
  const Vector3d half(0.1, 0.1, 0.05);
  for (int i = 0; i < count; ++i) setBody(boxes, i, std::pow(ratio, static_cast<double>(i) / (count - 1)), half);
  for (int i = 0; i < count; ++i) {
    if (slides) boxes.velocity.segment<2>(6 * i) = random.vector(0.5).head<2>();
    for (int corner = 0; corner < 4; ++corner) {
      const Vector3d below = rimPoint(half, corner, 4);
      MatrixXd J = pointRows(boxes, i, below);
      if (i > 0) J -= pointRows(boxes, i - 1, Vector3d(below.x(), below.y(), half.z()));
      boxes.addContact(J, kUp, mu);
    }
  }
  return asPyramid(boxes.problem(random), random);
}

// Walls that close, stand or open.
LcpSample jam(std::uint64_t seed) {
  Random random(seed);
  const auto& families = jamFamilies();
  const JamFamily& family = families[random.integer(0, static_cast<int>(families.size()) - 1)];
  const int way = random.integer(0, 2);
  const double closing = way == 0 ? random.logUniform(1e-3, 1.0) : (way == 1 ? 0.0 : -random.logUniform(1e-3, 1.0));
  return asPyramid(family.make(seed, closing), random, closing > 0.0 ? LcpTruth::kInfeasible : LcpTruth::kSolvable);
}

// Rows of every kind, loops written twice among them. Only with limits that oppose each other may there be no solution.
LcpSample mechanism(std::uint64_t seed) {
  Random random(seed);
  const auto& families = problemFamilies();
  const char* const names[] = {"robot_limits_motors", "jointed_bodies", "grip", "hinge"};
  const char* name = names[random.integer(0, 3)];
  for (const Family& family : families)
    if (family.name == name) return asPyramid(family.make(seed), random, LcpTruth::kEither);
  return {};
}

// RP eq. 7 with its mistakes mended: joints follow a prescribed motion, two or three freedoms of the base are moved by contact
// alone. With C = M⁻¹ − M⁻¹Pᵀ(P M⁻¹Pᵀ)⁻¹P M⁻¹ it is the friction problem of W = [N B]ᵀC[N B]. τ* = M q̇ − h (C + g), as eq. 4 is
// without its torque. In a grip normals oppose each other: fingers that are told to close on the base jam, and a proof exists. In a
// wedge they are tilted besides. Then the base could slip out, so that signs alone prove nothing, but friction may not let it: cases do.
enum class Hold { kFeet, kGrip, kWedge };
LcpSample inverseDynamics(std::uint64_t seed, Hold hold) {
  Random random(seed);
  const int joints = random.integer(2, 6), base = random.integer(2, 3), nv = joints + base;
  const int contacts = random.integer(1, 4);
  const double h = 1e-2;
  MatrixXd A = MatrixXd::NullaryExpr(nv, nv, [&] { return random.uniform(-1.0, 1.0); });
  const MatrixXd inverse = (A * A.transpose() + MatrixXd::Identity(nv, nv)).inverse();
  const MatrixXd P = MatrixXd::Identity(joints, nv);
  const MatrixXd G = inverse * P.transpose() * (P * inverse * P.transpose()).inverse();
  const MatrixXd C = inverse - G * P * inverse;
  ContactProblem problem;
  MatrixXd J(3 * contacts, nv);
  for (int i = 0; i < contacts; ++i) {
    Vector3d normal = hold == Hold::kGrip ? kUp : (kUp + random.vector(0.3)).normalized();
    if (hold != Hold::kFeet && i % 2 == 1) normal = -normal;
    MatrixXd point = MatrixXd::NullaryExpr(3, nv, [&] { return random.uniform(-1.0, 1.0); });
    point.rightCols(base).setZero();
    for (int k = 0; k < base; ++k)
      point(base == 2 && k == 1 ? 2 : k, joints + k) = 1.0;  // the base carries every point along
    J.middleRows(3 * i, 3) = contactFrame(normal) * point;
    problem.blocks.push_back({BlockKind::kContact, 3 * i, 3, random.uniform(0.2, 1.0)});
  }
  const VectorXd momentum = VectorXd::NullaryExpr(nv, [&] { return random.uniform(-1.0, 1.0); });  // τ*
  const VectorXd wanted = VectorXd::NullaryExpr(joints, [&] { return random.uniform(-1.0, 1.0); });
  const MatrixXd W = h * J * C * J.transpose();
  const VectorXd b = J * (inverse * momentum + G * (wanted - P * inverse * momentum));
  const int m = 3 * contacts;
  problem.W.setZero(m);
  problem.b.assign(b.data(), b.data() + m);
  problem.bias.assign(m, 0.0), problem.compliance.assign(m, 0.0);
  for (int r = 0; r < m; ++r)
    for (int c = 0; c < m; ++c) problem.W(r, c) = W(r, c);
  // All normals within 0.5 of up: any push of the base lifts every foot at once.
  const LcpTruth truths[] = {LcpTruth::kSolvable, LcpTruth::kEither, LcpTruth::kEither};
  return asPyramid(std::move(problem), random, truths[static_cast<int>(hold)]);
}

}  // namespace

const std::vector<LcpFamily>& frictionLcps() {
  static const std::vector<LcpFamily> families = {
      {"box_at_rest", boxAtRest},
      {"sliding_box", slidingBox},
      {"falling_box", fallingBox},
      {"stack", stack},
      {"jam", jam},
      {"mechanism", mechanism},
      {"inverse_dynamics", [](std::uint64_t seed) { return inverseDynamics(seed, Hold::kFeet); }},
      {"inverse_dynamics_grip", [](std::uint64_t seed) { return inverseDynamics(seed, Hold::kGrip); }},
      {"inverse_dynamics_wedge", [](std::uint64_t seed) { return inverseDynamics(seed, Hold::kWedge); }, 20},
  };
  return families;
}

}  // namespace rigor::reference
