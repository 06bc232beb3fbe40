// One abstract level: a solver turns a problem into a solution. Whoever wrote it, the judge decides.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "rigor/contact_problem.h"

namespace rigor {

/// Raised from another thread, or by the handler of a signal, while work goes on.
using StopFlag = std::atomic<bool>;
inline bool isRaised(const StopFlag* flag) { return flag && flag->load(std::memory_order_relaxed); }

struct SolverOptions {
  double tolerance = 1e-10;  ///< ε of the judge
  double aim = 1e-10;        ///< each stage goes on to this ε; one that ends within `tolerance` has won all the same
  /// An answer within this ε will do where only the most stubborn stages might find a better one: whoever asks will set the
  /// problem up anew, nearer to the answer. 0: nothing but `tolerance` will do.
  double enough = 0.0;
  int max_iterations = 0;          ///< 0: the solver's own limit
  const StopFlag* stop = nullptr;  ///< once it is raised, the best so far will do
};

class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  virtual std::string_view name() const = 0;
  virtual bool solves(Law law) const { return law == Law::kCoulomb; }
  /// Problems with more rows come with W as factors (DelassusMatrix::isFactored); those of a solver that does not say otherwise are
  /// always dense, and so are all that eliminateLoops took equal rows out of, but for links of long chains.
  virtual int mostDenseRows() const { return std::numeric_limits<int>::max(); }
  /// Starts at solution.impulse, leaves its best iterate there, judged: status and residuals are the judge's (law,
  /// equation, natural_map, floor, worst_block, finite; ask judge() for the numbers that are reported but not gated).
  /// Owns scratch only: equal inputs give equal bits. Does not allocate once it has seen a problem of this size.
  virtual void solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) = 0;
};

/// Makes one solver for each simulator, and one more for each of its forks.
using SolverFactory = std::function<std::unique_ptr<ContactSolver>()>;

/// The solver with loops taken out of its problems: it sees no equal rows. All of listSolvers() come like this.
std::unique_ptr<ContactSolver> eliminateLoops(std::unique_ptr<ContactSolver> solver);
/// The solver with its answers judged: status, residuals and certificate are not its own word, sizes are made right, and a
/// problem with a law that it does not solve is refused (kBadInput, stage "unknown law") before it is asked. What it throws
/// becomes ContactSolution::complaint, and the impulses that it left are judged. The simulator does this, and eliminateLoops,
/// to a solver of yours.
std::unique_ptr<ContactSolver> judgeAnswers(std::unique_ptr<ContactSolver> solver);

/// What a user should know before choosing; `rigor solve --list` and docs/solvers.md show the same table.
struct SolverInfo {
  std::string_view name, laws, blocks, description, cost, fails;
};
const std::vector<SolverInfo>& listSolvers();
std::unique_ptr<ContactSolver> makeSolver(
    std::string_view name);  ///< throws Error naming the nearest and the known ones
/// Throws Error naming the solvers that do, unless the solver of this name solves the law.
void checkSolves(std::string_view solver, Law law);

/// The judge: law and equation part for (problem, impulse, velocity); never asks the solver. The tolerance is what
/// `by_floor` refers to.
Residuals judge(const ContactProblem& problem, const ContactSolution& solution,
                double tolerance = SolverOptions{}.tolerance);
/// True if every block's law and equation residual is within tolerance·scale + floor.
bool accepts(const Residuals& residuals, double tolerance);

}  // namespace rigor
