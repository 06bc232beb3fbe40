// Loops taken out along their graph against the same problem with a dense W: chains, ladders, closed loops with redundant rows.
#include "solvers/loop_graph.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <string>

#include "reference/allocation_counter.h"
#include "reference/free_bodies.h"
#include "rigor/solver.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using reference::Random;

/// Free bodies of 1 kg in half coordinates v √M, held together by hinges. Rows of motions may be turned against those of forces.
class Linkage {
 public:
  Linkage(std::uint64_t seed, double turn) : random_(seed), turn_(turn) {}

  int addBody(const Vector3d& centre) {
    centres_.push_back(centre);
    return static_cast<int>(centres_.size()) - 1;
  }
  /// Three rows of a point and two of an axis; −1 is the world.
  void addHinge(int first, int second, const Vector3d& point, const Vector3d& axis) {
    MatrixXd across = reference::contactFrame(axis).bottomRows<2>();
    addRows(BlockKind::kEqual, 0.0, 3, first, second, point, Eigen::Matrix3d::Identity());
    addRows(BlockKind::kEqual, 0.0, 2, first, second, point, across);
  }
  void addContact(int body, const Vector3d& point, double mu) {
    addRows(BlockKind::kContact, mu, 3, -1, body, point, reference::contactFrame(Vector3d::UnitZ()));
  }

  /// With the velocities v of bodies that fall and turn a little.
  ContactProblem finish() {
    factors_.node_start.resize(centres_.size() + 1);
    for (std::size_t i = 0; i <= centres_.size(); ++i) factors_.node_start[i] = static_cast<int>(6 * i);
    VectorXd v(6 * centres_.size());
    for (double& entry : v) entry = random_.uniform(-0.01, 0.01);
    for (std::size_t i = 0; i < centres_.size(); ++i) v[6 * i + 2] -= 0.02;
    ContactProblem problem = problem_;
    problem.W.setFactors(factors_);
    const int m = problem.W.rows();
    problem.b.assign(m, 0.0);
    for (int block = 0; block < factors_.blocks(); ++block) {
      const int row = factors_.block_row[block], size = factors_.block_row[block + 1] - row;
      for (int s = factors_.first_side[block]; s < factors_.first_side[block + 1]; ++s) {
        const DelassusSide& side = factors_.sides[s];
        for (int k = 0; k < side.length; ++k)
          for (int r = 0; r < size; ++r)
            problem.b[row + r] += factors_.A[side.offset + k * size + r] * v[factors_.freedoms[side.first + k]];
      }
    }
    problem.bias.assign(m, 0.0);
    problem.compliance.assign(m, 0.0);
    problem.velocity_scale = 1e-3;
    return problem;
  }

  double anywhere(double size) { return random_.uniform(-size, size); }
  Vector3d direction() { return random_.vector(1.0).normalized(); }

 private:
  void addRows(BlockKind kind, double mu, int size, int first, int second, const Vector3d& point,
               const MatrixXd& directions) {
    Block block{.kind = kind, .row = factors_.block_row.back(), .size = size, .mu = mu};
    problem_.blocks.push_back(block);
    for (const auto& [body, sign] : {std::pair(first, -1.0), std::pair(second, 1.0)})
      if (body >= 0) addSide(body, sign, size, point, directions);
    factors_.block_row.push_back(block.row + size);
    factors_.first_side.push_back(static_cast<int>(factors_.sides.size()));
  }

  void addSide(int body, double sign, int size, const Vector3d& point, const MatrixXd& directions) {
    constexpr double kRadius = 0.3;  // of gyration [m]
    factors_.sides.push_back(
        {body, static_cast<int>(factors_.freedoms.size()), 6, static_cast<int>(factors_.A.size())});
    for (int k = 0; k < 6; ++k) factors_.freedoms.push_back(6 * body + k);
    const bool of_point = size == 3;
    const auto rows = [&](const Vector3d& arm) {
      MatrixXd J(size, 6);
      J << (of_point ? directions : MatrixXd(MatrixXd::Zero(size, 3))),
          (of_point ? MatrixXd(-directions * reference::cross(arm)) : directions) / kRadius;
      return MatrixXd(sign * J);
    };
    const Vector3d arm = point - centres_[body];
    const MatrixXd J = rows(arm), J_end = rows(arm + turn_ * Vector3d(0.3, -0.5, 0.2).cross(arm));
    for (int k = 0; k < 6; ++k)
      for (int r = 0; r < size; ++r) factors_.A.push_back(J_end(r, k)), factors_.B.push_back(J(r, k));
  }

  Random random_;
  double turn_;
  std::vector<Vector3d> centres_;
  ContactProblem problem_;
  DelassusFactors factors_;
};

/// Bodies one behind the other from the world on, each hinge along another axis; contacts on some.
ContactProblem makeChain(int bodies, int contacts, double turn) {
  Linkage linkage(1, turn);
  for (int i = 0; i < bodies; ++i) {
    linkage.addBody({i + 0.5, 0.1 * i, 0.0});
    linkage.addHinge(i - 1, i, {1.0 * i, 0.1 * i, 0.0}, linkage.direction());
  }
  for (int i = 0; i < contacts; ++i) linkage.addContact(bodies - 1 - 3 * i, {bodies - 3.0 * i, 0.0, -0.2}, 0.5);
  return linkage.finish();
}

/// Two chains with rungs, free in space: cycles of which none is redundant, and one contact.
ContactProblem makeLadder(int rungs, double turn) {
  Linkage linkage(2, turn);
  int left = -1, right = -1;
  for (int i = 0; i < rungs; ++i) {
    const int next_left = linkage.addBody({0.0, 0.0, i + 0.5}), next_right = linkage.addBody({1.0, 0.1, i + 0.5});
    const int rung = linkage.addBody({0.5, 0.1, 1.0 * i});
    if (i > 0) linkage.addHinge(left, next_left, {0.0, 0.0, 1.0 * i}, linkage.direction());
    if (i > 0) linkage.addHinge(right, next_right, {1.0, 0.1, 1.0 * i}, linkage.direction());
    linkage.addHinge(next_left, rung, {0.0, 0.0, 1.0 * i}, linkage.direction());
    if (i % 3 == 0) linkage.addHinge(rung, next_right, {1.0, 0.1, 1.0 * i}, linkage.direction());
    left = next_left, right = next_right;
  }
  linkage.addContact(0, {0.0, 0.0, 0.0}, 0.3);
  return linkage.finish();
}

/// Planar four-bars hung from each other: three rows of each closed loop say what its plane says already.
ContactProblem makeFourBars(int count, double turn) {
  Linkage linkage(3, turn);
  int above = -1;
  const Vector3d axis = Vector3d::UnitY();
  for (int i = 0; i < count; ++i) {
    const double z = -1.0 * i;
    const int left = linkage.addBody({0.05, 0.0, z - 0.5}), right = linkage.addBody({1.0, 0.0, z - 0.5});
    const int bar = linkage.addBody({0.5, 0.0, z - 1.0});
    linkage.addHinge(above, left, {0.0, 0.0, z}, axis);
    linkage.addHinge(above, right, {1.0, 0.0, z}, axis);
    linkage.addHinge(left, bar, {0.1, 0.0, z - 1.0}, axis);
    linkage.addHinge(right, bar, {1.0, 0.0, z - 1.0}, axis);
    above = bar;
  }
  linkage.addContact(above, {0.5, 0.0, -count - 0.2}, 0.0);  // across the plane friction would meet no motion at all
  return linkage.finish();
}

/// Bricard's linkages hung from each other: six hinges along the edges of a cube of alternate corners, one row of each too many.
ContactProblem makeBricards(int count, double turn) {
  Linkage linkage(4, turn);
  const Vector3d corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
  const Vector3d axes[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  int before = -1;
  for (int i = 0; i < count; ++i) {
    const Vector3d shift(1.5 * i, 0.0, 0.0);
    int body[6];
    for (int k = 0; k < 6; ++k) body[k] = linkage.addBody(0.5 * (corners[k] + corners[(k + 1) % 6]) + shift);
    for (int k = 0; k < 6; ++k) linkage.addHinge(body[(k + 5) % 6], body[k], corners[k] + shift, axes[k]);
    linkage.addHinge(before, body[0], shift, Vector3d::UnitY());
    before = body[3];
  }
  return linkage.finish();
}

ContactSolution solveAnew(const ContactProblem& problem) {
  ContactSolution solution;
  solution.impulse.assign(problem.rows(), 0.0);
  makeSolver("auto")->solve(problem, {.aim = 1e-14}, solution);  // contacts to rounding, not to what the judge accepts
  return solution;
}

double largestOf(const std::vector<double>& numbers) {
  return Eigen::Map<const VectorXd>(numbers.data(), numbers.size()).cwiseAbs().maxCoeff();
}

void expectAnswersOfTheDenseTwin(const ContactProblem& problem, double within) {
  SCOPED_TRACE(std::to_string(problem.rows()) + " rows");
  ContactProblem dense = problem;
  dense.W.becomeDense();
  const ContactSolution expected = solveAnew(dense), solution = solveAnew(problem);
  ASSERT_EQ(expected.status, SolveStatus::kSolved);
  ASSERT_EQ(solution.status, SolveStatus::kSolved) << solution.residuals.law;
  EXPECT_STREQ(solution.stage, expected.stage);
  const double size = largestOf(expected.impulse);
  for (int row = 0; row < problem.rows(); ++row)
    ASSERT_NEAR(solution.impulse[row], expected.impulse[row], within * size) << row;
}

/// Rank of all equal rows by the graph and Elimination, and by Elimination alone.
std::pair<int, int> findRanks(const ContactProblem& problem) {
  LoopGraph graph;
  Elimination rest, whole;
  EXPECT_TRUE(graph.reduce(problem) && rest.reduce(graph.rest(), nullptr, &graph.scales()));
  ContactProblem dense = problem;
  dense.W.becomeDense();
  whole.reduce(dense);
  return {graph.rank() + rest.rank(), whole.rank()};
}

TEST(LoopGraph, TakesAllRowsOfChainsAndLadders) {
  for (const ContactProblem& problem : {makeChain(30, 3, 0.0), makeLadder(12, 1e-3)}) {
    LoopGraph graph;
    ASSERT_TRUE(graph.reduce(problem));
    for (const Block& block : graph.rest().blocks) EXPECT_EQ(block.kind, BlockKind::kContact);
  }
}

TEST(LoopGraph, FindsTheRankThatEliminationFinds) {
  for (const double turn : {0.0, 1e-3}) {
    const auto [chain, chain_twin] = findRanks(makeChain(20, 0, turn));
    EXPECT_EQ(chain, chain_twin);
    EXPECT_EQ(chain, 100);
    const auto [bars, bars_twin] = findRanks(makeFourBars(5, 0.0));
    EXPECT_EQ(bars, bars_twin);
    EXPECT_EQ(bars, 5 * 17);
    const auto [rings, rings_twin] = findRanks(makeBricards(4, 0.0));
    EXPECT_EQ(rings, rings_twin);
    EXPECT_EQ(rings, 4 * 34);
  }
}

// What both find differs by rounding times a condition that is that of a chain of this length.
TEST(LoopGraph, GivesTheImpulsesOfTheDenseTwinOnChainsAndLadders) {
  for (const double turn : {0.0, 1e-3})
    for (const int bodies : {1, 2, 5, 12, 30}) expectAnswersOfTheDenseTwin(makeChain(bodies, bodies / 10, turn), 1e-12);
  for (const double turn : {0.0, 1e-3})
    for (const int rungs : {2, 6, 15}) expectAnswersOfTheDenseTwin(makeLadder(rungs, turn), 1e-12);
}

TEST(LoopGraph, GivesTheImpulsesOfTheDenseTwinWhereRowsAreRedundant) {
  for (const int count : {1, 2, 5}) expectAnswersOfTheDenseTwin(makeFourBars(count, 0.0), 1e-12);
  for (const int count : {1, 3}) expectAnswersOfTheDenseTwin(makeBricards(count, 0.0), 1e-12);
  // so long that a dense W costs digits: of long double, the graph is 8e-13 away and the twin 2.5e-12
  expectAnswersOfTheDenseTwin(makeFourBars(10, 0.0), 1e-11);
  expectAnswersOfTheDenseTwin(makeBricards(6, 0.0), 1e-11);
}

TEST(LoopGraph, LeavesTheSchurComplementThatEliminationLeaves) {
  const ContactProblem problem = makeChain(15, 4, 1e-3);
  LoopGraph graph;
  Elimination rest, whole;
  ASSERT_TRUE(graph.reduce(problem) && rest.reduce(graph.rest(), nullptr, &graph.scales()));
  ContactProblem dense = problem;
  dense.W.becomeDense();
  whole.reduce(dense);
  const ContactProblem &mine = rest.reduced(), &twin = whole.reduced();
  ASSERT_EQ(mine.rows(), 12);
  ASSERT_EQ(twin.rows(), 12);
  for (int i = 0; i < mine.rows(); ++i) {
    EXPECT_NEAR(mine.b[i], twin.b[i], 1e-12 * largestOf(twin.b));
    for (int j = 0; j < mine.rows(); ++j) EXPECT_NEAR(mine.W(i, j), twin.W(i, j), 1e-12 * largestOf(dense.W.entries()));
  }
}

TEST(LoopGraph, GivesTheSameBitsWhateverWasSolvedBefore) {
  const ContactProblem chain = makeChain(12, 1, 1e-3);
  const std::vector<double> alone = solveAnew(chain).impulse;
  const auto solver = makeSolver("auto");
  for (int bodies = 2; bodies < 16; ++bodies) {  // more graphs than are kept
    ContactSolution other, again;
    solver->solve(makeChain(bodies, 0, 0.0), {}, other);
    solver->solve(chain, {.aim = 1e-14}, again);
    EXPECT_EQ(again.impulse, alone) << bodies;
  }
}

TEST(LoopGraph, AllocatesNothingOnceItHasSeenTheLoops) {
  const ContactProblem chain = makeChain(12, 1, 1e-3), bars = makeFourBars(4, 0.0);
  const auto solver = makeSolver("auto");
  ContactSolution of_chain, of_bars;
  for (int round = 0; round < 2; ++round) solver->solve(chain, {}, of_chain), solver->solve(bars, {}, of_bars);
  AllocationScope scope;
  solver->solve(chain, {}, of_chain);
  solver->solve(bars, {}, of_bars);  // islands take turns
  EXPECT_EQ(scope.count(), 0);
}

TEST(LoopGraph, EndsOnceStopIsRaised) {
  const StopFlag stop{true};
  LoopGraph graph;
  EXPECT_FALSE(graph.reduce(makeChain(3, 0, 0.0), &stop));
}

TEST(LoopsThatContradictEachOther, AreProvedToHaveNoSolutionAlsoByFactors) {
  Linkage linkage(5, 0.0);
  linkage.addBody({0.0, 0.0, 0.0});
  for (int i = 0; i < 2; ++i) linkage.addHinge(-1, 0, {0.0, 0.0, 1.0}, Vector3d::UnitX());
  ContactProblem problem = linkage.finish();
  problem.b[5] += 0.5;  // of the second hinge
  EXPECT_EQ(solveAnew(problem).status, SolveStatus::kNoSolution);
}

}  // namespace
}  // namespace rigor
