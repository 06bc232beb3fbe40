// The judge once more, written from the text of the law with long doubles and no thought of speed.
#pragma once

#include <vector>

#include "rigor/contact_problem.h"

namespace rigor::reference {

struct SlowVerdict {
  bool accepted = false;
  std::vector<double> law;       ///< [nb] (r_i − floor_i)⁺ / scale_i
  std::vector<double> equation;  ///< [nb] the same for |u − (Wλ + b)|
};

SlowVerdict judgeSlowly(const ContactProblem& problem, const std::vector<double>& impulse,
                        const std::vector<double>& velocity, double tolerance);

}  // namespace rigor::reference
