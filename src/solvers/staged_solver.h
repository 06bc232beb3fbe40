// What every solver of this folder does around its stages, and the stages themselves. A stage moves `now_` and asks the
// judge; the best that the judge has seen is the answer.
#pragma once

#include <vector>

#include "rigor/solver.h"
#include "solvers/block_sor.h"
#include "solvers/interior_point.h"
#include "solvers/iterate.h"
#include "solvers/node_newton.h"
#include "solvers/reduced_newton.h"
#include "solvers/semismooth_newton.h"
#include "solvers/sweeper.h"
#include "solvers/verdict.h"

namespace rigor {

class StagedSolver : public ContactSolver {
 public:
  /// Checks the blocks, starts from the caller's impulse, runs the stages, hands the best iterate back judged. Knows no
  /// loops: eliminateLoops takes them out before.
  void solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) final;

 protected:
  virtual void runStages(const ContactProblem& problem, const SolverOptions& options, bool sets_known) = 0;

  void goToStart();  ///< the caller's impulse
  /// No row of it pushes yet, and no row is faster than what weight alone does to it.
  bool restsFromNothing(const ContactProblem& problem) const;

  // Each stage is true if the judge accepts where it ended. First those for problems whose W has factors.

  /// "sets": one factorisation with the caller's sets.
  bool tryFactoredSets(const ContactProblem& problem, const SolverOptions& options);
  /// "newton": Alart and Curnier's equation from where the iterate is.
  bool solveSemismooth(const ContactProblem& problem, const SolverOptions& options, int iterations, const char* stage);
  /// "block_sor": sweeps from the caller's impulse, then Alart and Curnier's equation.
  bool sweepAndSolve(const ContactProblem& problem, const SolverOptions& options, int sweeps);
  /// "proximal": from the best so far, one proximal problem W + ε w I, b − ε w λ_k after another. ε falls while they are
  /// solved in a few Newton steps and rises where they are not, so the impulse walks on where no Newton step from it leads
  /// anywhere: most jams that stop every other stage are solved at the end of such a walk.
  bool walkProximally(const ContactProblem& problem, const SolverOptions& options, int steps);
  /// "proximal" as below, from the best so far alone.
  bool continueFromBest(const ContactProblem& problem, const SolverOptions& options);
  /// "interior_point" on a path that begins near the iterate, or in the middle of the cones; then Newton at its end.
  bool followPathFrom(const ContactProblem& problem, const SolverOptions& options, PathStart start);

  // For those with a dense W.

  /// "sets": one factorisation with the caller's sets; "newton": the sets corrected up to ten times.
  bool solveFromSets(const ContactProblem& problem, const SolverOptions& options);
  /// "block_sor": sweeps in alternating direction with this relaxation.
  bool sweep(const ContactProblem& problem, const SolverOptions& options, int sweeps, double relaxation);
  /// The same with another way to move a contact.
  bool sweepBy(const ContactRule& rule, const ContactProblem& problem, const SolverOptions& options, int sweeps,
               Relaxation relaxation);
  /// "block_sor" for solvers that only sweep, with or without extrapolation. True also if what it found is enough.
  bool sweepOn(const ContactRule& rule, const ContactProblem& problem, const SolverOptions& options, int sweeps,
               Relaxation relaxation, bool extrapolate = true);
  /// "newton" for laws other than Coulomb's: the natural map from the caller's impulse, from three sweeps, from 150.
  void runNaturalMap(const ContactProblem& problem, const SolverOptions& options);
  /// True if the judge accepts the answer so far.
  bool isSolved(const SolverOptions& options) const;
  /// The natural map of the problem's law from where the iterate is.
  bool solveNaturalMap(const ContactProblem& problem, const SolverOptions& options, const char* stage);
  /// "newton": reduced Newton from where the iterate is.
  bool polish(const ContactProblem& problem, const SolverOptions& options);
  /// "interior_point": the path from the middle of the cones, then reduced and semismooth Newton at its end; once more
  /// from far inside.
  bool followPath(const ContactProblem& problem, const SolverOptions& options);
  /// "refine": Newton on the sets of the iterate without a diagonal (ReducedNewton::refine). What it does not solve is forgotten.
  bool refine(const ContactProblem& problem, const SolverOptions& options);
  /// The same from the best so far.
  bool refineBest(const ContactProblem& problem, const SolverOptions& options);
  /// "closely": the path from the middle of the cones by its arc length, and Newton on its sets from time to time.
  bool followClosely(const ContactProblem& problem, const SolverOptions& options);
  /// "at_rest": semismooth Newton from the least impulse that would stop every row, put into the cones.
  bool solveFromRest(const ContactProblem& problem, const SolverOptions& options);
  /// "restart": both maps from forty scattered starts. Newton on a nonsmooth map may cycle from one start and walk
  /// straight to the answer from the next; five or six strongly coupled contacts sometimes need this.
  bool restart(const ContactProblem& problem, const SolverOptions& options);
  /// True if the problem is proved to have no solution; then no other stage can help.
  bool proveJam(const SolverOptions& options) { return verdict_.proveJam(options); }
  /// "proximal": W + ε w I, b − ε w λ_k, a chain of regular problems with ε from 1 to 1e-12; from the best so far, then
  /// from a few sweeps.
  bool continueProximally(const ContactProblem& problem, const SolverOptions& options);

  /// True if the caller limited the iterations and they are used up, or wants no more of them.
  bool exhausted(const SolverOptions& options) const {
    return (options.max_iterations > 0 && iterations_ >= options.max_iterations) || isRaised(options.stop);
  }

  /// True if the best so far will do (SolverOptions::enough).
  bool isEnough(const SolverOptions& options) const {
    return best_.residuals.finite && best_.residuals.law <= options.enough;
  }

  Iterate now_;
  int iterations_ = 0;

 private:
  void reserve(int rows);
  void reserveFactored(int rows);
  void stretchStart(const ContactProblem& problem);
  int polishSets(const ContactProblem& problem, const SolverOptions& options, int iterations);
  bool followPyramid(const ContactProblem& problem, const SolverOptions& options);
  bool sweepFromNothing(const ContactProblem& problem, const SolverOptions& options);
  bool continueFromHere(const ContactProblem& problem, const SolverOptions& options);
  void climb(const ContactProblem& problem, const SolverOptions& options, bool sets_known, ContactSolution& solution);
  /// Makes `now_` the answer if the judge likes it better than what was best; true if it is accepted. What is accepted
  /// pulls nowhere and keeps its bounds to the last bit.
  bool keep(const ContactProblem& problem, const SolverOptions& options, const char* stage);

  int reserved_ = 0,
      reserved_factored_ = 0;  // rows that stages have room for, where W is dense and where it has factors
  Iterate best_;
  Iterate trial_;                               // where a stage was before it tried something
  const Iterate* answer_ = nullptr;             // best_, or now_ once that is accepted
  const std::vector<double>* start_ = nullptr;  // the caller's impulse, until it is overwritten by the answer
  const char* stage_ = "";
  SolverVerdict verdict_;
  ReducedNewton reduced_;
  NodeNewton nodes_;
  InteriorPoint interior_;
  SemismoothNewton semismooth_;
  Sweeper sweeper_;
  std::vector<double> centre_;
};

}  // namespace rigor
