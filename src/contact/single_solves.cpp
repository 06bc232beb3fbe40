#include <string>

#include "contact/refuse_name.h"
#include "contact/slip_quartic.h"
#include "contact/visit_block.h"
#include "rigor/single_contact.h"

namespace rigor {

const std::vector<SingleSolve>& listSingleSolves() {
  static const std::vector<SingleSolve> list = {
      {"secular", Law::kCoulomb, "one scalar root, the slip compliance",
       [](const ContactBlock& block, double) { return solveSingleContact(block); }},
      {"exact", Law::kDissipation, "one scalar root, Lagrange's multiplier",
       [](const ContactBlock& block, double) { return solveDissipation(block); }},
      {"hybrid", Law::kDissipation, "PC Alg. 1, gradient by eq. 13 to 16", solveBySearch<SlipGradient::kHybrid>},
      {"polar", Law::kDissipation, "PC Alg. 1, gradient in polar coordinates", solveBySearch<SlipGradient::kPolar>},
      {"naive", Law::kDissipation, "PC Alg. 1, gradient by eq. 9 to 12", solveBySearch<SlipGradient::kNaive>},
      {"golden", Law::kDissipation, "golden section on the energy", solveByGoldenSection},
      {"quartic", Law::kDissipation, "Ferrari's formula for the multiplier", solveByQuartic},
  };
  return list;
}

const SingleSolve& findSingleSolve(std::string_view name) {
  std::vector<std::string> known;
  for (const SingleSolve& solve : listSingleSolves()) {
    if (solve.name == name) return solve;
    known.emplace_back(solve.name);
  }
  refuseName("single-contact solve", name, known);
}

void addSlips(const ContactProblem& problem, const std::vector<double>& impulse, std::vector<ContactBlock>& slips) {
  std::vector<double> velocity(problem.b.size());
  problem.W.multiplyAdd(impulse.data(), problem.b.data(), velocity.data());
  for (const Block& block : problem.blocks)
    forEachUnit(problem, block, [&]<class Unit>(const Unit&, int row) {
      if constexpr (Unit::kHasFriction && Unit::kRows == 3) {
        ContactBlock contact;
        contact.mu = block.mu;
        problem.W.copyBlock<3>(row, contact.W);
        for (int r = 0; r < 3; ++r) {
          contact.b[r] = velocity[row + r];
          for (int c = 0; c < 3; ++c) contact.b[r] -= contact.W[r][c] * impulse[row + c];
        }
        contact.b[0] += problem.bias[row];
        if (solveSingleContact(contact).mode == ContactMode::kSlip) slips.push_back(contact);
      }
    });
}

}  // namespace rigor
