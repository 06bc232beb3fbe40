#pragma once

#include <vector>

#include "model/merge_links.h"

namespace rigor {

/// Throws Error if some joint can move without moving any inertia, naming its body: the mass matrix would be singular
/// and the acceleration undefined.
void checkMassMatrix(const std::vector<BodySpec>& bodies, const Links& links);

}  // namespace rigor
