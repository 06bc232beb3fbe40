// Every way to solve one contact, against the law itself and against brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "contact/friction_polygon.h"
#include "contact/pyramid_contact.h"
#include "contact/slow_twin.h"
#include "reference/mechanism.h"
#include "reference/slow_laws.h"
#include "rigor/error.h"
#include "rigor/single_contact.h"

namespace rigor {
namespace {

using reference::Random;

// W of the wanted rank, b in its range; sizes over six decades, μ from 0 to 10. `firm` adds to the diagonal.
ContactBlock randomBlock(Random& random, int rank, double firm = 0.0) {
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  for (int c = 0; c < rank; ++c) A.col(c) = random.vector(1.0);
  const Eigen::Matrix3d W =
      random.logUniform(1e-3, 1e3) * (A * A.transpose() + firm * Eigen::Matrix3d(Eigen::Matrix3d::Identity()));
  Eigen::Vector3d b = (firm > 0.0 ? random.vector(1.0) : A * random.vector(1.0)) * random.logUniform(1e-6, 1e3);
  if (b[0] > 0.0 && random.uniform(0.0, 1.0) < 0.9) b = -b;
  ContactBlock block;
  for (int r = 0; r < 3; ++r) {
    block.b[r] = b[r];
    for (int c = 0; c < 3; ++c) block.W[r][c] = W(r, c);
  }
  block.mu = random.uniform(0.0, 1.0) < 0.05 ? 0.0 : random.logUniform(1e-2, 10.0);
  return block;
}

// RIGOR_CONTACTS asks for more than a test has time for.
int contactCount(int usual) {
  const char* asked = std::getenv("RIGOR_CONTACTS");
  return asked ? std::atoi(asked) : usual;
}

bool canMove(const ContactBlock& block) { return block.W[0][0] > 1e-6 * (block.W[1][1] + block.W[2][2]); }

TEST(SingleSolves, OfLawDissipationObeyItToRoundingForEveryRankFrictionAndSize) {
  for (const SingleSolve& way : listSingleSolves()) {
    if (way.law != Law::kDissipation) continue;
    Random random(1);
    int modes[3] = {0, 0, 0}, painleve = 0;
    for (int i = 0; i < contactCount(100000); ++i) {
      const int rank = 1 + i % 3;
      const ContactBlock block = randomBlock(random, rank);
      if (!canMove(block)) continue;
      const ContactAnswer answer = way.solve(block, 0.0);
      ASSERT_TRUE(answer.solved) << way.name << " " << i;
      ++modes[static_cast<int>(answer.mode)];
      painleve += answer.painleve && answer.mode == ContactMode::kSlip;
      // as for the secular equation: ranks leave out 1e-10 of ĥ, the elimination of the normal loses at most six digits
      const double defect = static_cast<double>(reference::dissipationDefect(slow(block), answer.impulse));
      ASSERT_LE(defect, (rank == 3 ? 1e-10 : 1e-9) * velocitySize(block, answer))
          << way.name << " " << i << " rank " << rank << " mu " << block.mu;
    }
    EXPECT_GT(std::min({modes[0], modes[1], modes[2]}), 5000) << way.name;  // every branch was exercised
    EXPECT_GT(painleve, 500) << way.name;
  }
}

TEST(SingleSolves, OfLawDissipationLeaveNoMoreEnergyThanTryingEveryAngle) {
  for (const SingleSolve& way : listSingleSolves()) {
    if (way.law != Law::kDissipation) continue;
    Random random(2);
    int compared = 0;
    for (int i = 0; i < 2000; ++i) {
      const ContactBlock block = randomBlock(random, 3, 0.05);
      long double best[3];
      if (!reference::findLeastEnergy(slow(block), 720, best)) continue;
      const ContactAnswer answer = way.solve(block, 0.0);
      const long double found[3] = {answer.impulse[0], answer.impulse[1], answer.impulse[2]};
      const long double least = reference::energyOf(slow(block), best);
      // energies are differences of products of this size
      const double size = velocitySize(block, answer) * std::hypot(answer.impulse[1], answer.impulse[2]);
      ASSERT_LE(static_cast<double>(reference::energyOf(slow(block), found) - least), 1e-13 * size)
          << way.name << " " << i << " mu " << block.mu;
      compared += answer.mode == ContactMode::kSlip;
    }
    EXPECT_GT(compared, 500) << way.name;
  }
}

// What PC asks of its searches: an interval of 1e-6 N s. The error may be as long as the interval.
TEST(SingleSolves, EndWithinTheIntervalThatIsAskedFor) {
  for (const SingleSolve& way : listSingleSolves()) {
    if (way.law != Law::kDissipation) continue;
    Random random(3);
    for (int i = 0; i < 5000; ++i) {
      ContactBlock block = randomBlock(random, 3, 0.1);
      block.mu = random.logUniform(0.1, 1.0);
      const ContactAnswer exact = findSingleSolve("exact").solve(block, 0.0);
      const double size = std::hypot(exact.impulse[0], exact.impulse[1], exact.impulse[2]);
      const ContactAnswer coarse = way.solve(block, 1e-6 * size);
      double off = 0.0;
      for (int r = 0; r < 3; ++r) off = std::hypot(off, coarse.impulse[r] - exact.impulse[r]);
      // golden section encloses the least of values that are equal to rounding within 1e-7 of a flat minimum
      ASSERT_LE(off, 2e-6 * size) << way.name << " " << i;
    }
  }
}

// Errata 1: with the printed sign of the line-of-sight test exactly this answer would be rejected.
TEST(SingleSolves, FindTheAnswerThatThePrintedLineOfSightRejects) {
  const ContactBlock block{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {-1, -3, 0}, 0.5};
  for (const SingleSolve& way : listSingleSolves()) {
    const ContactAnswer answer = way.solve(block, 0.0);
    EXPECT_NEAR(answer.impulse[0], 1.0, 1e-15) << way.name;
    EXPECT_NEAR(answer.impulse[1], 0.5, 1e-15) << way.name;
    EXPECT_NEAR(answer.impulse[2], 0.0, 1e-15) << way.name;
  }
}

TEST(SingleSolves, OfBothLawsAgreeWhereNormalAndFrictionDoNotCouple) {
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    ContactBlock block = randomBlock(random, 3, 0.05);
    for (int r = 1; r < 3; ++r) block.W[0][r] = block.W[r][0] = 0.0;
    const ContactAnswer coulomb = findSingleSolve("secular").solve(block, 0.0);
    const ContactAnswer dissipation = findSingleSolve("exact").solve(block, 0.0);
    for (int r = 0; r < 3; ++r)  // both are roots to a few roundings of a well conditioned equation
      ASSERT_NEAR(coulomb.impulse[r], dissipation.impulse[r],
                  1e-12 * (1e-300 + std::abs(coulomb.impulse[0])) * (1.0 + block.mu))
          << i;
  }
}

TEST(SingleSolves, AreFoundByNameAndSuggestTheNearest) {
  EXPECT_EQ(findSingleSolve("golden").name, "golden");
  try {
    findSingleSolve("goldn");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.remedy().find("\"golden\""), std::string::npos);
  }
}

TEST(PyramidContact, ObeysItsLawToRoundingForEveryRankFrictionAndNumberOfCorners) {
  Random random(5);
  int modes[3] = {0, 0, 0};
  for (int i = 0; i < contactCount(60000); ++i) {
    const int rank = 1 + i % 3, corners = 4 + 2 * (i % 31);
    const ContactBlock block = randomBlock(random, rank);
    if (!canMove(block)) continue;
    const ContactAnswer answer = solvePyramid(block, polygonOf(corners));
    ASSERT_TRUE(answer.solved) << i;
    ++modes[static_cast<int>(answer.mode)];
    const double defect = static_cast<double>(reference::pyramidDefect(slow(block), corners, answer.impulse));
    ASSERT_LE(defect, 1e-9 * velocitySize(block, answer))
        << i << " rank " << rank << " corners " << corners << " mu " << block.mu;
  }
  EXPECT_GT(std::min({modes[0], modes[1], modes[2]}), 3000);
}

// Errata 21: a square does not slide under an oblique push below its corner value; between corners it holds μ cos(π/n).
TEST(PyramidContact, HoldsTheLeastBetweenItsCorners) {
  for (const int corners : {4, 8, 32}) {
    const double least = 0.5 * std::cos(M_PI / corners);
    ContactBlock block{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {-1, 0, 0}, 0.5};
    const double middle = M_PI / corners;
    for (const double push : {least * (1 - 1e-12), least * (1 + 1e-9)}) {
      block.b[1] = push * std::cos(middle), block.b[2] = push * std::sin(middle);
      EXPECT_EQ(solvePyramid(block, polygonOf(corners)).mode, push < least ? ContactMode::kStick : ContactMode::kSlip)
          << corners;
    }
  }
}

}  // namespace
}  // namespace rigor
