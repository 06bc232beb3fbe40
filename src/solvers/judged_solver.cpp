// A solver whose word is not taken: whatever it says of itself, the judge says what its answer is.
#include <exception>
#include <string>

#include "contact/judge.h"
#include "math/finite.h"
#include "rigor/solver.h"
#include "solvers/iterate.h"
#include "solvers/verdict.h"

namespace rigor {
namespace {

class JudgedSolver final : public ContactSolver {
 public:
  explicit JudgedSolver(std::unique_ptr<ContactSolver> inner) : inner_(std::move(inner)) {}

  std::string_view name() const override { return inner_->name(); }
  bool solves(Law law) const override { return inner_->solves(law); }
  int mostDenseRows() const override { return inner_->mostDenseRows(); }

  void solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) override {
    if (!prepareSolution(problem, solves(problem.law), solution).sound) return;
    std::string complaint = ask(problem, options, solution);
    solution.certificate.clear();
    solution.stage = complaint.empty() ? "own" : "threw";  // a name of its own may not live as long as the solution
    solution.complaint = std::move(complaint);
    const std::size_t m = problem.b.size(), blocks = problem.blocks.size();
    const bool threw = !solution.complaint.empty();  // then what it left is judged, if it can be
    if (solution.impulse.size() != m || (threw && !allFinite(solution.impulse))) solution.impulse.assign(m, 0.0);
    solution.velocity.resize(m);
    if (solution.modes.size() != blocks) classify(problem, solution);
    removePulls(problem, solution.impulse);
    solution.residuals = judgeAnswer(problem, options.tolerance, solution.impulse.data(), solution.velocity.data());
    verdict_.begin(problem);
    verdict_.conclude(options, solution);
  }

 private:
  /// Returns what it threw, or nothing. Trouble of a solver is a status: it must not end a run.
  std::string ask(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) {
    try {
      if (problem.W.isFactored() && problem.rows() <= mostDenseRows())
        inner_->solve(makeDense(problem), options, solution);
      else
        inner_->solve(problem, options, solution);
    } catch (const std::exception& trouble) {
      return *trouble.what() ? trouble.what() : "an exception without words";
    } catch (...) {
      return "something that is no std::exception";
    }
    return "";
  }

  void classify(const ContactProblem& problem, ContactSolution& solution) {
    Iterate iterate;
    iterate.resize(problem.rows());
    iterate.impulse = solution.impulse;
    computeVelocity(problem, iterate);
    classifyModes(problem, iterate);
    solution.modes.assign(problem.blocks.size(), ContactMode::kOpen);
    exportModes(problem, iterate, solution);
  }

  std::unique_ptr<ContactSolver> inner_;
  SolverVerdict verdict_;
};

}  // namespace

std::unique_ptr<ContactSolver> judgeAnswers(std::unique_ptr<ContactSolver> solver) {
  return std::make_unique<JudgedSolver>(std::move(solver));
}

}  // namespace rigor
