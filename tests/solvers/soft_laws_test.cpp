// Soft contacts by every law: R on the normal row is the same as R on the diagonal of W there.
#include <gtest/gtest.h>

#include "contact/check_problem.h"
#include "reference/mechanism.h"
#include "rigor/solver.h"
#include "solver_choice.h"

namespace rigor {
namespace {

using reference::Random;

/// Free bodies of six freedoms that touch the ground and each other; every other contact is soft.
ContactProblem softPile(Law law, int bodies, int contacts, Random& random) {
  const int n = 6 * bodies, m = 3 * contacts;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(m, n);
  Eigen::VectorXd inverse(n), v(n);
  for (int j = 0; j < n; ++j) inverse[j] = random.logUniform(0.1, 10.0), v[j] = random.uniform(-1.0, 1.0);
  ContactProblem problem;
  problem.law = law;
  problem.compliance.assign(m, 0.0), problem.bias.assign(m, 0.0);
  for (int i = 0; i < contacts; ++i) {
    const int first = i % bodies, second = random.integer(0, bodies);  // the last is the ground
    for (int r = 3 * i; r < 3 * i + 3; ++r)
      for (int k = 0; k < 6; ++k) {
        J(r, 6 * first + k) = random.uniform(-1.0, 1.0);
        if (second < bodies && second != first) J(r, 6 * second + k) = random.uniform(-1.0, 1.0);
      }
    problem.blocks.push_back({BlockKind::kContact, 3 * i, 3, random.uniform(0.0, 0.8)});
    problem.bias[3 * i] = random.uniform(-0.3, 0.1);
    if (i % 2 == 0) problem.compliance[3 * i] = random.logUniform(0.01, 10.0);
  }
  const Eigen::VectorXd b = J * v;
  problem.b.assign(b.begin(), b.end());
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> W =
      J * inverse.asDiagonal() * J.transpose();
  problem.W = DelassusMatrix(std::vector<double>(W.data(), W.data() + W.size()));
  problem.velocity_scale = 1e-3;
  return problem;
}

/// The same with R in W: a hard problem whose impulses are those of the soft one.
ContactProblem hardTwin(ContactProblem problem) {
  std::vector<double> W;
  for (int i = 0; i < problem.rows(); ++i)
    for (int j = 0; j < problem.rows(); ++j) W.push_back(problem.W(i, j) + (i == j ? problem.compliance[i] : 0.0));
  problem.W = DelassusMatrix(std::move(W));
  problem.compliance.assign(problem.rows(), 0.0);
  return problem;
}

class SoftByLaw : public testing::TestWithParam<Law> {};
INSTANTIATE_TEST_SUITE_P(Laws, SoftByLaw, testing::Values(Law::kCoulomb, Law::kDissipation, Law::kPyramid),
                         [](const auto& info) { return std::string(lawName(info.param)); });

TEST_P(SoftByLaw, ContactsHaveTheImpulsesOfHardOnesWithTheirComplianceInW) {
  for (const SolverInfo& info : solversOf(GetParam())) {
    const auto solver = makeSolver(info.name);
    Random random(5);
    int solved = 0;
    for (int i = 0; i < 60; ++i) {
      const ContactProblem soft = softPile(GetParam(), 2, 3, random);
      ASSERT_FALSE(findDefect(soft).has_value());
      ContactSolution solution;
      solution.impulse.assign(soft.rows(), 0.0);
      solver->solve(soft, {}, solution);
      if (solution.status != SolveStatus::kSolved) continue;
      ++solved;
      const ContactProblem hard = hardTwin(soft);
      for (int r = 0; r < soft.rows(); ++r) solution.velocity[r] += soft.compliance[r] * solution.impulse[r];
      // scales of the two differ by (Wnn + R)/Wnn, up to a hundred
      EXPECT_LE(judge(hard, solution).law, 1e-8) << info.name << " " << i;
    }
    EXPECT_GE(solved, info.name == "pgs" ? 30 : 50) << info.name;
  }
}

}  // namespace
}  // namespace rigor
