// A contact solver of your own: projected Gauss–Seidel (docs/references.md: PC eq. 17). One block at a time takes a
// gradient step on its own impulse and is put back into its set. Simple and slow; the judge says whether it was good
// enough.
//
//   own_solver [SCENE] [SECONDS]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "rigor/rigor.h"

namespace {

using namespace rigor;

class ProjectedGaussSeidel final : public ContactSolver {
 public:
  std::string_view name() const override { return "projected Gauss–Seidel"; }

  void solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) override {
    for (solution.iterations = 0; solution.iterations < 20000; ++solution.iterations) {
      for (const Block& block : problem.blocks) relax(problem, block, solution.impulse.data());
      if (solution.iterations % 16 != 15) continue;
      problem.W.multiplyAdd(solution.impulse.data(), problem.b.data(), solution.velocity.data());
      // What you claim here is not believed: the simulator asks the judge again.
      if (accepts(judge(problem, solution), options.tolerance)) break;
    }
  }

 private:
  // Loops never come here: they are eliminated before.
  static void relax(const ContactProblem& problem, const Block& block, double* impulse) {
    const double w = problem.W.scale(block.row, block.size);
    if (!(w > 0.0)) return;  // nothing can move it
    for (int row = block.row; row < block.row + block.size; ++row) {
      const double u = problem.W.multiplyRow(row, impulse) + problem.b[row];
      const double step = (u + problem.bias[row] + problem.compliance[row] * impulse[row]) /
                          (problem.W(row, row) + problem.compliance[row]);
      if (block.kind == BlockKind::kContact && row > block.row)
        impulse[row] -= u / w;
      else if (block.kind == BlockKind::kBox)
        impulse[row] = std::clamp(impulse[row] - step, block.lo, block.hi);
      else
        impulse[row] = std::max(0.0, impulse[row] - step);  // 0 ≤ λn ⟂ un + ν ≥ 0
    }
    if (block.kind != BlockKind::kContact) return;
    // friction: no longer than the normal impulse allows
    double *tangent = impulse + block.row + 1, length = std::hypot(tangent[0], tangent[1]);
    const double radius = block.mu * impulse[block.row];
    if (length > radius) tangent[0] *= radius / length, tangent[1] *= radius / length;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const Scene scene = loadScene(argc > 1 ? argv[1] : "scenes/anymal_stand.toml");
  Simulator simulator(scene, {.solver = [] { return std::make_unique<ProjectedGaussSeidel>(); }});
  const StepReport& report = simulator.run(argc > 2 ? std::atof(argv[2]) : 1.0);
  std::printf("%s after %.3f s, law residual %.1e\n", report.accepted() ? "accepted" : "refused",
              simulator.state().time, report.law);
  return report.accepted() ? 0 : 1;
}
