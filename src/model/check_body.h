// Checks of what the user says about one body or one pair of materials, before anything is built from it.
#pragma once

#include <vector>

#include "rigor/model.h"

namespace rigor {

/// Throws Error for numbers that define no motion; repairs sloppy ones in place (unit axes and quaternions, symmetric
/// inertia) and says so. `index` is the body's own: its parent must be smaller. `repair` repairs any negative moment of
/// inertia, not only one that rounding explains.
void checkBody(BodySpec& body, int index, bool repair, std::vector<Warning>& warnings);

/// The same for a shape; a plane is refused later if its body moves.
void checkShapeSpec(ShapeSpec& shape, const Place& where, std::vector<Warning>& warnings);

/// Of coefficients of friction, and of torsion and rolling [m]: what it holds does not slip, and a residual that has μ|ut| in it is
/// still above the rounding of doubles.
inline constexpr double kMostFriction = 1e4;
/// Coefficients above kMostFriction become that, with a notice.
void checkMaterialPair(MaterialPair& pair, std::vector<Warning>& warnings);

/// Error unless the number is zero or more, and finite unless it need not be.
void checkNotNegative(double value, const Place& where, const std::string& what, const char* unit,
                      bool may_be_infinite = false);

/// Normalises a quaternion in place: Error if it is zero, Warning if its length was off by more than 1e-6.
void normalizeRotation(Eigen::Quaterniond& rotation, const Place& where, const std::string& what,
                       std::vector<Warning>& warnings);

}  // namespace rigor
