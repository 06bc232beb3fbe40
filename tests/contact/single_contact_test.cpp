#include "contact/single_contact.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "contact/half_line.h"
#include "contact/interval.h"
#include "contact/slow_twin.h"
#include "reference/mechanism.h"
#include "reference/slow_contact.h"

namespace rigor {
namespace {

using reference::Random;

// W = A diag Aᵀ of the wanted rank, b in its range (a velocity that the body can have), or anywhere for full rank.
ContactBlock randomBlock(Random& random, int rank) {
  ContactBlock block;
  Eigen::Matrix3d A;
  for (int c = 0; c < 3; ++c) A.col(c) = c < rank ? Eigen::Vector3d(random.vector(1.0)) : Eigen::Vector3d::Zero();
  const double size = random.logUniform(1e-3, 1e3);
  const Eigen::Matrix3d W = size * A * A.transpose();
  Eigen::Vector3d b = A * random.vector(1.0) * random.logUniform(1e-6, 1e3);
  if (b[0] > 0.0 && random.uniform(0.0, 1.0) < 0.9) b = -b;
  for (int r = 0; r < 3; ++r) {
    block.b[r] = b[r];
    for (int c = 0; c < 3; ++c) block.W[r][c] = W(r, c);
  }
  block.mu = random.uniform(0.0, 1.0) < 0.05 ? 0.0 : random.logUniform(1e-2, 10.0);
  return block;
}

void disturb(ContactBlock& block, Random& random, double relative) {
  const double size = block.W[0][0] + block.W[1][1] + block.W[2][2];
  for (auto& row : block.W)
    for (double& entry : row) entry += relative * size * random.uniform(-1.0, 1.0);
}

TEST(SingleContact, ObeysTheLawToRoundingForEveryRankAndFriction) {
  Random random(1);
  int modes[3] = {0, 0, 0}, most_steps = 0;
  for (int i = 0; i < 100000; ++i) {
    const int rank = 1 + i % 3;
    const ContactBlock block = randomBlock(random, rank);
    if (block.W[0][0] <= 1e-6 * (block.W[1][1] + block.W[2][2])) continue;  // the normal must be able to move
    const ContactAnswer answer = solveSingleContact(block);
    ASSERT_TRUE(answer.solved) << i;
    ++modes[static_cast<int>(answer.mode)];
    most_steps = std::max(most_steps, answer.steps);
    // Truncated ranks leave out 1e-10 of ĥ by design; regular blocks lose digits only to the elimination of the
    // normal, at most 1e6 here.
    const double defect = static_cast<double>(reference::lawDefect(slow(block), answer.impulse));
    ASSERT_LE(defect, (rank == 3 ? 1e-10 : 1e-9) * velocitySize(block, answer))
        << i << " rank " << rank << " mu " << block.mu << " mode " << static_cast<int>(answer.mode);
  }
  EXPECT_GT(std::min({modes[0], modes[1], modes[2]}), 5000);  // every branch was exercised
  EXPECT_LE(most_steps, 60);
}

TEST(SingleContact, KeepsTheLawWhenRowsAndColumnsDiffer) {
  Random random(2);
  int slips = 0;
  for (int i = 0; i < 30000; ++i) {
    ContactBlock block = randomBlock(random, 3);
    for (int r = 0; r < 3; ++r) block.W[r][r] += 0.05 * (block.W[0][0] + block.W[1][1] + block.W[2][2]);
    disturb(block, random, 1e-3);
    const ContactAnswer answer = solveSingleContact(block);
    ASSERT_TRUE(answer.solved);
    slips += answer.mode == ContactMode::kSlip;
    ASSERT_LE(static_cast<double>(reference::lawDefect(slow(block), answer.impulse)),
              1e-12 * velocitySize(block, answer))
        << i;
  }
  EXPECT_GT(slips, 5000);
}

TEST(SingleContact, FindsOneOfTheAnswersThatTryingEveryDirectionFinds) {
  Random random(3);
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    ContactBlock block = randomBlock(random, 3);
    for (int r = 0; r < 3; ++r) block.W[r][r] += 0.05 * (block.W[0][0] + block.W[1][1] + block.W[2][2]);
    if (i % 2) disturb(block, random, 1e-3);
    const ContactAnswer answer = solveSingleContact(block);
    double nearest = INFINITY, size = 0.0;
    for (const auto& other : reference::findAllAnswers(slow(block), 500)) {
      if (other.mode != static_cast<int>(answer.mode)) continue;
      double distance = 0.0;
      for (int r = 0; r < 3; ++r)
        distance = std::max(distance, static_cast<double>(std::abs(other.impulse[r] - answer.impulse[r])));
      nearest = std::min(nearest, distance);
    }
    for (double value : answer.impulse) size = std::max(size, std::abs(value));
    // The impulse may move by the condition of the block (at most 60) times rounding; two roots of a nearly double
    // one lose half the digits.
    EXPECT_LE(nearest, 1e-7 * size) << i << " mu " << block.mu << " mode " << static_cast<int>(answer.mode);
    compared += answer.mode == ContactMode::kSlip;
  }
  EXPECT_GT(compared, 500);
}

TEST(SingleContact, SlidesWithMassOneAsTheTextbookSays) {
  // Unit mass, v = (3, 0) sideways and 1 down, μ = 0.5: λn = 1, friction 0.5 against the slip. (PC's line-of-sight
  // test as printed would reject exactly this.)
  ContactBlock block{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {-1, 3, 0}, 0.5};
  const ContactAnswer answer = solveSingleContact(block);
  EXPECT_EQ(answer.mode, ContactMode::kSlip);
  EXPECT_DOUBLE_EQ(answer.impulse[0], 1.0);
  EXPECT_DOUBLE_EQ(answer.impulse[1], -0.5);
  EXPECT_EQ(answer.impulse[2], 0.0);
}

TEST(SingleContact, SwitchesFromStickToSlipAtTheEdgeOfTheCone) {
  for (double mu : {0.1, 0.5, 2.0}) {
    ContactBlock block{{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, {-1, 0, -1}, mu};
    block.b[2] = -mu * (1 - 1e-12);
    EXPECT_EQ(solveSingleContact(block).mode, ContactMode::kStick);
    block.b[2] = -mu * (1 + 1e-12);
    EXPECT_EQ(solveSingleContact(block).mode, ContactMode::kSlip);
  }
}

TEST(SingleContact, WithoutFrictionOnlyTheNormalActs) {
  ContactBlock block{{{2, 0.3, 0.1}, {0.3, 1, 0}, {0.1, 0, 1}}, {-1, 5, 2}, 0.0};
  const ContactAnswer answer = solveSingleContact(block);
  EXPECT_DOUBLE_EQ(answer.impulse[0], 0.5);
  EXPECT_EQ(answer.impulse[1], 0.0);
  EXPECT_EQ(answer.impulse[2], 0.0);
}

TEST(SingleContact, SaysWhenClosedAndOpenAnswersMayLiveSideBySide) {
  ContactBlock block{{{1, 0.9, 0}, {0.9, 1, 0}, {0, 0, 1}}, {-1, 0, 0}, 1.0};
  EXPECT_FALSE(solveSingleContact(block).painleve);
  block.mu = 1.2;  // μ |Wnt| = 1.08 > Wnn
  EXPECT_TRUE(solveSingleContact(block).painleve);
}

TEST(SingleContact, CannotPushWhereNothingMoves) {
  ContactBlock block{{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {-1, 0, 0}, 0.5};
  const ContactAnswer answer = solveSingleContact(block);
  EXPECT_FALSE(answer.solved);
  EXPECT_EQ(answer.impulse[0], 0.0);
}

TEST(SingleRow, LimitPushesOnlyAgainstApproach) {
  EXPECT_EQ(solveAtLeast(2.0, 1.0), 0.0);
  EXPECT_EQ(solveAtLeast(2.0, -1.0), 0.5);
  EXPECT_EQ(solveAtLeast(0.0, -1.0), 0.0);
}

TEST(SingleRow, BoxMeetsItsTargetOrStopsAtABound) {
  EXPECT_EQ(solveBox(2.0, -1.0, 0.0, -1.0, 1.0, 0.0), 0.5);
  EXPECT_EQ(solveBox(2.0, -1.0, 2.0, -1.0, 1.0, 0.0), 0.25);  // compliance shares the row
  EXPECT_EQ(solveBox(2.0, -4.0, 0.0, -1.0, 1.0, 0.0), 1.0);
  EXPECT_EQ(solveBox(2.0, 4.0, 0.0, -INFINITY, 1.0, 0.0), -2.0);
  EXPECT_EQ(solveBox(0.0, 4.0, 0.0, -1.0, 1.0, 0.3), -1.0);  // nothing moves: the bound it is pulled to
  EXPECT_EQ(solveBox(0.0, 0.0, 0.0, -1.0, 1.0, 0.3), 0.3);
}

}  // namespace
}  // namespace rigor
