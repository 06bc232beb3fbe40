// The contact problem of a step in a file: take a step, save what its solver saw, load it again, give it to two solvers
// and ask the judge about both. This is how trouble is reported, and how a solver is compared without any robot.
//
//   save_problem [FILE]       in the folder that has scenes/; FILE ends in .json or .npz
//
// docs/problem-files.md says what is in the file; `./rig solve FILE` does the second half of this program.
#include <cstdio>
#include <string>

#include "rigor/rigor.h"

namespace {

using namespace rigor;

/// Solves from nothing: no impulse and no guess who sticks. True if the judge accepts.
bool solveWith(const char* name, const ContactProblem& problem) {
  ContactSolution solution;
  solution.impulse.assign(problem.rows(), 0.0);
  solution.velocity.assign(problem.rows(), 0.0);
  solution.modes.assign(problem.blocks.size(), ContactMode::kOpen);
  const SolverOptions options;
  makeSolver(name)->solve(problem, options, solution);

  // The solver's own residuals are the judge's already; judge() adds those that are reported but not gated.
  const Residuals residuals = judge(problem, solution, options.tolerance);
  const bool good = accepts(residuals, options.tolerance);
  double normal = 0.0;
  for (const Block& block : problem.blocks)
    if (block.kind == BlockKind::kContact) normal += solution.impulse[block.row];
  std::printf("%-15s %-8s stage %-14s %3d iterations, law %.1e, out of the cone %.1e N s, sum of normals %.9f N s\n",
              name, good ? "accepted" : "refused", solution.stage, solution.iterations, residuals.law, residuals.primal,
              normal);
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : "standing.json";
  Simulator simulator(loadScene("scenes/anymal_stand.toml"));
  const StepReport& report = simulator.run(5.0);  // it has landed and stands still on four feet
  if (!report.accepted()) {
    std::printf("%s\n", report.explain().c_str());
    return 1;
  }

  saveProblem(file, simulator.lastProblem().problem);
  const ContactProblem problem = loadProblem(file);
  std::printf("%s: %d blocks, %d rows\n", file.c_str(), static_cast<int>(problem.blocks.size()), problem.rows());

  // weight · h: what the feet must carry in one step of a robot at rest
  const Scene& scene = simulator.scene();
  std::printf("weight times h  %.9f N s\n", scene.model.mass() * -scene.model.gravity().z() * scene.dt);
  const bool first = solveWith("auto", problem), second = solveWith("interior_point", problem);
  return first && second ? 0 : 1;
}
