// One abstract level: a solver turns a problem into a solution. Whoever wrote it, the judge decides.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "rigor/contact_problem.h"

namespace rigor {

struct SolverOptions {
  double tolerance = 1e-10;  ///< ε of the judge
  double aim = 1e-10;        ///< each stage goes on to this ε; one that ends within `tolerance` has won all the same
  int max_iterations = 0;    ///< 0: the solver's own limit
};

class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  virtual std::string_view name() const = 0;
  virtual Law law() const { return Law::kCoulomb; }
  /// Starts at solution.impulse, leaves its best iterate there, judged: status and residuals are the judge's (law,
  /// equation, natural_map, floor, worst_block, finite; ask judge() for the numbers that are reported but not gated).
  /// Owns scratch only: equal inputs give equal bits. Does not allocate once it has seen a problem of this size.
  virtual void solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) = 0;
};

struct SolverInfo {
  std::string_view name, law, description;
};
const std::vector<SolverInfo>& listSolvers();                      ///< bisection, newton, interior_point, auto
std::unique_ptr<ContactSolver> makeSolver(std::string_view name);  ///< throws Error naming the known ones

/// The judge: law and equation part for (problem, impulse, velocity); never asks the solver. The tolerance is what
/// `by_floor` refers to.
Residuals judge(const ContactProblem& problem, const ContactSolution& solution,
                double tolerance = SolverOptions{}.tolerance);
/// True if every block's law and equation residual is within tolerance·scale + floor.
bool accepts(const Residuals& residuals, double tolerance);

}  // namespace rigor
