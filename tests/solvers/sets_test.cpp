// Where a line leaves what a mode allows, against numbers found by hand.
#include "solvers/sets.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rigor {
namespace {

constexpr double kRounding = 1e-14;  // a few roundings of numbers near 1

ContactProblem oneBlock(BlockKind kind, int size, double mu = 0.0, double lo = 0.0, double hi = 0.0) {
  ContactProblem problem;
  Block block;
  block.kind = kind;
  block.size = size;
  block.mu = mu;
  block.lo = lo, block.hi = hi;
  problem.blocks = {block};
  problem.bias.assign(6, 0.0), problem.compliance.assign(6, 0.0);
  return problem;
}

TEST(Edge, OfAStickingContactIsTheMantleOfItsCone) {
  const ContactProblem contact = oneBlock(BlockKind::kContact, 3, 0.5);
  const ContactMode modes[3] = {ContactMode::kStick};
  // |(0.1 + 0.2 t, 0)| = 0.5 (1 + 0.1 t) at t = 0.4/0.15
  const double impulse[3] = {1.0, 0.1, 0.0}, direction[3] = {0.1, 0.2, 0.0};
  Edge edge = findEdge(contact, modes, impulse, direction);
  EXPECT_NEAR(edge.length, 0.4 / 0.15, kRounding);
  EXPECT_EQ(edge.mode, ContactMode::kSlip);
  // into the cone and along its axis there is none
  const double inwards[3] = {1.0, 0.0, 0.0};
  EXPECT_EQ(findEdge(contact, modes, impulse, inwards).length, INFINITY);
  // straight down: the mantle comes before the apex unless there is no friction force
  const double down[3] = {-1.0, 0.0, 0.0}, pressed[3] = {1.0, 0.0, 0.0};
  EXPECT_NEAR(findEdge(contact, modes, impulse, down).length, 0.8, kRounding);
  EXPECT_EQ(findEdge(contact, modes, impulse, down).mode, ContactMode::kSlip);
  edge = findEdge(contact, modes, pressed, down);
  EXPECT_NEAR(edge.length, 1.0, kRounding);
  EXPECT_EQ(edge.mode, ContactMode::kOpen);
}

TEST(Edge, OfASlippingContactIsWhereItOpens) {
  const ContactProblem contact = oneBlock(BlockKind::kContact, 3, 0.5);
  const ContactMode slips[3] = {ContactMode::kSlip}, open[3] = {ContactMode::kOpen};
  const double impulse[3] = {2.0, 0.6, 0.8}, less[3] = {-0.5, 0.3, 0.1}, more[3] = {0.5, 3.0, 3.0};
  const Edge edge = findEdge(contact, slips, impulse, less);
  EXPECT_NEAR(edge.length, 4.0, kRounding);
  EXPECT_EQ(edge.mode, ContactMode::kOpen);
  EXPECT_EQ(findEdge(contact, slips, impulse, more).length, INFINITY);
  EXPECT_EQ(findEdge(contact, open, impulse, less).length, INFINITY);
}

TEST(Edge, OfARowIsItsBound) {
  const ContactMode inside[2] = {ContactMode::kStick, ContactMode::kStick};
  const ContactProblem limits = oneBlock(BlockKind::kAtLeast, 2);
  const double impulse[2] = {3.0, 1.0}, direction[2] = {-1.0, -0.5};
  Edge edge = findEdge(limits, inside, impulse, direction);
  EXPECT_NEAR(edge.length, 2.0, kRounding);
  EXPECT_EQ(edge.row, 1);
  EXPECT_EQ(edge.mode, ContactMode::kOpen);
  const ContactProblem motor = oneBlock(BlockKind::kBox, 1, 0.0, -1.0, 4.0);
  const double up = 2.0, down = -2.0;
  EXPECT_NEAR(findEdge(motor, inside, impulse, &up).length, 0.5, kRounding);
  edge = findEdge(motor, inside, impulse, &down);
  EXPECT_NEAR(edge.length, 2.0, kRounding);
  EXPECT_EQ(edge.mode, ContactMode::kSlip);
}

TEST(Edge, OfSeveralBlocksIsTheNearest) {
  ContactProblem problem = oneBlock(BlockKind::kContact, 3, 0.5);
  problem.blocks.push_back(problem.blocks[0]);
  problem.blocks[1].row = 3;
  const ContactMode modes[6] = {ContactMode::kSlip, {}, {}, ContactMode::kStick, {}, {}};
  const double impulse[6] = {1.0, 0.5, 0.0, 1.0, 0.0, 0.0}, direction[6] = {-1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
  const Edge edge = findEdge(problem, modes, impulse, direction);
  EXPECT_EQ(edge.row, 3);
  EXPECT_NEAR(edge.length, 0.5, kRounding);
}

}  // namespace
}  // namespace rigor
