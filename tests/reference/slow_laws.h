// One contact by law dissipation and by law pyramid, by brute force and in long double: written from the texts of the laws
// alone, as a search over angles and as an enumeration of faces.
#pragma once

#include "reference/slow_contact.h"

namespace rigor::reference {

/// E = ½ λt·Ŵλt + ĥ·λt relative to that of λt = 0: what PC eq. 8 minimises, with un = 0 [J].
long double energyOf(const SlowContact& contact, const long double impulse[3]);

/// The impulse of least energy among those with un = 0 and |λt| ≤ μ λn: stick, or a scan over `directions` angles of the
/// mantle, the best refined by golden section. False if the contact is open or no angle has a point.
bool findLeastEnergy(const SlowContact& contact, int directions, long double impulse[3]);

/// How far an impulse is from the stationarity of that minimum [m/s]: un = 0, λ in its cone, and where it is on the mantle
/// ut against d + μ k. Works for any rank.
long double dissipationDefect(const SlowContact& contact, const double impulse[3]);

/// How far an impulse is from obeying law pyramid [m/s]: Signorini; every side; λt·ut against the least that any corner gives.
long double pyramidDefect(const SlowContact& contact, int corners, const double impulse[3]);

}  // namespace rigor::reference
