// Threads that solve islands together.
#include "minimal/solver_crew.h"

#include <gtest/gtest.h>

#include <system_error>

namespace rigor {
namespace {

Solvers makeSolvers(int count) {
  Solvers solvers;
  for (int i = 0; i < count; ++i) solvers.push_back(makeSolver("auto"));
  return solvers;
}

/// A ball of 1 kg on the ground, as an island whose W has factors: λ = −b.
void addIsland(double b, Islands& islands) {
  DelassusFactors factors;
  factors.node_start = {0, 1};
  factors.block_row = {0, 1};
  factors.first_side = {0, 1};
  factors.sides = {{0, 0, 1, 0}};
  factors.freedoms = {0};
  factors.A = factors.B = {1.0};
  Island& island = islands.list.emplace_back();
  Block block;
  block.kind = BlockKind::kAtLeast;
  block.size = 1;
  island.problem.blocks = {block};
  island.problem.W.setFactors(factors);
  island.problem.b = {b}, island.problem.bias = {0.0}, island.problem.compliance = {0.0};
  ++islands.count;
}

TEST(SolverCrew, WorksWithTheThreadsThatTheSystemGives) {
  for (int given = 0; given <= 3; ++given) {
    int started = 0;
    SolverCrew crew(makeSolvers(4), [&](std::function<void()> work) {
      if (started == given) throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
      ++started;
      return std::thread(std::move(work));
    });
    EXPECT_EQ(crew.threads(), 1 + given);
    Islands islands;
    for (int i = 1; i <= 5; ++i) addIsland(-i, islands);
    crew.solve({}, islands);
    for (int i = 1; i <= 5; ++i)
      EXPECT_NEAR(islands.list[i - 1].solution.impulse[0], i, 1e-9 * i);  // 10 times the judge's
  }
}

}  // namespace
}  // namespace rigor
