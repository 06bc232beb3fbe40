// Contact problems with a story: bodies and robots with real masses and Jacobians in many configurations, all from a
// seed, so that solvers can be examined on the same problems for ever.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rigor/contact_problem.h"

namespace rigor::reference {

struct Family {
  std::string name;
  int samples;  ///< how many problems the exam takes
  ContactProblem (*make)(std::uint64_t seed);
};

/// Robots standing, sliding, lying; boxes at rest, sliding, falling; chains, hinges, grips, stacks, heaps; with limits,
/// motors and loops.
const std::vector<Family>& problemFamilies();

/// Sample number `index` of a family.
ContactProblem makeSample(const Family& family, int index);

}  // namespace rigor::reference
