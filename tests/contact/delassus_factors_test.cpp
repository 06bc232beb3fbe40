// W as factors answers every question as the dense matrix does.
#include <gtest/gtest.h>

#include <random>

#include "contact/check_problem.h"
#include "contact/judge.h"
#include "rigor/contact_problem.h"
#include "rigor/solver.h"

namespace rigor {
namespace {

// Contacts, limits and a box row of two between nodes of 6, 3 and 9 freedoms; one block has both sides on one node.
ContactProblem makeProblem(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  DelassusFactors factors;
  for (const int size : {6, 3, 9}) factors.node_start.push_back(factors.node_start.back() + size);
  ContactProblem problem;
  const auto addSide = [&](int node, int first, int length, int size) {
    factors.sides.push_back(
        {node, static_cast<int>(factors.freedoms.size()), length, static_cast<int>(factors.A.size())});
    for (int k = 0; k < length; ++k) {
      factors.freedoms.push_back(factors.node_start[node] + first + k);
      for (int r = 0; r < size; ++r) {
        const double a = normal(random);
        factors.A.push_back(a);
        factors.B.push_back(a * (1.0 + 1e-3 * normal(random)));
      }
    }
  };
  const auto close = [&](Block block) {
    block.row = factors.block_row.back();
    problem.blocks.push_back(block);
    factors.block_row.push_back(block.row + block.size);
    factors.first_side.push_back(static_cast<int>(factors.sides.size()));
  };
  addSide(0, 0, 6, 3), addSide(2, 0, 7, 3), close({.kind = BlockKind::kContact, .mu = 0.5});
  addSide(1, 1, 2, 1), close({.kind = BlockKind::kAtLeast, .size = 1});
  addSide(2, 0, 6, 3), addSide(2, 2, 7, 3), close({.kind = BlockKind::kContact, .mu = 0.8});
  addSide(0, 2, 3, 2), addSide(1, 0, 3, 2), close({.kind = BlockKind::kBox, .size = 2, .lo = -0.1, .hi = 0.2});
  problem.W = DelassusMatrix(factors);
  const int m = problem.W.rows();
  for (auto* array : {&problem.bias, &problem.compliance}) array->assign(m, 0.0);
  for (int row = 0; row < m; ++row) problem.b.push_back(normal(random));
  problem.velocity_scale = 1e-3;
  return problem;
}

TEST(DelassusFactors, AnswerEveryQuestionAsTheDenseMatrixDoes) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactProblem problem = makeProblem(seed);
    const DelassusMatrix &W = problem.W, dense = W.toDense();
    const int m = W.rows();
    ASSERT_FALSE(findDefect(problem).has_value());
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) ASSERT_EQ(W(i, j), dense(i, j)) << i << ", " << j;
    for (const Block& block : problem.blocks)
      EXPECT_NEAR(W.scale(block.row, block.size), dense.scale(block.row, block.size), 1e-13);
    double a[3][3], b[3][3];
    W.copyBlock<3>(4, a), dense.copyBlock<3>(4, b);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) EXPECT_EQ(a[r][c], b[r][c]);
    std::vector<double> x(m), y(m), y_dense(m), size(m), size_dense(m);
    for (int j = 0; j < m; ++j) x[j] = std::sin(1.0 + j + seed);
    W.multiply(x.data(), y.data(), size.data());
    dense.multiply(x.data(), y_dense.data(), size_dense.data());
    for (int i = 0; i < m; ++i) {
      EXPECT_NEAR(y[i], y_dense[i], 1e-13 * size[i]);          // rounding of a dozen products
      EXPECT_GE(size[i], (1.0 - 1e-12) * size_dense[i]) << i;  // |A||B||x| bounds |W||x|
      EXPECT_EQ(W.multiplyRow(i, x.data()), [&] {
        std::vector<double> plain(m);
        W.multiply(x.data(), plain.data());
        return plain[i];
      }());
    }
  }
}

TEST(DelassusFactors, AreJudgedAsTheDenseMatrixIs) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactProblem factored = makeProblem(seed);
    ContactProblem dense = factored;
    dense.W = factored.W.toDense();
    ContactSolution solution;
    for (int row = 0; row < dense.rows(); ++row) solution.impulse.push_back(std::abs(std::sin(seed + row)));
    solution.velocity.resize(dense.rows());
    dense.W.multiplyAdd(solution.impulse.data(), dense.b.data(), solution.velocity.data());
    const Residuals a = judge(factored, solution), b = judge(dense, solution);
    EXPECT_NEAR(a.law, b.law, 1e-12);  // all numbers are about 1
    EXPECT_NEAR(a.plain_law, b.plain_law, 1e-12);
    EXPECT_EQ(a.equation, 0.0);  // within the floor
    EXPECT_EQ(a.worst_block, b.worst_block) << seed;
    solution.velocity[2] += 1e-3;
    EXPECT_GT(judge(factored, solution).equation, 1e-6);
  }
}

TEST(DelassusFactors, WhoseIndicesLeadNowhereAreNotSound) {
  const DelassusFactors good = makeProblem(1).W.factors();
  EXPECT_TRUE(good.isSound());
  DelassusFactors bad[6] = {good, good, good, good, good, good};
  bad[0].sides[0].node = 3;
  bad[1].freedoms[0] = 6;  // of the next node
  bad[2].A.pop_back();
  bad[3].sides.back().offset += 1;
  bad[4].first_side.back() += 1;
  std::swap(bad[5].freedoms[0], bad[5].freedoms[1]);
  for (const DelassusFactors& factors : bad) EXPECT_FALSE(factors.isSound()) << &factors - bad;
}

}  // namespace
}  // namespace rigor
