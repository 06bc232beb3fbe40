// One contact, all others held (PC eq. 5): find the impulse λ with u = W λ + b that obeys a law of friction. What solvers that
// go from contact to contact are made of, and what PC table I compares.
#pragma once

#include <string_view>
#include <vector>

#include "rigor/contact_problem.h"

namespace rigor {

/// The 3 × 3 block of one contact, rows and columns (normal, tangent, tangent).
struct ContactBlock {
  double W[3][3];
  double b[3];  ///< velocity with this contact's impulse taken away; the normal entry includes the bias
  double mu;
};

struct ContactAnswer {
  double impulse[3] = {0.0, 0.0, 0.0};
  ContactMode mode = ContactMode::kOpen;
  int steps = 0;          ///< of its iteration, where it has one
  bool painleve = false;  ///< μ |Wnt| ≥ Wnn: closed and open answers may exist side by side, this is one of them
  bool solved = true;     ///< false: nothing moves the normal, or no slip root was found (jam)
};

/// A way to solve one contact. `interval` [N s]: searches may end when they have enclosed λ that closely; 0: to rounding.
/// Those in closed form and by secular equation take no notice of it, but for the polish that a finer one asks for.
struct SingleSolve {
  std::string_view name;
  Law law;
  std::string_view description;
  ContactAnswer (*solve)(const ContactBlock& block, double interval);
};

/// secular (coulomb); exact, hybrid, polar, naive, golden, quartic (dissipation).
const std::vector<SingleSolve>& listSingleSolves();
const SingleSolve& findSingleSolve(std::string_view name);  ///< throws Error naming the nearest and the known ones

/// The slipping contacts of a solved problem as single contacts: W_ii, and b_i with what all others do to it.
void addSlips(const ContactProblem& problem, const std::vector<double>& impulse, std::vector<ContactBlock>& slips);

}  // namespace rigor
