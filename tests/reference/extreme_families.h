// Contact problems at the ends of what scenes hold: friction of 1000, masses 1e8 apart, bodies 500 times as long as thick.
#pragma once

#include <cstdint>

#include "rigor/contact_problem.h"

namespace rigor::reference {

ContactProblem strongFriction(
    std::uint64_t seed);                          ///< a box with μ = 10 … 1000 rests, slides or falls on up to 8 points
ContactProblem heavyColumn(std::uint64_t seed);   ///< ten balls on each other, the top up to 1e8 times as heavy
ContactProblem heavyPyramid(std::uint64_t seed);  ///< ten balls in rows of 4, 3, 2, 1, the top up to 1e8 times as heavy
ContactProblem slenderBox(std::uint64_t seed);    ///< a rod or a plate of aspect 500 rests, slides or falls

}  // namespace rigor::reference
