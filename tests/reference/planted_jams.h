// Scenes between walls that close (no motion is possible), stand or open (one is): the same scene three ways.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rigor/contact_problem.h"

namespace rigor::reference {

struct JamFamily {
  std::string name;
  /// Every wall comes closer by `closing` times the speed at which the scene moves; ≤ 0: there is a solution.
  ContactProblem (*make)(std::uint64_t seed, double closing);
};

/// Balls and boxes in vices of two and more walls, stacks and rows of balls between plates, a robot's foot between
/// walls, joints between their own limits, welded bodies; with μ from 0 to 2.
const std::vector<JamFamily>& jamFamilies();

/// Boxes on each other, the heaviest on top: nearly a jam, but not one.
ContactProblem unequalStack(std::uint64_t seed, double mass_ratio);

}  // namespace rigor::reference
