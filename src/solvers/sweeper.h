// Block SOR to the end (PC Alg. 2), for solvers that do nothing else: the moves of block_sor.h, with what a block needs in
// every sweep computed once, and with what the last sweeps tell about the next ones.
//
//  - A contact whose block is regular keeps its inverse: where it sticks, λ ← λ − W_ii⁻¹ (u_i + ν n) is the exact answer.
//    Where it slips by Coulomb's law, the search begins at its last slip compliance.
//  - Sweeps go to and fro, and the block at which one turns is not visited twice.
//  - The judge is asked when moves have become as small as its last answer says they must.
//  - Sweeps to and fro are extrapolated (sweep_memory.h). Where they drift, because sticking rows contradict each other and
//    internal forces grow by as much in every sweep, they go on that way at once to the edge of the first cone.
//
// What the judge is asked for is always where a sweep ended.
#pragma once

#include <cstdint>
#include <vector>

#include "contact/single_contact.h"
#include "solvers/block_sor.h"
#include "solvers/sweep_memory.h"

namespace rigor {

struct SweepLimits {
  double tolerance;     ///< where the judge is content
  double enough = 0.0;  ///< or here, once sweeps have become slow
  int max_sweeps;
  bool extrapolate = true;
  const StopFlag* stop = nullptr;  ///< once it is raised, the sweep at hand is the last
};

class Sweeper {
 public:
  void reserve(int rows);
  /// Moves the iterate until the judge accepts, or to the last sweep; judged last. A dense W only. Returns the
  /// sweeps, of as many visits as there are blocks.
  int relax(const ContactProblem& problem, const SweepLimits& limits, Relaxation relaxation, const ContactRule& rule,
            Iterate& iterate);

 private:
  struct HeldBlock {
    enum class Kind : std::uint8_t {
      kOther,    // not three rows
      kContact,  // three rows
      kRegular,  // whose W_ii has an inverse
    } kind;
    bool by_compliance;             // slips by Coulomb's law, solved to rounding
    double inverse[3][3], W[3][3];  // of W_ii and W_ii, with the compliance of the normal
    single_contact::Tangential t;   // its part that is the same in every sweep
    double slip_compliance;         // of its last slip
    double mu, bias, compliance;
    double w, per_scale;  // blockScale; 1/max(|b_i|, least scale), at least the judge's
  };

  void hold(const ContactProblem& problem, const ContactRule& rule);
  bool solveHeld(HeldBlock& held, const double* u, const double* impulse, double* change, ContactMode& mode) const;
  double move(const ContactProblem& problem, int index, double relaxation, const ContactRule& rule, Iterate& iterate);
  double sweep(const ContactProblem& problem, bool forward, double relaxation, const ContactRule& rule,
               Iterate& iterate);
  void extrapolate(const ContactProblem& problem, Iterate& iterate);
  bool goesInCircles(const ContactProblem& problem, const Iterate& iterate, double way);

  std::vector<HeldBlock> held_;
  double close_ = 0.0;                   // ψ of a slip from which one more step is enough
  std::vector<double> before_, weight_;  // λ before the last sweep to and fro; w of each row
  int visits_ = 0;
  bool turns_ = false;  // the sweep begins where the last one ended, and nothing moved since
  SweepMemory memory_;
};

}  // namespace rigor
