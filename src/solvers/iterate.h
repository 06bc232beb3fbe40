// A point on the way to the answer, as the stages of a solver hand it on.
#pragma once

#include <vector>

#include "rigor/contact_problem.h"

namespace rigor {

/// Modes are kept per unit here, at its first row, so that a limit or box block of several rows needs no special case. No
/// stage sees equal rows: they are eliminated before.
struct Iterate {
  std::vector<double> impulse, velocity;  ///< [m] λ, u = Wλ + b of the last judgement
  std::vector<ContactMode> modes;         ///< [m]
  Residuals residuals;

  void resize(int rows);
};

/// u = Wλ + b alone.
void computeVelocity(const ContactProblem& problem, Iterate& iterate);

/// u = Wλ + b and the judge's lean numbers.
void judgeIterate(const ContactProblem& problem, Iterate& iterate);

/// Sets from impulse and velocity alone, for stages that do not keep any.
void classifyModes(const ContactProblem& problem, Iterate& iterate);

/// Puts each block's impulse into its set K.
void projectImpulse(const ContactProblem& problem, std::vector<double>& impulse);

/// Puts only what pulls or passes a bound back into its set; true if there was any.
bool removePulls(const ContactProblem& problem, std::vector<double>& impulse);

/// Sets of the caller's solution (per block) to rows, and back.
void importModes(const ContactProblem& problem, const ContactSolution& solution, Iterate& iterate);
void exportModes(const ContactProblem& problem, const Iterate& iterate, ContactSolution& solution);

}  // namespace rigor
