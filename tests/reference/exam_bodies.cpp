// Free bodies on floors and on each other.
#include <fmt/format.h>

#include "reference/exam_problems.h"
#include "reference/free_bodies.h"

namespace rigor::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

constexpr double kRadius = 0.125;
constexpr int kMostDenseRows = 36;  // a file of W itself has some 28 kB then

ContactProblem finish(const Mechanism& mechanism) {
  Random unused(0);
  return static_cast<int>(mechanism.rows.size()) > kMostDenseRows ? factored(mechanism) : mechanism.problem(unused);
}

/// Legs on a rectangle, at places with few digits.
Mechanism makeTable(int legs, double mu) {
  Mechanism table(6);
  const Vector3d half(1.0, 0.5, 0.375);
  setBody(table, 0, 16.0, half);
  for (int i = 0; i < legs; ++i) {
    const Vector3d leg = rimPoint(half, i, legs);
    const auto rounded = [](double x) { return std::round(64.0 * x) / 64.0; };
    table.addContact(pointRows(table, 0, {rounded(leg.x()), rounded(leg.y()), leg.z()}), kUp, mu);
  }
  return table;
}

/// Boxes on each other, each on four corners; the masses grow from 1 kg to `ratio`.
Mechanism makeStack(int count, double ratio, double mu) {
  Mechanism stack(6 * count);
  const Vector3d half(0.125, 0.125, 0.0625);
  for (int i = 0; i < count; ++i) setBody(stack, i, std::pow(ratio, i / (count - 1.0)), half);
  for (int i = 0; i < count; ++i)
    for (int corner = 0; corner < 4; ++corner) {
      const Vector3d below = rimPoint(half, corner, 4);
      MatrixXd J = pointRows(stack, i, below);
      if (i > 0) J -= pointRows(stack, i - 1, {below.x(), below.y(), half.z()});
      stack.addContact(J, kUp, mu);
    }
  return stack;
}

Mechanism makeBox(int contacts, double mu) {
  Mechanism box(6);
  const Vector3d half(0.25, 0.125, 0.125);
  setBody(box, 0, 2.0, half);
  for (int i = 0; i < contacts; ++i) box.addContact(pointRows(box, 0, rimPoint(half, i, contacts)), kUp, mu);
  return box;
}

void setBall(Mechanism& balls, int body, double mass) {
  setBody(balls, body, mass, Vector3d::Constant(kRadius * std::sqrt(0.6)));  // inertia of a ball: 2/5 r² = 2/3 s²
}

void touch(Mechanism& balls, int upper, int lower, const Vector3d& from_lower, double mu) {
  const Vector3d n = from_lower.normalized();
  balls.addContact(pointRows(balls, upper, -kRadius * n) - pointRows(balls, lower, kRadius * n), n, mu);
}

/// Ten balls upright, and ten in rows of 4, 3, 2, 1: the top is `ratio` times as heavy as the bottom.
Mechanism makeColumn(double ratio, double mu) {
  constexpr int kBalls = 10;
  Mechanism column(6 * kBalls);
  for (int i = 0; i < kBalls; ++i) setBall(column, i, std::pow(ratio, i / (kBalls - 1.0)));
  column.addContact(pointRows(column, 0, -kRadius * kUp), kUp, mu);
  for (int i = 1; i < kBalls; ++i) touch(column, i, i - 1, kUp, mu);
  return column;
}

Mechanism makePyramid(double ratio, double mu) {
  constexpr int kRows = 4;
  Mechanism pyramid(60);
  int ball = 0, below = 0;
  for (int row = 0; row < kRows; ++row) {
    const int length = kRows - row;
    for (int i = 0; i < length; ++i) {
      setBall(pyramid, ball + i, std::pow(ratio, row / (kRows - 1.0)));
      if (row == 0) pyramid.addContact(pointRows(pyramid, i, -kRadius * kUp), kUp, mu);
      if (row == 0) continue;
      touch(pyramid, ball + i, below + i, {0.5, 0.0, std::sqrt(0.75)}, mu);
      touch(pyramid, ball + i, below + i + 1, {-0.5, 0.0, std::sqrt(0.75)}, mu);
    }
    below = ball, ball += length;
  }
  return pyramid;
}

/// Balls on a jittered grid, each touching what is below and beside it.
Mechanism makeHeap(int side, int layers, double mu, std::uint64_t seed) {
  Random random(seed);
  const int count = side * side * layers;
  Mechanism balls(6 * count);
  std::vector<Vector3d> centres;
  for (int i = 0; i < count; ++i) {
    const Vector3d place(i % side, (i / side) % side, 0.5 + i / (side * side));
    centres.push_back(2.0 * kRadius * place + random.vector(0.02));
    setBall(balls, i, random.logUniform(0.1, 10.0));
    balls.velocity.segment<3>(6 * i) = random.vector(0.3);
  }
  for (int i = 0; i < count; ++i) {
    if (centres[i].z() < 1.3 * kRadius) balls.addContact(pointRows(balls, i, -kRadius * kUp), kUp, mu);
    for (int j = 0; j < i; ++j)
      if ((centres[i] - centres[j]).norm() < 2.3 * kRadius) touch(balls, i, j, centres[i] - centres[j], mu);
  }
  return balls;
}

}  // namespace

ContactProblem factored(const Mechanism& bodies) {
  Random unused(0);
  ContactProblem problem = bodies.problem(unused);
  const MatrixXd inverse = bodies.M.inverse();  // of boxes in their own axes: diagonal
  DelassusFactors factors;
  for (int freedom = 6; freedom <= bodies.M.rows(); freedom += 6) factors.node_start.push_back(freedom);
  for (const Block& block : problem.blocks) {
    for (int node = 0; node < factors.nodes(); ++node) {
      MatrixXd J(block.size, 6);
      for (int r = 0; r < block.size; ++r) J.row(r) = bodies.rows[block.row + r].segment<6>(6 * node);
      if (J.isZero(0.0)) continue;
      factors.sides.push_back({node, static_cast<int>(factors.freedoms.size()), 6, static_cast<int>(factors.A.size())});
      for (int k = 0; k < 6; ++k) {
        factors.freedoms.push_back(6 * node + k);
        for (int r = 0; r < block.size; ++r) factors.A.push_back(J(r, k));
        for (int r = 0; r < block.size; ++r) factors.B.push_back(inverse(6 * node + k, 6 * node + k) * J(r, k));
      }
    }
    factors.block_row.push_back(block.row + block.size);
    factors.first_side.push_back(static_cast<int>(factors.sides.size()));
  }
  problem.W = DelassusMatrix(std::move(factors));
  return problem;
}

void addTables(std::vector<ExamProblem>& exam) {
  for (const int legs : {4, 5, 6, 8, 12, 16, 32, 64, 100}) {
    Mechanism table = makeTable(legs, 0.5);
    exam.push_back({fmt::format("table_{}", legs), true, finish(table)});
    if (legs != 4 && legs != 8 && legs != 100) continue;
    table.velocity << 1.0, 0.25, 0.0, 0.0, 0.0, 2.0;
    exam.push_back({fmt::format("table_{}_slides", legs), true, finish(table)});
  }
}

void addStacks(std::vector<ExamProblem>& exam) {
  for (const int power : {0, 1, 2, 3, 4, 5, 6, 7, 8})
    exam.push_back({fmt::format("two_boxes_1e{}", power), true, finish(makeStack(2, std::pow(10.0, power), 0.5))});
  Mechanism sliding = makeStack(2, 1e4, 0.3);
  sliding.velocity[0] = 0.5, sliding.velocity[6] = -0.25;
  exam.push_back({"two_boxes_1e4_slide", true, finish(sliding)});
  exam.push_back({"five_boxes_1e4", true, finish(makeStack(5, 1e4, 0.5))});
  for (const int power : {0, 2, 4, 6, 8})
    exam.push_back({fmt::format("column_1e{}", power), true, finish(makeColumn(std::pow(10.0, power), 0.5))});
  for (const int power : {0, 8})
    exam.push_back({fmt::format("pyramid_1e{}", power), true, finish(makePyramid(std::pow(10.0, power), 0.6))});
}

void addFriction(std::vector<ExamProblem>& exam) {
  for (const double mu : {0.0, 1e-3, 0.1, 0.5, 1.0, 3.0, 10.0}) {
    Mechanism pushed = makeBox(4, mu);
    pushed.force[0] += 2.0 * 4.0, pushed.force[1] += 2.0;  // held from μ = 0.42 on
    exam.push_back({fmt::format("pushed_mu_{}", mu), true, finish(pushed)});
    Mechanism sliding = makeBox(8, mu);
    sliding.velocity << 1.0, -0.5, 0.0, 0.0, 0.0, 3.0;
    if (mu == 0.0 || mu == 0.5 || mu == 10.0) exam.push_back({fmt::format("sliding_mu_{}", mu), true, finish(sliding)});
  }
}

void addImpacts(std::vector<ExamProblem>& exam) {
  for (const int power : {-9, -6, -3, 0, 3, 6}) {
    const double speed = std::pow(10.0, power);
    Mechanism box = makeBox(3, 0.4);
    box.velocity << 0.5 * speed, 0.125 * speed, -speed, 0.25 * speed, -0.5 * speed, speed;
    box.h = std::min(1e-3, 1e-3 * speed);  // gravity does not hide the slow ones
    box.bias[0] = -0.5 * speed;            // bounces
    box.bias[3] = 0.25 * speed;            // open
    exam.push_back({fmt::format("impact_1e{}", power), true, finish(box)});
  }
}

void addDuplicates(std::vector<ExamProblem>& exam) {
  for (const int copies : {2, 8}) {
    Mechanism box(6);
    setBody(box, 0, 1.0, {0.25, 0.25, 0.125});
    for (int i = 0; i < copies; ++i) box.addContact(pointRows(box, 0, {0.0, 0.0, -0.125}), kUp, 0.5);
    box.velocity << 0.5, 0.0, -0.25, 0.0, 0.0, 0.0;
    exam.push_back({fmt::format("same_contact_{}_times", copies), true, finish(box)});
  }
  for (const double apart : {1e-6, 1e-9, 1e-12}) {
    Mechanism box = makeBox(4, 0.5);
    for (int i = 0; i < 4; ++i) {
      const Vector3d beside = rimPoint({0.25, 0.125, 0.125}, i, 4) + Vector3d(apart, -apart, 0.0);
      box.addContact(pointRows(box, 0, beside), kUp, 0.5);
    }
    box.velocity << 0.25, 0.0, 0.0, 0.0, 0.0, 1.0;
    exam.push_back({fmt::format("contacts_{}_apart", apart), true, finish(box)});
  }
}

void addHeaps(std::vector<ExamProblem>& exam) {
  exam.push_back({"heap_4", true, finish(makeHeap(2, 1, 0.5, 1))});
  exam.push_back({"heap_8", true, finish(makeHeap(2, 2, 0.3, 2))});
  exam.push_back({"heap_8_rough", true, finish(makeHeap(2, 2, 1.0, 3))});
  exam.push_back({"heap_12", true, finish(makeHeap(2, 3, 0.5, 4))});
}

void addRest(std::vector<ExamProblem>& exam) {
  Mechanism box = makeBox(4, 0.5);
  box.force.setZero();
  exam.push_back({"no_motion", true, finish(box)});
  box.velocity[2] = 1.0;
  exam.push_back({"leaves", true, finish(box)});
  box.velocity[2] = -1.0;
  for (const Block& block : box.blocks) box.bias[block.row] = 1.0;  // arrives exactly at the end of the step
  exam.push_back({"arrives", true, finish(box)});
}

}  // namespace rigor::reference
