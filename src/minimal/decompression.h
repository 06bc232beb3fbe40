// The second phase of an impact, by Poisson's or Stronge's law.
//
// Compression is the impact without restitution: λc, after which the rows have the velocities u_c (OS eq. 36, 37). Of what it pressed at
// a contact a part f comes back,
//   Poisson   f = e λc,n
//   Stronge   f = ε λc,n   with   Λn (un_c + un⁺) = −e² λc,n (un⁻ + un_c)       ε = e without friction
// and beside it acts whatever keeps contacts from approaching again (OS eq. 38 to 40, where the σ row of eq. 39 must have μ f):
//   0 ≤ Λn − f ⟂ un⁺ ≥ 0,   |Λt| ≤ μ Λn and against the slip,   u⁺ = W Λ + u_c.
// Contacts of Newton's law in the same island have 0 ≤ Λn ⟂ un⁺ + e un⁻ ≥ 0, all others the same with e = 0.
//
// That is a contact problem once it is known who has Λn = f. Such a contact is a block whose normal row nobody else moves: w in the place
// of W_nn, nothing beside it, and b = −w f; what f does to the other rows is in their b. Contacts that approach all the same become
// ordinary ones and are solved for again, the third solve of OS; those that then push less than f go back.
#pragma once

#include <vector>

#include "rigor/model.h"
#include "rigor/solver.h"

namespace rigor {

/// What the first phase did to one block.
struct Recovered {
  ImpactLaw law = ImpactLaw::kNewton;
  double e = 0.0;                     ///< 0: it does not bounce
  double approach = 0.0, rate = 0.0;  ///< [m/s] un⁻, un_c
  double impulse = 0.0;               ///< [N s] λc,n
};

struct DecompressionOutcome {
  bool solved = false;
  double share = 1.0;  ///< below 1: Stronge's law is not met, and the least of √(work/work asked for) over its contacts
  int solves = 0, iterations = 0;
};

/// Scratch; does not allocate for problems of a size that it has seen.
class Decompression {
 public:
  /// `problem` has b = u_c and no bias. Starts at the solution's impulses; what is there if it is not solved means nothing.
  DecompressionOutcome solve(const ContactProblem& problem, const std::vector<Recovered>& blocks, ContactSolver& solver,
                             const SolverOptions& options, ContactSolution& solution);

  std::vector<Recovered> blocks;  ///< [nb] memory for the caller

 private:
  void begin(const ContactProblem& problem, const std::vector<Recovered>& given);
  bool solvePhase(const ContactProblem& problem, ContactSolver& solver, const SolverOptions& options,
                  ContactSolution& solution);
  void writeProblem(const ContactProblem& problem);
  bool changeSides(const ContactProblem& problem, const SolverOptions& options, const ContactSolution& solution);
  struct Works {
    double missed = 0.0;     ///< largest |work − asked|/asked
    double share = 1.0;      ///< least √(work/asked), at most 1
    double shortened = 1.0;  ///< factor on all impulses with which no contact does more work than asked for
  };
  Works compareWorks(const ContactProblem& problem, const ContactSolution& solution) const;
  void improveShares(const ContactProblem& problem, const ContactSolution& solution, bool damped);

  std::vector<Recovered> blocks_;  // [nb]
  ContactProblem problem_;
  std::vector<double> returned_;         // [nb] f; 0: none
  std::vector<char> given_;              // [nb] Λn = f
  std::vector<double> velocity_, size_;  // [m] u⁺, and Σ|W||Λ|
  struct Guess {
    double share = 0.0, rate = 0.0;  // ε, un⁺
    bool known = false;
  };
  std::vector<Guess> last_;                         // [nb] of the iteration before
  std::vector<double> share_;                       // [nb] ε
  std::vector<std::pair<double, double>> bracket_;  // [nb] where ε was too small, and too large
};

}  // namespace rigor
