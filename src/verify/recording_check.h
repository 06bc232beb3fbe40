// Whether a recording can be judged at all.
#pragma once

#include "rigor/recording.h"
#include "verify/world.h"

namespace rigor::verify {

/// Arrays and model have the same sizes. Throws Error.
void checkSizes(const World& world, const Recording& recording);

/// Files hold finite numbers only; a recording in memory may hold anything, and what is compared with NaN is neither near nor
/// far. Throws Error.
void checkFinite(const Recording& recording);

/// Contacts whose slip or numbers mean something else since version 7: two balls, and points of rims and edges beside sides.
bool hasContactsOfOld(const Recording& recording);

}  // namespace rigor::verify
