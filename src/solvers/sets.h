// Open, stick, slip: what follows from a set for the impulse, and what an impulse says about its set.
#pragma once

#include "rigor/contact_problem.h"
#include "solvers/iterate.h"

namespace rigor {

/// Makes λ obey its modes: open 0, slip on the mantle of the cone, box at the nearer bound. Where a slipping contact
/// has no friction direction yet, it takes the one that opposes `velocity`.
void conformToModes(const ContactProblem& problem, Iterate& iterate);

/// Moves every row whose λ or u contradicts its mode to the mode they ask for; true if any changed. Expects λ and u of
/// the same judgement. A contact that wants to close is solved alone to find out how.
bool correctSets(const ContactProblem& problem, double tolerance, Iterate& iterate);

/// Where an impulse that moves along a line first reaches the edge of what its mode allows.
struct Edge {
  double length;     ///< in units of the direction; infinite if it never does
  int row;           ///< of the mode that ends there
  ContactMode mode;  ///< what follows it: a contact that sticks begins to slip or opens, a row opens or meets its bound
};
Edge findEdge(const ContactProblem& problem, const ContactMode* modes, const double* impulse, const double* direction);

}  // namespace rigor
