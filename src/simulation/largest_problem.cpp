#include "simulation/largest_problem.h"

#include <algorithm>
#include <tuple>

#include "simulation/join_islands.h"

namespace rigor {

void LargestProblem::see(const Islands& islands) {
  std::array<int, 3> size{};
  auto& [pushing, rows, iterations] = size;
  for (int i = 0; i < islands.count; ++i) {
    const auto& [problem, solution] = std::tie(islands.list[i].problem, islands.list[i].solution);
    for (const Block& block : problem.blocks) {
      const auto first = solution.impulse.begin() + block.row;
      if (std::any_of(first, first + block.size, [](double x) { return x != 0.0; })) pushing += block.size;
    }
    rows += problem.rows();
    iterations += solution.iterations;
  }
  if (rows == 0) return;
  ++seen_;
  if (size <= size_) return;
  size_ = size;
  place_ = seen_;
  islands_.list.assign(islands.list.begin(), islands.list.begin() + islands.count);
  islands_.count = islands.count;
}

SolvedProblem LargestProblem::join() const {
  SolvedProblem joined = joinIslands(islands_);
  joined.place = place_;
  joined.of = seen_;
  return joined;
}

}  // namespace rigor
