// Nearest points of the sets K by search, without the formulas of src/contact.
#pragma once

#include <vector>

#include "rigor/contact_problem.h"

namespace rigor::reference {

/// Nearest point of {|t| ≤ μ n} to (n, t, t, …): over every height n the nearest point of the disc of radius μ n is known,
/// and the distance is convex in n, so the height where its slope changes sign is halved down to.
std::vector<long double> searchNearestInCone(long double mu, const std::vector<long double>& x);

/// Nearest point of the pyramid {t ∈ μ n P}, P the regular polygon with its corners on the unit circle: of all points that
/// the planes of its sides, its edges and its apex have to offer, the nearest one inside.
std::vector<long double> searchNearestInPyramid(long double mu, int corners, const std::vector<long double>& x);

/// Nearest point of the block's set by the law of the problem, row by row where it is no contact.
std::vector<long double> searchNearest(const ContactProblem& problem, const Block& block,
                                       const std::vector<long double>& x);

}  // namespace rigor::reference
